/* expand_types.h: what an expanded text is made from, and what it is. */
#ifndef SG_EXPAND_TYPES_H
#define SG_EXPAND_TYPES_H

#include <stddef.h>

#include "generator/base/diag.h"
#include "generator/base/input.h"

typedef struct sg_expand_macro {
    const char *name;            /* SPMV_BUNDLE or SPMV_BUNDLE_...; those not named are undefined */
    int value;
} sg_expand_macro;

typedef struct sg_expand_input {
    const char *root;            /* the data root */
    const char *header;          /* the public header: "runtime/bundle/kernels.h" in the root */
    const char *source;          /* "runtime/bundle/kernels.c" */
    const sg_expand_macro *macros;
    size_t macro_count;
    const char *api;             /* a word before each function that the header declares; NULL:
                                    none */
    const char *public_folder;   /* what the header includes from here is needed as a whole */
    const char *modules;         /* replaces the line #include SPMV_BUNDLE_MODULES */
} sg_expand_input;

typedef struct sg_expanded_text {
    const char *opening;         /* the header's opening comment, without its name; NULL: none. It
                                    is not part of `text` */
    const char *features;        /* #define _GNU_SOURCE and the like: lines for the beginning of the
                                    file, before any #include; "": none */
    const char *const *includes; /* "<stddef.h>", in order, unique; the source's without the
                                    header's; then NULL */
    const char *text;            /* without features and includes; ends with one '\n' */
} sg_expanded_text;

/* Where the preprocessor replaces the name in the modules' text. */
typedef enum sg_macro_use {
    SG_NO_MACRO,
    SG_PLAIN_MACRO,              /* everywhere */
    SG_CALLED_MACRO              /* in front of a bracket */
} sg_macro_use;

/* A name that the header or the source declares for its whole file. Macros that are not defined
 * where the modules stand are left out. */
typedef struct sg_expanded_name {
    const char *name;
    sg_loc loc;
    sg_macro_use macro;
} sg_expanded_name;

typedef struct sg_expanded {
    sg_expanded_text header, source;
    const sg_input *inputs;      /* the files that were read, sorted by name */
    size_t input_count;
    const sg_expanded_name *names;       /* sorted by name; not the modules' */
    size_t name_count;
} sg_expanded;

#endif
