/* plan.h: the variants of one target: their names, their parameters and the files that were read
 * for them. A plan is made from Lua alone, so it is quick; assemble/ turns it into text. */
#ifndef SG_PLAN_H
#define SG_PLAN_H

#include "generator/words/dialect.h"
#include "generator/page/target.h"
#include "generator/method/catalog.h"
#include "generator/base/value_types.h"

/* The prefix of a bundle's names, unless the command line gives one. */
#define SG_DEFAULT_PREFIX "spmv"

/* The part of a target that a run selects. */
typedef struct sg_selection {
    const char *target;          /* a name, "host" or FILE.lua */
    sg_name_set methods, types, offsets; /* empty: all */
    sg_name_set set;             /* values of the command line (override.h) */
    sg_name_set except;          /* methods that another selection of the folder emits */
    bool figures;                /* with functions that only spmvbench calls */
    bool one_vector;             /* without kernels for several vectors */
    bool program_files;          /* programs as files, not as strings of the modules */
    bool line_directives;
    const char *bundle;          /* the prefix of a bundle's names (bundle.h); NULL: no bundle */
    bool is_static;              /* a bundle that allocates nothing */
} sg_selection;

typedef struct sg_variant {
    const char *symbol;          /* spmv_METHOD_TYPE_OFFSET__TARGET */
    const char *file;            /* the file of all variants of its method */
    const char *program_file;    /* of a module for another device: the file of the programs of all
                                    variants of its method; else NULL */
    const sg_method *method;
    const sg_type *value, *offset;
    const sg_lowering *lowering; /* of the module, or of its program */
    sg_params params;
} sg_variant;

/* A method's parameters for one value type. */
typedef struct sg_resolved {
    const sg_method *method;
    const sg_type *value;
    const sg_lowering *lowering;
    sg_params params;
} sg_resolved;

/* The variants of one method, which share a file. */
typedef struct sg_family {
    const sg_variant *variants;
    size_t variant_count;        /* at least 1 */
} sg_family;

typedef struct sg_plan {
    const sg_catalog *catalog;
    const sg_target *target;
    const char *requested;       /* the target as this run names it */
    sg_selection selection;      /* sorted, with names that are valid on any machine */
    const char *target_word;     /* of the command: selection.target, quoted for a shell */
    const char *options;         /* of the command, behind the target: " --type f64", or "" */
    const char *other_options;   /* the same without --method */
    const sg_lowering *lowering[SG_VALUE_TYPES];     /* NULL: the type is not planned */
    sg_resolved *resolved;       /* by method, then by value type */
    size_t resolved_count;
    const sg_variant *variants;  /* sorted by method, then by symbol */
    size_t variant_count;
    const sg_family *families;   /* of the variants, in the same order */
    size_t family_count;
    const char **skipped;        /* sentences: variants that are not planned, and why */
    size_t skipped_count;
    const sg_input *chain;       /* facts.lua, then the target's pages */
    size_t chain_count;
    sg_input *inputs;            /* all files that the plan was made from; sorted by name */
    size_t input_count;
    sg_input contract;           /* runtime/spmv_module.h */
    const char *contract_text;
    size_t contract_length;
    uint64_t abi;                /* the contract's hash, as the file states it */
} sg_plan;

/* The name of a bundle's file: "spmv_kernels.c". */
const char *sg_bundle_file(sg_arena *arena, const sg_selection *selection, const char *extension);

/* The emitted file that has the variant: its method's own, or the bundle's source. */
const char *sg_variant_output(sg_arena *arena, const sg_plan *plan, const sg_variant *variant);

/* Makes a plan in three passes. The first two return false, with diagnostics, if the target or the
 * selection cannot be emitted.
 *
 * Reads the page and the tables of its language and instruction set. */
bool sg_plan_read(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                  const sg_selection *selection, sg_plan *out);

/* Gives parameters their values, for every selected method and value type. */
bool sg_plan_resolve(sg_arena *arena, sg_diags *diags, sg_plan *plan);

/* Lists the variants, with their names and files. */
void sg_plan_variants(sg_arena *arena, sg_plan *plan);

#endif
