// depth.h: checks the depth of nesting once, so that all later code may recurse.
#ifndef SG_CLANG_DEPTH_H
#define SG_CLANG_DEPTH_H

#include <clang/AST/Decl.h>

namespace sg {

// The first statement or operator that is nested too deeply; invalid if there is none.
clang::SourceLocation find_too_deep(const clang::Decl *declaration);

}  // namespace sg

#endif
