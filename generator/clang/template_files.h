// template_files.h: the files that the parser can open: files under the data root, params.h in
// memory and the built-in standard headers.
//
// The root is the parser's "/", so that no path of the machine reaches a message or the output, and
// nothing outside the root can be read. One object serves one run.
#ifndef SG_CLANG_TEMPLATE_FILES_H
#define SG_CLANG_TEMPLATE_FILES_H

#include <map>
#include <string>

#include <llvm/Support/VirtualFileSystem.h>

#include "generator/clang/specialise_types.h"

namespace sg {

class TemplateFiles : public llvm::vfs::FileSystem {
public:
    TemplateFiles(sg_arena *arena, const sg_spec_input &input);

    llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
    openFileForRead(const llvm::Twine &path) override;
    llvm::vfs::directory_iterator dir_begin(const llvm::Twine &path,
                                            std::error_code &error) override;
    llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override { return "/"; }
    std::error_code setCurrentWorkingDirectory(const llvm::Twine &path) override;

    // Every file that was opened under the root, by name, with the hash of its bytes.
    const std::map<std::string, uint64_t> &opened() const { return opened_; }

    const std::string &params_text() const { return params_text_; }

private:
    std::string load(const llvm::Twine &path);

    sg_arena *arena_;
    std::string root_;
    std::string params_text_;
    llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> loaded_;
    std::map<std::string, uint64_t> hashes_, opened_;
};

// `path` relative to the root without "." and ".." parts; a built-in header keeps its leading "/".
std::string clean_path(llvm::StringRef path);

}  // namespace sg

#endif
