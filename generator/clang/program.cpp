// program.cpp: finds the items and orders the helpers. needed.cpp specialises the needed items.
#include "generator/clang/program.h"

#include <algorithm>

#include <clang/AST/DeclCXX.h>

#include "generator/clang/reserved_words.h"

namespace sg {

using clang::Decl;
using llvm::dyn_cast;
using llvm::isa;

Program::Program(const sg_spec_input &the_input, const Parsed &parsed, Report &the_report)
    : input(the_input), context(parsed.context), sources(parsed.sources), report(the_report),
      parsed_(parsed)
{
    collect();
}

const sg_word *Program::word(llvm::StringRef name) const
{
    return sg_lowering_find(input.lowering, name.str().c_str());
}

std::string Program::table_names() const
{
    const sg_lowering &l = *input.lowering;
    const std::string dialect = "dialect '" + std::string(l.dialect) + "'";
    return l.isa && l.isa[0] ? "instruction set '" + std::string(l.isa) + "' or " + dialect
                             : dialect;
}

std::string Program::advice() const
{
    std::string files;
    for (size_t i = 0; i < input.lowering->file_count; i++)
        files += (i ? " or " : "; add one to ") + std::string(input.lowering->files[i].file);
    return files;
}

Item *Program::item_of(const Decl *declaration) const
{
    const auto found = declared_.find(declaration->getCanonicalDecl());
    return found == declared_.end() ? nullptr : found->second.front();
}

const clang::TypedefNameDecl *Program::word_for(clang::QualType type) const
{
    const auto wanted = context.getCanonicalType(type).getUnqualifiedType();
    for (const clang::TypedefNameDecl *word : type_words_)
        if (context.getCanonicalType(word->getUnderlyingType()) == wanted)
            return word;
    return nullptr;
}

// ---- items --------------------------------------------------------------------------------------

void Program::map(const Decl *declaration, Item *item)
{
    auto &items = declared_[declaration->getCanonicalDecl()];
    if (!llvm::is_contained(items, item))
        items.push_back(item);
}

void Program::add(const Decl *declaration)
{
    const clang::FileID id = sources.file_of(declaration->getLocation());
    SourceFile &file = sources.of(id);
    Span span = sources.span_of(declaration->getSourceRange());
    const auto *f = dyn_cast<clang::FunctionDecl>(declaration);
    if (!(f && f->doesThisDeclarationHaveABody())) {
        const Token *next = file.token_from(span.end);
        while (next && next < file.tokens.data() + file.tokens.size() && !file.is_token(next, ";"))
            next++;
        if (file.is_token(next, ";"))
            span.end = next->end;
    }
    std::vector<Item *> &items = items_of_[&file];
    if (!items.empty() && span.begin < items.back()->span.end) {
        // Shares text with the item before: several declarators, or a type within a declaration.
        Item &item = *items.back();
        item.span.end = std::max(item.span.end, span.end);
        item.declarations.push_back(declaration);
        return map(declaration, &item);
    }
    const Token *first = file.token_from(items.empty() ? 0 : items.back()->span.end);
    if (first && first->begin < span.begin)
        span.begin = first->begin;       // qualifiers, which the declaration's range lacks
    items_.push_back(std::make_unique<Item>());
    Item &item = *items_.back();
    item.file = &file;
    item.span = span;
    item.declarations.push_back(declaration);
    items.push_back(&item);
    map(declaration, &item);
}

void Program::collect()
{
    for (const Decl *d : context.getTranslationUnitDecl()->decls()) {
        if (d->isImplicit() || d->getLocation().isInvalid())
            continue;
        const Role role = sources.role_of(d->getLocation());
        if (role == Role::own || role == Role::prelude)
            add(d);
        const auto *t = dyn_cast<clang::TypedefNameDecl>(d);
        if (t && role == Role::prelude)
            type_words_.push_back(t);
    }
}

// ---- needs --------------------------------------------------------------------------------------

bool Program::is_kernel(const Item &item) const
{
    const auto *f = dyn_cast<clang::FunctionDecl>(item.declarations.front());
    return f && f->doesThisDeclarationHaveABody() &&
           llvm::any_of(item.file->macros, [&](const MacroUse &use) {
               return use.name == KERNEL_MARK && use.span.begin >= item.span.begin &&
                      use.span.end <= sources.begin_of(f->getLocation());
           });
}

bool Program::is_launched(const Item &item) const
{
    const auto *f = llvm::cast<clang::FunctionDecl>(item.declarations.front());
    if (!input.launched)
        return true;
    for (const char *const *name = input.launched; *name; name++)
        if (f->getName() == *name)
            return true;
    return false;
}

// True for items that code outside the template may use: items that are not static, and objects
// that nothing in the template names, such as its table of functions.
bool Program::is_root(const Item &item, bool kernels_only) const
{
    if (item.file->role != Role::own || (is_kernel(item) && !is_launched(item)))
        return false;
    if (kernels_only)
        return is_kernel(item);
    for (const Decl *d : item.declarations) {
        if (const auto *f = dyn_cast<clang::FunctionDecl>(d))
            if (f->doesThisDeclarationHaveABody() && f->isExternallyVisible())
                return true;
        if (const auto *v = dyn_cast<clang::VarDecl>(d))
            if (v->isThisDeclarationADefinition() &&
                (v->isExternallyVisible() || !v->isReferenced()))
                return true;
        if (!isa<clang::FunctionDecl, clang::VarDecl, clang::TagDecl, clang::TypedefDecl,
                 clang::StaticAssertDecl, clang::EmptyDecl>(d))
            return true;         // the emitter reports it as unsupported
    }
    return false;
}

// Finds a name that a helper's text uses: another helper, or a declaration of the prelude.
bool Program::find_by_name(const char *name, Need &need) const
{
    need.word = word(name);
    need.item = nullptr;
    if (need.word)
        return true;
    for (const auto &item : items_) {
        if (item->file->role != Role::prelude)
            continue;
        for (const Decl *d : item->declarations) {
            const auto *named = dyn_cast<clang::NamedDecl>(d);
            if (named && named->getIdentifier() && named->getName() == name) {
                need.item = item.get();
                return input.lowering->prelude_bodies;
            }
        }
    }
    return false;
}

void Program::order_needs_of(const sg_word &of, clang::SourceLocation at,
                             std::set<const void *> &seen, std::vector<Need> &order)
{
    for (const char *const *name = of.needs; name && *name; name++) {
        Need need{nullptr, nullptr, at};
        if (find_by_name(*name, need))
            order_helpers(need, seen, order);
        else
            report.error(of.loc, "'" + llvm::Twine(of.name) + "' needs the word '" + *name +
                                     "', which neither the prelude nor " + table_names() + " has");
    }
}

// Appends the helpers that the need depends on, then the need itself.
void Program::order_helpers(const Need &need, std::set<const void *> &seen,
                            std::vector<Need> &order)
{
    const void *key = need.item ? static_cast<const void *>(need.item) : need.word;
    if (!seen.insert(key).second)
        return;
    if (need.item) {
        if (need.item->file->role != Role::prelude)
            return;
        for (const Need &further : need.item->needs)
            order_helpers(further, seen, order);
    } else {
        order_needs_of(*need.word, need.at, seen, order);
        if (need.word->form != SG_WORD_HELPER)
            return;
    }
    order.push_back(need);
}

}  // namespace sg
