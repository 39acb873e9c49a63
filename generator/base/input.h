/* input.h: a file that the generator read, and its hash. */
#ifndef SG_INPUT_H
#define SG_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "generator/base/arena.h"
#include "generator/base/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SG_LARGEST_INPUT = 16 << 20 };    /* bytes; a larger file is not read */

typedef struct sg_input {
    const char *file;            /* as shown: "targets/tegra-k1.lua" */
    uint64_t hash;               /* of its bytes */
} sg_input;

/* A file's name as emitted files show it: the path within the data root, or the last part of a
 * user's own path. So emitted files do not depend on the working folder. */
const char *sg_shown_file(const char *file);

/* "targets/x.lua:7" or "the command line", as emitted files show an origin. */
const char *sg_shown_origin(sg_arena *arena, sg_loc origin);

/* Sorts by name and drops repetitions; returns the new count. */
size_t sg_inputs_sort(sg_input *inputs, size_t count);

/* True if one of the inputs is `file`. */
bool sg_inputs_have(const sg_input *inputs, size_t count, const char *file);

#ifdef __cplusplus
}
#endif
#endif
