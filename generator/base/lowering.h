/* lowering.h: how the prelude's words are written in one language and instruction set, for one
 * value type.
 *
 * A word is looked up in the isa, then in the dialect. A word that neither has is emitted with its
 * body in the prelude, if it has one. dialect.h loads a lowering. */
#ifndef SG_LOWERING_H
#define SG_LOWERING_H

#include "generator/base/input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The template of the module around a program, for every language of the program. */
#define SG_HOST_FORM "host"

typedef enum sg_word_form {
    SG_WORD_TEXT,                /* text replaces the word (types, qualifiers) or the whole call:
                                    $1..$9 are its arguments, $LANES and the like parameters */
    SG_WORD_HELPER               /* text is a function or type of the word's own name, emitted once
                                    before its first use; the use itself stays */
} sg_word_form;

typedef struct sg_word {
    const char *name;
    sg_word_form form;
    const char *text;
    const char *const *needs;    /* words that a helper's text uses, NULL-terminated; or NULL */
    bool of_isa;                 /* the isa's, not the dialect's */
    sg_loc loc;
} sg_word;

enum { SG_MOST_FIXED = 4 };

/* A parameter for which the isa, or else the dialect, allows only one value, such as LANES = 8, or
 * a few. Emission refuses another value at the line that states it. */
typedef struct sg_fixed {
    const char *name;            /* enumerator: "LANES" */
    int64_t value[SG_MOST_FIXED];
    size_t count;
    bool of_isa;
    bool is_free;                /* the isa lifts the dialect's limit; not in a lowering */
    sg_loc loc;
} sg_fixed;

/* A fact that pages must state, and its least value. */
typedef struct sg_least {
    const char *fact;
    int64_t value;
} sg_least;

/* Where the parts of a bundle (bundle.h) are, relative to the data root; "": there is none. */
typedef struct sg_bundle_entry {
    const char *header, *implementation;     /* the public header, and what runs modules */
    const char *extension;       /* of the bundle's source */
    const char *readme, *static_readme;
    const char *program;         /* a text around programs, for a file of their own; "": modules
                                    have them as strings */
    const char *launcher;        /* text of a function that launches the kernel $symbol with
                                    $work_group_size work-items in a group and $arguments */
} sg_bundle_entry;

typedef struct sg_lowering {
    const char *dialect;         /* "c" */
    const char *isa;             /* "avx512"; "" if the dialect has none */
    const char *form;            /* the template that it uses: "simd" or "simt" */
    const char *extension;       /* of emitted files: "c" */
    const char *parse_language;  /* of the reparse, by Clang's name: "c", "cl", "cuda", "hip" */
    const char *const *parse_args; /* further arguments of the reparse (clang -cc1),
                                      NULL-terminated */
    const char *parse_prefix;    /* text before each reparsed text: names that are built into the
                                    language, but not into Clang; "" for none */
    const char *preamble;        /* after the banner: includes and guards */
    const char *condition;       /* isa: of the preprocessor, true where its texts compile; "": they
                                    compile anywhere */
    const char *dialect_preamble, *isa_preamble;     /* parts of the preamble */
    const char *begin_functions; /* isa: before functions that use its words, */
    const char *end_functions;   /* and behind them */
    const char *postamble;       /* at the end of the functions: before the module's table, or at
                                    the end of a program */
    const char *build_options;   /* for the compiler of the language that builds a program */
    const struct sg_lowering *host;  /* of host.c, the module around a program; NULL if the text is
                                        the module itself */
    sg_bundle_entry bundle;      /* dialect */
    const char *usable;          /* isa: a C expression, true if this CPU can run it */
    const char *const *cpu_flags; /* isa: flags of /proc/cpuinfo that "host" needs,
                                     NULL-terminated */
    const char *const *extensions; /* isa: of the device that runs a program, NULL-terminated */
    const sg_fixed *fixed;       /* for this value type; sorted by name */
    size_t fixed_count;
    const sg_word *words;        /* sorted by name */
    size_t word_count;
    bool prelude_bodies;         /* words may be emitted with their bodies in the prelude */
    bool rounds_once;            /* r_fma(a, b, c) is rounded once; else a*b is rounded too */
    const sg_least *least;       /* dialect: facts that pages must state; ends with a NULL fact */
    const sg_input *files;       /* the tables, then the other files that they were read from */
    size_t file_count;
} sg_lowering;

/* The lowering of the module's own file: host for a module around a program, else `lowering`. */
const sg_lowering *sg_lowering_of_module(const sg_lowering *lowering);

const sg_word *sg_lowering_find(const sg_lowering *lowering, const char *name);   /* or NULL */

#ifdef __cplusplus
}
#endif
#endif
