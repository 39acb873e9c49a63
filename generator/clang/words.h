// words.h: the texts that words are lowered to, and the pieces of C that go into them.
#ifndef SG_CLANG_WORDS_H
#define SG_CLANG_WORDS_H

#include <string>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include "generator/clang/report.h"

namespace sg {

// An argument of a call that is replaced by a text.
struct Argument {
    std::string text;            // specialised
    std::string cast;            // the type that the call converts it to; "" if it has that type
    bool has_effects;            // must be evaluated exactly once
    bool is_operand = false;     // needs no parentheses even if not is_primary
};

// True if the text needs no parentheses beside any operator: an identifier, a literal, a call, a
// member, a subscript, or a text in parentheses.
bool is_primary(llvm::StringRef text);

// The word's text with $1.. and $PARAMETER filled in, without blanks around it. Errors of arguments
// are reported at `at`, errors of the text at word.loc.
std::string expand(const sg_word &word, llvm::ArrayRef<Argument> arguments,
                   clang::SourceLocation at, Report &report);

// The text on one line, without comments and with single blanks.
std::string one_line(llvm::StringRef text);

}  // namespace sg

#endif
