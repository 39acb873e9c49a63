// parse.cpp: runs Clang over a template, records comments, macros and includes, forwards errors.
#include "generator/clang/parse.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringExtras.h>

#include "generator/clang/compat.h"
#include "generator/clang/reserved_words.h"
#include "generator/clang/alignment.h"

namespace sg {

using clang::SourceLocation;
using llvm::StringRef;

namespace {

// Records the macro uses and includes of each file.
class Recorder : public clang::PPCallbacks {
public:
    Recorder(clang::Preprocessor &preprocessor, Sources &sources,
             std::map<std::string, clang::FileID> &files)
        : preprocessor_(preprocessor), sources_(sources), files_(files) {}

    void FileChanged(SourceLocation at, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                     clang::FileID) override
    {
        const clang::FileID file = sources_.file_of(at);
        if (reason == EnterFile && sources_.role_of(file) != Role::unknown)
            files_.try_emplace(sources_.of(file).name, file);
    }

    void InclusionDirective(SourceLocation hash, const clang::Token &, StringRef name, bool angled,
                            clang::CharSourceRange, clang::OptionalFileEntryRef file, StringRef,
                            StringRef, SG_INCLUSION_TAIL) override
    {
        (void)name;
        const std::string found = file ? clean_path(file->getName()) : std::string();
        source_of(hash).includes.push_back(
            {sources_.begin_of(hash), found, role_of_name(found), angled});
    }

    void MacroExpands(const clang::Token &name, const clang::MacroDefinition &definition,
                      clang::SourceRange range, const clang::MacroArgs *) override
    {
        const clang::MacroInfo *macro = definition.getMacroInfo();
        const SourceLocation at = name.getLocation();
        if (at.isMacroID() || !macro || sources_.role_of(at) == Role::unknown)
            return;
        SourceFile &file = source_of(at);
        const Span span = sources_.span_of(range);
        if (!file.macros.empty() && span.begin < file.macros.back().span.end)
            return;              // an argument of the macro before
        const StringRef use = file.slice(span);
        // A comment may stand before the bracket.
        const size_t open = bare_code(use).value_or("").find('(');
        MacroUse entry{span, name.getIdentifierInfo()->getName().str(), "", body_of(*macro),
                       sources_.role_of(macro->getDefinitionLoc()), at};
        if (macro->isFunctionLike() && open != StringRef::npos)
            entry.arguments = use.substr(open + 1).drop_back().trim().str();
        file.macros.push_back(std::move(entry));
    }

private:
    SourceFile &source_of(SourceLocation at) { return sources_.of(sources_.file_of(at)); }

    std::string body_of(const clang::MacroInfo &macro) const
    {
        std::string body;
        for (const clang::Token &token : macro.tokens()) {
            if (!body.empty() && token.hasLeadingSpace())
                body += ' ';
            body += preprocessor_.getSpelling(token);
        }
        return body;
    }

    clang::Preprocessor &preprocessor_;
    Sources &sources_;
    std::map<std::string, clang::FileID> &files_;
};

// Forwards Clang's errors to the report; the one about unknown functions gets another text.
class Forwarder : public clang::DiagnosticConsumer {
public:
    explicit Forwarder(Report &report) : report_(report) {}

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic &info) override
    {
        DiagnosticConsumer::HandleDiagnostic(level, info);
        const bool error = level >= clang::DiagnosticsEngine::Error;
        if (level == clang::DiagnosticsEngine::Note ? !forwarding_ : !error) {
            forwarding_ = forwarding_ && level == clang::DiagnosticsEngine::Note;
            return;
        }
        llvm::SmallString<128> text;
        if (info.getID() == clang::diag::ext_implicit_function_decl_c99)
            text = ("unknown call of '" + name_of(info) +
                    "': it is neither a word of the prelude nor a function of the template");
        else
            info.FormatDiagnostic(text);
        if (error) {
            report_.error(info.getLocation(), text, values_near(info));
            forwarding_ = true;
        } else {
            report_.note(info.getLocation(), text);
        }
    }

private:
    static std::string name_of(const clang::Diagnostic &info);
    llvm::SmallVector<const sg_spec_param *, 4> values_near(const clang::Diagnostic &info) const;

    Report &report_;
    bool forwarding_ = false;    // the last diagnostic but notes was forwarded
};

class Consumer : public clang::ASTConsumer {
public:
    explicit Consumer(llvm::function_ref<void(clang::ASTContext &)> then) : then_(then) {}
    void HandleTranslationUnit(clang::ASTContext &context) override { then_(context); }

private:
    llvm::function_ref<void(clang::ASTContext &)> then_;
};

class Action : public clang::ASTFrontendAction {
public:
    Action(Report &report, llvm::function_ref<void(const Parsed &)> then)
        : report_(report), then_(then) {}

    bool BeginSourceFileAction(clang::CompilerInstance &compiler) override
    {
        sources_ = std::make_unique<Sources>(compiler.getSourceManager());
        report_.watch(&compiler.getSourceManager());
        compiler.getPreprocessor().addPPCallbacks(
            std::make_unique<Recorder>(compiler.getPreprocessor(), *sources_, files_));
        return true;
    }

    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &,
                                                          StringRef) override
    {
        return std::make_unique<Consumer>(use_);
    }

    void EndSourceFileAction() override { report_.watch(nullptr); }

private:
    void use(clang::ASTContext &context)
    {
        if (!report_.failed() && !context.getDiagnostics().hasErrorOccurred())
            then_({context, *sources_, files_});
    }

    Report &report_;
    llvm::function_ref<void(const Parsed &)> then_;
    std::unique_ptr<Sources> sources_;
    std::map<std::string, clang::FileID> files_;
    std::function<void(clang::ASTContext &)> use_ = [this](clang::ASTContext &c) { use(c); };
};

}  // namespace

// The name of the function that is declared implicitly.
std::string Forwarder::name_of(const clang::Diagnostic &info)
{
    for (unsigned i = 0; i < info.getNumArgs(); i++)
        if (info.getArgKind(i) == clang::DiagnosticsEngine::ak_identifierinfo)
            return info.getArgIdentifier(i)->getName().str();
    return "";
}

// The parameters on the lines that the diagnostic is about.
llvm::SmallVector<const sg_spec_param *, 4>
Forwarder::values_near(const clang::Diagnostic &info) const
{
    llvm::SmallVector<const sg_spec_param *, 4> values;
    if (!info.hasSourceManager() || info.getLocation().isInvalid())
        return values;
    const clang::SourceManager &manager = info.getSourceManager();
    const auto at = manager.getDecomposedLoc(manager.getFileLoc(info.getLocation()));
    const StringRef text = manager.getBufferData(at.first);
    size_t begin = at.second, end = at.second;
    for (const clang::CharSourceRange &range : info.getRanges()) {
        const auto from = manager.getDecomposedLoc(manager.getFileLoc(range.getBegin()));
        const auto to = manager.getDecomposedLoc(manager.getFileLoc(range.getEnd()));
        if (from.first == at.first && to.first == at.first) {
            begin = std::min<size_t>(begin, from.second);
            end = std::max<size_t>(end, to.second);
        }
    }
    begin = text.rfind('\n', begin);
    StringRef lines = text.slice(begin == StringRef::npos ? 0 : begin, text.find('\n', end));
    while (!lines.empty()) {
        const StringRef word =
            lines.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
        const sg_spec_param *value = word.empty() ? nullptr : report_.find_param(word);
        if (value && !llvm::is_contained(values, value))
            values.push_back(value);
        lines = lines.drop_front(word.empty() ? 1 : word.size());
    }
    return values;
}

void parse_template(const sg_spec_input &input, TemplateFiles &files, Report &report,
                    llvm::function_ref<void(const Parsed &)> then)
{
    // Always the same target, so that the output does not depend on the machine.
    const char *arguments[] = {
        "-triple", "x86_64-unknown-linux-gnu", "-fsyntax-only", "-std=c11", "-ffreestanding",
        "-nostdsysteminc", "-nobuiltininc", "-w", "-Wno-error", "-ferror-limit", "20",
        "-internal-isystem", "/std", "-I", "/runtime", "-I", "/templates/prelude", "-x", "c",
        input.file,
    };
    Forwarder forwarder(report);
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    clang::CompilerInstance compiler;
    compiler.createDiagnostics(&forwarder, /*ShouldOwnClient=*/false);
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments,
                                                   compiler.getDiagnostics()))
        return;
    invocation->getFrontendOpts().DisableFree = false;
    invocation->getDiagnosticOpts().ShowCarets = false;
    compiler.setInvocation(std::move(invocation));
    compiler.createDiagnostics(&forwarder, /*ShouldOwnClient=*/false);
    compiler.createFileManager(&files);
    Action action(report, then);
    compiler.ExecuteAction(action);
}

}  // namespace sg
