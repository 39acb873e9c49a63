// needed.cpp: specialises the items that the output needs, starting from the roots.
#include "generator/clang/program.h"

#include <algorithm>

#include "generator/clang/emitter.h"

namespace sg {

void Program::specialise(Item &item)
{
    if (item.specialised)
        return;
    item.specialised = true;
    Emitter(*this, item).run();
}

void Program::find_needed()
{
    std::vector<Item *> open;
    for (bool kernels_only : {false, true}) {
        for (const auto &item : items_)
            if (is_root(*item, kernels_only))
                open.push_back(item.get());
        if (!open.empty())
            break;
    }
    std::reverse(open.begin(), open.end());
    while (!open.empty() && !report.full()) {
        Item *item = open.back();
        open.pop_back();
        specialise(*item);
        const auto visit = [&](Item *next, clang::SourceLocation at) {
            if (next->specialised)
                return;
            if (next->used_at.isInvalid())
                next->used_at = at;
            open.push_back(next);
        };
        for (const Need &need : item->needs) {
            if (!need.item) {
                std::set<const void *> seen;
                std::vector<Need> order;
                order_needs_of(*need.word, need.at, seen, order);
                for (const Need &further : order)
                    if (further.item)
                        visit(further.item, need.at);
                continue;
            }
            // All declarations of a function, not only the first.
            for (const clang::Decl *d : need.item->declarations)
                for (Item *again : declared_[d->getCanonicalDecl()])
                    visit(again, need.at);
        }
    }
}

}  // namespace sg
