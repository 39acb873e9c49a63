// compat.h: the differences between LLVM 16, 17, 18 and 19. No other file tests the version.
#ifndef SG_CLANG_COMPAT_H
#define SG_CLANG_COMPAT_H

#include <llvm/Config/llvm-config.h>

#if LLVM_VERSION_MAJOR < 16 || LLVM_VERSION_MAJOR > 19
#error "LLVM 16 to 19 are supported; add the differences of another version to compat.h"
#endif

// The parameters of PPCallbacks::InclusionDirective after the relative path: unnamed, since unused.
#if LLVM_VERSION_MAJOR >= 19
#define SG_INCLUSION_TAIL const clang::Module *, bool, clang::SrcMgr::CharacteristicKind
#else
#define SG_INCLUSION_TAIL const clang::Module *, clang::SrcMgr::CharacteristicKind
#endif

// The argument of PrecompiledPreamble::Build that names a folder for a preamble kept on disk.
#if LLVM_VERSION_MAJOR >= 17
#define SG_PREAMBLE_IN_MEMORY true, ""
#else
#define SG_PREAMBLE_IN_MEMORY true
#endif

#endif
