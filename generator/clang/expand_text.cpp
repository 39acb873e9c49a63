// expand_text.cpp: see expand_text.h.
#include "generator/clang/expand_text.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>

#include "generator/base/text.h"
#include "generator/clang/arena_copy.h"
#include "generator/clang/comments.h"
#include "generator/clang/text_layout.h"

namespace sg {

using llvm::StringRef;

// ---- comments -----------------------------------------------------------------------------------

std::string opening_text(StringRef comment)
{
    std::string text;
    StringRef rest = comment.split(':').second.ltrim(' ');
    rest.consume_back("*/");
    while (!rest.empty()) {
        const auto [line, next] = rest.split('\n');
        text += line.rtrim().str() + "\n";
        rest = next.ltrim(" \t");
        rest.consume_front("*");
        rest.consume_front(" ");
    }
    return StringRef(text).rtrim('\n').str();
}

std::string raised_comment(StringRef comment)
{
    std::string raised;
    while (!comment.empty()) {
        const auto [line, next] = comment.split('\n');
        raised += (raised.empty() ? "" : "\n   ") + line.str();
        comment = next.ltrim();
    }
    return raised;
}

// The file in an opening text "see x.h."; "" if the text is another one.
static StringRef opening_reference(StringRef text)
{
    if (!text.consume_front("see "))
        return "";
    const StringRef name = text.take_until([](char c) { return c == ' ' || c == '\n'; });
    return name.ends_with(".h.") || name.ends_with(".h;") ? name.drop_back() : "";
}

// Takes the first sentence from the text, if a heading has room for it; else returns "".
static std::string take_title(std::string &text)
{
    constexpr size_t MOST = 80;
    const StringRef all = text;
    const size_t end = std::min({all.find(". "), all.find(".\n"), all.rtrim('.').size()});
    std::string title = all.take_front(end).str();
    if (end == 0 || end > MOST || StringRef(title).contains("\n\n"))
        return "";
    text = all.drop_front(end).ltrim('.').ltrim(" \n").str();
    std::replace(title.begin(), title.end(), '\n', ' ');
    return title;
}

std::string heading_line(StringRef title)
{
    std::string line = "/* ---- " + title.str() + " -";
    line.resize(std::max(line.size(), SG_COLUMNS - strlen(" */")), '-');
    return line + " */";
}

// The text as a comment that begins with a capital letter; its first paragraph is wrapped anew.
static std::string opening_comment(StringRef text)
{
    const size_t end = std::min({text.find("\n\n"), text.find("\n "), text.size()});
    std::string comment = "/* " + text.take_front(end).str();
    std::replace(comment.begin(), comment.end(), '\n', ' ');
    // A single letter may be a variable.
    if (llvm::isAlpha(comment[4]) || text.starts_with("a "))
        comment[3] = llvm::toUpper(comment[3]);
    for (StringRef rest = text.drop_front(end); !rest.empty();) {
        const StringRef line = rest.drop_front().split('\n').first;
        comment += (line.empty() ? "\n *" : "\n * ") + line.str();
        rest = rest.drop_front(line.size() + 1);
    }
    return wrap_comments(comment + " */", SG_COLUMNS);
}

// ---- items --------------------------------------------------------------------------------------

bool Parts::is_public_file(int source) const
{
    return source == 0 || StringRef(sources[source].name)
                              .starts_with(std::string(input.public_folder) + "/");
}

bool Parts::is_public(const Part &part) const
{
    return header && llvm::any_of(part.names, [&](const std::string &name) {
        return header->functions.count(name) > 0;
    });
}

bool Parts::is_imported(const Part &part)
{
    return part.kind == ItemKind::prototype && StringRef(part.text).starts_with("extern ");
}

bool Parts::is_mostly_needed(int source) const
{
    int balance = 0;
    for (const Part &part : parts)
        if (part.source == source && part.kind <= ItemKind::call)
            balance += part.needed ? 1 : -1;
    return balance >= 0;
}

// The item's text with `word` before it, and without extern; the parameters stay in one column.
static std::string prefixed(const std::string &word, const FileItem &item)
{
    StringRef text = item.text;
    const size_t skipped = text.consume_front("extern ") ? strlen("extern ") : 0;
    const StringRef head = text.take_front(item.close - std::min<size_t>(item.close, skipped));
    std::string line = word + " ";
    if (head.empty() || text.take_front(item.open).contains('\n') ||
        head.find_first_of("/\"#") != StringRef::npos)
        return line + text.str();
    for (const char c : head)
        if (!llvm::isSpace(c))
            line += c;
        else if (line.back() != ' ')
            line += ' ';
    return StringRef(lay_out(line, SG_COLUMNS)).rtrim('\n').str() +
           text.drop_front(head.size()).str();
}

static std::string code_of(const Parts &all, const Part &part)
{
    if (part.kind == ItemKind::modules)
        return all.input.modules;
    if (!all.header || !part.has_linkage() || part.is_static || Parts::is_imported(part))
        return part.text;
    if (!all.is_public(part))
        return prefixed("static", part);
    return part.kind == ItemKind::function && all.input.api ? prefixed(all.input.api, part)
                                                            : part.text;
}

// Each definition of a feature once, under its condition.
static std::string features_of(const Parts &all)
{
    std::string features;
    for (const Part &part : all.parts) {
        if (part.kind != ItemKind::feature || !all.is_live(part))
            continue;
        const std::string condition =
            part.group == NONE ? "" : all.parts[part.group].text + "\n";
        std::string lines = StringRef(part.text).split("/*").first.rtrim().str() + "\n";
        if (!StringRef(condition).contains(part.names[0]))
            lines = "#ifndef " + part.names[0] + "\n" + lines + "#endif\n";
        if (!condition.empty())
            lines = condition + lines + "#endif\n";
        if (!StringRef(features).contains(lines))
            features += lines;
    }
    return features;
}

// ---- the text -----------------------------------------------------------------------------------

namespace {

class Writer {
public:
    explicit Writer(Parts &all) : all_(all) {}

    std::string text;

    void write()
    {
        size_t last = 0;
        for (size_t i = 0; i < all_.parts.size(); i++) {
            const Part &part = all_.parts[i];
            const int section = all_.sources[part.source].section;
            const size_t length = text.size();
            if (!part.written)
                continue;
            if (section != NONE && !all_.sources[section].is_opened)
                open_section(section);
            if (!all_.sources[part.source].is_opened)
                open_header(part.source);
            if (!text.empty() && (text.size() > length || wants_blank(last, i)))
                text += "\n";
            append_clean(part.comment);
            append_clean(code_of(all_, part));
            all_.places.insert({part.loc.file, part.loc.line});
            if (part.has_linkage())
                all_.functions.insert(part.names.begin(), part.names.end());
            last = i;
        }
    }

private:
    // Appends without blanks at the ends of lines, and without several empty lines in a row.
    void append_clean(StringRef more)
    {
        for (bool was_empty = false; !more.empty();) {
            const auto [line, rest] = more.split('\n');
            const StringRef kept = line.rtrim();
            if (!kept.empty() || !was_empty)
                text += kept.str() + "\n";
            was_empty = kept.empty();
            more = rest;
        }
    }

    void append_block(StringRef block)
    {
        text += text.empty() || block.empty() ? "" : "\n";
        append_clean(block);
    }

    // Writes the heading of a .c file and the rest of its opening comment. "see x.h": the heading
    // is the first sentence of x.h.
    void open_section(int index)
    {
        Source &section = all_.sources[index];
        const StringRef reference = opening_reference(section.opening);
        llvm::SmallString<128> beside = llvm::sys::path::parent_path(section.name);
        llvm::sys::path::append(beside, llvm::sys::path::filename(reference));
        const auto header = llvm::find_if(all_.sources, [&](const Source &s) {
            return s.is_header && s.name == beside.str();
        });
        const bool has_header = header != all_.sources.end();
        std::string &opening = has_header ? header->opening : section.opening;

        section.is_opened = true;
        if (index == 0 || (!has_header && !reference.empty()))
            return;              // the entry's opening says how the text is put together
        const std::string title = take_title(opening);
        if (!title.empty())
            append_block(heading_line(title));
        if (!has_header && !opening.empty())
            append_block(opening_comment(opening));
    }

    void open_header(int index)
    {
        Source &source = all_.sources[index];
        const bool is_known = all_.header && llvm::any_of(all_.header->places, [&](const auto &p) {
            return p.first == source.name;
        });
        source.is_opened = true;
        // Which file of the public header a function comes from is of no interest to its readers.
        if (!source.opening.empty() && source.is_header && !is_known &&
            (all_.header || !all_.is_public_file(index)) && all_.is_mostly_needed(index))
            append_block(opening_comment(source.opening));
    }

    // Whether an empty line stands before the part, which follows part `last`.
    bool wants_blank(size_t last, size_t index) const
    {
        const Part &before = all_.parts[last], &part = all_.parts[index];
        const bool is_long =
            before.kind == ItemKind::function || before.kind == ItemKind::modules;
        bool is_apart = before.source != part.source || (is_long && !part.is_condition());
        for (size_t i = last + 1; i <= index; i++)
            is_apart = is_apart || (all_.parts[i].source == part.source &&
                                    all_.parts[i].blank_before);
        return is_apart;
    }

    Parts &all_;
};

}  // namespace

sg_expanded_text write_text(sg_arena *arena, Parts &parts)
{
    const auto copy = [&](const std::string &of) { return sg_arena_strdup(arena, of.c_str()); };
    const std::string opening = parts.header ? "" : parts.sources[0].opening;
    std::vector<const char *> includes;
    Writer writer(parts);

    writer.write();
    for (const std::string &include : parts.includes)
        if (!parts.header || !llvm::is_contained(parts.header->includes, include))
            includes.push_back(copy(include));
    return {opening.empty() ? nullptr : copy(opening_comment(opening)), copy(features_of(parts)),
            in_arena(arena, includes), copy(writer.text)};
}

}  // namespace sg
