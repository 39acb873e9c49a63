// unit.h: presents an emitted text to Clang: under one name, with headers in memory, and with
// errors at the text's own lines.
#ifndef SG_CLANG_UNIT_H
#define SG_CLANG_UNIT_H

#include <string>

#include <clang/Basic/Diagnostic.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "generator/clang/specialise_types.h"

namespace sg {

inline constexpr llvm::StringLiteral UNIT = "/emitted/unit";   // Clang's name of any text
inline constexpr llvm::StringLiteral UNIT_DIR = "/emitted/";   // the folder of its headers
inline constexpr llvm::StringLiteral PREFIX = "/emitted/prefix";   // the header before a text
inline constexpr llvm::StringLiteral PREFIX_NAME = "prefix";       // in UNIT_DIR

// The folder of Clang's own headers: the one known at build time, else the one beside the library.
std::string resource_dir();

// The disk's files, and in memory an empty unit, the standard headers and `headers`.
llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
unit_files(llvm::ArrayRef<sg_parse_file> headers);

// Forwards errors at lines of the emitted text.
class UnitConsumer : public clang::DiagnosticConsumer {
public:
    // prefix_lines: lines before the text in the unit.
    UnitConsumer(sg_diags *diags, const char *name, unsigned prefix_lines)
        : diags_(diags), name_(name), prefix_lines_(prefix_lines) {}

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic &info) override;

private:
    sg_loc place(const clang::Diagnostic &info, std::string &file) const;

    sg_diags *diags_;
    const char *name_;
    unsigned prefix_lines_;
    bool forwarding_ = false;
};

}  // namespace sg

#endif
