/* specialise_types.h: input and output of the specialiser (specialise.h). */
#ifndef SG_SPECIALISE_TYPES_H
#define SG_SPECIALISE_TYPES_H

#include "generator/base/lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter as the template sees it. */
typedef struct sg_spec_param {
    const char *name;            /* enumerator: "SIGMA" */
    int64_t value;               /* within int */
    sg_loc origin;               /* shown as a note of errors that involve the value */
} sg_spec_param;

/* A type as the template sees it: `typedef <text> <name>;` with a word of the prelude as text. */
typedef struct sg_spec_typedef {
    const char *name;            /* "real" */
    const char *text;            /* "f64" */
} sg_spec_typedef;

typedef struct sg_spec_input {
    const char *root;            /* data root: holds templates/ and runtime/spmv_module.h */
    const char *file;            /* entry, relative to root: "templates/csr5/simd.c" */
    const sg_spec_param *params;
    size_t param_count;
    const sg_spec_typedef *typedefs;
    size_t typedef_count;
    const sg_lowering *lowering;
    const char *table;           /* an object that the template must define: "method_ops"; NULL:
                                    none, the template has kernels alone */
    const char *table_type;      /* its struct */
    const char *const *table_members;   /* that must be set, not null; NULL-terminated */
    const char *const *launched; /* names of kernels that are launched, NULL-terminated; others are
                                    dropped. NULL: all are launched */
    int unroll_cap;              /* copies of one loop's body, such as 64 */
    bool line_directives;        /* #line back to the templates */
} sg_spec_input;

typedef struct sg_spec_arg {
    const char *name, *type;     /* type as emitted */
    const char *address_space;   /* "global", "local" or "value" */
    const char *access;          /* "read", "write", "read-write" or "value" */
    const char *length;          /* text of LENGTH("..."), or "" */
    const char *word;            /* a value's type in the prelude, such as "i32"; else "" */
} sg_spec_arg;

typedef struct sg_spec_kernel {
    const char *name;            /* a function marked KERNEL, or HOST_STEP */
    int64_t local_bytes;         /* of its variables marked LOCAL_MEMORY */
    const sg_spec_arg *args;
    size_t arg_count;
} sg_spec_kernel;

/* A piece of the specialised text; join.h puts pieces together. */
typedef enum sg_piece_kind {
    SG_PIECE_HELPER,             /* a word that the template's own text depends on */
    SG_PIECE_OWN,                /* a declaration of the template, with its comments */
    SG_PIECE_COMMENT             /* a comment between declarations, such as a heading */
} sg_piece_kind;

typedef struct sg_piece {
    sg_piece_kind kind;
    const char *key;             /* identifies a declaration of the template; does not depend on
                                    values of parameters */
    const char *text;            /* for sg_lay_out, without blank lines around it */
    const char *const *names;    /* declared for the whole file; NULL-terminated */
    const char *const *members;  /* of its structs; NULL-terminated */
    const char *const *needs;    /* keys of the pieces that it refers to; NULL-terminated */
    int place;                   /* order in the template, equal for equal keys; of helpers 0 */
    int begin, end;              /* of a comment: it belongs to the pieces with places from begin to
                                    before end */
    bool is_tight;               /* no blank line before it */
    bool of_isa;                 /* it has words of the instruction set */
    sg_loc loc;                  /* of the declaration */
} sg_piece;

typedef struct sg_spec_output {
    const sg_piece *pieces;      /* helpers in an order that C can read, then the others by place */
    size_t piece_count;
    const sg_spec_kernel *kernels;
    size_t kernel_count;
    const char *const *launched; /* kernels that calls name in parameters marked KERNEL_NAME;
                                    sorted, NULL-terminated */
    const bool *used;            /* by parameter: the text depends on its value */
    const sg_input *inputs;      /* every file read under root, with its hash; sorted by name */
    size_t input_count;
} sg_spec_output;

/* An emitted text. */
typedef struct sg_parse_file {
    const char *name, *text;
} sg_parse_file;

#ifdef __cplusplus
}
#endif
#endif
