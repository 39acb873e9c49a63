// layout.h: how emitted text is laid out: continuation lines stay aligned when what they hang from
// moves, long lines are wrapped, runs of blank lines become one.
//
// A continuation line that the author aligned is copied with a mark in front of its blanks, and the
// blanks before a comment that ends its line become a mark with the comment's column; only when the
// text is complete does lay_out() turn the marks into the right number of blanks.
#ifndef SG_CLANG_LAYOUT_H
#define SG_CLANG_LAYOUT_H

#include <string>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace sg {

// What a line is aligned with. The values are the marks.
enum class Align : char {
    none = 0,
    bracket = 1,                 // the column after the innermost open ( or [
    value = 2                    // the first token after `=` or `return`
};

// Stands for the blanks before a comment at `column`, counted from the line's first character.
std::string pad_mark(unsigned column);

// Text as it is but for marks, which become one blank (pads) or nothing.
std::string without_marks(llvm::StringRef text);

// Follows C text and knows where a line that begins here would be aligned.
class Tracker {
public:
    // The next piece of text, which holds no newline and begins at `column`.
    void feed(llvm::StringRef piece, unsigned column);
    void end_line() { line_comment_ = false; }

    bool in_comment() const { return comment_; }
    int column_of(Align align) const;     // -1: nothing to align with

private:
    size_t skip_quoted(llvm::StringRef piece, size_t at) const;
    size_t feed_word(llvm::StringRef piece, size_t at);
    void feed_punctuation(llvm::StringRef piece, size_t at, unsigned column);

    struct Open {
        char bracket;
        int column;
    };
    llvm::SmallVector<Open, 16> open_;
    int value_ = -1;
    bool value_follows_ = false;          // the next token is what value lines are aligned with
    bool comment_ = false, line_comment_ = false;
};

// Blanks, and the marks that stand among them.
constexpr llvm::StringLiteral BLANKS = " \t\n\x01\x02";

// For every line of a file, what its author aligned it with.
std::vector<Align> find_alignment(llvm::StringRef text);

// Text with marks, laid out; ends with one newline unless it is empty.
std::string lay_out(llvm::StringRef marked);

// Moves every line but the first `columns` to the left (to the right, if negative).
std::string dedent(llvm::StringRef text, int columns);

}  // namespace sg

#endif
