// c_definitions.cpp: see c_definitions.h.
#include "generator/clang/c_definitions.h"

#include <llvm/ADT/STLExtras.h>

#include "generator/base/text.h"
#include "generator/clang/arena_copy.h"
#include "generator/clang/c_items.h"

namespace sg {

static bool is_definition(const FileItem &item)
{
    return (item.kind == ItemKind::function || item.kind == ItemKind::variable ||
            item.kind == ItemKind::type) && !item.names.empty();
}

// Why the C file of a table cannot have the item; or NULL.
static const char *fault_of(const FileItem &item)
{
    constexpr ItemKind others[] = {ItemKind::include, ItemKind::system, ItemKind::heading,
                                   ItemKind::note, ItemKind::endif_line};
    if (item.kind <= ItemKind::type || item.kind == ItemKind::check || item.kind == ItemKind::call)
        return is_definition(item) ? nullptr
                                   : "expected the definition of a function, a type or an object";
    if (item.kind == ItemKind::if_line && item.words[0] == "ifdef")
        return item.words.size() < 2 ? "expected a name behind #ifdef"
               : item.group >= 0 ? "expected #endif before another #ifdef" : nullptr;
    return llvm::is_contained(others, item.kind)
               ? nullptr
               : "expected #include, #ifdef or its #endif; a file of helpers has no other "
                 "directives, as they would not be emitted";
}

static bool fail(sg_diags *diags, sg_loc loc, const char *message)
{
    sg_diag(diags, SG_ERROR, loc, "%s", message);
    return false;
}

static bool check(sg_diags *diags, const FileItem &item)
{
    if (const char *fault = fault_of(item))
        return fail(diags, item.loc, fault);
    const Tokens tokens(item.text);
    for (size_t i = 1; i < tokens.at.size(); i++)
        if (is_definition(item) && !tokens.directive_name(i).empty())
            return fail(diags, {item.loc.file, item.loc.line + tokens.line(tokens.at[i].begin) - 1,
                                1}, "a directive within a definition");
    return true;
}

static sg_c_definition definition_of(sg_arena *arena, const FileItem &item, const FileItem *group)
{
    const std::string above = item.comment + (item.comment.empty() ? "" : "\n");
    return {copy(arena, item.names.back()), copy(arena, above + item.text + "\n"),
            copy(arena, item.words), group ? copy(arena, group->words[1]) : nullptr,
            item.begin, item.loc, group ? group->loc : sg_loc{}};
}

}  // namespace sg

extern "C" bool sg_c_definitions_read(sg_arena *arena, sg_diags *diags, const char *file,
                                      const char *text, size_t length, sg_c_file *out)
{
    std::vector<sg_c_definition> definitions;
    std::vector<sg_c_include> includes;
    sg::ItemFile content;
    size_t at = 0;

    if (const char *fault = sg_unprintable(arena, text, length, &at)) {
        const std::string before(text, at);
        return sg::fail(diags, sg::Tokens(before).place(file, at), fault);
    }
    if (!sg::read_items(diags, file, text, {}, content))
        return false;
    for (const sg::FileItem &item : content.items) {
        if (!sg::check(diags, item))
            return false;
        if (item.kind == sg::ItemKind::include)
            includes.push_back({sg::copy(arena, item.names[0]), item.loc});
        else if (sg::is_definition(item))
            definitions.push_back(sg::definition_of(
                arena, item, item.group < 0 ? nullptr : &content.items[item.group]));
    }
    *out = {sg::in_arena(arena, definitions), definitions.size(), sg::in_arena(arena, includes),
            includes.size()};
    return true;
}

extern "C" const char *const *sg_c_declared_names(sg_arena *arena, sg_diags *diags,
                                                  const char *file, const char *text)
{
    std::vector<std::string> names;
    sg::ItemFile content;

    if (!sg::read_items(diags, file, text, {}, content))
        return nullptr;
    for (const sg::FileItem &item : content.items)
        if (item.kind < sg::ItemKind::macro)
            names.insert(names.end(), item.names.begin(), item.names.end());
    return sg::copy(arena, names);
}
