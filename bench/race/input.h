/* input.h: what the text of an input names:
 *
 *     model:NAME[:VALUE...]          a generator with its parameters
 *     shape:NAME[:SIZE]              a shape; also model:NAME[:SIZE] if no generator has the name
 *     lookalike:NAME                 a look-alike of a paper's matrix
 *     lookalike:CLASS:TEXT           of the matrix that TEXT names, by the model of a class
 *     values:VALUES:TEXT             the matrix that TEXT names, with other values
 *     anything else                  a file; "-" is standard input
 */
#ifndef BENCH_INPUT_H
#define BENCH_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/matrices/generators.h"
#include "bench/matrices/lookalike/facts.h"
#include "bench/matrices/shapes.h"
#include "bench/matrices/value_set.h"
#include "runtime/spmv.h"

typedef struct bench_input {
    /* One of these is not NULL. path, original and structure point into the text. */
    const char *path;
    const bench_generator *generator;
    const bench_shape *shape;
    const bench_facts *facts;
    const char *original;        /* TEXT of lookalike:CLASS:TEXT */
    const char *structure;       /* TEXT of values:VALUES:TEXT */

    int64_t value[BENCH_MAX_PARAMETERS];     /* of the generator */
    int64_t size;                            /* of the shape */
    const char *kind;            /* class of the look-alike of `original`, as in bench_models */
    bench_value_set values;      /* for `structure` */
} bench_input;

enum { BENCH_INPUT_BYTES = 256 };        /* enough for the text of any generator or shape */

/* Whether a text begins as one that does not name a file. */
bool bench_input_is_made(const char *text);

/* The path of the file that is read for a text, /dev/stdin for "-"; NULL: none is, or the text is
 * wrong. */
const char *bench_input_file(const char *text);

/* False, with a sentence in error, if the text names nothing. Files are not looked for. */
bool bench_input_parse(const char *text, bench_input *out, spmv_error *error);

/* Writes the text of a generator with all values, or of a shape with its size: equal matrices have
 * equal texts. Returns buffer. */
const char *bench_input_text(const bench_input *input, char buffer[BENCH_INPUT_BYTES]);

#endif
