// arena_copy.h: copies in the arena, for C.
#ifndef SG_ARENA_COPY_H
#define SG_ARENA_COPY_H

#include <algorithm>
#include <string>
#include <vector>

#include "generator/base/arena.h"

namespace sg {

inline const char *copy(sg_arena *arena, const std::string &text)
{
    return sg_arena_strndup(arena, text.data(), text.size());
}

// With a zero behind it.
template <typename T> T *in_arena(sg_arena *arena, const std::vector<T> &from)
{
    auto *to = static_cast<T *>(sg_arena_alloc(arena, (from.size() + 1) * sizeof(T)));
    std::copy(from.begin(), from.end(), to);
    return to;
}

// NULL-terminated.
inline const char *const *copy(sg_arena *arena, const std::vector<std::string> &texts)
{
    std::vector<const char *> all;
    for (const std::string &text : texts)
        all.push_back(copy(arena, text));
    return in_arena(arena, all);
}

}  // namespace sg

#endif
