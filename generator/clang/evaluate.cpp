// evaluate.cpp: the evaluator of integer constant expressions.
#include "generator/clang/evaluate.h"

#include <llvm/ADT/STLExtras.h>

namespace sg {

using clang::Expr;
using clang::QualType;
using llvm::APInt;
using llvm::APSInt;

static Constant known(APSInt value)
{
    Constant result;
    result.state = Constant::known;
    result.value = std::move(value);
    return result;
}

static Constant fault(clang::SourceLocation at, const char *text, Constant from)
{
    from.state = Constant::fault;
    from.fault_at = at;
    from.fault_text = text;
    return from;
}

// `into` depends on `other` as well.
static void join(Constant &into, const Constant &other)
{
    into.foldable = into.foldable && other.foldable;
    into.depends = into.depends || other.depends;
    into.unrolled = into.unrolled || other.unrolled;
    for (const sg_spec_param *value : other.values)
        if (!llvm::is_contained(into.values, value))
            into.values.push_back(value);
}

APSInt Evaluator::convert(const APSInt &value, QualType type) const
{
    APSInt result = value.extOrTrunc(context_.getIntWidth(type));
    result.setIsUnsigned(type->isUnsignedIntegerOrEnumerationType());
    if (type->isBooleanType())
        result = value.getBoolValue();
    return result;
}

// Pointer-sized integers, whose canonical type is `long` (standard_headers.cpp), differ between
// devices.
bool Evaluator::agrees_everywhere(const APSInt &value, QualType type) const
{
    const auto *builtin = type->getAs<clang::BuiltinType>();
    const bool pointer_sized = builtin && (builtin->getKind() == clang::BuiltinType::Long ||
                                           builtin->getKind() == clang::BuiltinType::ULong);
    return !pointer_sized || (value.getActiveBits() < 32 && !value.isNegative());
}

Constant Evaluator::evaluate(const Expr *e) const
{
    if (e->isTypeDependent() || e->isValueDependent() ||
        !e->getType()->isIntegralOrEnumerationType())
        return {};
    Constant result = any(e);
    if (result && !agrees_everywhere(result.value, e->getType()))
        return {};
    return result;
}

Constant Evaluator::any(const Expr *e) const
{
    if (const auto *paren = llvm::dyn_cast<clang::ParenExpr>(e))
        return evaluate(paren->getSubExpr());
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e))
        return evaluate(full->getSubExpr());
    if (const auto *c = llvm::dyn_cast<clang::CastExpr>(e))
        return cast(c);
    if (const auto *u = llvm::dyn_cast<clang::UnaryOperator>(e))
        return unary(u);
    if (const auto *b = llvm::dyn_cast<clang::BinaryOperator>(e))
        return b->isLogicalOp() ? logical(b) : binary(b);
    if (const auto *c = llvm::dyn_cast<clang::ConditionalOperator>(e))
        return conditional(c);
    if (const auto *trait = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(e))
        return size_of(trait);
    return leaf(e);
}

Constant Evaluator::leaf(const Expr *e) const
{
    if (const auto *literal = llvm::dyn_cast<clang::IntegerLiteral>(e))
        return known(APSInt(literal->getValue(), e->getType()->isUnsignedIntegerType()));
    if (const auto *literal = llvm::dyn_cast<clang::CharacterLiteral>(e)) {
        APSInt value(context_.getIntWidth(e->getType()), e->getType()->isUnsignedIntegerType());
        value = literal->getValue();
        return known(value);
    }
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e))
        return name(reference->getDecl());
    return {};
}

Constant Evaluator::name(const clang::ValueDecl *declaration) const
{
    if (const auto *e = llvm::dyn_cast<clang::EnumConstantDecl>(declaration))
        return enumerator(e);
    for (const Binding &binding : bound_) {
        if (binding.variable == declaration) {
            Constant result = known(binding.value);
            result.depends = result.unrolled = true;
            return result;
        }
    }
    return {};
}

const sg_spec_param *Evaluator::parameter(const clang::EnumConstantDecl *enumerator) const
{
    return sources_.role_of(enumerator->getLocation()) == Role::params
               ? report_.find_param(enumerator->getName())
               : nullptr;
}

Constant Evaluator::enumerator(const clang::EnumConstantDecl *declaration) const
{
    Constant result;
    if (const sg_spec_param *value = parameter(declaration)) {
        result = known(convert(declaration->getInitVal(), context_.IntTy));
        result.depends = true;
        result.values.push_back(value);
        return result;
    }
    // It depends on the parameters of its initialiser, or of the last initialiser before it.
    const auto *type = llvm::cast<clang::EnumDecl>(declaration->getDeclContext());
    for (const clang::EnumConstantDecl *e : type->enumerators()) {
        if (e->getInitExpr())
            result = evaluate(e->getInitExpr());
        if (e == declaration)
            break;
    }
    if (result.state == Constant::varies)
        result = Constant();
    result.state = Constant::known;
    result.value = convert(declaration->getInitVal(), context_.IntTy);
    result.foldable = false;
    return result;
}

Constant Evaluator::cast(const clang::CastExpr *e) const
{
    switch (e->getCastKind()) {
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToBoolean:
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
        break;
    default:
        return {};
    }
    Constant result = evaluate(e->getSubExpr());
    if (result)
        result.value = convert(result.value, e->getType());
    return result;
}

Constant Evaluator::unary(const clang::UnaryOperator *e) const
{
    Constant result = evaluate(e->getSubExpr());
    if (!result)
        return result;
    switch (e->getOpcode()) {
    case clang::UO_Plus:
        break;
    case clang::UO_Minus:
        if (result.value.isSigned() && result.value.isMinSignedValue())
            return fault(e->getOperatorLoc(), "the value overflows its type", result);
        result.value = -result.value;
        break;
    case clang::UO_Not:
        result.value = ~result.value;
        break;
    case clang::UO_LNot:
        result.value = convert(APSInt::get(result.value == 0), e->getType());
        break;
    default:
        return {};
    }
    return result;
}

Constant Evaluator::conditional(const clang::ConditionalOperator *e) const
{
    Constant condition = evaluate(e->getCond());
    if (!condition)
        return condition;
    Constant result = evaluate(condition.is_true() ? e->getTrueExpr() : e->getFalseExpr());
    join(result, condition);
    return result;
}

// One side may decide alone, if the other has no side effects that would be lost.
Constant Evaluator::logical(const clang::BinaryOperator *e) const
{
    const bool deciding = e->getOpcode() == clang::BO_LOr;
    Constant left = evaluate(e->getLHS());
    if (left.state == Constant::fault)
        return left;
    if (left && left.is_true() == deciding) {
        left.value = convert(APSInt::get(deciding), e->getType());
        return left;
    }
    Constant right = evaluate(e->getRHS());
    if (!right)
        return right;
    if (!left && (right.is_true() != deciding || e->getLHS()->HasSideEffects(context_)))
        return {};
    if (left)
        join(right, left);
    right.value = convert(APSInt::get(right.is_true()), e->getType());
    return right;
}

Constant Evaluator::binary(const clang::BinaryOperator *e) const
{
    if (e->isAssignmentOp() || e->isPtrMemOp() || e->isCommaOp() ||
        !e->getLHS()->getType()->isIntegralOrEnumerationType() ||
        !e->getRHS()->getType()->isIntegralOrEnumerationType())
        return {};
    const Constant left = evaluate(e->getLHS());
    const Constant right = evaluate(e->getRHS());
    if (e->getOpcode() == clang::BO_Mul) {
        // A product with 0 is 0, if the other operand has no side effects.
        for (const auto &[side, other] : {std::pair(&left, e->getRHS()), {&right, e->getLHS()}})
            if (*side && side->depends && side->value == 0 && !other->HasSideEffects(context_))
                return *side;
    }
    if (!left)
        return left;
    if (!right)
        return right;
    return apply(e->getOpcode(), left, right, e->getType(), e->getOperatorLoc());
}

// left op right. Both have the type that the operator computes in, except for shifts; `type` is
// the result's type.
Constant Evaluator::apply(clang::BinaryOperatorKind op, Constant left, const Constant &right,
                          QualType type, clang::SourceLocation at) const
{
    const APSInt l = left.value, r = right.value;
    const bool is_signed = l.isSigned();
    bool overflow = false;
    APInt value;

    const bool is_shift = op == clang::BO_Shl || op == clang::BO_Shr;
    if (!is_shift && (l.getBitWidth() != r.getBitWidth() || is_signed != r.isSigned()))
        return {};
    join(left, right);
    switch (op) {
    case clang::BO_Mul: value = is_signed ? l.smul_ov(r, overflow) : l * r; break;
    case clang::BO_Add: value = is_signed ? l.sadd_ov(r, overflow) : l + r; break;
    case clang::BO_Sub: value = is_signed ? l.ssub_ov(r, overflow) : l - r; break;
    case clang::BO_Div:
    case clang::BO_Rem:
        if (r == 0)
            return fault(at, "division by zero", left);
        overflow = is_signed && l.isMinSignedValue() && r.isAllOnes();
        if (!overflow)
            value = op == clang::BO_Div ? l / r : l % r;
        break;
    case clang::BO_Shl:
    case clang::BO_Shr: {
        if (r.isNegative() || r.getActiveBits() > 31 || r.getZExtValue() >= l.getBitWidth())
            return fault(at, "the shift is as wide as the type or wider", left);
        const unsigned by = static_cast<unsigned>(r.getZExtValue());
        if (op == clang::BO_Shr)
            value = is_signed ? l.ashr(by) : l.lshr(by);
        else
            value = is_signed ? l.sshl_ov(APInt(l.getBitWidth(), by), overflow) : l.shl(by);
        overflow = overflow || (op == clang::BO_Shl && is_signed && l.isNegative());
        break;
    }
    case clang::BO_And: value = l & r; break;
    case clang::BO_Or: value = l | r; break;
    case clang::BO_Xor: value = l ^ r; break;
    case clang::BO_LT: value = APInt(32, l < r); break;
    case clang::BO_GT: value = APInt(32, l > r); break;
    case clang::BO_LE: value = APInt(32, l <= r); break;
    case clang::BO_GE: value = APInt(32, l >= r); break;
    case clang::BO_EQ: value = APInt(32, l == r); break;
    case clang::BO_NE: value = APInt(32, l != r); break;
    default: return {};
    }
    if (overflow)
        return fault(at, "the value overflows its type", left);
    left.value = convert(APSInt(value, !type->isSignedIntegerOrEnumerationType()), type);
    return left;
}

Constant Evaluator::assign(const clang::BinaryOperator *assignment, const Constant &value) const
{
    const QualType type = assignment->getLHS()->getType();
    Constant right = evaluate(assignment->getRHS());
    if (!right)
        return right;
    if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(assignment)) {
        if (!compound->getComputationResultType()->isIntegralOrEnumerationType())
            return {};
        Constant left = value;
        left.value = convert(value.value, compound->getComputationLHSType());
        right =
            apply(clang::BinaryOperator::getOpForCompoundAssignment(compound->getOpcode()), left,
                  right, compound->getComputationResultType(), compound->getOperatorLoc());
    }
    if (right)
        right.value = convert(right.value, type);
    return right;
}

// The size of an arithmetic type that is the same on every device. It depends on a parameter if the
// type does.
Constant Evaluator::size_of(const clang::UnaryExprOrTypeTraitExpr *e) const
{
    const QualType type = e->getTypeOfArgument();
    if (e->getKind() != clang::UETT_SizeOf || !type->isArithmeticType())
        return {};
    const auto *builtin = type->getAs<clang::BuiltinType>();
    if (!builtin || builtin->getKind() == clang::BuiltinType::Long ||
        builtin->getKind() == clang::BuiltinType::ULong)
        return {};
    APSInt value(context_.getIntWidth(e->getType()), /*isUnsigned=*/true);
    value = static_cast<uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
    Constant result = known(value);
    result.foldable = false;
    QualType spelled = type;
    while (const auto *named = spelled->getAs<clang::TypedefType>()) {
        if (sources_.role_of(named->getDecl()->getLocation()) == Role::params)
            result.depends = true;
        spelled = named->getDecl()->getUnderlyingType();
    }
    return result;
}

}  // namespace sg
