// emit_fold.cpp: constants of parameters become literals.
#include "generator/clang/emitter.h"

#include "generator/clang/reserved_words.h"
#include "generator/clang/words.h"

namespace sg {

using clang::Expr;
using clang::QualType;
using llvm::APFloat;
using llvm::APSInt;

void Emitter::report_fault(const Constant &c)
{
    program_.report.error(c.fault_at, c.fault_text, c.values);
}

// The value of a condition that depends on a parameter or an unrolled variable.
std::optional<bool> Emitter::decide(const Expr *condition)
{
    const Constant c = evaluator_.evaluate(condition);
    if (c.state == Constant::fault && c.depends)
        report_fault(c);
    if (!c || !c.depends)
        return std::nullopt;
    program_.report.note_use(c.values);
    return c.is_true();
}

// The type that values of type t have as operands.
QualType Emitter::operand_type(QualType t) const
{
    if (program_.context.isPromotableIntegerType(t))
        t = program_.context.getPromotedIntegerType(t);
    return program_.context.getCanonicalType(t).getUnqualifiedType();
}

// The type that the expression has by itself, as an operand.
QualType Emitter::natural_type(const Expr *e) const
{
    return operand_type(e->IgnoreParenImpCasts()->getType());
}

// True if the specialised expression still has the type t by itself; a constant may lose its type.
bool Emitter::keeps_type(const Expr *e, QualType t)
{
    if (natural_type(e) != program_.context.getCanonicalType(t).getUnqualifiedType())
        return false;
    const Constant c = evaluator_.evaluate(e->IgnoreParenImpCasts());
    return !(c && c.foldable && c.depends);
}

// The digits of a value. The smallest value of a type is written as (-2147483647 - 1), since its
// digits alone do not fit the type.
static std::string decimal(const APSInt &value)
{
    llvm::SmallString<24> digits;
    const bool smallest = value.isNegative() && value.isMinSignedValue();
    const APSInt shown =
        smallest ? value + APSInt(llvm::APInt(value.getBitWidth(), 1), false) : value;
    shown.toString(digits, 10);
    return smallest ? ("(" + digits + " - 1)").str() : digits.str().str();
}

// An expression with the value, and of type t unless use.free.
std::string Emitter::literal(const APSInt &value, QualType t, Use use, clang::SourceLocation at)
{
    const clang::ASTContext &context = program_.context;
    const QualType canonical = context.getCanonicalType(t).getUnqualifiedType();
    const bool fits_int = value.isSigned() ? value.isSignedIntN(32) : value.isIntN(31);
    std::string text = decimal(value);
    bool has_type = canonical == context.IntTy;

    if (canonical == context.UnsignedIntTy || (value.isUnsigned() && !fits_int)) {
        text += "u";
        has_type = canonical == context.UnsignedIntTy || !value.isIntN(32);
    } else if (!fits_int) {
        has_type = true;         // the digits alone make it 64 bits wide
    }
    const clang::TypedefNameDecl *word =
        has_type || use.free ? nullptr : program_.word_for(canonical);
    if (word)
        return "(" + type_word(word, at) + ")" + text;
    return text[0] == '-' && use.operand ? "(" + text + ")" : text;
}

// A comment that names the parameters of a constant, where the constant first occurs. Empty if the
// constant depends on an unrolled variable, which the output does not have.
std::string Emitter::comment_for(const Expr *e, const Constant &c)
{
    // Look at the operand of a conversion, and at the chosen operand of a decided `?:`.
    const Constant inner = evaluator_.evaluate(e->IgnoreParenCasts());
    const bool same = inner && APSInt::isSameValue(inner.value, c.value);
    e = same ? e->IgnoreParenCasts() : e->IgnoreParenImpCasts();
    while (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
        const Constant condition = evaluator_.evaluate(choice->getCond());
        const Expr *chosen =
            condition && condition.is_true() ? choice->getTrueExpr() : choice->getFalseExpr();
        if (!condition || evaluator_.evaluate(chosen).values.empty())
            break;
        e = chosen->IgnoreParenImpCasts();
    }
    const std::string source = c.values.empty() || c.unrolled ? "" : source_of(e);
    if (source.empty() || !commented_.insert(source).second)
        return "";
    if (source.size() <= LONGEST_COMMENT)
        return " /* " + source + " */";
    std::string names;
    for (const sg_spec_param *value : c.values)
        names += (names.empty() ? "" : ", ") + std::string(value->name);
    return " /* from " + names + " */";
}

// Replaces a constant that depends on parameters or unrolled variables.
bool Emitter::fold(const Expr *e, Use use)
{
    const Constant c = evaluator_.evaluate(e);
    if (c.state == Constant::fault && c.depends) {
        report_fault(c);
        return true;
    }
    if (!c || !c.depends || !c.foldable)
        return false;
    const std::string text = literal(c.value, e->getType(), use, e->getBeginLoc());
    program_.report.note_use(c.values);
    edit(span_of(e->getSourceRange()), text + comment_for(e, c));
    return true;
}

// ---- conversions to a floating type -------------------------------------------------------------

// True if the type represents the value exactly.
static bool is_exact(const APSInt &value, const llvm::fltSemantics &type)
{
    APFloat converted(type);
    return converted.convertFromAPInt(value, value.isSigned(), APFloat::rmNearestTiesToEven) ==
           APFloat::opOK;
}

static bool is_number(const Expr *e)
{
    const auto *u = llvm::dyn_cast<clang::UnaryOperator>(e);
    return llvm::isa<clang::IntegerLiteral>(
        u && u->getOpcode() == clang::UO_Minus ? u->getSubExpr()->IgnoreParens() : e);
}

// Returns `e` as a conversion of an integer constant to float or double, if a literal can have the
// value; else null. A constant that depends on no parameter must be a literal that the author
// casts, or with `numbers` any literal.
const clang::CastExpr *Emitter::exact_conversion(const Expr *e, bool numbers) const
{
    const clang::ASTContext &context = program_.context;
    while (llvm::isa<clang::ParenExpr, clang::FullExpr>(e))
        e = llvm::isa<clang::ParenExpr>(e) ? e->IgnoreParens()
                                           : llvm::cast<clang::FullExpr>(e)->getSubExpr();
    const auto *conversion = llvm::dyn_cast<clang::CastExpr>(e);
    const QualType type = context.getCanonicalType(e->getType()).getUnqualifiedType();
    if (!conversion || conversion->getCastKind() != clang::CK_IntegralToFloating ||
        (type != context.FloatTy && type != context.DoubleTy))
        return nullptr;
    const Constant c = evaluator_.evaluate(conversion->getSubExpr());
    if (!c || !c.foldable || !is_exact(c.value, context.getFloatTypeSemantics(type)))
        return nullptr;
    const bool is_cast = numbers || llvm::isa<clang::CStyleCastExpr>(conversion);
    const bool by_author = is_cast && is_written(e->getBeginLoc()) && is_written(e->getEndLoc()) &&
                           is_number(conversion->getSubExpr()->IgnoreParenImpCasts());
    return c.depends || by_author ? conversion : nullptr;
}

// An integer constant that is converted without rounding becomes a literal of the floating type.
bool Emitter::fold_conversion(const Expr *e, Use use, bool numbers)
{
    const clang::CastExpr *conversion = exact_conversion(e, numbers);
    if (!conversion)
        return false;
    const Expr *converted = conversion->getSubExpr();
    const Constant c = evaluator_.evaluate(converted);
    llvm::SmallString<32> text;

    c.value.toString(text, 10);
    text += program_.context.getTypeSize(e->getType()) == 32 ? ".0f" : ".0";
    if (c.value.isNegative() && use.operand)
        text = ("(" + text + ")").str();
    program_.report.note_use(c.values);
    edit(span_of(e->getSourceRange()), text.str().str() + comment_for(converted, c));
    return true;
}

}  // namespace sg
