// unit.h: an emitted text as Clang sees it: under one name, among headers that are in memory, with
// errors that stand at the text's own lines.
#ifndef SG_CLANG_UNIT_H
#define SG_CLANG_UNIT_H

#include <string>

#include <clang/Basic/Diagnostic.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "generator/clang/specialise_types.h"

namespace sg {

inline constexpr llvm::StringLiteral UNIT = "/emitted/unit";   // Clang's name of any text
inline constexpr llvm::StringLiteral UNIT_DIR = "/emitted/";   // where its headers are
inline constexpr llvm::StringLiteral PREFIX = "/emitted/prefix";   // the header in front of a text
inline constexpr llvm::StringLiteral PREFIX_NAME = "prefix";       // in UNIT_DIR

// Clang's own headers: where they were when this was built, else beside the library.
std::string resource_dir();

// The files of the disk, and in memory an empty unit, the standard headers and those given.
llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
unit_files(llvm::ArrayRef<sg_parse_file> headers);

// Errors at the line of the emitted text.
class UnitConsumer : public clang::DiagnosticConsumer {
public:
    // `prefix_lines`: lines that stand in front of the text in the unit.
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
