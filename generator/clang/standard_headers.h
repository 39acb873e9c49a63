// standard_headers.h: the standard headers as templates see them, so that a template means the same
// whatever the machine that specialises it.
#ifndef SG_CLANG_STANDARD_HEADERS_H
#define SG_CLANG_STANDARD_HEADERS_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace sg {

struct StandardHeader {
    llvm::StringLiteral name;    // "stdint.h"
    llvm::StringLiteral text;
};

llvm::ArrayRef<StandardHeader> standard_headers();

}  // namespace sg

#endif
