// alignment.cpp: a light scanner of C text: brackets, strings, comments.
#include "generator/clang/alignment.h"

#include <algorithm>

namespace sg {

using llvm::StringRef;

size_t indent_of(StringRef line)
{
    return std::min(line.find_first_not_of(' '), line.size());
}

// The offset behind the comment at `at`, or npos.
static size_t comment_end(StringRef text, size_t at)
{
    if (text[at + 1] == '*') {
        const size_t end = text.find("*/", at + 2);
        return end == StringRef::npos ? end : end + 2;
    }
    size_t end = text.find('\n', at);
    while (end != StringRef::npos && text[end - 1] == '\\')
        end = text.find('\n', end + 1);
    return end;
}

std::optional<std::string> bare_code(StringRef text)
{
    std::string bare = text.str();
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        size_t end = at + 1;
        if (c == '/' && (text.substr(end).starts_with("/") || text.substr(end).starts_with("*"))) {
            end = comment_end(text, at);
            if (end == StringRef::npos)
                return std::nullopt;
            bare.replace(at, end - at, end - at, ' ');
        } else if (c == '"' || c == '\'') {
            while (end < text.size() && text[end] != c && text[end] != '\n')
                end += text[end] == '\\' ? 2 : 1;
            if (end >= text.size() || text[end] != c)
                return std::nullopt;
            bare.replace(at + 1, end - at - 1, end - at - 1, LITERAL);
            end++;
        }
        at = end;
    }
    return bare;
}

int Tracker::column_of(Align align) const
{
    const bool in_bracket = !open_.empty() && open_.back().bracket != '{';
    if (align == Align::bracket)
        return in_bracket ? open_.back().column + 1 : -1;
    return align == Align::value && !in_bracket ? value_ : -1;
}

size_t Tracker::skip_quoted(StringRef piece, size_t at) const
{
    const char quote = piece[at++];
    while (at < piece.size() && piece[at] != quote)
        at += piece[at] == '\\' ? 2 : 1;
    return std::min(at + 1, piece.size());
}

size_t Tracker::feed_word(StringRef piece, size_t at)
{
    const StringRef word = piece.substr(at).take_while(is_word);
    if (word == "return" && column_of(Align::bracket) < 0)
        value_follows_ = true;
    return at + word.size();
}

void Tracker::feed_punctuation(StringRef piece, size_t at, unsigned column)
{
    const char c = piece[at];
    const int here = static_cast<int>(column + at);
    const bool in_bracket = column_of(Align::bracket) >= 0;

    if (c == '(' || c == '[' || c == '{') {
        open_.push_back({c, here});
    } else if ((c == ')' || c == ']' || c == '}') && !open_.empty()) {
        open_.pop_back();
    } else if (c == '=' && !in_bracket) {
        const char before = at ? piece[at - 1] : ' ';
        const char after = at + 1 < piece.size() ? piece[at + 1] : ' ';
        value_follows_ =
            after != '=' && before != '=' && before != '!' &&
            !((before == '<' || before == '>') && !(at > 1 && piece[at - 2] == before));
    }
    if ((c == ';' && !in_bracket) || c == '{' || c == '}') {
        value_ = -1;
        value_follows_ = false;
    }
}

void Tracker::feed(StringRef piece, unsigned column)
{
    for (size_t at = 0; at < piece.size();) {
        if (comment_) {
            const size_t end = piece.find("*/", at);
            comment_ = end == StringRef::npos;
            at = comment_ ? piece.size() : end + 2;
            continue;
        }
        const StringRef rest = piece.substr(at);
        if (line_comment_ || rest.take_front(2) == "//") {
            line_comment_ = true;
            return;
        }
        if (rest.take_front(2) == "/*") {
            comment_ = true;
            at += 2;
            continue;
        }
        if (rest[0] == ' ' || rest[0] == '\t') {
            at++;
            continue;
        }
        if (value_follows_) {
            value_ = static_cast<int>(column + at);
            value_follows_ = false;
        }
        if (rest[0] == '"' || rest[0] == '\'') {
            at = skip_quoted(piece, at);
        } else if (is_word(rest[0])) {
            at = feed_word(piece, at);
        } else {
            feed_punctuation(piece, at, column);
            at++;
        }
    }
}

std::vector<Align> find_alignment(StringRef text)
{
    std::vector<Align> result;
    Tracker tracker;

    while (!text.empty()) {
        StringRef line;
        std::tie(line, text) = text.split('\n');
        const size_t indent = indent_of(line);
        const char first = indent < line.size() ? line[indent] : '\0';
        Align align = Align::none;
        if (!tracker.in_comment() && first && first != '#')
            for (Align candidate : {Align::bracket, Align::value})
                if (tracker.column_of(candidate) == static_cast<int>(indent))
                    align = candidate;
        if (first == '#' && !tracker.in_comment())
            line = "";
        result.push_back(align);
        tracker.feed(line, 0);
        tracker.end_line();
    }
    return result;
}

}  // namespace sg
