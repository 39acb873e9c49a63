// text_layout.h: lays out emitted text: aligns continuation lines with a bracket or value that has
// moved, wraps long lines, and merges blank lines.
//
// A continuation line that the author aligned is copied with a mark in front of its blanks, and the
// blanks before a comment that ends its line become a mark with the comment's column; only when the
// text is complete does lay_out() turn the marks into the right number of blanks.
#ifndef SG_CLANG_TEXT_LAYOUT_H
#define SG_CLANG_TEXT_LAYOUT_H

#include <string>

#include <llvm/ADT/StringRef.h>

#include "generator/clang/alignment.h"

namespace sg {

// Stands for the blanks before a comment at `column`, counted from the line's first character.
std::string pad_mark(unsigned column);

// The text without marks: a pad mark becomes one blank, other marks nothing.
std::string without_marks(llvm::StringRef text);

// Blanks, and the marks that stand among them.
constexpr llvm::StringLiteral BLANKS = " \t\n\x01\x02";

// Text with marks, laid out in lines of at most `columns`; ends with one newline unless empty.
std::string lay_out(llvm::StringRef marked, size_t columns);

// Moves every line but the first `columns` to the left (to the right, if negative).
std::string dedent(llvm::StringRef text, int columns);

}  // namespace sg

#endif
