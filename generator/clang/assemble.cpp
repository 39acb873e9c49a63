// assemble.cpp: puts the specialised items together: helpers first, then the template's own text.
#include "depth.h"
#include "layout.h"
#include "marks.h"
#include "program.h"
#include "words.h"

#include <algorithm>

namespace sg {

using llvm::StringRef;

// Macros and directives are the prelude's business: a template's own would hide from the parser
// what they stand for.
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

// With the comment before it.
std::string Program::item_text(const Item &item) const
{
    const SourceFile &file = *item.file;
    const unsigned comment = file.with_leading_comment(item.span.begin);
    return file.text.slice(comment, file.line_begin(item.span.begin)).str() + line_directive(item) +
           item.text;
}

std::string Program::helper_text(const Need &need) const
{
    if (need.item)
        return item_text(*need.item);
    std::string line;
    if (input.line_directives && need.word->loc.file)
        line =
            "#line " + std::to_string(need.word->loc.line) + " \"" + need.word->loc.file + "\"\n";
    return line + expand(*need.word, {}, need.at, report);
}

// A file of the template: its items where they stood, its includes where they were.
std::string Program::file_text(SourceFile &file)
{
    struct Part {
        Span span;
        std::string text;
    };
    std::vector<Part> parts;
    bool anything = false;
    unsigned dropped = 0;             // where the last item begins that nothing needs

    spliced_.insert(&file);
    for (const Directive &d : file.directives)
        parts.push_back({{d.line.begin, std::min(d.line.end + 1, unsigned(file.text.size()))}, ""});
    for (const Include &include : file.includes) {
        const auto found = parsed_.files.find(include.name);
        if (include.role != Role::own || found == parsed_.files.end())
            continue;
        SourceFile &inner = sources.of(found->second);
        const std::string text = spliced_.count(&inner) ? "" : file_text(inner);
        if (text.empty())
            continue;
        for (Part &part : parts)
            if (part.span.begin == include.begin)
                part.text = "\n" + text + "\n\n";
        anything = true;
    }
    for (const Item *item : items_of_[&file]) {
        if (item->specialised) {
            parts.push_back({item->span, line_directive(*item) + item->text});
            anything = true;
        } else {
            parts.push_back({file.removal(item->span), ""});
            dropped = std::max(dropped, item->span.begin);
        }
    }
    if (!anything)
        return "";
    std::sort(parts.begin(), parts.end(),
              [](const Part &a, const Part &b) { return a.span.begin < b.span.begin; });
    // What remains behind the last part with a text is comments. Where an item was dropped there, they
    // speak of nothing that is left.
    unsigned kept_end = 0;
    for (const Part &part : parts)
        if (!part.text.empty())
            kept_end = std::max(kept_end, part.span.end);
    const unsigned end = dropped >= kept_end ? kept_end : static_cast<unsigned>(file.text.size());
    std::string out;
    unsigned at = 0;
    for (const Part &part : parts) {
        if (part.span.begin >= end)
            break;
        if (part.span.begin >= at)
            file.append_marked(out, {at, part.span.begin});
        out += part.text;
        at = std::max(at, part.span.end);
    }
    if (at < end)
        file.append_marked(out, {at, end});
    return StringRef(out).trim("\n").str();
}

std::string Program::emit()
{
    for (const auto &entry : parsed_.files)
        if (role_of_name(entry.first) == Role::own)
            check_text(sources.of(entry.second));
    for (const auto &item : items_)
        for (const clang::Decl *d : item->declarations)
            if (const clang::SourceLocation at = find_too_deep(d); at.isValid()) {
                report.error(at, "statements or operators are nested more than " +
                                     llvm::Twine(unsigned(MAX_DEPTH)) + " deep");
                return "";
            }
    if (input.table)
        check_table();
    find_needed();
    if (report.failed())
        return "";

    std::set<const void *> seen;
    std::vector<Need> order;
    for (const auto &item : items_)
        if (item->specialised && item->file->role == Role::own)
            for (const Need &need : item->needs)
                order_helpers(need, seen, order);

    std::string text;
    for (const Need &need : order)
        text += helper_text(need) + "\n\n";
    const std::string own = file_text(sources.of(sources.manager().getMainFileID()));
    if (own.empty())
        report.error({input.file, 0, 0},
                     "the template defines nothing that can be used from outside: "
                     "no kernel, no function or object that is not static");
    text += own;
    return report.failed() ? "" : lay_out(text);
}

std::vector<Kernel> Program::kernels() const
{
    std::vector<Kernel> result;
    for (const auto &item : items_)
        if (item->specialised)
            result.insert(result.end(), item->kernels.begin(), item->kernels.end());
    return result;
}

std::set<std::string> Program::strings() const
{
    std::set<std::string> result;
    for (const auto &item : items_)
        if (item->specialised)
            result.insert(item->strings.begin(), item->strings.end());
    return result;
}

}  // namespace sg
