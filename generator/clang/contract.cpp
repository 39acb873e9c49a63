// contract.cpp: checks the table of functions that a template gives to the module around it.
#include "generator/clang/program.h"

#include <clang/AST/Expr.h>

namespace sg {

using llvm::dyn_cast;

// True if the list sets the member, and not to null.
static bool has_member(const clang::InitListExpr &list, const clang::RecordDecl &record,
                       llvm::StringRef name, clang::ASTContext &context)
{
    for (const clang::FieldDecl *field : record.fields()) {
        const unsigned i = field->getFieldIndex();
        if (field->getName() != name || i >= list.getNumInits())
            continue;
        const clang::Expr *value = list.getInit(i);
        return value && !llvm::isa<clang::ImplicitValueInitExpr>(value) &&
               !value->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNull);
    }
    return false;
}

void Program::check_table()
{
    const std::string expected =
        "static const " + std::string(input.table_type) + " " + input.table + " = { ... }";
    const clang::VarDecl *table = nullptr;
    for (const auto &item : items_)
        for (const clang::Decl *d : item->declarations)
            if (const auto *v = dyn_cast<clang::VarDecl>(d))
                if (item->file->role == Role::own && v->getIdentifier() &&
                    v->getName() == input.table)
                    table = v->getInitializingDeclaration() ? v->getInitializingDeclaration() : v;
    if (!table)
        return report.error(sg_loc{input.file, 0, 0}, "the template defines no " +
                                                          llvm::Twine(input.table) + ", the table "
                                                          "of its functions: " + expected);

    const clang::RecordDecl *record = table->getType()->getAsRecordDecl();
    const auto *list = llvm::dyn_cast_or_null<clang::InitListExpr>(table->getInit());
    if (!record || table->getType().getUnqualifiedType().getAsString() != input.table_type || !list)
        return report.error(table->getLocation(), llvm::Twine("expected ") + expected);
    std::string missing;
    for (const char *const *name = input.table_members; *name; name++)
        if (!has_member(*list, *record, *name, context))
            missing += (missing.empty() ? "." : ", .") + std::string(*name);
    if (!missing.empty())
        report.error(table->getLocation(), llvm::Twine(input.table) + " lacks " + missing +
                                               "; where there is nothing to do, a list of steps "
                                               "returns 0");
}

}  // namespace sg
