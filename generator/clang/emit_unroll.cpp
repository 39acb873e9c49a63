// emit_unroll.cpp: writes out a `for` marked for unrolling, iteration by iteration.
#include "generator/clang/emitter.h"

#include "generator/clang/reserved_words.h"

namespace sg {

using clang::Expr;
using clang::Stmt;
using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
using llvm::isa;

struct Emitter::Loop {
    const clang::VarDecl *variable = nullptr;
    std::vector<llvm::APSInt> values;     // of the variable, one per iteration
    llvm::SmallVector<const sg_spec_param *, 4> params;   // that decide the number of iterations
};

static const clang::VarDecl *named_variable(const Expr *e)
{
    const auto *reference = e ? dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()) : nullptr;
    return reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

// for (TYPE variable = ...; condition; step)
bool Emitter::read_loop(const clang::ForStmt *s, Loop &loop)
{
    const auto *init = dyn_cast_or_null<clang::DeclStmt>(s->getInit());
    const auto *v = init && init->isSingleDecl() ? dyn_cast<clang::VarDecl>(init->getSingleDecl())
                                                 : nullptr;
    if (!v || !v->getInit() || !v->getType()->isIntegerType() || !s->getCond() || !s->getInc()) {
        program_.report.error(s->getForLoc(), "an unrolled loop must read "
                                              "for (TYPE variable = first; condition; step)");
        return false;
    }
    loop.variable = v;
    return true;
}

bool Emitter::count_iterations(const clang::ForStmt *s, Loop &loop)
{
    const auto note = [&](const Constant &c) {
        for (const sg_spec_param *value : c.values)
            if (!llvm::is_contained(loop.params, value))
                loop.params.push_back(value);
        program_.report.note_use(c.values);
    };
    const auto unknown = [&](const Expr *e, const Constant &c) {
        if (c.state == Constant::fault)
            report_fault(c);
        else
            program_.report.error(e->getBeginLoc(), "the number of iterations of an unrolled loop "
                                                    "must be a constant of parameters");
        return false;
    };
    Constant value = evaluator_.evaluate(loop.variable->getInit());
    if (!value)
        return unknown(loop.variable->getInit(), value);
    note(value);
    const auto cap = static_cast<size_t>(std::max(program_.input.unroll_cap, 0));
    for (;;) {
        value.value = evaluator_.convert(value.value, loop.variable->getType());
        evaluator_.bind(loop.variable, value.value);
        const Constant goes_on = evaluator_.evaluate(s->getCond());
        Constant next;
        const Expr *step = s->getInc()->IgnoreParens();
        if (goes_on && goes_on.is_true()) {
            if (const auto *u = dyn_cast<clang::UnaryOperator>(step)) {
                if (u->isIncrementDecrementOp() &&
                    named_variable(u->getSubExpr()) == loop.variable) {
                    next = value;
                    next.value = u->isIncrementOp() ? ++llvm::APSInt(value.value)
                                                    : --llvm::APSInt(value.value);
                }
            } else if (const auto *b = dyn_cast<clang::BinaryOperator>(step)) {
                if (b->isAssignmentOp() && named_variable(b->getLHS()) == loop.variable)
                    next = evaluator_.assign(b, value);
            }
        }
        evaluator_.unbind();
        note(goes_on);
        if (!goes_on)
            return unknown(s->getCond(), goes_on);
        if (!goes_on.is_true())
            return true;
        if (!next)
            return unknown(s->getInc(), next);
        note(next);
        loop.values.push_back(value.value);
        if (loop.values.size() > cap) {
            program_.report.error(s->getForLoc(), "the loop would be unrolled into more than " +
                                                      llvm::Twine(cap) + " copies",
                                  loop.params);
            return false;
        }
        value = next;
    }
}

// Checks that the body leaves the variable unchanged and that no jump binds to the loop, since the
// output has no loop.
bool Emitter::check_body(const Stmt *s, const Loop &loop, bool break_binds, bool continue_binds)
{
    if (!s)
        return true;
    if ((break_binds && isa<clang::BreakStmt>(s)) ||
        (continue_binds && isa<clang::ContinueStmt>(s))) {
        program_.report.error(s->getBeginLoc(),
                              "an unrolled loop can be neither left nor continued "
                              "from within");
        return false;
    }
    const Expr *changed = nullptr;
    if (const auto *u = dyn_cast<clang::UnaryOperator>(s)) {
        if (u->isIncrementDecrementOp() || u->getOpcode() == clang::UO_AddrOf)
            changed = u->getSubExpr();
    } else if (const auto *b = dyn_cast<clang::BinaryOperator>(s)) {
        if (b->isAssignmentOp())
            changed = b->getLHS();
    }
    if (changed && named_variable(changed) == loop.variable) {
        program_.report.error(changed->getBeginLoc(), "the variable of an unrolled loop is changed "
                                                      "in its body, or its address is taken");
        return false;
    }
    // Jumps in an inner loop bind to the inner loop; an inner switch binds `break` only.
    const bool inner_loop = isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
    const bool inner_switch = isa<clang::SwitchStmt>(s);
    return llvm::all_of(s->children(), [&](const Stmt *child) {
        return check_body(child, loop, break_binds && !inner_loop && !inner_switch,
                          continue_binds && !inner_loop);
    });
}

void Emitter::unroll(const clang::ForStmt *s, Place place)
{
    Loop loop;
    const Stmt *body = s->getBody();
    if (!read_loop(s, loop) || !check_body(body, loop, true, true) || !count_iterations(s, loop))
        return;
    const auto copies = static_cast<unsigned>(loop.values.size());
    if (copies_ * std::max(copies, 1u) > MAX_COPIES) {
        program_.report.error(s->getForLoc(), "nested unrolled loops would give more than " +
                                                  llvm::Twine(unsigned(MAX_COPIES)) + " copies",
                              loop.params);
        return;
    }
    const auto *block = dyn_cast<clang::CompoundStmt>(body);
    const bool declares = block && llvm::any_of(block->body(), [](const Stmt *inner) {
        return isa<clang::DeclStmt>(inner);
    });
    const Span span = span_of(s);
    const unsigned outer = file_.indent_at(span.begin);
    const unsigned column = place == Place::block ? outer : outer + 4;
    const std::string line = "\n" + std::string(column, ' ');
    const bool was_bare = bare_;
    std::string text;

    copies_ *= std::max(copies, 1u);
    for (const llvm::APSInt &value : loop.values) {
        evaluator_.bind(loop.variable, value);
        const std::string copy = settle([&] {
            return vanishes(body) ? "" : placed(body, column, Place::block, declares);
        });
        text += (text.empty() || copy.empty() ? "" : line) + copy;
        bare_ = was_bare || !text.empty();
        evaluator_.unbind();
    }
    copies_ /= std::max(copies, 1u);
    bare_ = was_bare;
    if (place == Place::block)
        edit(text.empty() ? file_.removal(span) : span, text);
    else
        edit_single(span, text.empty() ? "{ }"
                                       : "{" + line + text + "\n" + std::string(outer, ' ') + "}");
}

}  // namespace sg
