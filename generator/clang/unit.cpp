// unit.cpp: see unit.h.
#include "generator/clang/unit.h"

#include <dlfcn.h>

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include "generator/clang/compat.h"
#include "generator/clang/reserved_words.h"
#include "generator/clang/standard_headers.h"

namespace sg {

std::string resource_dir()
{
#ifdef SG_CLANG_RESOURCE_DIR
    if (llvm::sys::fs::is_directory(SG_CLANG_RESOURCE_DIR))
        return SG_CLANG_RESOURCE_DIR;
#endif
    Dl_info library;
    llvm::SmallString<128> real, dir;
    if (!dladdr(reinterpret_cast<void *>(&clang::CompilerInvocation::GetResourcesPath), &library) ||
        llvm::sys::fs::real_path(library.dli_fname, real))
        return "";
    dir = llvm::sys::path::parent_path(real);
    llvm::sys::path::append(dir, "clang", std::to_string(LLVM_VERSION_MAJOR));
    return dir.str().str();
}

llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
unit_files(llvm::ArrayRef<sg_parse_file> headers)
{
    llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files(
        new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
    llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(
        new llvm::vfs::InMemoryFileSystem);
    for (const StandardHeader &header : standard_headers())
        memory->addFile(STANDARD_DIR.str() + header.name.str(), 0,
                        llvm::MemoryBuffer::getMemBuffer(header.text));
    for (const sg_parse_file &header : headers)
        memory->addFile(UNIT_DIR.str() + header.name, 0,
                        llvm::MemoryBuffer::getMemBuffer(header.text));
    memory->addFile(UNIT, 0, llvm::MemoryBuffer::getMemBuffer(""));
    files->pushOverlay(memory);
    return files;
}

void UnitConsumer::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                    const clang::Diagnostic &info)
{
    DiagnosticConsumer::HandleDiagnostic(level, info);
    const bool note = level == clang::DiagnosticsEngine::Note;
    if (!note)
        forwarding_ = level >= clang::DiagnosticsEngine::Error;
    if (!forwarding_)
        return;
    llvm::SmallString<128> text;
    std::string file;
    info.FormatDiagnostic(text);
    const sg_loc at = place(info, file);
    sg_diag(diags_, note ? SG_NOTE : SG_ERROR, at, "%s", text.c_str());
}

sg_loc UnitConsumer::place(const clang::Diagnostic &info, std::string &file) const
{
    sg_loc at = {name_, 0, 0};
    if (!info.hasSourceManager() || info.getLocation().isInvalid())
        return at;
    const clang::SourceManager &manager = info.getSourceManager();
    const auto where = manager.getDecomposedLoc(manager.getFileLoc(info.getLocation()));
    const unsigned line = manager.getLineNumber(where.first, where.second);
    at.column = static_cast<int>(manager.getColumnNumber(where.first, where.second));
    at.line = static_cast<int>(line);
    if (where.first == manager.getMainFileID()) {
        at.line = static_cast<int>(line > prefix_lines_ ? line - prefix_lines_ : 1);
    } else if (const auto entry = manager.getFileEntryRefForID(where.first)) {
        file = llvm::sys::path::filename(entry->getName()).str();
        at.file = file.c_str();
    }
    return at;
}

}  // namespace sg
