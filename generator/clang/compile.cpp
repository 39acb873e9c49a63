// compile.cpp: compiles emitted texts in memory, by Clang and LLVM's code generator.
#include "generator/clang/compile.h"

#include <vector>

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>

#include "generator/clang/compat.h"
#include "generator/clang/unit.h"

namespace sg {

using llvm::StringRef;

namespace {

// Errors become diagnostics; remarks, such as the registers of a kernel, go to the log.
class Listener : public UnitConsumer {
public:
    Listener(sg_diags *diags, const char *name, sg_text *log)
        : UnitConsumer(diags, name, 0), log_(log) {}

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic &info) override
    {
        if (level != clang::DiagnosticsEngine::Remark) {
            UnitConsumer::HandleDiagnostic(level, info);
            return;
        }
        llvm::SmallString<128> text;
        info.FormatDiagnostic(text);
        sg_text_printf(log_, "%s\n", text.c_str());
    }

private:
    sg_text *log_;
};

}  // namespace

// Initialises every target that this LLVM was built with.
static void prepare_targets()
{
    static const bool ready = [] {
        llvm::InitializeAllTargetInfos();
        llvm::InitializeAllTargets();
        llvm::InitializeAllTargetMCs();
        llvm::InitializeAllAsmPrinters();
        return true;
    }();
    (void)ready;
}

static const char *triple_of(const char *const *args)
{
    for (; *args; args++)
        if (StringRef(*args) == "-triple" && args[1])
            return args[1];
    return "";
}

static bool has_target(sg_diags *diags, const char *triple)
{
    std::string why;
    prepare_targets();
    if (llvm::TargetRegistry::lookupTarget(triple, why))
        return true;
    sg_diag(diags, SG_ERROR, {nullptr, 0, 0},
            "%s, which spmvgen is linked with, cannot compile for %s: it was built without that "
            "target; build spmvgen with an LLVM that has it, as Debian's has", sg_compile_version(),
            triple);
    return false;
}

// The name of one function that calls `function`.
static std::string caller_of(const llvm::Function &function)
{
    for (const llvm::User *user : function.users())
        if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
            return instruction->getFunction()->getName().str();
    return "the text";
}

static bool is_whole(const llvm::Module &module, const sg_compile_input &input, sg_diags *diags)
{
    bool whole = true;
    for (const llvm::Function &function : module) {
        if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty())
            continue;
        whole = false;
        sg_diag(diags, SG_ERROR, {input.unit.name, 0, 0},
                "%s calls %s, which is defined nowhere, so that what it takes is not known; define "
                "it in the prefix of %s", caller_of(function).c_str(),
                llvm::demangle(function.getName().str()).c_str(), input.prefix_file);
    }
    return whole;
}

static std::shared_ptr<clang::CompilerInvocation> invocation(const sg_compile_input &input,
                                                             clang::DiagnosticsEngine &engine)
{
    const std::string resources = resource_dir();
    const std::string own_headers = resources + "/include";
    std::vector<const char *> arguments = {
        "-emit-codegen-only", "-nostdsysteminc", "-nobuiltininc", "-resource-dir",
        resources.c_str(), "-internal-isystem", own_headers.c_str(), "-Wno-everything",
        "-ferror-limit", "20", "-include", PREFIX.data(),
    };
    for (const char *const *argument = input.args; *argument; argument++)
        arguments.push_back(*argument);
    for (const char *argument : {"-x", input.language, UNIT.data()})
        arguments.push_back(argument);

    auto result = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*result, arguments, engine))
        return nullptr;
    result->getFrontendOpts().DisableFree = false;
    result->getCodeGenOpts().DisableFree = false;
    result->getDiagnosticOpts().ShowCarets = false;
    return result;
}

}  // namespace sg

extern "C" sg_compiled sg_compile(sg_diags *diags, const sg_compile_input *input, sg_text *log)
{
    if (!sg::has_target(diags, sg::triple_of(input->args)))
        return SG_NO_COMPILER;

    const size_t before = sg_diags_error_count(diags);
    const sg_parse_file prefix = {sg::PREFIX_NAME.data(), input->prefix};
    auto buffer = llvm::MemoryBuffer::getMemBuffer(input->unit.text, sg::UNIT);
    sg::Listener listener(diags, input->unit.name, log);
    clang::CompilerInstance compiler;

    sg_diags_add_source(diags, input->unit.name, input->unit.text);
    compiler.createDiagnostics(&listener, /*ShouldOwnClient=*/false);
    auto unit = sg::invocation(*input, compiler.getDiagnostics());
    if (!unit)
        return SG_NOT_COMPILED;
    unit->getPreprocessorOpts().addRemappedFile(sg::UNIT, buffer.get());
    unit->getPreprocessorOpts().RetainRemappedFileBuffers = true;
    compiler.setInvocation(std::move(unit));
    compiler.createDiagnostics(&listener, /*ShouldOwnClient=*/false);
    compiler.createFileManager(sg::unit_files(prefix));
    llvm::LLVMContext context;
    clang::EmitCodeGenOnlyAction action(&context);
    compiler.ExecuteAction(action);
    const std::unique_ptr<llvm::Module> module = action.takeModule();
    const bool whole = module && sg::is_whole(*module, *input, diags);
    return whole && sg_diags_error_count(diags) == before ? SG_COMPILED : SG_NOT_COMPILED;
}

extern "C" const char *sg_compile_version(void)
{
    return "LLVM " LLVM_VERSION_STRING;
}
