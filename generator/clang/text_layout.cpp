// text_layout.cpp: turns marks into blanks, breaks long lines.
#include "generator/clang/text_layout.h"

#include <llvm/ADT/StringExtras.h>

#include "generator/clang/comments.h"
#include "generator/clang/reserved_words.h"

namespace sg {

using llvm::StringRef;

static bool is_operator(char c)
{
    return StringRef("+-*/%&|^<>=!?:").contains(c);
}

static constexpr char PAD = 3;   // PAD column PAD

std::string pad_mark(unsigned column)
{
    return PAD + std::to_string(column) + PAD;
}

static bool is_align_mark(char c)
{
    return c == static_cast<char>(Align::bracket) || c == static_cast<char>(Align::value);
}

std::string without_marks(StringRef text)
{
    std::string out;
    while (!text.empty()) {
        if (text[0] == PAD) {
            text = text.drop_front().split(PAD).second;
            out += ' ';
            continue;
        }
        if (!is_align_mark(text[0]))
            out += text[0];
        text = text.drop_front();
    }
    return out;
}

// A comment keeps its column if the code leaves space.
static std::string apply_pad(StringRef line, size_t columns)
{
    StringRef code, rest;
    std::tie(code, rest) = line.split(PAD);
    if (rest.empty())
        return line.str();
    StringRef digits, comment;
    std::tie(digits, comment) = rest.split(PAD);
    unsigned column = 0;
    if (digits.getAsInteger(10, column))
        return without_marks(line);
    column += static_cast<unsigned>(indent_of(code));
    code = code.rtrim(' ');
    // The comment may move to the left to stay on the line.
    if (column + comment.size() > columns)
        column = static_cast<unsigned>(columns - std::min(comment.size(), columns));
    const size_t blanks = column > code.size() ? column - code.size() : 1;
    return code.str() + std::string(blanks, ' ') + comment.str();
}

// ---- breaking long lines ------------------------------------------------------------------------

namespace {

// The cost of breaking a line at a place.
enum Penalty : int {
    IN_BRACKET = 30,             // per open bracket, so that outer levels break first
    IN_OPERAND = 15,             // within brackets, so perhaps within one of several arguments
    CRAMPED = 60,                // the rest begins far to the right
    OUT_OF_BRACKET = 120,        // or left of its bracket, for lack of space
    ANOTHER_LINE = 40,
    BEHIND_ATTRIBUTE = 200,
    UNBREAKABLE = 1000           // a line that stays too long
};

// The places where a line may be broken.
class Breaks {
public:
    struct Place {
        size_t at;               // the line is cut before this character
        int penalty;
        int open;                // number of open brackets
    };

    // columns: of a line. open: the number of brackets that are open where the line begins.
    Breaks(StringRef line, size_t columns, int open) : line_(line), columns_(columns), open_(open)
    {
        scan();
    }

    llvm::SmallVector<Place, 16> places;   // the best first
    size_t comment = 0;          // offset of the comment that ends the line; 0: none

private:
    void scan();
    void consider(size_t at);
    int penalty_of(StringRef token) const;

    StringRef line_;
    size_t columns_;
    int open_;
};

}  // namespace

int Breaks::penalty_of(StringRef token) const
{
    const int brackets = IN_BRACKET * open_;
    if (token.back() == ',' || token.back() == ';')
        return brackets;
    if (token.back() == ')')
        return BEHIND_ATTRIBUTE;
    if (token == "&&" || token == "||" || token == "?" || token == ":")
        return brackets + 6;
    const int operand = open_ ? brackets + IN_OPERAND : 0;
    if (token == "+" || token == "-")
        return operand + 12;
    return operand + (token.back() == '=' ? 50 : 18);
}

void Breaks::consider(size_t at)
{
    size_t begin = at;
    while (begin > 0 && line_[begin - 1] != ' ')
        begin--;
    const StringRef token = line_.slice(begin, at);
    const bool breakable =
        !token.empty() && (token.back() == ',' || (token.back() == ';' && open_) ||
                           (!open_ && token.starts_with("__attribute__((")) ||
                           llvm::all_of(token, is_operator));
    const bool leaves_something = begin > indent_of(line_) || token.contains('(');
    if (breakable && at <= columns_ && leaves_something)
        places.push_back({at, penalty_of(token), open_});
}

void Breaks::scan()
{
    for (size_t at = indent_of(line_); at < line_.size();) {
        const char c = line_[at];
        if (line_.substr(at).take_front(2) == "//")
            break;
        if (line_.substr(at).take_front(2) == "/*") {
            const size_t end = line_.find("*/", at + 2);
            if (end == StringRef::npos)
                break;           // the comment continues on the next line
            if (end + 2 == line_.size())
                comment = at;
            at = end + 2;
            continue;
        }
        if (c == '"' || c == '\'') {
            for (at++; at < line_.size() && line_[at] != c; at++)
                at += line_[at] == '\\';
            at++;
            continue;
        }
        if (c == ' ' && line_[at - 1] != ' ')
            consider(at);
        if (c == '(' || c == '[' || c == '{')
            open_++;
        else if ((c == ')' || c == ']' || c == '}') && open_)
            open_--;
        at++;
    }
    // Of equal penalties the later place is better: it fills the line.
    llvm::sort(places, [](const Place &a, const Place &b) {
        return a.penalty != b.penalty ? a.penalty < b.penalty : a.at > b.at;
    });
}

namespace {

// Lays out line by line.
class Layout {
public:
    explicit Layout(size_t columns) : columns_(columns) {}

    std::string take(StringRef text);

private:
    void line(StringRef text);
    bool join(Align align, StringRef text);
    void place(std::string text);
    void put(StringRef text);
    void put_before_comment(StringRef text, size_t comment);
    size_t continuation(const Tracker &behind, size_t first_indent) const;

    // A line that is broken in two.
    struct Cut {
        size_t at = 0;           // 0: nowhere
        int penalty = UNBREAKABLE;        // with the penalty of the rest
        int open = 0;            // number of open brackets
        std::string rest;
        Tracker behind;
    };
    Cut cut(StringRef text, size_t first_indent, const Tracker &before, int open,
            int levels) const;

    size_t columns_;
    std::string out_;
    std::string rest_;           // of a broken line: the next line may continue it
    Tracker tracker_;
    bool blank_ = false;         // a blank line is due before the next one
};

}  // namespace

void Layout::put(StringRef text)
{
    text = text.rtrim(' ');
    if (blank_ && !out_.empty() && out_.substr(out_.size() - 2) != "{\n" &&
        text.ltrim(' ').take_front(1) != "}")
        out_ += '\n';
    blank_ = false;
    out_ += text;
    out_ += '\n';
    tracker_.feed(text, 0);
    tracker_.end_line();
}

// The column where a line continues behind the text that the tracker has seen.
size_t Layout::continuation(const Tracker &behind, size_t first_indent) const
{
    for (Align align : {Align::bracket, Align::value}) {
        const int column = behind.column_of(align);
        if (column >= 0 && column <= static_cast<int>(columns_) * 3 / 4)
            return static_cast<size_t>(column);
    }
    return first_indent + 4;
}

// The cut of a line with the least penalty, looking `levels` further lines ahead.
Layout::Cut Layout::cut(StringRef text, size_t first_indent, const Tracker &before, int open,
                        int levels) const
{
    Cut best;
    for (const Breaks::Place &place : Breaks(text, columns_, open).places) {
        if (place.penalty >= best.penalty)
            break;
        Cut c;
        c.at = place.at;
        c.open = place.open;
        c.behind = before;
        c.behind.feed(text.take_front(c.at), 0);
        const size_t next = continuation(c.behind, first_indent);
        if (next >= c.at)
            continue;            // nothing gained
        c.penalty = place.penalty + (next > columns_ * 2 / 3 ? CRAMPED : 0);
        if (static_cast<int>(next) < c.behind.column_of(Align::bracket))
            c.penalty += OUT_OF_BRACKET;
        c.rest = std::string(next, ' ') + text.substr(c.at).ltrim().str();
        if (c.rest.size() > columns_)
            c.penalty += ANOTHER_LINE;
        if (c.rest.size() > columns_ && levels)
            c.penalty += cut(c.rest, first_indent, c.behind, place.open, levels - 1).penalty;
        if (c.penalty < best.penalty || !best.at)
            best = std::move(c);
    }
    return best;
}

// Puts a line whose code is followed by a comment that continues on the next line: the code must
// stay before the comment.
void Layout::put_before_comment(StringRef text, size_t comment)
{
    const StringRef words = text.substr(comment);

    place(text.take_front(comment).rtrim().str());
    if (!rest_.empty())
        put(rest_);
    rest_.clear();
    const size_t width = columns_ - std::min(words.size(), columns_);
    put(std::string(std::min(comment, width), ' ') + words.str());
}

// Writes a line at its final indentation: whole if it fits, in pieces otherwise.
void Layout::place(std::string text)
{
    const size_t indent = indent_of(text);
    int open = 0;
    while (text.size() > columns_) {
        const Breaks breaks(text, columns_, 0);
        const bool is_closed = StringRef(text).substr(breaks.comment).contains("*/");
        if (breaks.comment > indent && !is_closed) {
            put_before_comment(text, breaks.comment);
            return;
        }
        if (breaks.comment > indent && tracker_.column_of(Align::bracket) < 0 &&
            breaks.comment <= columns_) {
            put(std::string(indent, ' ') + text.substr(breaks.comment));
            text = StringRef(text).take_front(breaks.comment).rtrim().str();
            continue;
        }
        Cut c = cut(text, indent, tracker_, open, 2);
        if (!c.at)
            break;
        put(StringRef(text).take_front(c.at));
        text = std::move(c.rest);
        open = c.open;
        if (text.size() <= columns_) {
            rest_ = text;
            return;
        }
    }
    put(text);
}

// Joins the rest of a broken line with the next line, if both are aligned with the same bracket.
bool Layout::join(Align align, StringRef text)
{
    const std::string rest = std::move(rest_);
    rest_.clear();
    if (rest.empty())
        return false;
    Tracker behind = tracker_;
    behind.feed(rest, 0);
    if (align == Align::bracket && !behind.in_comment() &&
        behind.column_of(align) == static_cast<int>(indent_of(rest)) &&
        text.ltrim(' ').take_front(1) != "/") {
        place(rest + " " + text.ltrim(' ').str());
        return true;
    }
    put(rest);
    return false;
}

void Layout::line(StringRef text)
{
    Align align = Align::none;
    if (!text.empty() && is_align_mark(text[0])) {
        align = static_cast<Align>(text[0]);
        text = text.drop_front();
    }
    if (join(align, text))
        return;
    if (text.trim(" \t\r").empty()) {
        blank_ = true;
        return;
    }
    const size_t indent = indent_of(text);
    // Comments and directives are not broken.
    const StringRef code = text.substr(indent).rtrim();
    const size_t close = code.find("*/", 2);
    const bool whole = tracker_.in_comment() || code[0] == '#' || code.take_front(2) == "//" ||
                       (code.take_front(2) == "/*" &&
                        (close == StringRef::npos || close + 2 == code.size()));
    const int column = align == Align::none ? -1 : tracker_.column_of(align);
    const std::string placed = apply_pad(
        column < 0 ? text.str()
                   : std::string(static_cast<size_t>(column), ' ') + text.ltrim(' ').str(),
        columns_);
    if (whole)
        put(placed);
    else
        place(placed);
}

std::string Layout::take(StringRef text)
{
    while (!text.empty()) {
        StringRef next;
        std::tie(next, text) = text.split('\n');
        line(next);
    }
    join(Align::none, "");
    return std::move(out_);
}

std::string lay_out(StringRef marked, size_t columns)
{
    return wrap_comments(Layout(columns).take(marked), columns);
}

std::string dedent(StringRef text, int columns)
{
    std::string out;
    for (bool first = true; ; first = false) {
        const size_t end = text.find('\n');
        StringRef line = text.take_front(end);
        if (!first) {
            while (!line.empty() && is_align_mark(line[0])) {
                out += line[0];
                line = line.drop_front();
            }
            for (int i = 0; i < columns && !line.empty() && line[0] == ' '; i++)
                line = line.drop_front();
            if (columns < 0 && !line.empty())
                out.append(static_cast<size_t>(-columns), ' ');
        }
        out += line;
        if (end == StringRef::npos)
            return out;
        out += '\n';
        text = text.substr(end + 1);
    }
}

}  // namespace sg
