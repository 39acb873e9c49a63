// emit_expr.cpp: expressions other than names, calls and constants.
#include "generator/clang/emitter.h"

#include "generator/clang/words.h"

namespace sg {

using clang::Expr;
using clang::QualType;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

// The construct's name for messages.
static llvm::StringRef construct_name(const Expr *e)
{
    static constexpr struct {
        Expr::StmtClass kind;
        llvm::StringLiteral name;
    } names[] = {
        {Expr::StmtExprClass, "statement expression"},
        {Expr::AddrLabelExprClass, "address of a label"},
        {Expr::GenericSelectionExprClass, "_Generic"},
        {Expr::OffsetOfExprClass, "offsetof"},
        {Expr::VAArgExprClass, "va_arg"},
        {Expr::PredefinedExprClass, "__func__"},
        {Expr::BinaryConditionalOperatorClass, "?: without a middle operand"},
        {Expr::AtomicExprClass, "atomic operation"},
    };
    for (const auto &entry : names)
        if (entry.kind == e->getStmtClass())
            return entry.name;
    return e->getStmtClassName();
}

void Emitter::expr(const Expr *e, Use use)
{
    if (fold_conversion(e, use, false))
        return;
    e = e->IgnoreImplicit();
    // Only a constant replaces a macro's name; any other macro stays as it is.
    const bool written = is_written(e->getBeginLoc()) || is_written(e->getEndLoc());
    if (!fold(e, use) && written)
        any_expr(e, use);
}

void Emitter::any_expr(const Expr *e, Use use)
{
    if (const auto *p = dyn_cast<clang::ParenExpr>(e))
        return paren(p, use);
    if (const auto *reference = dyn_cast<clang::DeclRefExpr>(e))
        return name(reference);
    if (const auto *u = dyn_cast<clang::UnaryOperator>(e))
        return unary(u);
    if (const auto *b = dyn_cast<clang::BinaryOperator>(e))
        return b->isLogicalOp() ? logical(b, use) : binary(b, use);
    if (const auto *c = dyn_cast<clang::ConditionalOperator>(e))
        return conditional(c, use);
    if (const auto *c = dyn_cast<clang::CallExpr>(e))
        return call(c, use);
    if (const auto *m = dyn_cast<clang::MemberExpr>(e))
        return member(m);
    if (const auto *t = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(e))
        return trait(t);
    if (const auto *list = dyn_cast<clang::InitListExpr>(e))
        return initialiser(list);
    if (const auto *d = dyn_cast<clang::DesignatedInitExpr>(e))
        return designated(d);
    if (const auto *s = dyn_cast<clang::ArraySubscriptExpr>(e)) {
        expr(s->getLHS(), {false, false, true});
        expr(s->getRHS(), {true, false, false});
    } else if (const auto *conversion = dyn_cast<clang::CStyleCastExpr>(e)) {
        written_type(conversion->getTypeInfoAsWritten());
        expr(conversion->getSubExpr(), {true, false, true});
    } else if (const auto *literal = dyn_cast<clang::CompoundLiteralExpr>(e)) {
        written_type(literal->getTypeSourceInfo());
        expr(literal->getInitializer());
    } else if (const auto *i = dyn_cast<clang::IntegerLiteral>(e)) {
        integer(i);
    } else if (!isa<clang::FloatingLiteral, clang::CharacterLiteral, clang::StringLiteral,
                    clang::ImplicitValueInitExpr>(e)) {
        unsupported(e->getBeginLoc(), construct_name(e));
    }
}

// An expression that was pruned or folded may no longer need its parentheses.
void Emitter::paren(const clang::ParenExpr *e, Use use)
{
    const Expr *inner = e->getSubExpr()->IgnoreImplicit();
    if (!isa<clang::ConditionalOperator, clang::BinaryOperator>(inner))
        return expr(inner, {use.free, use.truth, false});
    const Span span = span_of(inner->getSourceRange());
    const std::string text = render(span, [&] { expr(inner, {use.free, use.truth, false}); });
    edit(is_primary(text) ? span_of(e->getSourceRange()) : span, text);
}

void Emitter::integer(const clang::IntegerLiteral *e)
{
    const auto *builtin = e->getType()->getAs<clang::BuiltinType>();
    const llvm::StringRef digits = file_.slice(span_of(e->getSourceRange())).rtrim("uU");
    const bool is_long = builtin && (builtin->getKind() == clang::BuiltinType::Long ||
                                     builtin->getKind() == clang::BuiltinType::ULong);
    if (is_long && is_written(e->getBeginLoc()) && !digits.empty() &&
        llvm::StringRef("lL").contains(digits.back()))
        program_.report.error(e->getBeginLoc(),
                              "a literal of type long differs between devices; cast it instead");
}

void Emitter::unary(const clang::UnaryOperator *e)
{
    switch (e->getOpcode()) {
    case clang::UO_LNot:
        return expr(e->getSubExpr(), {true, true, true});
    case clang::UO_Extension:
    case clang::UO_Real:
    case clang::UO_Imag:
    case clang::UO_Coawait:
        return unsupported(e->getOperatorLoc(), "operator");
    default:
        return expr(e->getSubExpr(), {false, false, true});
    }
}

// The operand e of e + 0, e - 0, 0 + e, e * 1 and 1 * e, where a parameter or an unrolled variable
// gave the constant; null otherwise.
const Expr *Emitter::identity(const clang::BinaryOperator *e)
{
    const bool product = e->getOpcode() == clang::BO_Mul;
    if ((!product && !e->isAdditiveOp()) || e->getType()->isFloatingType())
        return nullptr;
    const auto is_neutral = [&](const Expr *side) {
        const Constant c = evaluator_.evaluate(side);
        const bool neutral = c && c.depends && c.foldable && c.value == (product ? 1 : 0);
        if (neutral)
            program_.report.note_use(c.values);
        return neutral;
    };
    const auto has_type = [&](const Expr *side) {
        return e->getType()->isPointerType() || natural_type(side) == operand_type(e->getType());
    };
    if (is_neutral(e->getRHS()) && has_type(e->getLHS()))
        return e->getLHS();
    const bool commutes = e->getOpcode() != clang::BO_Sub;
    return commutes && is_neutral(e->getLHS()) && has_type(e->getRHS()) ? e->getRHS() : nullptr;
}

void Emitter::binary(const clang::BinaryOperator *e, Use use)
{
    const Expr *left = e->getLHS(), *right = e->getRHS();
    const auto *compound = dyn_cast<clang::CompoundAssignOperator>(e);

    if (e->getOpcode() == clang::BO_Assign) {
        expr(left, {false, false, true});
        expr(right, {true, false, false});
    } else if (e->isCommaOp()) {
        expr(left);
        expr(right);
    } else if (e->isShiftOp() || e->isShiftAssignOp()) {
        expr(left, {false, false, true});
        expr(right, {true, false, !e->isAssignmentOp()});
    } else if (compound) {
        expr(left, {false, false, true});
        const bool pointer = !compound->getComputationLHSType()->isArithmeticType();
        expr(right, {pointer || keeps_type(left, compound->getComputationLHSType()), false, false});
    } else if (const Expr *kept = identity(e)) {
        instead_of(e, kept, use, "");
    } else {
        // A constant may lose its type where the other side alone fixes the type of the operation.
        const bool pointers = left->getType()->isPointerType() || right->getType()->isPointerType();
        expr(left, {pointers || keeps_type(right, left->getType()), false, true});
        expr(right, {pointers || keeps_type(left, right->getType()), false, true});
    }
}

// Replaces the text of `whole` by the text of `part`, converted by `cast` unless `cast` is empty.
void Emitter::instead_of(const Expr *whole, const Expr *part, Use use, const std::string &cast)
{
    const Span outer = span_of(whole->getSourceRange());
    const Span inner = span_of(part->getSourceRange());
    const Expr *plain = part->IgnoreImplicit();
    const auto *b = dyn_cast<clang::BinaryOperator>(plain);
    const bool loose = b && (b->isAssignmentOp() || b->isCommaOp());
    const bool tight = isa<clang::ParenExpr, clang::DeclRefExpr, clang::IntegerLiteral,
                           clang::FloatingLiteral, clang::CallExpr, clang::MemberExpr,
                           clang::ArraySubscriptExpr>(plain);
    const bool brackets = cast.empty() ? loose : !tight;

    edit({outer.begin, inner.begin}, cast + (brackets ? "(" : ""));
    expr(part, cast.empty() ? use : Use{true, false, !brackets});
    edit({inner.end, outer.end}, brackets ? ")" : "");
}

// Of P && e, e && P, P || e and e || P, where P is constant, only e stays if P does not decide
// and e is 0 or 1 or only its truth matters. If P decides, the whole is 0 or 1.
void Emitter::logical(const clang::BinaryOperator *e, Use use)
{
    const Expr *left = e->getLHS(), *right = e->getRHS();
    const bool neutral = e->getOpcode() == clang::BO_LAnd;
    const auto is_boolean = [](const Expr *side) {
        const Expr *plain = side->IgnoreParenImpCasts();
        const auto *b = dyn_cast<clang::BinaryOperator>(plain);
        const auto *u = dyn_cast<clang::UnaryOperator>(plain);
        return (b && (b->isComparisonOp() || b->isLogicalOp())) ||
               (u && u->getOpcode() == clang::UO_LNot) || plain->getType()->isBooleanType();
    };
    if (const std::optional<bool> whole = decide(e))
        return edit(span_of(e->getSourceRange()), *whole ? "1" : "0");

    const Expr *kept = decide(left) == neutral ? right : decide(right) == neutral ? left : nullptr;

    if (kept && (use.truth || is_boolean(kept)))
        return instead_of(e, kept, {use.free, use.truth, use.operand}, "");
    expr(left, {true, true, true});
    expr(right, {true, true, true});
}

// True if conversion of `e` to the arithmetic type changes no value, so that the cast is omitted.
bool Emitter::is_lossless(QualType type, const Expr *e) const
{
    const clang::ASTContext &context = program_.context;
    const QualType from = natural_type(e);
    const auto *digits = dyn_cast<clang::IntegerLiteral>(e->IgnoreParenImpCasts());
    if (digits)
        return digits->getValue().getActiveBits() <= 24;
    if (type->isRealFloatingType())
        return context.getTypeSize(type) == 64 && context.getTypeSize(from) == 32;
    if (!from->isIntegerType() || context.getTypeSize(type) <= context.getTypeSize(from))
        return false;
    return type->isSignedIntegerType() || from->isUnsignedIntegerType();
}

void Emitter::conditional(const clang::ConditionalOperator *e, Use use)
{
    const Expr *yes = e->getTrueExpr(), *no = e->getFalseExpr();
    const std::optional<bool> decided = decide(e->getCond());
    const bool arithmetic = e->getType()->isArithmeticType();

    if (!decided) {
        expr(e->getCond(), {true, true, true});
        expr(yes, {!arithmetic || keeps_type(no, e->getType()), use.truth, true});
        expr(no, {!arithmetic || keeps_type(yes, e->getType()), use.truth, true});
        return;
    }
    // The removed branch may have decided the type.
    const Expr *kept = *decided ? yes : no;
    const QualType type = program_.context.getCanonicalType(e->getType()).getUnqualifiedType();
    std::string cast;
    if (arithmetic && !use.truth && natural_type(kept) != type &&
        !(use.free && is_lossless(type, kept))) {
        if (exact_conversion(kept, true)) {
            const Span span = span_of(kept->getSourceRange());
            edit(span_of(e->getSourceRange()),
                 render(span, [&] { fold_conversion(kept, use, true); }));
            return;
        }
        cast = "(" + type_text(type, kept->getBeginLoc()) + ")";
    }
    instead_of(e, kept, use, cast);
}

void Emitter::initialiser(const clang::InitListExpr *e)
{
    if (e->isSemanticForm() && e->getSyntacticForm())
        e = e->getSyntacticForm();
    for (const Expr *element : e->inits())
        if (element)
            expr(element, {true, false, false});
}

void Emitter::designated(const clang::DesignatedInitExpr *e)
{
    for (const auto &designator : e->designators()) {
        if (designator.isArrayDesignator())
            expr(e->getArrayIndex(designator), {true, false, false});
        else if (!designator.isFieldDesignator())
            unsupported(designator.getBeginLoc(), "range of array elements");
    }
    expr(e->getInit(), {true, false, false});
}

void Emitter::trait(const clang::UnaryExprOrTypeTraitExpr *e)
{
    if (e->getTypeOfArgument()->isPointerType())
        program_.report.error(e->getBeginLoc(), "sizeof of a pointer differs between devices");
    if (e->getKind() != clang::UETT_SizeOf && e->getKind() != clang::UETT_AlignOf)
        unsupported(e->getBeginLoc(), "operator");
    if (e->isArgumentType())
        written_type(e->getArgumentTypeInfo());
    else
        expr(e->getArgumentExpr()->IgnoreParens());
}

}  // namespace sg
