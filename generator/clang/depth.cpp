// depth.cpp: walks a declaration without recursing into its statements.
#include "generator/clang/depth.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include "generator/clang/reserved_words.h"

namespace sg {

namespace {

class DepthMeter : public clang::RecursiveASTVisitor<DepthMeter> {
public:
    clang::SourceLocation too_deep;

    bool dataTraverseStmtPre(clang::Stmt *s)
    {
        if (++depth_ > MAX_DEPTH && too_deep.isInvalid())
            too_deep = s->getBeginLoc();
        return true;
    }

    bool dataTraverseStmtPost(clang::Stmt *)
    {
        depth_--;
        return too_deep.isInvalid();
    }

private:
    unsigned depth_ = 0;
};

}  // namespace

clang::SourceLocation find_too_deep(const clang::Decl *declaration)
{
    DepthMeter meter;
    meter.TraverseDecl(const_cast<clang::Decl *>(declaration));
    return meter.too_deep;
}

}  // namespace sg
