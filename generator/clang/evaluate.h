// evaluate.h: evaluates integer expressions of parameters and of unrolled loops' variables.
//
// Clang's own evaluator has no values for variables and does not record which parameters a value
// depends on. This evaluator does both, for integer operators only. It never folds floating point.
#ifndef SG_CLANG_EVALUATE_H
#define SG_CLANG_EVALUATE_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/APSInt.h>
#include <llvm/ADT/SmallVector.h>

#include "generator/clang/report.h"
#include "generator/clang/source.h"

namespace sg {

// The value of an expression, and the parameters that the value depends on.
struct Constant {
    enum State { varies, fault, known };

    State state = varies;
    llvm::APSInt value = llvm::APSInt();             // known: of the expression's type
    bool foldable = true;        // may be written as a literal: made of literals, parameters and
                                 // unrolled variables, not of the template's enumerators or sizeof
    bool depends = false;        // on a parameter or an unrolled variable
    bool unrolled = false;       // on an unrolled variable
    llvm::SmallVector<const sg_spec_param *, 2> values = {};   // parameters it depends on
    clang::SourceLocation fault_at = {};             // fault: its place
    const char *fault_text = nullptr;                // "division by zero"

    explicit operator bool() const { return state == known; }
    bool is_true() const { return value.getBoolValue(); }
};

class Evaluator {
public:
    Evaluator(const clang::ASTContext &context, const Sources &sources, const Report &report)
        : context_(context), sources_(sources), report_(report) {}

    Constant evaluate(const clang::Expr *expression) const;

    // While bound, a variable is a constant. Bindings are undone in reverse order.
    void bind(const clang::VarDecl *variable, llvm::APSInt value)
    {
        bound_.push_back({variable, std::move(value)});
    }
    void unbind() { bound_.pop_back(); }
    bool has_bindings() const { return !bound_.empty(); }

    // The variable's value after an assignment; `value` is its value before.
    Constant assign(const clang::BinaryOperator *assignment, const Constant &value) const;

    // The parameter that an enumerator stands for, or null.
    const sg_spec_param *parameter(const clang::EnumConstantDecl *enumerator) const;

    llvm::APSInt convert(const llvm::APSInt &value, clang::QualType type) const;

private:
    struct Binding {
        const clang::VarDecl *variable;
        llvm::APSInt value;
    };

    Constant any(const clang::Expr *e) const;
    Constant leaf(const clang::Expr *e) const;
    Constant name(const clang::ValueDecl *declaration) const;
    Constant enumerator(const clang::EnumConstantDecl *declaration) const;
    Constant cast(const clang::CastExpr *e) const;
    Constant unary(const clang::UnaryOperator *e) const;
    Constant binary(const clang::BinaryOperator *e) const;
    Constant logical(const clang::BinaryOperator *e) const;
    Constant conditional(const clang::ConditionalOperator *e) const;
    Constant size_of(const clang::UnaryExprOrTypeTraitExpr *e) const;
    Constant apply(clang::BinaryOperatorKind op, Constant left, const Constant &right,
                   clang::QualType type, clang::SourceLocation at) const;
    bool agrees_everywhere(const llvm::APSInt &value, clang::QualType type) const;

    const clang::ASTContext &context_;
    const Sources &sources_;
    const Report &report_;
    llvm::SmallVector<Binding, 4> bound_;
};

}  // namespace sg

#endif
