// reparse.cpp: parses emitted texts in their own language, before anything is written.
//
// The headers of a text take far longer to parse than the text (the intrinsics of some instruction
// sets are tens of thousands of lines), so texts with the same includes share one precompiled
// header in memory. The parser reads it before each text; the text's own includes then find their
// guards set.
#include "generator/clang/specialise.h"

#include <map>
#include <string>
#include <vector>

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/PrecompiledPreamble.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Serialization/PCHContainerOperations.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "generator/clang/compat.h"
#include "generator/clang/reserved_words.h"
#include "generator/clang/source.h"
#include "generator/clang/unit.h"

namespace sg {

using llvm::StringRef;

namespace {

// State of one call of sg_reparse.
class Reparse {
public:
    Reparse(sg_diags *diags, const sg_lowering &lowering, llvm::ArrayRef<sg_parse_file> headers);

    // prefix: the includes, which all the texts have.
    void parse_group(const std::string &prefix, llvm::ArrayRef<const sg_parse_file *> texts);

private:
    std::shared_ptr<clang::CompilerInvocation> invocation(clang::DiagnosticsEngine &engine) const;
    void parse(const sg_parse_file &text, const std::string &prefix,
               const clang::PrecompiledPreamble *preamble) const;

    sg_diags *diags_;
    const sg_lowering &lowering_;
    std::string resources_;
    llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files_;
};

}  // namespace

// The headers that the texts include, and the header that is included before each text.
static std::vector<sg_parse_file> with_prefix(llvm::ArrayRef<sg_parse_file> headers,
                                              const sg_lowering &lowering)
{
    std::vector<sg_parse_file> all(headers.begin(), headers.end());
    all.push_back({PREFIX_NAME.data(), lowering.parse_prefix});
    return all;
}

Reparse::Reparse(sg_diags *diags, const sg_lowering &lowering,
                 llvm::ArrayRef<sg_parse_file> headers)
    : diags_(diags), lowering_(lowering), resources_(resource_dir()),
      files_(unit_files(with_prefix(headers, lowering)))
{
    for (const sg_parse_file &header : headers)
        sg_diags_add_source(diags, header.name, header.text);
}

std::shared_ptr<clang::CompilerInvocation>
Reparse::invocation(clang::DiagnosticsEngine &engine) const
{
    const std::string own_headers = resources_ + "/include";
    std::vector<const char *> arguments = {
        "-triple", "x86_64-unknown-linux-gnu", "-fsyntax-only", "-ffreestanding", "-nostdsysteminc",
        "-nobuiltininc", "-resource-dir", resources_.c_str(), "-internal-isystem",
        own_headers.c_str(), "-internal-isystem", "/std", "-ferror-limit", "20",
        // Compilers only warn about these, but they are always mistakes.
        "-Wno-everything", "-Werror=implicit-function-declaration", "-Werror=implicit-int",
        "-Werror=incompatible-pointer-types", "-Werror=int-conversion", "-Werror=return-type",
        "-Werror=uninitialized", "-Werror=array-bounds", "-Werror=shift-count-overflow",
        "-Werror=division-by-zero",
    };
    for (const char *const *argument = lowering_.parse_args; argument && *argument; argument++)
        arguments.push_back(*argument);
    if (*lowering_.parse_prefix) {
        arguments.push_back("-include");
        arguments.push_back(PREFIX.data());
    }
    for (const char *argument : {"-x", lowering_.parse_language, UNIT.data()})
        arguments.push_back(argument);

    auto result = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*result, arguments, engine))
        return nullptr;
    result->getFrontendOpts().DisableFree = false;
    result->getDiagnosticOpts().ShowCarets = false;
    return result;
}

void Reparse::parse(const sg_parse_file &text, const std::string &prefix,
                    const clang::PrecompiledPreamble *preamble) const
{
    const std::string whole = prefix + text.text;
    const auto lines = static_cast<unsigned>(StringRef(prefix).count('\n'));
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(whole, UNIT);
    UnitConsumer consumer(diags_, text.name, lines);
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = files_;
    clang::CompilerInstance compiler;

    compiler.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
    auto unit = invocation(compiler.getDiagnostics());
    if (!unit)
        return;
    if (preamble)
        preamble->AddImplicitPreamble(*unit, files, buffer.get());
    else
        unit->getPreprocessorOpts().addRemappedFile(UNIT, buffer.get());
    unit->getPreprocessorOpts().RetainRemappedFileBuffers = true;
    compiler.setInvocation(std::move(unit));
    compiler.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
    compiler.createFileManager(files);
    clang::SyntaxOnlyAction action;
    compiler.ExecuteAction(action);
}

void Reparse::parse_group(const std::string &prefix, llvm::ArrayRef<const sg_parse_file *> texts)
{
    clang::IgnoringDiagConsumer ignore;
    clang::CompilerInstance compiler;
    compiler.createDiagnostics(&ignore, /*ShouldOwnClient=*/false);
    const auto unit = invocation(compiler.getDiagnostics());
    const auto buffer = llvm::MemoryBuffer::getMemBufferCopy(prefix, UNIT);
    clang::PreambleCallbacks callbacks;
    const bool worth = unit && !prefix.empty() && texts.size() > 1;
    // If the preamble cannot be built, parsing the texts reports the cause.
    auto preamble =
        worth ? clang::PrecompiledPreamble::Build(
                    *unit, buffer.get(), {static_cast<unsigned>(prefix.size()), true},
                    compiler.getDiagnostics(), files_,
                    std::make_shared<clang::PCHContainerOperations>(), SG_PREAMBLE_IN_MEMORY,
                    callbacks)
              : llvm::ErrorOr<clang::PrecompiledPreamble>(
                    std::make_error_code(std::errc::not_supported));
    const bool usable = preamble && !compiler.getDiagnostics().hasErrorOccurred();
    for (const sg_parse_file *text : texts)
        parse(*text, usable ? prefix : "", usable ? &*preamble : nullptr);
}

// The includes of a text, one per line.
static std::string includes_of(const sg_parse_file &file)
{
    std::string includes;
    const SourceFile source(file.text, file.name, Role::unknown);
    for (const Directive &d : source.directives)
        if (d.name == "include")
            includes += "#include " + d.rest + "\n";
    return includes;
}

}  // namespace sg

extern "C" bool sg_reparse(sg_diags *diags, const sg_lowering *lowering, const sg_parse_file *files,
                           size_t file_count, const sg_parse_file *headers, size_t header_count)
{
    const size_t before = sg_diags_error_count(diags);
    sg::Reparse reparse(diags, *lowering, {headers, header_count});
    std::vector<std::string> order;
    std::map<std::string, std::vector<const sg_parse_file *>> groups;

    for (size_t i = 0; i < file_count; i++) {
        const std::string includes = sg::includes_of(files[i]);
        auto &group = groups[includes];
        if (group.empty())
            order.push_back(includes);
        group.push_back(&files[i]);
        sg_diags_add_source(diags, files[i].name, files[i].text);
    }
    for (const std::string &includes : order)
        reparse.parse_group(includes, groups[includes]);
    return sg_diags_error_count(diags) == before;
}
