/* json.h: just enough JSON for manifests: a writer that lays out, a reader that says where.
 *
 * The reader takes JSON as RFC 8259 has it, but no fractions or exponents and at most 32 levels, and
 * gives a tree whose every value knows its line and column. */
#ifndef SG_JSON_H
#define SG_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "generator/base/diag.h"
#include "generator/base/text.h"

/* ---- writing ------------------------------------------------------------------------------- */

/* Members come out in the order of the calls. key is NULL for elements of arrays and the root. */
typedef struct sg_json_writer {
    sg_text *out;
    int depth;
    int inline_depth;            /* the level that is written on one line; 0: none */
    bool empty;                  /* nothing yet on this level */
} sg_json_writer;

typedef enum sg_json_layout { SG_JSON_LINES, SG_JSON_ONE_LINE } sg_json_layout;

sg_json_writer sg_json_write(sg_text *out);
void sg_json_open(sg_json_writer *json, const char *key, char bracket, sg_json_layout layout);
void sg_json_close(sg_json_writer *json, char bracket);       /* '}' or ']' */
void sg_json_string(sg_json_writer *json, const char *key, const char *value);
void sg_json_integer(sg_json_writer *json, const char *key, int64_t value);
void sg_json_boolean(sg_json_writer *json, const char *key, bool value);
void sg_json_null(sg_json_writer *json, const char *key);
void sg_json_hash(sg_json_writer *json, const char *key, uint64_t value);   /* 16 hex digits */

/* ---- reading ------------------------------------------------------------------------------- */

typedef enum sg_json_kind {
    SG_JSON_NULL, SG_JSON_BOOLEAN, SG_JSON_INTEGER, SG_JSON_STRING, SG_JSON_ARRAY, SG_JSON_OBJECT
} sg_json_kind;

typedef struct sg_json sg_json;
struct sg_json {
    sg_json_kind kind;
    const char *key;             /* of an object's member */
    const char *string;          /* UTF-8 */
    int64_t integer;             /* SG_JSON_INTEGER; 0 or 1 for SG_JSON_BOOLEAN */
    const sg_json *first;        /* of an array or object */
    const sg_json *next;         /* sibling */
    size_t count;                /* elements or members */
    sg_loc loc;
};

/* NULL and a located error when text is not JSON; diags may be NULL. */
const sg_json *sg_json_read(sg_arena *arena, sg_diags *diags, const char *file, const char *text,
                            size_t length);

const sg_json *sg_json_member(const sg_json *object, const char *key);     /* or NULL */

#endif
