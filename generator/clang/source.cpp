// source.cpp: lexes a file once and answers questions about its text.
#include "generator/clang/source.h"

#include "generator/clang/text_layout.h"

#include <algorithm>

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>

#include "generator/clang/template_files.h"
#include "generator/clang/reserved_words.h"

namespace sg {

using clang::SourceLocation;
using llvm::StringRef;

SourceFile::SourceFile(StringRef its_text, std::string its_name, Role its_role)
    : text(its_text), name(std::move(its_name)), role(its_role),
      alignment_(find_alignment(its_text))
{
    lines_.push_back(0);
    for (unsigned at = 0; at < text.size(); at++)
        if (text[at] == '\n')
            lines_.push_back(at + 1);
    lex();
    find_heading();
    find_trailing_comments();
}

// True if `words` begins a sentence, not a formula or a name.
static bool begins_with_word(StringRef words)
{
    const StringRef word = words.take_while(is_word);
    const StringRef rest = words.substr(word.size());
    const bool is_letters =
        llvm::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; }) && !word.empty();
    return is_letters && (word.size() > 1 || word == "a") && !rest.starts_with("(") &&
           !rest.starts_with("[") && !rest.ltrim(' ').starts_with("=");
}

// Finds "NAME: " at the start of a file's first comment. Emitted text omits it: its readers
// have no file NAME.
void SourceFile::find_heading()
{
    const std::string begin = ("/* " + llvm::sys::path::filename(name) + ": ").str();
    if (!text.starts_with(begin))
        return;
    heading_ = {static_cast<unsigned>(begin.find(' ') + 1), static_cast<unsigned>(begin.size())};
    capital_ = begins_with_word(text.substr(heading_.end));
}

void SourceFile::find_trailing_comments()
{
    for (const Span &comment : comments) {
        const StringRef before = text.slice(line_begin(comment.begin), comment.begin);
        const StringRef code = before.rtrim(' ');
        if (code.trim().empty() || before.size() - code.size() < 2 ||
            line_end(comment.begin) != line_end(comment.end) ||
            !text.slice(comment.end, line_end(comment.end)).trim().empty())
            continue;
        const auto pad = static_cast<unsigned>(before.size() - code.size());
        pads_.push_back({comment.begin - pad, comment.begin,
                         static_cast<unsigned>(before.size()) - indent_at(comment.begin)});
    }
}

void SourceFile::append_marked(std::string &out, Span span) const
{
    auto pad = std::lower_bound(pads_.begin(), pads_.end(), span.begin,
                                [](const Pad &p, unsigned at) { return p.begin < at; });
    for (unsigned at = span.begin; at < span.end; at++) {
        while (pad != pads_.end() && pad->begin < at)
            ++pad;
        if (pad != pads_.end() && pad->begin == at && pad->end <= span.end) {
            out += pad_mark(pad->column);
            at = pad->end - 1;
            continue;
        }
        if (heading_.begin < heading_.end && at == heading_.begin && heading_.end < span.end) {
            at = heading_.end;
            out += capital_ ? llvm::toUpper(text[at]) : text[at];
            continue;
        }
        out += text[at];
        if (text[at] == '\n' && line_number(at + 1) <= alignment_.size() &&
            alignment_[line_number(at + 1) - 1] != Align::none)
            out += static_cast<char>(alignment_[line_number(at + 1) - 1]);
    }
}

void SourceFile::lex()
{
    clang::LangOptions options;
    options.LineComment = true;
    clang::Lexer lexer(SourceLocation(), options, text.begin(), text.begin(), text.end());
    lexer.SetCommentRetentionState(true);

    bool in_directive = false;
    for (clang::Token token;;) {
        lexer.LexFromRawLexer(token);
        if (token.is(clang::tok::eof))
            break;
        const unsigned end = lexer.getCurrentBufferOffset();
        const unsigned begin = end - token.getLength();
        if (token.isAtStartOfLine())
            in_directive = token.is(clang::tok::hash);
        if (token.is(clang::tok::comment)) {
            comments.push_back({begin, end});
        } else if (!in_directive) {
            tokens.push_back({begin, end, token.getKind()});
        } else if (token.is(clang::tok::hash) && token.isAtStartOfLine()) {
            directives.push_back({{begin, line_end(begin)}, "", ""});
        } else if (directives.back().name.empty()) {
            directives.back().name = text.slice(begin, end).str();
            directives.back().rest = text.slice(end, line_end(end)).trim().str();
            directives.back().line.end = line_end(end);
        } else {
            directives.back().line.end = std::max(directives.back().line.end, line_end(end));
        }
    }
}

unsigned SourceFile::line_number(unsigned at) const
{
    return static_cast<unsigned>(std::upper_bound(lines_.begin(), lines_.end(), at) -
                                 lines_.begin());
}

unsigned SourceFile::line_begin(unsigned at) const
{
    return lines_[line_number(at) - 1];
}

unsigned SourceFile::line_end(unsigned at) const
{
    const unsigned line = line_number(at);
    return line < lines_.size() ? lines_[line] - 1 : static_cast<unsigned>(text.size());
}

unsigned SourceFile::indent_at(unsigned at) const
{
    const StringRef line = text.slice(line_begin(at), line_end(at));
    return static_cast<unsigned>(std::min(line.find_first_not_of(' '), line.size()));
}

const Token *SourceFile::token_from(unsigned at) const
{
    const auto found =
        std::lower_bound(tokens.begin(), tokens.end(), at,
                         [](const Token &t, unsigned place) { return t.begin < place; });
    return found == tokens.end() ? nullptr : &*found;
}

const Token *SourceFile::token_before(unsigned at) const
{
    const auto found =
        std::upper_bound(tokens.begin(), tokens.end(), at,
                         [](unsigned place, const Token &t) { return place < t.end; });
    return found == tokens.begin() ? nullptr : &*(found - 1);
}

bool SourceFile::is_token(const Token *token, StringRef spelling) const
{
    return token && text.slice(token->begin, token->end) == spelling;
}

unsigned SourceFile::with_leading_comment(unsigned at) const
{
    unsigned begin = line_begin(at);
    if (!text.slice(begin, at).trim().empty())
        return at;
    unsigned result = at;
    while (begin > 0) {
        const unsigned previous_end = begin - 1;
        const auto after = std::upper_bound(
            comments.begin(), comments.end(), previous_end,
            [](unsigned place, const Span &comment) { return place < comment.end; });
        if (after == comments.begin())
            break;
        const Span comment = *(after - 1);
        const unsigned first = line_begin(comment.begin);
        if (line_end(comment.end) != previous_end ||
            !text.slice(comment.end, previous_end).trim().empty() ||
            !text.slice(first, comment.begin).trim().empty())
            break;
        result = begin = first;
    }
    return result;
}

// The end of the line, if at most a comment follows `at` on it; `at` otherwise.
unsigned SourceFile::trailing_end(unsigned at) const
{
    const unsigned end = line_end(at);
    const auto next = std::lower_bound(
        comments.begin(), comments.end(), at,
        [](const Span &comment, unsigned place) { return comment.begin < place; });
    if (next != comments.end() && next->end <= end && text.slice(at, next->begin).trim().empty() &&
        text.slice(next->end, end).trim().empty())
        return end;
    return text.slice(at, end).trim().empty() ? end : at;
}

Span SourceFile::removal(Span span) const
{
    const unsigned line = line_begin(span.begin);
    const unsigned end = trailing_end(span.end);
    if (!text.slice(line, span.begin).trim().empty()) {
        // Other text stands before the span on its line: remove only the blanks between them.
        unsigned begin = span.begin;
        while (begin > line && text[begin - 1] == ' ')
            begin--;
        return {begin, end};
    }
    if (end != line_end(span.end))
        return {span.begin, static_cast<unsigned>(std::min(text.find_first_not_of(' ', span.end),
                                                           text.size()))};
    const unsigned begin = line_begin(with_leading_comment(span.begin));
    return {begin, std::min(end + 1, static_cast<unsigned>(text.size()))};
}

// ---- all files ----------------------------------------------------------------------------------

Role role_of_name(StringRef name)
{
    if (name.consume_front(STANDARD_DIR))
        return Role::standard;
    if (llvm::sys::path::filename(name) == PARAMS_FILE)
        return Role::params;
    if (name.consume_front(PRELUDE_DIR))
        return Role::prelude;
    return name.consume_front(EXTERNAL_DIR) ? Role::external : Role::own;
}

static std::string name_of(clang::FileID file, const clang::SourceManager &manager)
{
    const auto entry = manager.getFileEntryRefForID(file);
    return entry ? clean_path(entry->getName()) : std::string();
}

Role Sources::role_of(clang::FileID file) const
{
    const std::string name = name_of(file, manager_);
    return name.empty() ? Role::unknown : role_of_name(name);
}

Role Sources::role_of(SourceLocation at) const
{
    return at.isValid() ? role_of(file_of(at)) : Role::unknown;
}

SourceFile &Sources::of(clang::FileID file)
{
    std::unique_ptr<SourceFile> &slot = files_[file];
    if (!slot)
        slot = std::make_unique<SourceFile>(manager_.getBufferData(file), name_of(file, manager_),
                                            role_of(file));
    return *slot;
}

clang::FileID Sources::file_of(SourceLocation at) const
{
    return manager_.getFileID(manager_.getFileLoc(at));
}

unsigned Sources::begin_of(SourceLocation at) const
{
    return manager_.getFileOffset(manager_.getFileLoc(at));
}

unsigned Sources::end_of(SourceLocation at) const
{
    while (at.isMacroID()) {
        if (manager_.isMacroArgExpansion(at))
            at = manager_.getImmediateSpellingLoc(at);
        else
            at = manager_.getImmediateExpansionRange(at).getEnd();
    }
    return manager_.getFileOffset(at) +
           clang::Lexer::MeasureTokenLength(at, manager_, clang::LangOptions());
}

Span Sources::span_of(clang::SourceRange range) const
{
    const unsigned begin = begin_of(range.getBegin());
    return {begin, std::max(begin, end_of(range.getEnd()))};
}

bool in_macro_body(SourceLocation at, const clang::SourceManager &manager)
{
    while (at.isMacroID()) {
        if (!manager.isMacroArgExpansion(at))
            return true;
        at = manager.getImmediateSpellingLoc(at);
    }
    return false;
}

}  // namespace sg
