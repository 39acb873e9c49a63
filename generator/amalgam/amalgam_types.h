/* amalgam_types.h: what an amalgam is made from, and what it is. */
#ifndef SG_AMALGAM_TYPES_H
#define SG_AMALGAM_TYPES_H

#include <stddef.h>

#include "generator/base/diag.h"
#include "generator/base/input.h"
#include "generator/amalgam/c_conditions.h"

struct sg_amalgam;

/* Where the preprocessor replaces the name in the modules' text. */
typedef enum sg_amalgam_macro_use {
    SG_AMALGAM_NO_MACRO,
    SG_AMALGAM_OTHER_MACRO,      /* nowhere: it is defined later, or no longer */
    SG_AMALGAM_PLAIN_MACRO,      /* everywhere */
    SG_AMALGAM_CALLED_MACRO      /* in front of a bracket */
} sg_amalgam_macro_use;

/* A name that the text declares for its whole file. */
typedef struct sg_amalgam_name {
    const char *name;
    sg_loc loc;
    sg_amalgam_macro_use macro;
} sg_amalgam_name;

typedef struct sg_amalgam_input {
    const char *root;            /* the data root */
    const char *entry;           /* "runtime/bundle/kernels.c", relative to the root */
    const sg_amalgam_macro *macros;      /* they decide conditions (c_conditions.h) */
    size_t macro_count;
    const struct sg_amalgam *header;     /* of the public header: its items are not repeated, and
                                            its functions not made static. NULL: all of the entry
                                            file is needed, and nothing is made static */
    const char *api;             /* a word before each function that the header declares, or NULL */
    const char *public_folder;   /* of a header: what it includes from here is needed as a whole, as
                                    "runtime/bundle"; NULL: nothing is */
    const char *modules;         /* replaces the line #include SPMV_BUNDLE_MODULES; its words are
                                    needs. NULL: the line vanishes. Otherwise the macro
                                    SPMV_BUNDLE_MODULES counts as defined */
} sg_amalgam_input;

typedef struct sg_amalgam {
    const char *opening;         /* the entry's opening comment, without its name; NULL: none. Only
                                    of a header; it is not part of `text` */
    const char *features;        /* #define _GNU_SOURCE and the like: lines for the beginning of the
                                    file, before any #include; "": none */
    const char *const *includes; /* "<stddef.h>", in order, unique, without the header's; then
                                    NULL */
    const char *text;            /* without features and includes; ends with one '\n' */
    const sg_input *inputs;      /* the files that were read, sorted by name */
    size_t input_count;
    const sg_amalgam_name *names;        /* sorted by name; the header's, too, not the modules' */
    size_t name_count;
    const struct sg_amalgam_own *own;    /* what the header of a later amalgam must tell */
} sg_amalgam;

#endif
