// source.h: one file of the templates as text: tokens, comments, directives, macro uses, alignment.
//
// All positions are offsets from the file's start. The emitter replaces a Span; it copies the
// author's text between spans.
#ifndef SG_CLANG_SOURCE_H
#define SG_CLANG_SOURCE_H

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TokenKinds.h>

#include "generator/clang/alignment.h"

namespace sg {

// Who declares a name: the file of the declaration decides.
enum class Role { own, params, prelude, external, standard, unknown };

struct Span {
    unsigned begin = 0, end = 0;
};

struct Token {
    unsigned begin, end;
    clang::tok::TokenKind kind;  // raw: keywords are raw_identifier
};

// A macro used in the file's own text.
struct MacroUse {
    Span span;                   // with its arguments
    std::string name;
    std::string arguments;       // between the parentheses
    std::string body;            // as its definition spells it
    Role role;                   // of the definition
    clang::SourceLocation at;
};

struct Directive {
    Span line;                   // without its newline
    std::string name, rest;      // "include", "\"x.h\""
};

struct Include {
    unsigned begin;              // of the #
    std::string name;            // the file's, relative to the root; "" when it was not found
    Role role;
    bool angled;
};

class SourceFile {
public:
    SourceFile(llvm::StringRef its_text, std::string its_name, Role its_role);

    llvm::StringRef text;
    std::string name;            // relative to the root
    Role role;
    std::vector<Token> tokens;   // of code: neither comments nor directives
    std::vector<Span> comments;
    std::vector<Directive> directives;
    std::vector<MacroUse> macros;         // sorted by place, none within another
    std::vector<Include> includes;        // sorted by place

    llvm::StringRef slice(Span span) const { return text.slice(span.begin, span.end); }

    // Copies text with the marks of text_layout.h, without the file's name in its heading.
    void append_marked(std::string &out, Span span) const;

    unsigned line_begin(unsigned at) const;
    unsigned line_end(unsigned at) const;          // at the newline or the end of the file
    unsigned line_number(unsigned at) const;
    unsigned indent_at(unsigned at) const;         // of the line that `at` stands in

    const Token *token_from(unsigned at) const;    // the first that begins at or after; or null
    const Token *token_before(unsigned at) const;  // the last that ends at or before; or null
    bool is_token(const Token *token, llvm::StringRef spelling) const;

    // The start of the comment lines directly before the line of `at`, if nothing else precedes
    // `at` on its line. Otherwise `at`.
    unsigned with_leading_comment(unsigned at) const;

    // The text to remove together with `span`: the comment before it, the comment behind it, and
    // the line end.
    Span removal(Span span) const;

private:
    void lex();
    void find_heading();
    void find_trailing_comments();
    unsigned trailing_end(unsigned at) const;

    struct Pad {
        unsigned begin, end;     // the blanks before a comment that ends its line
        unsigned column;         // of the comment, from the line's first character
    };
    std::vector<unsigned> lines_;         // offsets of their starts
    std::vector<Align> alignment_;
    std::vector<Pad> pads_;
    Span heading_;                        // "NAME: " in the comment that the file begins with
    bool capital_ = false;                // the letter behind heading_ becomes one
};

// All files of a translation unit.
class Sources {
public:
    explicit Sources(const clang::SourceManager &manager) : manager_(manager) {}

    SourceFile &of(clang::FileID file);
    Role role_of(clang::SourceLocation at) const;  // of the file that an expansion stands in
    Role role_of(clang::FileID file) const;

    // The place of a construct in the text; a macro's is the place of its expansion.
    clang::FileID file_of(clang::SourceLocation at) const;
    unsigned begin_of(clang::SourceLocation at) const;
    unsigned end_of(clang::SourceLocation at) const;       // behind the token at `at`
    Span span_of(clang::SourceRange range) const;

    const clang::SourceManager &manager() const { return manager_; }

private:
    const clang::SourceManager &manager_;
    std::map<clang::FileID, std::unique_ptr<SourceFile>> files_;
};

// The role of a file by its name relative to the root.
Role role_of_name(llvm::StringRef name);

// True if the place is in the body of a macro, so that the file has no text for it.
bool in_macro_body(clang::SourceLocation at, const clang::SourceManager &manager);

}  // namespace sg

#endif
