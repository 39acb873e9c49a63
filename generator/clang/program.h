// program.h: the top-level declarations of a template and of the prelude, and the choice of
// those that the output needs.
//
// An Item is the smallest piece of text that is kept or dropped: one declaration, or several that
// share their text. It is specialised at most once, and then records the items and words that it
// refers to. Items that nothing refers to are dropped.
#ifndef SG_CLANG_PROGRAM_H
#define SG_CLANG_PROGRAM_H

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <clang/AST/Decl.h>
#include <llvm/ADT/DenseMap.h>

#include "generator/clang/evaluate.h"
#include "generator/clang/parse.h"

namespace sg {

struct Item;

// A reference in a text: to an item, or to a word with a helper.
struct Need {
    Item *item;
    const sg_word *word;         // if item is null
    clang::SourceLocation at;    // the use
};

struct KernelArgument {
    std::string name, type, length;
    const char *address_space, *access;
    std::string word;            // a value's type in the prelude
};

struct Kernel {
    std::string name;
    int64_t local_bytes;
    std::vector<KernelArgument> arguments;
};

struct Item {
    SourceFile *file;
    Span span;
    llvm::SmallVector<const clang::Decl *, 2> declarations;
    clang::SourceLocation used_at;        // the first use

    bool specialised = false;
    bool of_isa = false;                  // its text has words of the instruction set
    std::string text;
    std::vector<Need> needs;              // in order of first use
    std::vector<Kernel> kernels;
    std::vector<std::string> launched;    // kernels that its calls name
};

// As sg_piece of specialise.h.
struct Piece {
    Piece(sg_piece_kind its_kind, std::string its_key) : kind(its_kind), key(std::move(its_key)) {}

    sg_piece_kind kind;
    std::string key, text;
    std::vector<std::string> names, members, needs;
    int place = 0, begin = 0, end = 0;
    bool is_tight = false, of_isa = false;
    std::string file;
    int line = 0;
};

class Program {
public:
    Program(const sg_spec_input &input, const Parsed &parsed, Report &report);

    // Specialises the needed items and returns the pieces; empty after an error.
    std::vector<Piece> emit();

    // The kernels that emit() kept, in the order of the text.
    std::vector<Kernel> kernels() const;

    // The kernels that calls in the kept items name.
    std::set<std::string> launched() const;

    // For emitters.
    const sg_spec_input &input;
    clang::ASTContext &context;
    Sources &sources;
    Report &report;

    Item *item_of(const clang::Decl *declaration) const;  // its first; or null
    const sg_word *word(llvm::StringRef name) const;      // in the lowering, or null
    const clang::TypedefNameDecl *word_for(clang::QualType type) const;   // of the prelude, or null
    std::string table_names() const;                      // for messages: the tables with words
    std::string advice() const;                           // for messages: the files to add one to

private:
    void collect();
    void add(const clang::Decl *declaration);
    void map(const clang::Decl *declaration, Item *item);
    void check_text(SourceFile &file);
    void check_table();                                   // contract.cpp
    bool is_root(const Item &item, bool kernels_only) const;
    bool is_kernel(const Item &item) const;
    bool is_launched(const Item &item) const;
    void find_needed();                                   // needed.cpp
    void specialise(Item &item);                          // needed.cpp
    void order_helpers(const Need &need, std::set<const void *> &seen, std::vector<Need> &order);
    void order_needs_of(const sg_word &word, clang::SourceLocation at,
                        std::set<const void *> &seen, std::vector<Need> &order);
    bool find_by_name(const char *name, Need &need) const;

    // assemble.cpp
    size_t prelude_place(const Need &need) const;
    std::vector<Need> helpers_in_order();
    std::string key_of(const Need &need) const;
    std::vector<std::string> names_of(const Item &item) const;
    std::vector<std::string> needs_of(const Item &item) const;
    Piece helper(const Need &need) const;
    Piece item_piece(const Item &item, Span extent) const;
    void file_pieces(SourceFile &file, std::vector<Piece> &pieces);
    std::string line_directive(const Item &item) const;

    const Parsed &parsed_;
    std::vector<std::unique_ptr<Item>> items_;            // in the order of declaration
    std::map<const SourceFile *, std::vector<Item *>> items_of_;
    llvm::DenseMap<const clang::Decl *, llvm::SmallVector<Item *, 1>> declared_;
    std::vector<const clang::TypedefNameDecl *> type_words_;
    std::set<const SourceFile *> spliced_;
    int place_ = 0;              // of the next piece of the template
};

}  // namespace sg

#endif
