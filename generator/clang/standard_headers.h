// standard_headers.h: the standard headers of templates. They are built in, so that a template
// means the same on every machine.
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
