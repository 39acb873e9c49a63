// comments.h: lines of comments that are too long are filled anew.
#ifndef SG_CLANG_COMMENTS_H
#define SG_CLANG_COMMENTS_H

#include <string>

#include <llvm/ADT/StringRef.h>

namespace sg {

// C text whose comments have no line beyond MAX_COLUMNS, as far as blanks allow that. From a line
// that is too long on, a paragraph is filled anew; drawings, lists and tables stay. Lines of a
// comment behind code stand beneath its first one. Doing it twice changes nothing more.
std::string wrap_comments(llvm::StringRef text);

}  // namespace sg

#endif
