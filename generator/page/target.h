/* target.h: a target page, loaded.
 *
 * A page (targets/NAME.lua, or the user's own file) is a sequence of assignments, one per line:
 *
 *     inherit "kepler"
 *     description = "NVIDIA Tegra K1, Kepler, sm_32"
 *     simd_width = 32
 *     speculative.f32.W = 8            METHOD.TYPE.PARAM
 *     csr5.sigma = 16                  METHOD.PARAM, for all types
 *
 * targets/facts.lua declares the facts, with type, range, unit and meaning;
 * templates/METHOD/params.lua declares the parameters. Pages run in Lua without io, os, require,
 * load, string patterns or metatables, under an instruction and a memory limit. Table constructors,
 * unknown keys (with the nearest name), wrong types, values out of range and assigning a key twice
 * on one page are located errors.
 */
#ifndef SG_TARGET_H
#define SG_TARGET_H

#include "generator/base/input.h"
#include "generator/base/name_set.h"
#include "generator/base/value_types.h"
#include "generator/page/facts.h"

typedef struct sg_fact {
    const sg_fact_decl *decl;
    sg_value value;
    sg_loc origin;               /* the page's line, the command line, or the declaration's when it
                                    is the default */
    bool from_page;              /* or from the command line */
} sg_fact;

/* An assignment METHOD.PARAM or METHOD.TYPE.PARAM; the most derived page wins, and of one page
 * METHOD.TYPE.PARAM wins over METHOD.PARAM. */
typedef struct sg_assignment {
    const char *method;
    const char *type;            /* name of a value type, or NULL for all */
    const char *param;
    sg_value value;
    sg_loc origin;
    int depth;                   /* 0: the page itself; 1: its ancestor; ...; -1: --set */
} sg_assignment;

typedef struct sg_target {
    const char *name;            /* file name without .lua: letters, digits, '-', '_', '.' */
    const char *c_name;          /* the same as part of a C identifier: "tegra_k1" */
    const char *form;            /* the template that its language uses, "simd" or "simt"; NULL if
                                    the language has no table yet */
    const sg_input *pages;       /* the page itself first, then its ancestors */
    size_t page_count;
    const sg_fact *facts;        /* every declared fact that has a value, in facts.lua's order */
    size_t fact_count;
    const sg_fact_decl *decls;   /* every declared fact, in that order */
    size_t decl_count;
    const sg_assignment *assignments;
    size_t assignment_count;
    sg_name_set overrides;       /* the values of --set, one per key, sorted (override.h) */
} sg_target;

const sg_fact *sg_target_fact(const sg_target *target, const char *name);   /* NULL: no value */

/* For facts with a default in facts.lua, which always have a value. */
int64_t sg_target_integer(const sg_target *target, const char *name);
const char *sg_target_string(const sg_target *target, const char *name);

/* True if the target has this value type. *why: the line that denies it; why may be NULL. */
bool sg_target_has_type(const sg_target *target, const sg_type *type, sg_loc *why);

/* True if the target's page is one of the data root. A user's own file may have the same name. */
bool sg_is_page_of_root(sg_arena *arena, const char *root, const sg_target *target);

/* The path of a file that messages name: below the data root, or as the user gave it. */
const char *sg_input_path(sg_arena *arena, const char *root, const sg_target *target,
                          const char *file);

#endif
