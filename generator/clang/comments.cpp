// comments.cpp: see comments.h. Works on complete text, whose comments stand in their columns.
#include "generator/clang/comments.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

#include "generator/clang/reserved_words.h"
#include "generator/clang/alignment.h"

namespace sg {

using llvm::SmallVector;
using llvm::StringRef;

namespace {

enum CommentColumns : size_t {
    COMMENT_PREFIX = 3,          // columns of "/* " and of " * "
    LEAST_WIDTH = 30             // of a comment behind code; a narrower one goes above the code
};

constexpr llvm::StringLiteral RULE = "----";   // ends a line that divides a file

// One block comment, as lines of text.
class Comment {
public:
    Comment(StringRef text, size_t column, bool behind_code);

    // columns: of a line.
    bool fits(size_t column, size_t columns) const;
    void fill(size_t column, size_t columns, bool all);
    std::string text(size_t column) const;
    void use_stars() { stars_ = true; }

private:
    size_t close_of(size_t i) const;
    bool fits_line(size_t i, size_t width) const;
    static bool is_drawing(StringRef line);
    static bool begins_item(StringRef line);

    std::vector<std::string> lines_;
    bool stars_ = true;          // lines begin with ` * `
    bool closed_below_ = false;  // the comment's end has a line of its own
};

}  // namespace

// Shortens the rule at the end of a line that is too long.
static std::string shorten_rule(StringRef line, size_t width)
{
    const size_t words = line.rtrim('-').size();
    return line.take_front(std::max(words + RULE.size(), std::min(line.size(), width))).str();
}

// True for an empty line, and for a line with extra blanks that must be kept.
bool Comment::is_drawing(StringRef line)
{
    return line.empty() || line[0] == ' ' || line.contains("  ");
}

bool Comment::begins_item(StringRef line)
{
    return is_drawing(line) || line.starts_with("- ") || line.starts_with("* ");
}

Comment::Comment(StringRef text, size_t column, bool behind_code)
{
    SmallVector<StringRef, 8> raw;
    text.drop_front(2).drop_back(2).split(raw, '\n');
    const auto rest = llvm::drop_begin(raw);
    stars_ = raw.size() == 1 ? !behind_code : llvm::all_of(rest, [&](StringRef line) {
        const StringRef words = line.ltrim(' ');
        return words.starts_with("*") || (words.empty() && line.data() == raw.back().data());
    });
    closed_below_ = raw.size() > 1 && raw.back().trim(' ').empty();
    if (closed_below_)
        raw.pop_back();
    size_t least = StringRef::npos;       // the smallest indent below the first line
    for (StringRef line : llvm::drop_begin(raw))
        if (!line.trim(' ').empty())
            least = std::min(least, indent_of(line));
    for (size_t i = 0; i < raw.size(); i++) {
        StringRef line = raw[i];
        if (i && stars_)
            line = line.ltrim(' ').drop_front(1);
        else if (i)
            line = line.drop_front(
                std::min(behind_code ? least : column + COMMENT_PREFIX, indent_of(line)));
        if (!i || stars_)
            line.consume_front(" ");
        lines_.push_back(line.rtrim(' ').str());
    }
}

// Columns that the comment's end takes behind line i.
size_t Comment::close_of(size_t i) const
{
    return i + 1 == lines_.size() && !closed_below_ ? size_t(COMMENT_PREFIX) : 0;
}

bool Comment::fits_line(size_t i, size_t width) const
{
    return lines_[i].size() + close_of(i) <= width;
}

bool Comment::fits(size_t column, size_t columns) const
{
    const size_t width = columns - std::min(column + COMMENT_PREFIX, columns);
    for (size_t i = 0; i < lines_.size(); i++)
        if (!fits_line(i, width))
            return false;
    return true;
}

// Splits lines into words. Joins a short word of punctuation to the word before, so that a refilled
// line does not look like an item of a list.
static std::vector<std::string> words_of(llvm::ArrayRef<std::string> lines)
{
    std::vector<std::string> words;
    for (StringRef line : lines) {
        while (!line.empty()) {
            StringRef word;
            std::tie(word, line) = line.split(' ');
            if (!words.empty() && !llvm::any_of(word, llvm::isAlnum) &&
                word.size() < COMMENT_PREFIX)
                words.back() += " " + word.str();
            else
                words.push_back(word.str());
        }
    }
    return words;
}

// Refills paragraphs from their first line that is too long, or (`all`) whole paragraphs.
void Comment::fill(size_t column, size_t columns, bool all)
{
    const size_t width = columns - std::min(column + COMMENT_PREFIX, columns - LEAST_WIDTH);
    std::vector<std::string> filled;
    for (size_t i = 0; i < lines_.size();) {
        if ((fits_line(i, width) && !all) || is_drawing(lines_[i])) {
            filled.push_back(lines_[i++]);
            continue;
        }
        if (StringRef(lines_[i]).ends_with(RULE)) {
            filled.push_back(shorten_rule(lines_[i], width - close_of(i)));
            i++;
            continue;
        }
        size_t end = i + 1;
        while (end < lines_.size() && !begins_item(lines_[end]))
            end++;
        const size_t close = close_of(end - 1);
        const auto words = words_of(llvm::ArrayRef<std::string>(lines_).slice(i, end - i));
        std::string line;
        for (size_t w = 0; w < words.size(); w++) {
            const size_t behind = w + 1 == words.size() ? close : 0;
            if (!line.empty() && line.size() + 1 + words[w].size() + behind > width)
                filled.push_back(std::exchange(line, ""));
            line += (line.empty() ? "" : " ") + words[w];
        }
        filled.push_back(line);
        i = end;
    }
    lines_ = std::move(filled);
}

std::string Comment::text(size_t column) const
{
    const std::string next = "\n" + std::string(column, ' ') + " * ";
    const std::string beneath = "\n" + std::string(column + COMMENT_PREFIX, ' ');
    std::string out = "/*" + std::string(lines_[0].empty() ? "" : " ");
    for (size_t i = 0; i < lines_.size(); i++) {
        if (i)
            out += StringRef(stars_ ? next : beneath).rtrim(lines_[i].empty() ? " " : "");
        out += lines_[i];
    }
    return out + (closed_below_ ? "\n" + std::string(column, ' ') : "") + " */";
}

// Appends a comment to `out`. If the last line of `out` holds code, the comment goes behind the
// code, or above it if fewer than LEAST_WIDTH columns are left.
static void put_comment(std::string &out, StringRef text, size_t columns)
{
    const size_t line = StringRef(out).rfind('\n') + 1;
    const size_t column = out.size() - line;
    const size_t indent = indent_of(StringRef(out).substr(line));
    const bool behind_code = indent < column;
    Comment comment(text, column, behind_code);

    if (comment.fits(column, columns)) {
        out += behind_code && text.contains('\n') ? comment.text(column) : text.str();
        return;
    }
    if (column + COMMENT_PREFIX + LEAST_WIDTH <= columns) {
        comment.fill(column, columns, false);
        out += comment.text(column);
        return;
    }
    comment.use_stars();
    comment.fill(indent, columns, true);
    out.insert(line, std::string(indent, ' ') + comment.text(indent) + "\n");
    out.resize(StringRef(out).rtrim(' ').size());
}

// The offset behind the literal that begins at `at`.
static size_t literal_end(StringRef text, size_t at)
{
    size_t end = at + 1;
    while (end < text.size() && text[end] != text[at] && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

std::string wrap_comments(StringRef text, size_t columns)
{
    std::string out;
    while (!text.empty()) {
        size_t end = 1;
        if (text[0] == '"' || text[0] == '\'') {
            end = literal_end(text, 0);
        } else if (text.starts_with("//")) {
            end = text.find('\n');
        } else if (text.starts_with("/*")) {
            const size_t close = text.find("*/", 2);
            end = close == StringRef::npos ? close : close + 2;
            // A comment with code behind it stays: the code's column depends on its end.
            const StringRef line = text.substr(end).take_until([](char c) { return c == '\n'; });
            if (end != StringRef::npos && line.trim(' ').empty()) {
                put_comment(out, text.take_front(end), columns);
                text = text.substr(end);
                continue;
            }
        }
        out += text.take_front(end);
        text = text.substr(end);
    }
    return out;
}

}  // namespace sg
