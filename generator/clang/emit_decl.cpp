// emit_decl.cpp: declarations, and the types that are written in them, in casts and in sizeof.
#include "generator/clang/emitter.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>

#include "generator/clang/reserved_words.h"
#include "generator/clang/words.h"

namespace sg {

using clang::QualType;
using clang::TypeLoc;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

void Emitter::unsupported(clang::SourceLocation at, const llvm::Twine &what)
{
    program_.report.error(at, "unsupported construct: " + what);
}

void Emitter::declaration(const clang::Decl *d)
{
    for (const clang::Attr *attribute : d->attrs()) {
        const auto *aligned = dyn_cast<clang::AlignedAttr>(attribute);
        if (aligned && aligned->isAlignmentExpr() && aligned->getAlignmentExpr())
            expr(aligned->getAlignmentExpr(), {true, false, false});
    }
    if (const auto *f = dyn_cast<clang::FunctionDecl>(d)) {
        function(f);
    } else if (const auto *v = dyn_cast<clang::VarDecl>(d)) {
        variable(v);
    } else if (const auto *field = dyn_cast<clang::FieldDecl>(d)) {
        written_type(field->getTypeSourceInfo());
        if (field->getBitWidth())
            expr(field->getBitWidth(), {true, false, false});
    } else if (const auto *t = dyn_cast<clang::TypedefDecl>(d)) {
        written_type(t->getTypeSourceInfo());
    } else if (const auto *r = dyn_cast<clang::RecordDecl>(d)) {
        for (const clang::Decl *member : r->decls())
            if (!member->isImplicit())
                declaration(member);
    } else if (const auto *e = dyn_cast<clang::EnumDecl>(d)) {
        for (const clang::EnumConstantDecl *member : e->enumerators())
            if (member->getInitExpr())
                expr(member->getInitExpr(), {true, false, false});
    } else if (const auto *a = dyn_cast<clang::StaticAssertDecl>(d)) {
        expr(a->getAssertExpr(), {true, true, false});
    } else if (!isa<clang::EmptyDecl, clang::IndirectFieldDecl>(d)) {
        unsupported(d->getLocation(), d->getDeclKindName());
    }
}

void Emitter::variable(const clang::VarDecl *v)
{
    written_type(v->getTypeSourceInfo());
    if (v->getInit())
        expr(v->getInit(), {true, false, false});
}

void Emitter::function(const clang::FunctionDecl *f)
{
    written_type(f->getTypeSourceInfo());
    if (f->doesThisDeclarationHaveABody())
        stmt(f->getBody(), Place::single);
    if (item_.file->role == Role::own)
        kernel(f);
}

// The bytes of a kernel's variables marked LOCAL_MEMORY, which are `static` in C.
int64_t Emitter::local_bytes(const clang::FunctionDecl *f) const
{
    int64_t bytes = 0;
    for (const clang::Decl *d : f->decls()) {
        const auto *v = dyn_cast<clang::VarDecl>(d);
        if (!v || !v->isStaticLocal() || !used_locals_.count(v))
            continue;
        const int64_t align = program_.context.getDeclAlign(v).getQuantity();
        bytes = (bytes + align - 1) / align * align +
                program_.context.getTypeSizeInChars(v->getType()).getQuantity();
    }
    return bytes;
}

// Notes a function that is marked as a kernel, for the manifest.
void Emitter::kernel(const clang::FunctionDecl *f)
{
    const Span head = {item_.span.begin, program_.sources.begin_of(f->getLocation())};
    const bool marked = llvm::any_of(file_.macros, [&](const MacroUse &use) {
        return (use.name == KERNEL_MARK || use.name == HOST_STEP_MARK) &&
               use.span.begin >= head.begin && use.span.end <= head.end;
    });
    if (!marked || !f->doesThisDeclarationHaveABody())
        return;
    Kernel k{f->getName().str(), local_bytes(f), {}};
    for (const clang::ParmVarDecl *p : f->parameters())
        k.arguments.push_back(kernel_argument(p));
    item_.kernels.push_back(std::move(k));
}

KernelArgument Emitter::kernel_argument(const clang::ParmVarDecl *p)
{
    // The tokens before the name are the type, perhaps with a LENGTH before the type.
    Span span = span_of(p->getSourceRange());
    const unsigned name_begin = program_.sources.begin_of(p->getLocation());
    const Token *before = file_.token_before(span.begin);
    std::string length;
    const char *space = "global";
    for (const MacroUse &use : file_.macros) {
        const bool prefix = before && use.span.end == before->end;
        if (!prefix && !(use.span.begin >= span.begin && use.span.end <= span.end))
            continue;
        if (use.name == LENGTH_MARK) {
            length = llvm::StringRef(use.arguments).trim("\"").str();
            span.begin = std::max(span.begin, use.span.end);
        } else if (use.name == LOCAL_MARK) {
            space = "local";
            span.begin = std::min(span.begin, use.span.begin);
        }
    }
    span.end = std::min(span.end, name_begin);
    const std::string text = render(span, [&] { written_type(p->getTypeSourceInfo()); });
    const QualType type = p->getType();
    if (!type->isPointerType()) {
        const clang::TypedefNameDecl *word = program_.word_for(type);
        return {p->getName().str(), one_line(text), length, "value", "value",
                word ? word->getName().str() : ""};
    }
    const bool reads = type->getPointeeType().isConstQualified();
    return {p->getName().str(), llvm::StringRef(one_line(text)).trim().str(), length, space,
            reads ? "read" : "read-write", ""};
}

// ---- types --------------------------------------------------------------------------------------

void Emitter::written_type(const clang::TypeSourceInfo *info)
{
    if (info)
        type(info->getTypeLoc());
}

void Emitter::type(TypeLoc t)
{
    bool pointee = false;
    for (; t; t = t.getNextTypeLoc()) {
        pointee = pointee || isa<clang::PointerType>(t.getTypePtr());
        if (const auto named = t.getAs<clang::TypedefTypeLoc>()) {
            named_type(named.getTypedefNameDecl(), named.getNameLoc());
        } else if (const auto array = t.getAs<clang::ArrayTypeLoc>()) {
            array_type(array);
        } else if (const auto f = t.getAs<clang::FunctionProtoTypeLoc>()) {
            for (const clang::ParmVarDecl *p : f.getParams())
                if (p)
                    declaration(p);
        } else if (const auto tag = t.getAs<clang::TagTypeLoc>()) {
            if (is_written(tag.getNameLoc()) && refer(tag.getDecl(), tag.getNameLoc()))
                unsupported(tag.getNameLoc(), "struct before a word; write the word alone");
        } else if (const auto builtin = t.getAs<clang::BuiltinTypeLoc>()) {
            builtin_type(builtin, pointee);
        } else if (!isa<clang::PointerType, clang::ParenType, clang::ElaboratedType,
                        clang::AttributedType, clang::AdjustedType>(t.getTypePtr()) &&
                   !t.getAs<clang::QualifiedTypeLoc>()) {
            return unsupported(t.getBeginLoc(), llvm::Twine(t.getTypePtr()->getTypeClassName()) +
                                                    " type");
        }
    }
}

void Emitter::array_type(clang::ArrayTypeLoc t)
{
    if (isa<clang::VariableArrayType>(t.getTypePtr()))
        return unsupported(t.getLBracketLoc(),
                           "variable-length array; its size must be a constant of parameters");
    if (t.getSizeExpr())
        expr(t.getSizeExpr(), {true, false, false});
}

// The word of the prelude that has the same size and sign.
std::string Emitter::suggest_type(QualType t) const
{
    const clang::ASTContext &context = program_.context;
    for (QualType wide : {context.SignedCharTy, context.UnsignedCharTy, context.ShortTy,
                          context.UnsignedShortTy, context.IntTy, context.UnsignedIntTy,
                          context.LongLongTy, context.UnsignedLongLongTy, context.FloatTy,
                          context.DoubleTy}) {
        const clang::TypedefNameDecl *word = program_.word_for(wide);
        if (word && context.getTypeSize(wide) == context.getTypeSize(t) &&
            wide->isRealFloatingType() == t->isRealFloatingType() &&
            wide->isUnsignedIntegerType() == t->isUnsignedIntegerType())
            return ", such as '" + word->getName().str() + "'";
    }
    return "";
}

// Templates spell only void, int and the strings' const char *.
void Emitter::builtin_type(clang::BuiltinTypeLoc t, bool pointee)
{
    const clang::BuiltinType *builtin = t.getTypePtr();
    const QualType type(builtin, 0);
    if (!is_written(t.getBeginLoc()) || item_.file->role != Role::own || type->isVoidType() ||
        builtin->getKind() == clang::BuiltinType::Int || (pointee && type->isCharType()))
        return;
    program_.report.error(t.getBeginLoc(),
                          "type '" + file_.slice(span_of(t.getSourceRange())) +
                              "' is no word of the prelude; use one of its types" +
                              suggest_type(type));
}

// The text of a type word in the lowering; "" where the word stays.
std::string Emitter::type_word(const clang::TypedefNameDecl *d, clang::SourceLocation at)
{
    // A parameter's type stands for a word of the prelude.
    while (program_.sources.role_of(d->getLocation()) == Role::params) {
        const auto *underlying = d->getUnderlyingType()->getAs<clang::TypedefType>();
        if (!underlying) {
            unsupported(at,
                        "parameter '" + d->getName() + "' whose type is no word of the prelude");
            return "";
        }
        d = underlying->getDecl();
    }
    const sg_word *word = refer(d, at);
    return word ? expand(*word, {}, at, program_.report) : d->getName().str();
}

void Emitter::named_type(const clang::TypedefNameDecl *d, clang::SourceLocation at)
{
    if (!is_written(at))
        return;
    if (program_.sources.role_of(d->getLocation()) == Role::standard && file_.role == Role::own) {
        const clang::TypedefNameDecl *word = program_.word_for(d->getUnderlyingType());
        program_.report.error(at, "type '" + d->getName() + "' is no word of the prelude" +
                                      (word ? "; use '" + word->getName() + "'" : llvm::Twine()));
        return;
    }
    const std::string text = type_word(d, at);
    if (text != d->getName())
        edit(span_of({at, at}), text);
}

// The text of a type that the author did not write at `at`.
std::string Emitter::type_text(QualType t, clang::SourceLocation at)
{
    const QualType canonical = program_.context.getCanonicalType(t).getUnqualifiedType();
    const clang::TypedefNameDecl *word = program_.word_for(canonical);
    return word ? type_word(word, at) : canonical.getAsString();
}

}  // namespace sg
