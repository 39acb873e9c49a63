// c_items.h: splits a C file into the items of its file scope, by the tokens of Clang's lexer.
//
// An item is a declaration, a definition or a directive, with the comment directly above it and the
// comment behind it on its last line. Types are not known: a declaration is told by its shape.
#ifndef SG_CLANG_C_ITEMS_H
#define SG_CLANG_C_ITEMS_H

#include <string>
#include <vector>

#include <clang/Basic/TokenKinds.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include "generator/clang/expand_types.h"

namespace sg {

enum class ItemKind {
    function,                    // with its body
    prototype,
    variable,
    external,                    // a variable that another item defines
    type,
    macro,                       // #define
    undef,
    check,                       // a static assertion
    call,                        // MACRO(...), which may declare anything
    pragma,                      // and other directives that name nothing
    if_line,                     // #if, #ifdef, #ifndef
    else_line,                   // #else, #elif
    endif_line,
    include,                     // names[0] is the quoted file
    system,                      // names[0] is "<stddef.h>"
    modules,                     // #include SPMV_BUNDLE_MODULES
    feature,                     // #define of a reserved name: _GNU_SOURCE
    wrapper,                     // extern "C" { and its }; #pragma GCC visibility
    heading,                     // a comment that begins with "----"
    note                         // another comment that stands alone
};

struct FileItem {
    ItemKind kind;
    sg_loc loc, begin;           // begin: of its comment, if it has one
    std::string comment;         // directly above the item
    std::string text;
    std::string trailing;        // the comment at the end of `text`
    std::vector<std::string> names;   // that the item declares, also tags and enumerators
    std::vector<std::string> words;   // of its code: names that may mean other items
    unsigned open = 0, close = 0;     // functions and prototypes: the brackets of their parameters
    bool is_static = false;
    bool has_attribute = false;  // a prototype that says more than its definition can
    bool blank_before = false;
    int group = -1;              // the index of the #if around the item, or of a #else or #endif

    bool declares() const { return kind <= ItemKind::macro; }
    bool has_linkage() const { return kind <= ItemKind::external; }
    bool is_branch() const { return kind == ItemKind::else_line || kind == ItemKind::endif_line; }
    bool is_condition() const { return kind == ItemKind::if_line || is_branch(); }
};

struct ItemFile {
    std::string opening;         // the comment at the beginning, which names the file; or ""
    std::vector<FileItem> items;
};

// Decides the conditions of a file and splits it. file: lives as long as the items. Returns false,
// with a located diagnostic, at text that does not end, or that is no C.
bool read_items(sg_diags *diags, const char *file, llvm::StringRef text,
                llvm::ArrayRef<sg_expand_macro> macros, ItemFile &out);

// ---- parts of the reader ------------------------------------------------------------------------

struct RawToken {
    clang::tok::TokenKind kind;  // keywords are raw_identifier
    unsigned begin, end;
    bool starts_line;
};

// A C text and its tokens, comments among them, then eof.
struct Tokens {
    llvm::StringRef text;
    llvm::ArrayRef<int> lines;   // the number of each line in the file; empty: 1, 2, ...
    std::vector<RawToken> at;

    explicit Tokens(llvm::StringRef its_text,    // a '\0' stands behind the text
                    llvm::ArrayRef<int> its_lines = {});

    bool is(size_t i, clang::tok::TokenKind kind) const { return at[i].kind == kind; }
    bool is_word(size_t i) const { return is(i, clang::tok::raw_identifier); }
    bool is_any(size_t i, std::initializer_list<llvm::StringRef> spellings) const;

    llvm::StringRef spelling(size_t i) const { return text.slice(at[i].begin, at[i].end); }
    llvm::StringRef slice(size_t first, size_t end) const;       // tokens [first, end)
    size_t newlines_before(size_t i) const;                      // since the token before
    int line(size_t offset) const;                               // in the file
    sg_loc place(const char *file, size_t offset) const;

    llvm::StringRef directive_name(size_t i) const;              // "if"; "": i begins none
    size_t directive_end(size_t hash) const;                     // the token behind it
    std::vector<std::string> words(size_t first, size_t end) const;   // that may mean items
};

// Decides the conditions on SPMV_BUNDLE and SPMV_BUNDLE_... alone: appends the lines that they keep
// to `out`, and the number of each, and one more, to `lines`.
bool decide_conditions(sg_diags *diags, const char *file, llvm::StringRef text,
                       llvm::ArrayRef<sg_expand_macro> macros, std::string &out,
                       std::vector<int> &lines);

}  // namespace sg

#endif
