// c_conditions.cpp: the tokens of a C text, and which of its lines the conditions of bundles keep.
#include "generator/clang/c_items.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Basic/TargetOptions.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/ModuleLoader.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/ADT/STLExtras.h>

namespace sg {

using llvm::StringRef;
namespace tok = clang::tok;

static clang::LangOptions language()
{
    clang::LangOptions options;
    options.LineComment = true;
    return options;
}

Tokens::Tokens(StringRef its_text, llvm::ArrayRef<int> its_lines)
    : text(its_text), lines(its_lines)
{
    const auto size = static_cast<unsigned>(text.size());
    clang::Lexer lexer(clang::SourceLocation(), language(), text.begin(), text.begin(), text.end());
    lexer.SetCommentRetentionState(true);
    for (clang::Token token;;) {
        lexer.LexFromRawLexer(token);
        const unsigned end = lexer.getCurrentBufferOffset();
        if (token.is(tok::eof))
            break;
        at.push_back({token.getKind(), end - token.getLength(), end, token.isAtStartOfLine()});
    }
    at.push_back({tok::eof, size, size, true});
}

bool Tokens::is_any(size_t i, std::initializer_list<StringRef> spellings) const
{
    return llvm::is_contained(spellings, spelling(i));
}

StringRef Tokens::slice(size_t first, size_t end) const
{
    return first < end ? text.slice(at[first].begin, at[end - 1].end) : StringRef();
}

size_t Tokens::newlines_before(size_t i) const
{
    return text.slice(i ? at[i - 1].end : 0, at[i].begin).count('\n');
}

int Tokens::line(size_t offset) const
{
    const size_t before = text.take_front(offset).count('\n');
    return lines.empty() ? static_cast<int>(before) + 1 : lines[before];
}

sg_loc Tokens::place(const char *file, size_t offset) const
{
    const size_t begin = text.take_front(offset).rfind('\n') + 1;
    return {file, line(offset), static_cast<int>(offset - begin) + 1};
}

StringRef Tokens::directive_name(size_t i) const
{
    const bool begins = is(i, tok::hash) && at[i].starts_line;
    return !begins ? "" : at[i + 1].starts_line ? "null" : spelling(i + 1);
}

size_t Tokens::directive_end(size_t hash) const
{
    size_t i = hash + 1;
    while (!at[i].starts_line)
        i++;
    return i;
}

std::vector<std::string> Tokens::words(size_t first, size_t end) const
{
    std::vector<std::string> found;
    auto before = tok::eof;
    for (size_t i = first; i < end; i++) {
        if (is(i, tok::comment))
            continue;
        if (is_word(i) && before != tok::period && before != tok::arrow)   // no member
            found.push_back(spelling(i).str());
        before = at[i].kind;
    }
    return found;
}

// ---- conditions ---------------------------------------------------------------------------------

namespace {

// The text that Clang's preprocessor decides: the decided conditions, and the numbers of the other
// lines. A condition that must not be met there is "-NUMBER".
class Skeleton {
public:
    Skeleton(sg_diags *diags, const char *file, StringRef text)
        : diags_(diags), file_(file), tokens_(text) {}

    bool fail(sg_loc loc, const std::string &message)
    {
        sg_diag(diags_, SG_ERROR, loc, "%s", message.c_str());
        return false;
    }
    bool fail(size_t offset, const std::string &message)
    {
        return fail(tokens_.place(file_, offset), message);
    }
    bool write();
    std::string text;

private:
    struct Level {               // one #if ... #endif
        size_t hash;
        bool is_decided, has_else;
    };

    bool check_ends();
    bool add_condition(size_t hash, StringRef name);
    void number_lines(int end)
    {
        for (; line_ < end; line_++)
            text += std::to_string(line_) + "\n";
    }

    sg_diags *diags_;
    const char *file_;
    Tokens tokens_;
    std::vector<Level> levels_;
    int line_ = 1;
};

}  // namespace

// The lexer drops a comment that does not end, and knows no kind of a literal that does not.
bool Skeleton::check_ends()
{
    const size_t eof = tokens_.at.size() - 1;
    const StringRef dropped = tokens_.text.substr(eof ? tokens_.at[eof - 1].end : 0).ltrim();
    for (size_t i = 0; i < eof; i++) {
        if (!tokens_.directive_name(i).empty())   // #error may have an apostrophe
            i = tokens_.directive_end(i) - 1;
        else if (tokens_.is(i, tok::unknown))
            return fail(tokens_.at[i].begin,
                        tokens_.spelling(i).find_first_of("'\"") != StringRef::npos
                            ? "the literal that begins here does not end in its line"
                            : "expected C, found '" + tokens_.spelling(i).str() + "'");
    }
    return dropped.empty() ||
           fail(tokens_.text.size() - dropped.size(),
                "the comment that begins here does not end");
}

bool Skeleton::add_condition(size_t hash, StringRef name)
{
    const size_t end = tokens_.directive_end(hash);
    const int line = tokens_.line(tokens_.at[hash].begin);
    bool has_decided = false, has_other = false;
    for (const std::string &word : tokens_.words(hash + 2, end)) {
        const StringRef rest = StringRef(word).substr(strlen("SPMV_BUNDLE"));
        const bool is_decided = StringRef(word).starts_with("SPMV_BUNDLE") &&
                                (rest.empty() || rest[0] == '_') && !rest.ends_with("_H");
        has_decided = has_decided || is_decided;
        has_other = has_other || (!is_decided && word != "defined");
    }
    if (name.starts_with("if"))
        levels_.push_back({hash, has_decided && !has_other, false});
    else if (levels_.empty() || (levels_.back().has_else && name != "endif"))
        return fail(tokens_.at[hash].begin, "no #if belongs to this #" + name.str());
    Level &level = levels_.back();
    const bool is_odd = has_decided ? has_other || !level.is_decided
                                    : name == "elif" && level.is_decided;
    level.has_else = name == "else";
    number_lines(line);
    if (is_odd)
        text += (level.is_decided ? "#elif 1\n-" : "-") + std::to_string(line) + "\n";
    else if (level.is_decided)
        text += "#line " + std::to_string(line) + "\n" + tokens_.slice(hash, end).str() + "\n";
    if (is_odd || level.is_decided)
        line_ = tokens_.line(tokens_.at[end - 1].end) + 1;
    if (name == "endif")
        levels_.pop_back();
    return true;
}

bool Skeleton::write()
{
    if (!check_ends())
        return false;
    for (size_t i = 0; i < tokens_.at.size(); i++) {
        const StringRef name = tokens_.directive_name(i);
        if (!name.empty() &&
            tokens_.is_any(i + 1, {"if", "ifdef", "ifndef", "elif", "else", "endif"}) &&
            !add_condition(i, name))
            return false;
    }
    number_lines(tokens_.line(tokens_.text.size()) + 1);
    return levels_.empty() ||
           fail(tokens_.at[levels_.back().hash].begin,
                "the #" + tokens_.directive_name(levels_.back().hash).str() +
                    " that begins here has no #endif");
}

bool decide_conditions(sg_diags *diags, const char *file, StringRef text,
                       llvm::ArrayRef<sg_expand_macro> macros, std::string &out,
                       std::vector<int> &lines)
{
    Skeleton skeleton(diags, file, text);
    if (!skeleton.write())
        return false;

    std::string defines;
    for (const sg_expand_macro &macro : macros)
        defines += "#define " + std::string(macro.name) + " " + std::to_string(macro.value) + "\n";
    clang::SourceManagerForFile memory("conditions", skeleton.text);
    clang::SourceManager &manager = memory.get();
    clang::DiagnosticsEngine &engine = manager.getDiagnostics();
    clang::TextDiagnosticBuffer errors;
    engine.setClient(&errors, /*ShouldOwnClient=*/false);
    clang::LangOptions options = language();
    clang::HeaderSearch headers(std::make_shared<clang::HeaderSearchOptions>(), manager, engine,
                                options, nullptr);
    clang::TrivialModuleLoader modules;
    clang::Preprocessor preprocessor(std::make_shared<clang::PreprocessorOptions>(), engine,
                                     options, manager, headers, modules);
    const auto machine = std::make_shared<clang::TargetOptions>();
    machine->Triple = "x86_64-unknown-linux-gnu";
    const llvm::IntrusiveRefCntPtr<clang::TargetInfo> target(
        clang::TargetInfo::CreateTargetInfo(engine, machine));
    preprocessor.Initialize(*target);
    preprocessor.setPredefines(defines);
    preprocessor.EnterMainSourceFile();

    llvm::SmallVector<StringRef, 0> all;
    text.split(all, '\n');
    clang::Token token;
    for (bool is_odd = false; preprocessor.Lex(token), token.isNot(tok::eof);) {
        int line = 0;
        if (StringRef(preprocessor.getSpelling(token)).getAsInteger(10, line))
            is_odd = true;
        else if (is_odd)
            return skeleton.fail({file, line, 1}, "the condition mixes SPMV_BUNDLE... with other "
                                                  "names; nest two conditions instead");
        else
            out += all[line - 1].str() + "\n";
        lines.push_back(line);
    }
    lines.push_back(static_cast<int>(all.size()));
    if (errors.getNumErrors() == 0)
        return true;
    const auto &[place, message] = *errors.err_begin();
    return skeleton.fail({file, static_cast<int>(manager.getPresumedLoc(place).getLine()), 1},
                         message);
}

}  // namespace sg
