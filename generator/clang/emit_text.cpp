// emit_text.cpp: copies the author's text around the edits.
#include "generator/clang/emitter.h"

#include <algorithm>
#include <tuple>

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>

#include "generator/clang/reserved_words.h"
#include "generator/clang/words.h"

namespace sg {

using clang::Stmt;
using llvm::StringRef;

Emitter::Emitter(Program &program, Item &item)
    : program_(program), item_(item), file_(*item.file),
      evaluator_(program.context, program.sources, program.report)
{
}

void Emitter::run()
{
    errors_before_ = program_.report.count();
    for (const Directive &d : file_.directives)
        if (d.line.begin > item_.span.begin && d.line.begin < item_.span.end)
            unsupported(place_of(d.line.begin), "#" + d.name + " within a declaration or function");
    item_.text = settle([this] {
        return render(item_.span, [this] {
            for (const clang::Decl *d : item_.declarations)
                declaration(d);
        });
    });
}

// Repeats a rendering without the local variables whose uses were all pruned, until no more are
// found: a compiler would warn about unused variables. They are dead in this rendering only.
std::string Emitter::settle(llvm::function_ref<std::string()> rendering)
{
    const std::set<std::string> commented = commented_;
    const std::set<const void *> needed = needed_;
    const size_t needs = item_.needs.size(), launched = item_.launched.size();
    const Locals outer_used = used_locals_, outer_declared = declared_locals_, outer_dead = dead_;
    std::string text;

    for (bool settled = false; !settled;) {
        commented_ = commented;
        needed_ = needed;
        item_.needs.resize(needs);
        item_.kernels.clear();
        item_.launched.resize(launched);
        used_locals_.clear();
        declared_locals_.clear();
        text = rendering();
        settled = true;
        for (const clang::Decl *d : declared_locals_)
            if (d->isReferenced() && !used_locals_.count(d) && dead_.insert(d).second)
                settled = false;
        settled = settled || program_.report.failed();
    }
    used_locals_.insert(outer_used.begin(), outer_used.end());
    declared_locals_ = outer_declared;
    dead_ = outer_dead;
    return text;
}

// True if `at` is in the text of this file, not in a macro's body.
bool Emitter::is_written(clang::SourceLocation at) const
{
    return at.isValid() && !in_macro_body(at, program_.sources.manager()) &&
           &program_.sources.of(program_.sources.file_of(at)) == &file_;
}

const Token *Emitter::unroll_mark(const Stmt *s) const
{
    const Token *before = file_.token_before(program_.sources.begin_of(s->getBeginLoc()));
    return file_.is_token(before, UNROLL_MARK) ? before : nullptr;
}

clang::SourceLocation Emitter::place_of(unsigned offset) const
{
    const auto id = program_.sources.file_of(item_.declarations[0]->getLocation());
    return program_.sources.manager().getComposedLoc(id, offset);
}

// The statement's span, with the unroll mark before it and the semicolon behind it.
Span Emitter::span_of(const Stmt *s) const
{
    Span span = span_of(s->getSourceRange());
    if (llvm::isa<clang::ForStmt>(s))
        if (const Token *mark = unroll_mark(s))
            span.begin = mark->begin;

    const Stmt *last = s;
    while (last) {
        const Stmt *inner = nullptr;
        if (const auto *i = llvm::dyn_cast<clang::IfStmt>(last))
            inner = i->getElse() ? i->getElse() : i->getThen();
        else if (const auto *f = llvm::dyn_cast<clang::ForStmt>(last))
            inner = f->getBody();
        else if (const auto *w = llvm::dyn_cast<clang::WhileStmt>(last))
            inner = w->getBody();
        else if (const auto *c = llvm::dyn_cast<clang::SwitchCase>(last))
            inner = c->getSubStmt();
        if (!inner)
            break;
        last = inner;
    }
    if (last != s)
        span.end = std::max(span.end, span_of(last).end);
    if (llvm::isa<clang::Expr, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
                  clang::DoStmt>(last)) {
        const Token *next = file_.token_from(span.end);
        if (file_.is_token(next, ";"))
            span.end = next->end;
    }
    return span;
}

std::string Emitter::source_of(const clang::Expr *e) const
{
    return one_line(file_.slice(span_of(e->getSourceRange())));
}

void Emitter::edit(Span span, std::string text)
{
    edits_.push_back({span, edits_.size(), std::move(text)});
}

void Emitter::drop(const Stmt *s)
{
    edit(file_.removal(span_of(s)), "");
}

std::string Emitter::render(Span span, llvm::function_ref<void()> walk)
{
    std::vector<Edit> outer;
    outer.swap(edits_);
    walk();
    outer.swap(edits_);
    return splice(span, std::move(outer));
}

std::string Emitter::splice(Span span, std::vector<Edit> edits)
{
    std::sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) {
        return std::tie(a.span.begin, a.span.end, a.order) <
               std::tie(b.span.begin, b.span.end, b.order);
    });
    std::string out;
    unsigned at = span.begin;
    const Edit *last = nullptr;
    for (const Edit &e : edits) {
        if (e.span.begin < span.begin || e.span.end > span.end)
            continue;
        // Declarators that share a type make the same edit.
        if (last && last->span.begin == e.span.begin && last->span.end == e.span.end &&
            last->text == e.text && e.span.begin < e.span.end)
            continue;
        if (e.span.begin < at) {
            if (e.span.end <= at)
                continue;        // within replaced text
            unsupported(place_of(e.span.begin), "macro across this construct");
            continue;
        }
        copy(out, {at, e.span.begin});
        out += e.text;
        at = e.span.end;
        last = &e;
    }
    copy(out, {at, span.end});
    return out;
}

// Copies a gap between edits, with macros of the prelude replaced by their text in the lowering.
void Emitter::copy(std::string &out, Span gap)
{
    unsigned at = gap.begin;
    const auto by_begin = [](const auto &entry, unsigned place) { return entry.begin < place; };
    auto macro = std::lower_bound(
        file_.macros.begin(), file_.macros.end(), gap.begin,
        [](const MacroUse &use, unsigned place) { return use.span.begin < place; });
    auto comment =
        std::lower_bound(file_.comments.begin(), file_.comments.end(), gap.begin, by_begin);

    while (at < gap.end) {
        const unsigned next_macro = macro == file_.macros.end() ? gap.end : macro->span.begin;
        const unsigned next_comment =
            !bare_ || comment == file_.comments.end() ? gap.end : comment->begin;
        const unsigned next = std::min({gap.end, next_macro, next_comment});
        copy_plain(out, {at, next});
        at = next;
        if (at == gap.end)
            break;
        if (next == next_macro) {
            copy_macro(out, *macro++, gap, at);
        } else {
            // A comment alone on its lines is dropped with the lines.
            const unsigned line = file_.line_begin(comment->begin),
                           end = file_.line_end(comment->end);
            const bool own_lines = file_.text.slice(line, comment->begin).trim().empty() &&
                                   file_.text.slice(comment->end, end).trim().empty();
            at = std::min(own_lines ? end + 1 : comment->end, gap.end);
            if (own_lines)
                out.resize(StringRef(out).rtrim(" \x01\x02").size());
            while (comment != file_.comments.end() && comment->begin < at)
                ++comment;
        }
    }
}

// Copies text without macros. A parameter left in it is an error, unless the item has errors.
void Emitter::copy_plain(std::string &out, Span gap)
{
    file_.append_marked(out, gap);
    const Token *end = file_.tokens.data() + file_.tokens.size();
    for (const Token *t = file_.token_from(gap.begin); t && t < end && t->end <= gap.end; t++) {
        const StringRef word = file_.text.slice(t->begin, t->end);
        if (t->kind == clang::tok::raw_identifier && program_.report.find_param(word) &&
            program_.report.count() == errors_before_)
            unsupported(place_of(t->begin), "parameter '" + word + "' in this place");
    }
}

// Copies a macro and moves `at` behind it. A macro that crosses the gap's end is copied unchanged.
void Emitter::copy_macro(std::string &out, const MacroUse &use, Span gap, unsigned &at)
{
    if (use.span.end > gap.end) {
        copy_plain(out, {at, gap.end});
        at = gap.end;
        return;
    }
    const std::string text = macro_text(use);
    out += text;
    at = use.span.end;
    if (text.empty() || text.back() == '\n')
        while (at < gap.end && llvm::isSpace(file_.text[at]))
            at++;
}

std::string Emitter::macro_text(const MacroUse &use)
{
    if (use.name == LENGTH_MARK && use.role == Role::prelude)
        return "";
    const sg_word *word = program_.word(use.name);
    item_.of_isa = item_.of_isa || (word && word->of_isa);
    // A qualifier may stand on a line of its own.
    if (word && word->form == SG_WORD_TEXT)
        return expand(*word, {}, use.at, program_.report) +
               (StringRef(word->text).ends_with("\n") ? "\n" : "");
    if (use.role != Role::prelude)
        return file_.slice(use.span).str();
    if (!use.arguments.empty()) {
        unsupported(use.at,
                    "macro with arguments; make '" + use.name + "' a function of the prelude");
        return "";
    }
    if (!program_.input.lowering->prelude_bodies)
        program_.report.error(use.at, "the word '" + use.name + "' has no entry in " +
                                          program_.table_names() + program_.advice());
    return use.body;
}

}  // namespace sg
