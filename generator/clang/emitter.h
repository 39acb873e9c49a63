// emitter.h: specialises the text of one item.
//
// The author's text is copied, and only the parts that must change are replaced. A walk over the
// AST collects edits, each a span of the file and its new text; render() copies a span with the
// edits that a walk made in it. A construct that moves or repeats text (a pruned `if`, an unrolled
// loop, a replaced word) renders its parts and makes one edit of the result. Every kind of node
// that may occur has its case; any other is an error.
#ifndef SG_CLANG_EMITTER_H
#define SG_CLANG_EMITTER_H

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>
#include <llvm/ADT/STLExtras.h>

#include "generator/clang/evaluate.h"
#include "generator/clang/program.h"
#include "generator/clang/words.h"

namespace sg {

// How the surroundings of an expression use it.
struct Use {
    bool free = false;           // converted to a type that does not depend on its own
    bool truth = false;          // only compared with zero
    bool operand = false;        // of an operator: must bind as tightly as a name
};

// Where a statement stands.
enum class Place {
    block,                       // in a list of statements: may become none or many
    single                       // the body of an `if` or a loop: must stay one
};

class Emitter {
public:
    Emitter(Program &program, Item &item);

    // Fills item.text, needs and kernels; errors go to the report.
    void run();

private:
    struct Edit {
        Span span;
        size_t order;            // among edits at the same place
        std::string text;
    };
    using Locals = std::set<const clang::Decl *>;   // never iterated for output

    // emit_text.cpp: from edits to text
    void edit(Span span, std::string text);
    void drop(const clang::Stmt *s);
    std::string settle(llvm::function_ref<std::string()> rendering);
    std::string render(Span span, llvm::function_ref<void()> walk);
    std::string splice(Span span, std::vector<Edit> edits);
    void copy(std::string &out, Span gap);
    void copy_plain(std::string &out, Span gap);
    void copy_macro(std::string &out, const MacroUse &use, Span gap, unsigned &at);
    std::string macro_text(const MacroUse &use);
    Span span_of(clang::SourceRange range) const { return program_.sources.span_of(range); }
    Span span_of(const clang::Stmt *s) const;
    const Token *unroll_mark(const clang::Stmt *s) const;
    bool is_written(clang::SourceLocation at) const;
    clang::SourceLocation place_of(unsigned offset) const;
    std::string source_of(const clang::Expr *e) const;

    // emit_decl.cpp: declarations and types
    void declaration(const clang::Decl *d);
    void function(const clang::FunctionDecl *f);
    void variable(const clang::VarDecl *v);
    void kernel(const clang::FunctionDecl *f);
    bool names_kernel(const clang::ParmVarDecl *p) const;
    void launch(const clang::CallExpr *e, const clang::FunctionDecl *f);
    int64_t local_bytes(const clang::FunctionDecl *f) const;
    KernelArgument kernel_argument(const clang::ParmVarDecl *p);
    void type(clang::TypeLoc t);
    void array_type(clang::ArrayTypeLoc t);
    void builtin_type(clang::BuiltinTypeLoc t, bool pointee);
    void named_type(const clang::TypedefNameDecl *d, clang::SourceLocation at);
    void written_type(const clang::TypeSourceInfo *info);
    std::string type_word(const clang::TypedefNameDecl *d, clang::SourceLocation at);
    std::string type_text(clang::QualType t, clang::SourceLocation at);
    std::string suggest_type(clang::QualType t) const;

    // emit_name.cpp: names and calls
    const sg_word *refer(const clang::NamedDecl *d, clang::SourceLocation at);
    void need(Item *item, const sg_word *word, clang::SourceLocation at);
    void name(const clang::DeclRefExpr *e);
    void call(const clang::CallExpr *e, Use use);
    void word_call(const clang::CallExpr *e, const clang::FunctionDecl *f, const sg_word &word,
                   Use use);
    Argument argument(const clang::CallExpr *e, unsigned index, const clang::FunctionDecl *f);
    void member(const clang::MemberExpr *e);
    bool is_empty_word(const clang::Stmt *s) const;

    // emit_expr.cpp: the other expressions
    void expr(const clang::Expr *e, Use use = {});
    void any_expr(const clang::Expr *e, Use use);
    void paren(const clang::ParenExpr *e, Use use);
    void integer(const clang::IntegerLiteral *e);
    void unary(const clang::UnaryOperator *e);
    void binary(const clang::BinaryOperator *e, Use use);
    const clang::Expr *identity(const clang::BinaryOperator *e);
    void logical(const clang::BinaryOperator *e, Use use);
    void conditional(const clang::ConditionalOperator *e, Use use);
    bool is_lossless(clang::QualType type, const clang::Expr *e) const;
    void initialiser(const clang::InitListExpr *e);
    void designated(const clang::DesignatedInitExpr *e);
    void trait(const clang::UnaryExprOrTypeTraitExpr *e);
    void instead_of(const clang::Expr *whole, const clang::Expr *part, Use use,
                    const std::string &cast);

    // emit_fold.cpp: constants
    bool fold(const clang::Expr *e, Use use);
    std::string literal(const llvm::APSInt &value, clang::QualType t, Use use,
                        clang::SourceLocation at);
    std::string comment_for(const clang::Expr *e, const Constant &c);
    const clang::CastExpr *exact_conversion(const clang::Expr *e, bool numbers) const;
    bool fold_conversion(const clang::Expr *e, Use use, bool numbers);
    std::optional<bool> decide(const clang::Expr *condition);
    bool keeps_type(const clang::Expr *e, clang::QualType t);
    clang::QualType operand_type(clang::QualType t) const;
    clang::QualType natural_type(const clang::Expr *e) const;
    void report_fault(const Constant &c);

    // emit_stmt.cpp: statements
    void stmt(const clang::Stmt *s, Place place);
    void compound(const clang::CompoundStmt *c);
    void if_stmt(const clang::IfStmt *s, Place place);
    void for_stmt(const clang::ForStmt *s, Place place);
    void while_stmt(const clang::WhileStmt *s);
    void switch_stmt(const clang::SwitchStmt *s);
    void switch_case(const clang::SwitchCase *s, bool followed);
    void local(const clang::DeclStmt *s, Place place);
    void sub_stmt(const clang::Stmt *s);
    bool vanishes(const clang::Stmt *s);
    bool ends_in_jump(const clang::Stmt *s);
    bool never_runs(const clang::ForStmt *s);
    bool may_join_block(const clang::CompoundStmt *c) const;
    std::string placed(const clang::Stmt *s, unsigned column, Place place, bool keep_braces);
    void edit_single(Span span, const std::string &text);
    std::string inner_text(const clang::CompoundStmt *c, unsigned column);
    void unsupported(clang::SourceLocation at, const llvm::Twine &what);

    // emit_unroll.cpp: loops that are written out
    struct Loop;
    void unroll(const clang::ForStmt *s, Place place);
    bool read_loop(const clang::ForStmt *s, Loop &loop);
    bool count_iterations(const clang::ForStmt *s, Loop &loop);
    bool check_body(const clang::Stmt *s, const Loop &loop, bool break_binds, bool continue_binds);

    Program &program_;
    Item &item_;
    SourceFile &file_;
    Evaluator evaluator_;
    std::vector<Edit> edits_;
    std::set<std::string> commented_;     // expressions whose parameters a comment has named
    std::set<const void *> needed_;       // items and words that are in item_.needs
    Locals used_locals_, declared_locals_, dead_;
    size_t errors_before_ = 0;            // count of errors before this item
    unsigned copies_ = 1;                 // copies of the text being rendered
    bool bare_ = false;                   // a repeated copy: omit the author's comments
};

}  // namespace sg

#endif
