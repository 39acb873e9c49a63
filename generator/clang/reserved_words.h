// reserved_words.h: the words and paths with a meaning to the specialiser, and its limits.
#ifndef SG_CLANG_RESERVED_WORDS_H
#define SG_CLANG_RESERVED_WORDS_H

#include <llvm/ADT/StringRef.h>

namespace sg {

// Object-like and function-like macros of the prelude.
constexpr llvm::StringLiteral KERNEL_MARK = "KERNEL";   // before a function: it is launched
constexpr llvm::StringLiteral HOST_STEP_MARK = "HOST_STEP";   // before a function of launch lists
constexpr llvm::StringLiteral KERNEL_NAME_MARK = "KERNEL_NAME";   // of a parameter: names one
constexpr llvm::StringLiteral UNROLL_MARK = "UNROLL";   // before a `for`: write its iterations out
constexpr llvm::StringLiteral LENGTH_MARK = "LENGTH";   // before a parameter: LENGTH("its extent")
constexpr llvm::StringLiteral LOCAL_MARK = "LOCAL";     // in a parameter: points to local memory

// The file of a declaration decides its role. Paths are relative to the data root.
constexpr llvm::StringLiteral PARAMS_FILE = "params.h";           // in any folder: the parameters
constexpr llvm::StringLiteral PARAMS_SHOWN = "params.h (as specialised)";   // in messages
constexpr llvm::StringLiteral PRELUDE_DIR = "templates/prelude/"; // words
constexpr llvm::StringLiteral EXTERNAL_DIR = "runtime/";          // passes through unchanged
constexpr llvm::StringLiteral STANDARD_DIR = "/std/";             // the built-in standard headers

enum Limits : unsigned {
    LONGEST_COMMENT = 48,        // that quotes an expression
    MAX_COPIES = 4096,           // of the innermost body of nested unrolled loops
    MAX_DEPTH = 600,             // of nested statements and operators
    MAX_ERRORS = 20              // reported by one run
};

}  // namespace sg

#endif
