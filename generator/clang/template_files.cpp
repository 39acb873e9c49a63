// template_files.cpp: reads files under the root into memory on demand.
#include "generator/clang/template_files.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include "generator/base/hash.h"
#include "generator/base/text.h"
#include "generator/clang/reserved_words.h"
#include "generator/clang/standard_headers.h"

namespace sg {

namespace {
constexpr size_t LARGEST_FILE = 16u << 20;
}

std::string clean_path(llvm::StringRef path)
{
    llvm::SmallString<128> clean(path);
    llvm::sys::path::remove_dots(clean, /*remove_dot_dot=*/true, llvm::sys::path::Style::posix);
    llvm::StringRef text = clean;
    if (text.size() < STANDARD_DIR.size() || text.take_front(STANDARD_DIR.size()) != STANDARD_DIR)
        while (text.consume_front("/") || text.consume_front("../"))
            ;
    return text.str();
}

// One enumerator per line, so that the line of a message has one value.
static std::string params_header(const sg_spec_input &input)
{
    std::string text;
    llvm::raw_string_ostream out(text);

    out << "#ifndef SG_PARAMS_H\n#define SG_PARAMS_H\n";
    for (size_t i = 0; i < input.typedef_count; i++)
        out << "typedef " << input.typedefs[i].text << ' ' << input.typedefs[i].name << ";\n";
    if (input.param_count) {
        out << "enum {\n";
        for (size_t i = 0; i < input.param_count; i++)
            out << "    " << input.params[i].name << " = " << input.params[i].value << ",\n";
        out << "};\n";
    }
    out << "#endif\n";
    return out.str();
}

TemplateFiles::TemplateFiles(sg_arena *arena, const sg_spec_input &input)
    : arena_(arena), root_(input.root), params_text_(params_header(input)),
      loaded_(new llvm::vfs::InMemoryFileSystem)
{
    loaded_->setCurrentWorkingDirectory("/");
    for (const StandardHeader &header : standard_headers())
        loaded_->addFile(STANDARD_DIR.str() + header.name.str(), 0,
                         llvm::MemoryBuffer::getMemBuffer(header.text));
}

// Loads a file into memory if it exists; returns its clean name.
std::string TemplateFiles::load(const llvm::Twine &path)
{
    const std::string name = clean_path(path.str());
    if (name.empty() || name[0] == '/' || loaded_->exists("/" + name))
        return name;
    if (llvm::sys::path::filename(name) == PARAMS_FILE) {
        loaded_->addFile("/" + name, 0, llvm::MemoryBuffer::getMemBufferCopy(params_text_));
        return name;
    }
    const std::string disk = root_ + "/" + name;
    const char *text = nullptr;
    size_t size = 0;
    if (!sg_read_file(arena_, disk.c_str(), LARGEST_FILE, &text, &size)) {
        hashes_[name] = sg_hash_bytes(text, size);
        loaded_->addFile("/" + name, 0,
                         llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(text, size), name));
    } else if (sg_is_dir(disk.c_str())) {
        // The parser looks up a folder before its files. In memory a folder needs a file to exist.
        loaded_->addFile("/" + name + "/:folder", 0, llvm::MemoryBuffer::getMemBuffer(""));
    }
    return name;
}

llvm::ErrorOr<llvm::vfs::Status> TemplateFiles::status(const llvm::Twine &path)
{
    const std::string name = load(path);
    return loaded_->status(name[0] == '/' ? name : "/" + name);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
TemplateFiles::openFileForRead(const llvm::Twine &path)
{
    const std::string name = load(path);
    const auto hash = hashes_.find(name);
    if (hash != hashes_.end())
        opened_.insert(*hash);
    return loaded_->openFileForRead(name[0] == '/' ? name : "/" + name);
}

llvm::vfs::directory_iterator TemplateFiles::dir_begin(const llvm::Twine &, std::error_code &error)
{
    error = std::make_error_code(std::errc::not_supported);
    return {};
}

std::error_code TemplateFiles::setCurrentWorkingDirectory(const llvm::Twine &)
{
    return {};
}

}  // namespace sg
