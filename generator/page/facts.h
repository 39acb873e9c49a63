/* facts.h: the facts that a page may state. targets/facts.lua declares each of them:
 *
 *     fact "simd_width" {
 *         type = "integer", min = 1, max = 1024, unit = "work-items",
 *         meaning = "work-items that run in lock step",
 *         choices = { "a", "b" },       -- strings: the allowed words
 *         expression = true,            -- strings: one C expression, since emitted C holds it
 *         default = 32,                 -- if no page states it
 *         inherited = false,            -- pages that inherit do not get it; default: true
 *     }
 */
#ifndef SG_FACTS_H
#define SG_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "generator/base/diag.h"
#include "generator/base/value.h"

/* A fact's declaration in targets/facts.lua. */
typedef struct sg_fact_decl {
    const char *name;
    sg_kind kind;
    int64_t min, max;            /* SG_INTEGER */
    const char *const *choices;  /* SG_STRING: allowed words, NULL-terminated; NULL: any text */
    bool is_expression;          /* SG_STRING: one C expression, or "" */
    const char *unit;            /* "" if there is none */
    const char *meaning;
    bool has_default;
    sg_value default_value;
    bool own_page_only;          /* not passed on to pages that inherit */
    sg_loc loc;
} sg_fact_decl;

typedef struct sg_facts {
    const sg_fact_decl *decls;   /* in the file's order */
    size_t count;
    const char *const *names;    /* of decls, for suggestions */
} sg_facts;

/* Returns false, with diagnostics, on any error in the file. */
bool sg_facts_load(sg_arena *arena, sg_diags *diags, const char *root, sg_facts *out);

const sg_fact_decl *sg_facts_find(const sg_facts *facts, const char *name);   /* or NULL */

/* Reports a name that is no fact, with the nearest one. */
void sg_facts_report_unknown(const sg_facts *facts, sg_diags *diags, sg_loc loc,
                             const char *name);

/* True if the value has the declared kind, is in range and is one of the choices. Otherwise adds an
 * error at loc, with the declaration as a note. */
bool sg_fact_check(sg_diags *diags, sg_loc loc, const sg_fact_decl *decl, const sg_value *value);

#endif
