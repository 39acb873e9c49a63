// assemble.cpp: lists the pieces of the specialised text: helpers first, then the template's own.
#include "generator/clang/depth.h"
#include "generator/clang/text_layout.h"
#include "generator/clang/reserved_words.h"
#include "generator/clang/program.h"
#include "generator/clang/words.h"

#include <algorithm>

namespace sg {

using llvm::StringRef;

// Only the prelude may have macros and directives: the parser would not see the text that a
// template's macros expand to.
void Program::check_text(SourceFile &file)
{
    const auto place = [&](unsigned at) {
        return sources.manager().getComposedLoc(parsed_.files.at(file.name), at);
    };
    const auto is_guard = [&](size_t i) {
        const std::vector<Directive> &d = file.directives;
        if (d.size() < 3 || d[0].name != "ifndef" || d[1].name != "define" ||
            d[0].rest != d[1].rest || d.back().name != "endif" ||
            file.token_from(d.back().line.end))
            return false;
        return i < 2 || i + 1 == d.size();
    };
    for (size_t i = 0; i < file.directives.size(); i++) {
        const Directive &d = file.directives[i];
        if (d.name != "include" && !(d.name == "pragma" && d.rest == "once") && !is_guard(i))
            report.error(place(d.line.begin),
                         "unsupported construct: #" + d.name +
                             "; a template has only includes (for a constant use an enum, for a "
                             "choice an if)");
    }
    for (const Include &include : file.includes)
        if (include.angled || (include.role == Role::standard))
            report.error(place(include.begin), "a template includes only the prelude and files of "
                                               "its own; the dialect's preamble includes the rest");
    for (size_t i = 0; i < file.tokens.size(); i++) {
        const Token &token = file.tokens[i];
        const StringRef word = file.text.slice(token.begin, token.end);
        if (word == "__attribute__" || word == "_Pragma" || word == "__declspec")
            report.error(place(token.begin), "unsupported construct: " + word +
                                                 "; make it a qualifier word of the prelude");
        if (word == UNROLL_MARK &&
            (i + 1 == file.tokens.size() || !file.is_token(&token + 1, "for")))
            report.error(place(token.begin),
                         UNROLL_MARK.str() + " must stand directly before a for");
    }
}

std::string Program::line_directive(const Item &item) const
{
    const SourceFile &file = *item.file;
    const Span before = {file.line_begin(item.span.begin), item.span.begin};
    return input.line_directives && file.slice(before).trim().empty()
               ? "#line " + std::to_string(file.line_number(item.span.begin)) + " \"" +
                     file.name + "\"\n"
               : "";
}

std::string Program::key_of(const Need &need) const
{
    return need.item ? need.item->file->name + ":" + std::to_string(need.item->span.begin)
                     : std::string("word ") + need.word->name;
}

static void add_names(const clang::Decl *d, std::vector<std::string> &names)
{
    const auto *named = llvm::dyn_cast<clang::NamedDecl>(d);
    if (named && named->getIdentifier() && !llvm::is_contained(names, named->getName()))
        names.push_back(named->getName().str());
    if (const auto *e = llvm::dyn_cast<clang::EnumDecl>(d))
        for (const clang::EnumConstantDecl *member : e->enumerators())
            names.push_back(member->getName().str());
    if (const auto *r = llvm::dyn_cast<clang::RecordDecl>(d))
        for (const clang::Decl *member : r->decls())
            if (llvm::isa<clang::TagDecl>(member) && !member->isImplicit())
                add_names(member, names);
}

std::vector<std::string> Program::names_of(const Item &item) const
{
    std::vector<std::string> names;
    for (const clang::Decl *d : item.declarations)
        add_names(d, names);
    return names;
}

// Adds the members of a struct and of the structs nested in it.
static void add_members(const clang::Decl *d, std::vector<std::string> &members)
{
    if (const auto *r = llvm::dyn_cast<clang::RecordDecl>(d))
        for (const clang::Decl *member : r->decls()) {
            if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(member))
                members.push_back(field->getName().str());
            add_members(member, members);
        }
}

// Includes the other declarations of the same entity, since all have one name.
std::vector<std::string> Program::needs_of(const Item &item) const
{
    std::vector<std::string> needs;
    for (const Need &need : item.needs)
        if (need.item || need.word->form == SG_WORD_HELPER)
            needs.push_back(key_of(need));
    for (const clang::Decl *d : item.declarations)
        for (Item *again : declared_.lookup(d->getCanonicalDecl()))
            if (again != &item && again->specialised)
                needs.push_back(key_of({again, nullptr, {}}));
    return needs;
}

// The item's text, the comment before it, and the comment behind it on its line.
Piece Program::item_piece(const Item &item, Span extent) const
{
    const SourceFile &file = *item.file;
    Piece piece(SG_PIECE_OWN, key_of({const_cast<Item *>(&item), nullptr, {}}));
    piece.names = names_of(item);
    for (const clang::Decl *d : item.declarations)
        add_members(d, piece.members);
    piece.needs = needs_of(item);
    piece.of_isa = item.of_isa;
    file.append_marked(piece.text, {extent.begin, item.span.begin});
    piece.text += line_directive(item) + item.text;
    file.append_marked(piece.text, {item.span.end, extent.end});
    piece.text = StringRef(piece.text).trim("\n").str();
    piece.file = file.name;
    piece.line = static_cast<int>(file.line_number(item.span.begin));
    return piece;
}

Piece Program::helper(const Need &need) const
{
    if (need.item) {
        Piece piece = item_piece(*need.item, need.item->file->removal(need.item->span));
        piece.kind = SG_PIECE_HELPER;
        return piece;
    }
    const sg_word &word = *need.word;
    Piece piece(SG_PIECE_HELPER, key_of(need));
    piece.names = {word.name};
    piece.of_isa = word.of_isa;
    if (word.loc.file) {
        piece.file = word.loc.file;
        piece.line = word.loc.line;
        if (input.line_directives)
            piece.text = "#line " + std::to_string(piece.line) + " \"" + piece.file + "\"\n";
    }
    piece.text += expand(word, {}, need.at, report);
    for (const char *const *name = word.needs; name && *name; name++) {
        Need further{nullptr, nullptr, need.at};
        if (find_by_name(*name, further) &&
            (further.item || further.word->form == SG_WORD_HELPER))
            piece.needs.push_back(key_of(further));
    }
    return piece;
}

// The pieces of one file of the template, in the file's order; pieces of an included file stand at
// its first include. A comment between declarations belongs to the declarations behind it, up to
// the next such comment; the file's first comment belongs to all declarations of the file itself.
void Program::file_pieces(SourceFile &file, std::vector<Piece> &pieces)
{
    struct Part {
        Span span;
        const Item *item;        // null: a directive, or an item that nothing needs
        SourceFile *included;
        bool is_item;
    };
    std::vector<Part> parts;

    spliced_.insert(&file);
    for (const Directive &d : file.directives)
        parts.push_back({{d.line.begin, std::min(d.line.end + 1, unsigned(file.text.size()))},
                         nullptr, nullptr, false});
    for (const Include &include : file.includes) {
        const auto found = parsed_.files.find(include.name);
        if (include.role != Role::own || found == parsed_.files.end())
            continue;
        SourceFile &inner = sources.of(found->second);
        for (Part &part : parts)
            if (part.span.begin == include.begin)
                part.included = &inner;
    }
    for (const Item *item : items_of_[&file])
        parts.push_back({file.removal(item->span), item->specialised ? item : nullptr, nullptr,
                         true});
    std::sort(parts.begin(), parts.end(),
              [](const Part &a, const Part &b) { return a.span.begin < b.span.begin; });

    const size_t none = ~size_t(0);
    size_t opening = none, heading = none; // comments: the file's first, the latest
    unsigned at = 0;
    bool has_items = false;
    const auto between = [&](unsigned end) {
        Piece piece(SG_PIECE_COMMENT, file.name + ":" + std::to_string(at) + " comment");
        if (at < end)
            file.append_marked(piece.text, {at, end});
        const bool is_tight = piece.text.empty() && at > 0;
        piece.text = StringRef(piece.text).trim(BLANKS).str();
        if (piece.text.empty())
            return is_tight;
        piece.begin = piece.place = place_++;
        if (heading != none)
            pieces[heading].end = piece.place;
        (at ? heading : opening) = pieces.size();
        pieces.push_back(std::move(piece));
        return false;
    };
    for (const Part &part : parts) {
        const bool is_tight = between(part.span.begin);
        // The opening comment does not hold for files included above the first item.
        if (part.is_item && !has_items && opening != none)
            pieces[opening].begin = place_;
        has_items = has_items || part.is_item;
        // A file's pieces stand at its first include, which a file included before may have.
        if (part.included && spliced_.insert(part.included).second) {
            file_pieces(*part.included, pieces);
        } else if (part.item) {
            pieces.push_back(item_piece(*part.item, {std::max(at, part.span.begin),
                                                     part.span.end}));
            pieces.back().is_tight = is_tight;
            pieces.back().place = place_;
        }
        place_++;
        at = std::max(at, part.span.end);
    }
    between(static_cast<unsigned>(file.text.size()));
    for (size_t comment : {opening, heading})
        if (comment != none)
            pieces[comment].end = place_;
}

// The position of the word's declaration in the prelude; behind all declarations if only the
// lowering has the word.
size_t Program::prelude_place(const Need &need) const
{
    size_t place = 0;
    for (const auto &item : items_) {
        if (need.item ? item.get() == need.item
                      : item->file->role == Role::prelude &&
                            llvm::is_contained(names_of(*item), need.word->name))
            return place;
        place++;
    }
    return place;
}

// The helpers of the template's own text, in the order of their declarations in the prelude, but
// each helper behind the helpers that it uses.
std::vector<Need> Program::helpers_in_order()
{
    std::set<const void *> seen;
    std::vector<Need> found, order;
    for (const auto &item : items_)
        if (item->specialised && item->file->role == Role::own)
            for (const Need &need : item->needs)
                order_helpers(need, seen, found);
    std::vector<std::pair<size_t, Need>> placed;
    for (const Need &need : found)
        placed.push_back({prelude_place(need), need});
    std::stable_sort(placed.begin(), placed.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    seen.clear();
    for (const auto &entry : placed)
        order_helpers(entry.second, seen, order);
    return order;
}

std::vector<Piece> Program::emit()
{
    for (const auto &entry : parsed_.files)
        if (role_of_name(entry.first) == Role::own)
            check_text(sources.of(entry.second));
    for (const auto &item : items_)
        for (const clang::Decl *d : item->declarations)
            if (const clang::SourceLocation at = find_too_deep(d); at.isValid()) {
                report.error(at, "statements or operators are nested more than " +
                                     llvm::Twine(unsigned(MAX_DEPTH)) + " deep");
                return {};
            }
    if (input.table)
        check_table();
    find_needed();
    if (report.failed())
        return {};

    std::vector<Piece> pieces;
    for (const Need &need : helpers_in_order())
        pieces.push_back(helper(need));
    const size_t helpers = pieces.size();
    file_pieces(sources.of(sources.manager().getMainFileID()), pieces);
    if (llvm::none_of(llvm::ArrayRef(pieces).drop_front(helpers),
                      [](const Piece &piece) { return piece.kind == SG_PIECE_OWN; }))
        report.error({input.file, 0, 0},
                     "the template defines nothing that can be used from outside: "
                     "no kernel, no function or object that is not static");
    return report.failed() ? std::vector<Piece>() : pieces;
}

std::vector<Kernel> Program::kernels() const
{
    std::vector<Kernel> result;
    for (const auto &item : items_)
        if (item->specialised)
            result.insert(result.end(), item->kernels.begin(), item->kernels.end());
    return result;
}

std::set<std::string> Program::launched() const
{
    std::set<std::string> result;
    for (const auto &item : items_)
        if (item->specialised)
            result.insert(item->launched.begin(), item->launched.end());
    return result;
}

}  // namespace sg
