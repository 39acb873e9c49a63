// comments.h: wraps comments whose lines are too long.
#ifndef SG_CLANG_COMMENTS_H
#define SG_CLANG_COMMENTS_H

#include <string>

#include <llvm/ADT/StringRef.h>

namespace sg {

// Returns C text whose comments have no line beyond `columns`, as far as blanks allow. A
// paragraph is refilled from its first line that is too long; drawings, lists and tables stay. The
// lines of a comment behind code are aligned with its first one. A second call changes nothing.
std::string wrap_comments(llvm::StringRef text, size_t columns);

}  // namespace sg

#endif
