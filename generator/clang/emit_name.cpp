// emit_name.cpp: names that are declared elsewhere, and calls.
#include "generator/clang/emitter.h"

#include "generator/clang/text_layout.h"
#include "generator/clang/reserved_words.h"
#include "generator/clang/words.h"

namespace sg {

using clang::Expr;
using llvm::dyn_cast;

void Emitter::need(Item *item, const sg_word *word, clang::SourceLocation at)
{
    const void *key = item ? static_cast<const void *>(item) : word;
    if (item != &item_ && needed_.insert(key).second)
        item_.needs.push_back({item, word, at});
}

// Handles a name declared outside the function. Returns the word whose text replaces the name; null
// if the name stays, and then notes that its declaration is needed.
const sg_word *Emitter::refer(const clang::NamedDecl *d, clang::SourceLocation at)
{
    const Role role = program_.sources.role_of(d->getLocation());
    const clang::NamedDecl *named = d;
    if (const auto *tag = dyn_cast<clang::TagDecl>(d))
        if (tag->getTypedefNameForAnonDecl())
            named = tag->getTypedefNameForAnonDecl();

    const bool is_word = role == Role::prelude || role == Role::standard;
    const sg_word *word =
        is_word && named->getIdentifier() ? program_.word(named->getName()) : nullptr;
    item_.of_isa = item_.of_isa || (word && word->of_isa);
    if (word && word->form == SG_WORD_TEXT)
        return word;
    if (word) {
        need(nullptr, word, at);
    } else if (role == Role::own || role == Role::prelude || role == Role::unknown) {
        Item *item = program_.item_of(d);
        const auto *f = dyn_cast<clang::FunctionDecl>(d);
        const bool has_text = item && (!f || f->hasBody());
        if (role == Role::prelude && !(has_text && program_.input.lowering->prelude_bodies))
            program_.report.error(at, "the word '" + named->getName() + "' has no entry in " +
                                          program_.table_names() +
                                          (has_text ? "" : ", nor a body in the prelude") +
                                          program_.advice());
        else if (item)
            need(item, nullptr, at);
        else if (f)              // a builtin of the compiler
            program_.report.error(at, "unknown call of '" + named->getName() +
                                          "': it is neither a word of the prelude nor a function "
                                          "of the template");
    }
    return nullptr;
}

void Emitter::name(const clang::DeclRefExpr *e)
{
    const clang::ValueDecl *d = e->getDecl();
    const auto *v = dyn_cast<clang::VarDecl>(d);
    if (v && v->isLocalVarDeclOrParm()) {
        used_locals_.insert(d);
        return;
    }
    const clang::NamedDecl *target = d;
    if (const auto *enumerator = dyn_cast<clang::EnumConstantDecl>(d)) {
        if (evaluator_.parameter(enumerator))
            return unsupported(e->getLocation(), "parameter '" + d->getName() + "' in this place");
        const auto *type = llvm::cast<clang::EnumDecl>(d->getDeclContext());
        if (type->getDeclContext()->isFunctionOrMethod())
            return;
        // If the lowering has no such word, the enumeration is needed.
        if (!program_.word(d->getName()))
            target = type;
    }
    if (const sg_word *word = refer(target, e->getLocation())) {
        if (llvm::isa<clang::FunctionDecl>(d) && llvm::StringRef(word->text).contains('$'))
            return unsupported(e->getLocation(),
                               "the word '" + d->getName() +
                                   "' can only be called: a text replaces its calls");
        edit(span_of(e->getSourceRange()), expand(*word, {}, e->getLocation(), program_.report));
    }
}

void Emitter::call(const clang::CallExpr *e, Use use)
{
    const auto *f = e->getDirectCallee();
    if (f && is_written(e->getCallee()->getBeginLoc())) {
        const sg_word *word = refer(f, e->getCallee()->getBeginLoc());
        if (word)
            return word_call(e, f, *word, use);
    } else if (!f) {
        expr(e->getCallee(), {false, false, true});
    }
    if (f)
        launch(e, f);
    const unsigned declared = f ? f->getNumParams() : e->getNumArgs();
    for (unsigned i = 0; i < e->getNumArgs(); i++)
        expr(e->getArg(i), {i < declared, false, false});
}

bool Emitter::names_kernel(const clang::ParmVarDecl *p) const
{
    const SourceFile &file = program_.sources.of(program_.sources.file_of(p->getLocation()));
    const Token *before = file.token_before(program_.sources.begin_of(p->getBeginLoc()));
    return before && llvm::any_of(file.macros, [&](const MacroUse &use) {
        return use.name == KERNEL_NAME_MARK && use.span.end == before->end;
    });
}

// Notes the kernels that a call names, in parameters marked KERNEL_NAME.
void Emitter::launch(const clang::CallExpr *e, const clang::FunctionDecl *f)
{
    for (unsigned i = 0; i < f->getNumParams() && i < e->getNumArgs(); i++) {
        if (!names_kernel(f->getParamDecl(i)))
            continue;
        const Expr *a = e->getArg(i)->IgnoreParenImpCasts();
        const auto *reference = dyn_cast<clang::DeclRefExpr>(a);
        const auto *passed =
            reference ? dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
        if (const auto *string = dyn_cast<clang::StringLiteral>(a))
            item_.launched.push_back(string->getString().str());
        else if (!passed || !names_kernel(passed))
            program_.report.error(a->getBeginLoc(),
                                  "expected a literal that names a kernel, or a parameter marked " +
                                      KERNEL_NAME_MARK);
    }
}

Argument Emitter::argument(const clang::CallExpr *e, unsigned index, const clang::FunctionDecl *f)
{
    const Expr *a = e->getArg(index);
    const Span span = span_of(a->getSourceRange());
    Argument result{"", "", a->HasSideEffects(program_.context)};
    bool converts = false;
    if (index < f->getNumParams()) {
        const clang::QualType type = f->getParamDecl(index)->getType();
        converts = type->isArithmeticType() && natural_type(a) != operand_type(type) &&
                   !exact_conversion(a, true);
        if (converts)
            result.cast = type_text(type, a->getBeginLoc());
    }
    // The author's comments before the argument stay with the argument.
    const Token *before = file_.token_before(span.begin);
    const unsigned from = before && before->end > span_of(e->getSourceRange()).begin &&
                                  file_.slice({before->end, span.begin}).contains("/*")
                              ? before->end
                              : span.begin;
    const auto walk = [&] {
        if (!fold_conversion(a, {}, true))
            expr(a, {converts, false, false});
    };
    result.text = llvm::StringRef(render({from, span.end}, walk)).ltrim(BLANKS).str();
    return result;
}

// The word's text replaces the whole call.
void Emitter::word_call(const clang::CallExpr *e, const clang::FunctionDecl *f, const sg_word &word,
                        Use use)
{
    llvm::SmallVector<Argument, 8> arguments;
    for (unsigned i = 0; i < e->getNumArgs(); i++)
        arguments.push_back(argument(e, i, f));
    std::string text = expand(word, arguments, e->getBeginLoc(), program_.report);
    if (use.operand && !is_primary(text))
        text = "(" + text + ")";
    edit(span_of(e->getSourceRange()), std::move(text));
}

// True for a call whose text in the lowering is empty, such as a barrier of one work-item.
bool Emitter::is_empty_word(const clang::Stmt *s) const
{
    const auto *e = dyn_cast<Expr>(s);
    const auto *c = e ? dyn_cast<clang::CallExpr>(e->IgnoreImplicit()) : nullptr;
    const clang::FunctionDecl *f = c ? c->getDirectCallee() : nullptr;
    const sg_word *word = f && program_.sources.role_of(f->getLocation()) == Role::prelude
                              ? program_.word(f->getName())
                              : nullptr;
    return word && word->form == SG_WORD_TEXT && llvm::StringRef(word->text).trim().empty();
}

// A type that the lowering replaces has no members.
void Emitter::member(const clang::MemberExpr *e)
{
    expr(e->getBase(), {false, false, true});
    const auto *field = dyn_cast<clang::FieldDecl>(e->getMemberDecl());
    if (!field)
        return;
    const clang::RecordDecl *record = field->getParent();
    if (program_.sources.role_of(record->getLocation()) != Role::prelude)
        return;
    const clang::NamedDecl *named = record;
    if (record->getTypedefNameForAnonDecl())
        named = record->getTypedefNameForAnonDecl();
    const sg_word *word = named->getIdentifier() ? program_.word(named->getName()) : nullptr;
    if (!word || word->form != SG_WORD_TEXT)
        return;
    program_.report.error(e->getMemberLoc(),
                          "the inside of '" + named->getName() + "' is used, but " +
                              program_.table_names() + " replaces that type" +
                              (file_.role == Role::prelude
                                   ? "; the word whose body this is needs an entry as well"
                                   : ""));
    program_.report.note(word->loc, "it is replaced here");
    if (file_.role == Role::prelude)
        program_.report.note(item_.used_at, "the word is used here");
}

}  // namespace sg
