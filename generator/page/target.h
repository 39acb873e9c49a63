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
 * Which facts exist, with type, range, unit and meaning, is data: targets/facts.lua. Which
 * parameters exist: templates/METHOD/params.lua. Pages run in Lua without io, os, require, load,
 * string patterns or metatables, under an instruction and a memory limit. Table constructors,
 * unknown keys (with the nearest name), wrong types, values out of range and assigning a key twice
 * on one page are located errors.
 */
#ifndef SG_TARGET_H
#define SG_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "generator/base/arena.h"
#include "generator/base/diag.h"
#include "generator/base/names.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sg_kind { SG_INTEGER, SG_BOOLEAN, SG_STRING } sg_kind;

typedef struct sg_value {
    sg_kind kind;
    int64_t integer;             /* SG_INTEGER; 0 or 1 for SG_BOOLEAN */
    const char *string;          /* SG_STRING */
} sg_value;

/* A fact's declaration in targets/facts.lua. */
typedef struct sg_fact_decl {
    const char *name;
    sg_kind kind;
    int64_t min, max;            /* SG_INTEGER */
    const char *const *choices;  /* SG_STRING: NULL-terminated allowed words, or NULL for free text */
    bool is_expression;          /* SG_STRING: one C expression, or "" */
    const char *unit;            /* "" where there is none */
    const char *meaning;
    bool has_default;
    sg_value default_value;
    bool own_page_only;          /* not passed on to pages that inherit */
    sg_loc loc;
} sg_fact_decl;

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
    int depth;                   /* 0: the page itself; 1: what it inherits; ...; -1: --set */
} sg_assignment;

typedef struct sg_page {
    const char *file;            /* as shown: "targets/tegra-k1.lua" */
    uint64_t hash;               /* of its bytes */
} sg_page;

typedef struct sg_target {
    const char *name;            /* file name without .lua: letters, digits, '-', '_', '.' */
    const char *c_name;          /* the same as part of a C identifier: "tegra_k1" */
    const char *form;            /* which template its language takes, "simd" or "simt"; NULL where
                                    the language has no table yet */
    const sg_page *pages;        /* the page itself first, then what it inherits */
    size_t page_count;
    const sg_fact *facts;        /* every declared fact that has a value, in facts.lua's order */
    size_t fact_count;
    const sg_fact_decl *decls;   /* every declared fact, in that order */
    size_t decl_count;
    const sg_assignment *assignments;
    size_t assignment_count;
    sg_names overrides;          /* what --set states, one text a key, sorted (override.h) */
} sg_target;

/* name_or_file: "host" (the best-ranked page whose isa this CPU has), a page's name, or a path
 * ending in .lua. NULL and diagnostics on any error. */
const sg_target *sg_target_load(sg_arena *arena, sg_diags *diags, const char *root,
                                const char *name_or_file);

/* The same with values of the command line above the page's (override.h). They do not take part in
 * choosing the page that "host" stands for. */
const sg_target *sg_target_load_with(sg_arena *arena, sg_diags *diags, const char *root,
                                     const char *name_or_file, const sg_names *overrides);

/* What "host" means: the highest rank among the pages of targets/ that say host_candidate and whose
 * words of the CPU (their own cpu_flags and those of their isa) all stand in the file cpuinfo,
 * which has the form of /proc/cpuinfo. Where it cannot be read, no words are known, and a page that
 * asks for none is taken. */
const sg_target *sg_target_load_host(sg_arena *arena, sg_diags *diags, const char *root,
                                     const char *cpuinfo);

const sg_fact *sg_target_fact(const sg_target *target, const char *name);   /* NULL: no value */

/* Convenience for facts that facts.lua gives a default, so that a value always exists. */
int64_t sg_target_integer(const sg_target *target, const char *name);
const char *sg_target_string(const sg_target *target, const char *name);

/* The names of all pages that stand for a device (not those with abstract = true), sorted. */
const char *const *sg_target_list(sg_arena *arena, sg_diags *diags, const char *root,
                                  size_t *count);

#ifdef __cplusplus
}
#endif
#endif
