// alignment.h: finds what lines of C text are aligned with: an open bracket, or the first token
// behind `=` or `return`.
#ifndef SG_CLANG_ALIGNMENT_H
#define SG_CLANG_ALIGNMENT_H

#include <optional>
#include <string>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

namespace sg {

// What a line is aligned with. The values are the characters that mark it (layout.h).
enum class Align : char {
    none = 0,
    bracket = 1,                 // the column after the innermost open ( or [
    value = 2                    // the first token after `=` or `return`
};

// Follows C text and finds the column where the next line would be aligned.
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
    bool value_follows_ = false;          // the next token sets value_
    bool comment_ = false, line_comment_ = false;
};

// True for characters of identifiers, keywords and numbers.
inline bool is_word(char c)
{
    return llvm::isAlnum(c) || c == '_';
}

// The text as code alone, of the same length: blanks stand for comments, LITERAL for characters
// between quotes. std::nullopt if a comment or a literal is not closed.
constexpr char LITERAL = '_';
std::optional<std::string> bare_code(llvm::StringRef text);

// Returns the alignment of every line of a file.
std::vector<Align> find_alignment(llvm::StringRef text);

// Number of blanks that a line begins with.
size_t indent_of(llvm::StringRef line);

}  // namespace sg

#endif
