// contract.cpp: what the module around a template takes from it: one table of functions, whole.
#include "program.h"

#include <clang/AST/Expr.h>

namespace sg {

using llvm::dyn_cast;

// The names of the members that an initialiser leaves out, or makes null: ".a, .b".
static std::string missing_members(const clang::InitListExpr &list, const clang::RecordDecl &record,
                                   clang::ASTContext &context)
{
    std::string missing;
    unsigned i = 0;
    for (const clang::FieldDecl *field : record.fields()) {
        const clang::Expr *value = i < list.getNumInits() ? list.getInit(i) : nullptr;
        i++;
        if (value && !llvm::isa<clang::ImplicitValueInitExpr>(value) &&
            !value->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNull))
            continue;
        missing += (missing.empty() ? "." : ", .") + field->getName().str();
    }
    return missing;
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
    const std::string missing = missing_members(*list, *record, context);
    if (!missing.empty())
        report.error(table->getLocation(), llvm::Twine(input.table) + " lacks " + missing +
                                               "; each member is a function, of which a list of "
                                               "steps may return 0");
}

}  // namespace sg
