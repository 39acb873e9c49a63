// depth.h: a bound on nesting, checked once, so that everything behind it may recurse.
#ifndef SG_CLANG_DEPTH_H
#define SG_CLANG_DEPTH_H

#include <clang/AST/Decl.h>

namespace sg {

// The first statement or operator that is nested too deeply; invalid if there is none.
clang::SourceLocation find_too_deep(const clang::Decl *declaration);

}  // namespace sg

#endif
