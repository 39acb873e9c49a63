// emit_stmt.cpp: statements: decides conditions of parameters, and prunes the branches not taken.
#include "generator/clang/emitter.h"

#include <algorithm>

#include <clang/AST/DeclCXX.h>

#include "generator/clang/text_layout.h"


namespace sg {

using clang::Stmt;
using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
using llvm::isa;

void Emitter::stmt(const Stmt *s, Place place)
{
    if (program_.report.full())
        return;
    if (const auto *c = dyn_cast<clang::CompoundStmt>(s))
        return compound(c);
    if (const auto *i = dyn_cast<clang::IfStmt>(s))
        return if_stmt(i, place);
    if (const auto *f = dyn_cast<clang::ForStmt>(s))
        return for_stmt(f, place);
    if (const auto *w = dyn_cast<clang::WhileStmt>(s))
        return while_stmt(w);
    if (const auto *w = dyn_cast<clang::SwitchStmt>(s))
        return switch_stmt(w);
    if (const auto *e = dyn_cast<clang::Expr>(s))
        return expr(e, {true, true, false});
    if (const auto *d = dyn_cast<clang::DeclStmt>(s))
        return local(d, place);
    if (const auto *r = dyn_cast<clang::ReturnStmt>(s)) {
        if (r->getRetValue())
            expr(r->getRetValue(), {true, false, false});
    } else if (const auto *loop = dyn_cast<clang::DoStmt>(s)) {
        sub_stmt(loop->getBody());
        expr(loop->getCond(), {true, true, false});
    } else if (const auto *label = dyn_cast<clang::SwitchCase>(s)) {
        switch_case(label, false);
    } else if (isa<clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt>(s)) {
        unsupported(s->getBeginLoc(), "goto");
    } else if (isa<clang::AsmStmt>(s)) {
        unsupported(s->getBeginLoc(), "asm; make it a word that an instruction set's table has");
    } else if (!isa<clang::NullStmt, clang::BreakStmt, clang::ContinueStmt>(s)) {
        unsupported(s->getBeginLoc(), s->getStmtClassName());
    }
}

void Emitter::local(const clang::DeclStmt *s, Place place)
{
    for (const clang::Decl *d : s->decls()) {
        if (place == Place::block && isa<clang::VarDecl>(d))
            declared_locals_.insert(d);
        declaration(d);
    }
}

// followed: a statement follows that the label may move to.
void Emitter::switch_case(const clang::SwitchCase *s, bool followed)
{
    if (const auto *c = dyn_cast<clang::CaseStmt>(s)) {
        expr(c->getLHS(), {true, false, false});
        if (c->getRHS())
            unsupported(c->getEllipsisLoc(), "range of cases");
    }
    const Stmt *labelled = s->getSubStmt();
    if (const auto *next = dyn_cast<clang::SwitchCase>(labelled))
        switch_case(next, followed);
    else if (!vanishes(labelled))
        stmt(labelled, Place::single);
    else if (followed)
        drop(labelled);
    else
        edit(span_of(labelled), ";");
}

// ---- pruned statements --------------------------------------------------------------------------

bool Emitter::never_runs(const clang::ForStmt *s)
{
    if (!s->getCond() || (s->getInit() && !isa<clang::DeclStmt>(s->getInit())))
        return false;
    const auto *declared = dyn_cast_or_null<clang::DeclStmt>(s->getInit());
    const auto *v = declared && declared->isSingleDecl()
                        ? dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                        : nullptr;
    const Constant first = v && v->getInit() ? evaluator_.evaluate(v->getInit()) : Constant();
    if (!first)
        return !declared && decide(s->getCond()) == false;
    // The first value alone does not make the loop depend on a parameter.
    const Constant without = evaluator_.evaluate(s->getCond());
    evaluator_.bind(v, evaluator_.convert(first.value, v->getType()));
    Constant c = evaluator_.evaluate(s->getCond());
    evaluator_.unbind();
    program_.report.note_use(c.values);
    return !without && c && !c.is_true() && (first.depends || !c.values.empty());
}

// True if nothing remains of the statement.
bool Emitter::vanishes(const Stmt *s)
{
    if (const auto *c = dyn_cast<clang::CompoundStmt>(s))
        return llvm::all_of(c->body(), [this](const Stmt *inner) { return vanishes(inner); });
    if (const auto *f = dyn_cast<clang::ForStmt>(s))
        return never_runs(f);
    if (const auto *w = dyn_cast<clang::WhileStmt>(s))
        return decide(w->getCond()) == false;
    if (const auto *d = dyn_cast<clang::DeclStmt>(s))
        return llvm::all_of(d->decls(), [this](const clang::Decl *local) {
            const auto *v = dyn_cast<clang::VarDecl>(local);
            // A static assertion has been checked.
            return isa<clang::StaticAssertDecl>(local) ||
                   (v && dead_.count(v) &&
                   !(v->getInit() && v->getInit()->HasSideEffects(program_.context)));
        });
    if (const auto *i = dyn_cast<clang::IfStmt>(s)) {
        const bool then_goes = vanishes(i->getThen());
        const bool else_goes = !i->getElse() || vanishes(i->getElse());
        if (const std::optional<bool> decided = decide(i->getCond()))
            return *decided ? then_goes : else_goes;
        return then_goes && else_goes && !i->getCond()->HasSideEffects(program_.context);
    }
    const auto *e = dyn_cast<clang::Expr>(s);
    return is_empty_word(s) || (e && decide(e));
}

bool Emitter::ends_in_jump(const Stmt *s)
{
    if (const auto *c = dyn_cast<clang::CompoundStmt>(s))
        return !c->body_empty() && ends_in_jump(c->body_back());
    if (const auto *i = dyn_cast<clang::IfStmt>(s)) {
        const std::optional<bool> decided = decide(i->getCond());
        const Stmt *taken = !decided ? nullptr : *decided ? i->getThen() : i->getElse();
        return taken && ends_in_jump(taken);
    }
    return isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(s);
}

void Emitter::compound(const clang::CompoundStmt *c)
{
    bool reached = true;
    for (auto at = c->body_begin(); at != c->body_end(); ++at) {
        const Stmt *s = *at;
        const auto *label = dyn_cast<clang::SwitchCase>(s);
        reached = reached || label;
        if (!reached || (!label && vanishes(s))) {
            drop(s);
        } else if (label) {
            const auto next = std::find_if(at + 1, c->body_end(),
                                           [this](const Stmt *later) { return !vanishes(later); });
            switch_case(label, next != c->body_end() && !isa<clang::DeclStmt>(*next));
        } else {
            stmt(s, Place::block);
        }
        // Statements behind a jump that a parameter decided on are dead.
        if (const auto *i = dyn_cast<clang::IfStmt>(s))
            reached = reached && !ends_in_jump(i);
    }
}

// Emits a statement in a place that needs exactly one.
void Emitter::sub_stmt(const Stmt *s)
{
    if (vanishes(s) && !isa<clang::CompoundStmt>(s))
        edit(span_of(s), "{ }");
    else
        stmt(s, Place::single);
}

// ---- kept statements ----------------------------------------------------------------------------

void Emitter::if_stmt(const clang::IfStmt *s, Place place)
{
    // A decided branch may be an `if` that is decided, too: what remains is put in one step, as an
    // edit of the inner `if` would reach beyond its text.
    const Stmt *remains = s;
    while (const auto *i = dyn_cast_or_null<clang::IfStmt>(remains)) {
        const std::optional<bool> decided = decide(i->getCond());
        if (!decided)
            break;
        remains = *decided ? i->getThen() : i->getElse();
    }
    if (remains != s) {
        const Span span = span_of(s);
        const std::string text =
            remains ? placed(remains, file_.indent_at(span.begin), place, false) : "{ }";
        return place == Place::block ? edit(span, text) : edit_single(span, text);
    }
    expr(s->getCond(), {true, true, false});
    const Stmt *otherwise = s->getElse();
    if (vanishes(s->getThen()))
        edit(span_of(s->getThen()), "{ }");
    else
        stmt(s->getThen(), Place::single);
    if (!otherwise)
        return;
    if (vanishes(otherwise))
        edit({span_of(s->getThen()).end, span_of(otherwise).end}, "");
    else
        stmt(otherwise, Place::single);
}

void Emitter::for_stmt(const clang::ForStmt *s, Place place)
{
    if (unroll_mark(s))
        return unroll(s, place);
    if (s->getInit())
        stmt(s->getInit(), Place::single);
    if (s->getCond())
        expr(s->getCond(), {true, true, false});
    if (s->getInc())
        expr(s->getInc(), {true, true, false});
    sub_stmt(s->getBody());
}

void Emitter::while_stmt(const clang::WhileStmt *s)
{
    expr(s->getCond(), {true, true, false});
    sub_stmt(s->getBody());
}

// A label of the switch within another statement, where pruning might remove the label; or null.
static const Stmt *inner_label(const Stmt *s, bool is_body)
{
    for (const Stmt *child : s->children()) {
        if (!child || isa<clang::SwitchStmt>(child))
            continue;
        if (isa<clang::SwitchCase>(child) && !is_body)
            return child;
        // Labels may follow each other.
        const bool chain = isa<clang::SwitchCase>(child) && is_body;
        if (const Stmt *found = inner_label(child, chain))
            return found;
    }
    return nullptr;
}

void Emitter::switch_stmt(const clang::SwitchStmt *s)
{
    if (decide(s->getCond()))
        return unsupported(s->getBeginLoc(), "switch on a constant; use if");
    if (!isa<clang::CompoundStmt>(s->getBody()))
        return unsupported(s->getBeginLoc(), "switch without a block");
    if (const Stmt *label = inner_label(s->getBody(), true))
        return unsupported(label->getBeginLoc(), "case within another statement");
    expr(s->getCond());
    stmt(s->getBody(), Place::single);
}

// ---- moving text --------------------------------------------------------------------------------

namespace {

// Collects the names that a statement declares and uses.
void collect_names(const Stmt *s, llvm::SmallVectorImpl<const clang::NamedDecl *> &names)
{
    if (!s)
        return;
    if (const auto *reference = dyn_cast<clang::DeclRefExpr>(s))
        names.push_back(reference->getDecl());
    if (const auto *d = dyn_cast<clang::DeclStmt>(s))
        for (const clang::Decl *local : d->decls())
            if (const auto *named = dyn_cast<clang::NamedDecl>(local))
                names.push_back(named);
    for (const Stmt *child : s->children())
        collect_names(child, names);
}

}  // namespace

// True if the block may lose its braces: no name that the block declares means something else
// around the block, or is declared again by the next copy of an unrolled loop.
bool Emitter::may_join_block(const clang::CompoundStmt *c) const
{
    llvm::SmallVector<const clang::NamedDecl *, 32> around;
    const auto *f = dyn_cast<clang::FunctionDecl>(item_.declarations[0]);
    if (!f)
        return false;
    collect_names(f->getBody(), around);
    for (const Stmt *s : c->body()) {
        const auto *d = dyn_cast<clang::DeclStmt>(s);
        if (!d)
            continue;
        if (evaluator_.has_bindings())
            return false;
        for (const clang::Decl *local : d->decls()) {
            const auto *named = dyn_cast<clang::NamedDecl>(local);
            if (!named || !isa<clang::VarDecl>(local))
                return false;
            for (const clang::NamedDecl *other : around)
                if (other != named && other->getDeclName() == named->getDeclName())
                    return false;
            for (const clang::ParmVarDecl *p : f->parameters())
                if (p->getDeclName() == named->getDeclName())
                    return false;
        }
    }
    return true;
}

// The statements of a block, moved so that they begin at `column`.
std::string Emitter::inner_text(const clang::CompoundStmt *c, unsigned column)
{
    const Span braces = span_of(c->getSourceRange());
    const std::string text = render({braces.begin + 1, braces.end - 1}, [&] { compound(c); });
    const llvm::StringRef inner = llvm::StringRef(text).rtrim(" \n");
    const llvm::StringRef lines = inner.ltrim(' ');
    int indent = static_cast<int>(column);
    const size_t line = inner.find_first_not_of(" \n");
    if (line != llvm::StringRef::npos && lines.take_front(1) == "\n") {
        const size_t begin = inner.rfind('\n', line) + 1;
        indent = static_cast<int>(line - begin);
    } else {
        // A comment follows the brace: use the indent of the lines below it.
        const size_t next = inner.find("\n ");
        if (next != llvm::StringRef::npos)
            indent = static_cast<int>(inner.find_first_not_of(' ', next + 1) - next - 1);
    }
    return dedent(inner.ltrim(" \n"), indent - static_cast<int>(column));
}

// Puts a statement behind `if`, `else` or `for`: on the same line if it is a block or an `else if`,
// otherwise on the next. The text's lines begin at the column of the span's line.
void Emitter::edit_single(Span span, const std::string &text)
{
    const Token *before = file_.token_before(span.begin);
    const llvm::StringRef gap = before ? file_.slice({before->end, span.begin}) : "";
    const bool chained = before && file_.slice({before->begin, before->end}) == "else" &&
                         llvm::StringRef(text).starts_with("if ");
    const bool block = text[0] == '{' || chained, broken = gap.contains('\n');
    if (!before || !gap.trim().empty() || broken != block)
        return edit(span, text);
    if (block)
        return edit({before->end, span.end}, " " + dedent(text, 4));
    const std::string line = "\n" + std::string(file_.indent_at(span.begin) + 4, ' ');
    edit({before->end, span.end}, line + dedent(text, -4));
}

// A statement's text for a place where lines begin at `column`.
std::string Emitter::placed(const Stmt *s, unsigned column, Place place, bool keep_braces)
{
    const auto *c = dyn_cast<clang::CompoundStmt>(s);
    if (c && place == Place::block && !keep_braces && may_join_block(c))
        return inner_text(c, column);
    Span span = span_of(s);
    const int from = static_cast<int>(file_.indent_at(span.begin));
    if (!c) {
        // A comment before the statement belongs to it.
        const unsigned comment = file_.with_leading_comment(span.begin);
        span.begin = comment == span.begin ? comment : comment + file_.indent_at(comment);
    }
    const std::string text = render(span, [&] {
        if (vanishes(s) && !c)
            edit(span, "{ }");
        else
            stmt(s, place);
    });
    return dedent(text, from - static_cast<int>(column));
}

}  // namespace sg
