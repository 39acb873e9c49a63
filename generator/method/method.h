/* method.h: a method's folder under templates/, and its parameters resolved for one target.
 *
 * templates/METHOD/params.lua declares the method and each of its parameters:
 *
 *     method { title = "CSR5", source = "Liu & Vinter, ICS 2015" }
 *     param "sigma" {
 *         min = 1, max = 64, unit = "nonzeros",
 *         meaning = "nonzeros that one lane of a tile takes: the tile's depth",
 *         source = "section 3.2",
 *         derivation = "16 on CPUs",                     -- shown by --explain
 *         default = function(t) return 16 end,           -- t: facts, t.type, t.value_bits,
 *                                                        --    and parameters declared above
 *         tune = function(t) return { 8, 12, 24 } end,   -- values that are worth a try
 *     }
 *     check({ "omega", "lanes" },                        -- parameters that take part
 *           function(p, t) return p.omega == p.lanes end, "lanes must equal omega: ...")
 *
 *     bits(function(p, t) return "omega=" .. p.omega end)
 *     include "subgroup_size"                            -- templates/common/subgroup_size.lua:
 *                                                        --    declarations of several methods
 *
 * bits names everything that decides the rounding and the order of a module's sums: two modules of
 * a method with equal bits, whose instruction sets round r_fma equally often, give the same bits. A
 * parameter `sigma` is the enumerator SIGMA in the template. choices = { insert = 0, hardware = 1 }
 * gives an integer parameter named values, which pages write as strings; benchmark_only = { "NAME",
 * ... } lists choices that break the same-bits rule: a module with one of them is marked
 * SPMV_BENCHMARK_ONLY. costs = { "registers", "local memory" } lists the resources of a kernel that
 * grow with the value, for --verify. In `default` and `check`, t holds the facts (nil where the
 * target has none), t.type, t.value_bits, t.form (sg_target.form) and t.p, the parameters declared
 * above.
 */
#ifndef SG_METHOD_H
#define SG_METHOD_H

#include "generator/method/param_decl.h"
#include "generator/page/target.h"

typedef struct sg_method {
    const char *name;            /* the folder's */
    const char *title, *source;
    const char *dir;             /* "templates/csr5" */
    const sg_param_decl *params;
    size_t param_count;
    const sg_input *inputs;      /* params.lua, then the files that it includes */
    size_t input_count;
} sg_method;

typedef struct sg_param {
    const sg_param_decl *decl;
    int64_t value;
    sg_loc origin;               /* the page's line, the command line, or the param's declaration
                                    when derived */
    sg_loc page_origin;          /* the page's line that states the value, or one that it was
                                    derived from; no file: there is none */
    bool from_page;              /* or from the command line */
    bool is_read;                /* another parameter was derived from it */
    const int64_t *tune;         /* values that are worth a try, as declared, each in its range */
    size_t tune_count;
} sg_param;

typedef struct sg_params {
    const sg_param *param;       /* in the order of declaration */
    size_t count;
    bool benchmark_only;         /* a parameter has a value that its benchmark_only lists */
    const char *bits;            /* the result of the method's `bits`; NULL: it has none */
} sg_params;

/* All folders of templates/ that hold a params.lua, sorted by name. */
const sg_method *const *sg_method_load_all(sg_arena *arena, sg_diags *diags, const char *root,
                                           size_t *count);

/* True if the folder has the template `form`.c ("simd", "simt"). */
bool sg_method_has_form(const sg_method *method, const char *root, const char *form);

/* Resolves all parameters for the value type of this name. Returns false, with diagnostics at the
 * page's line, if a value is out of range or a check fails. */
bool sg_method_resolve(sg_arena *arena, sg_diags *diags, const char *root, const sg_method *method,
                       const sg_target *target, const char *type, sg_params *out);

/* "; did you mean 'NAME'?" for a name that is no parameter of the method, or "". *near: the
 * nearest parameter, or NULL. */
const char *sg_method_param_hint(sg_arena *arena, const sg_method *method, const char *name,
                                 const sg_param_decl **near);

/* True if every assignment of the target names a known method and parameter; else adds errors. */
bool sg_method_check_assignments(sg_diags *diags, const sg_target *target,
                                 const sg_method *const *methods, size_t method_count);

#endif
