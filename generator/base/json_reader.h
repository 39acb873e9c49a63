/* json_reader.h: reads JSON into a tree whose every value knows its line and column.
 *
 * The format is RFC 8259 without fractions and exponents, at most 32 levels deep.
 * common/json.h writes it. */
#ifndef SG_JSON_READER_H
#define SG_JSON_READER_H

#include <stddef.h>
#include <stdint.h>

#include "generator/base/arena.h"
#include "generator/base/diag.h"

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

/* Returns NULL and reports a located error if text is not JSON; diags may be NULL. */
const sg_json *sg_json_read(sg_arena *arena, sg_diags *diags, const char *file, const char *text,
                            size_t length);

const sg_json *sg_json_member(const sg_json *object, const char *key);     /* or NULL */

#endif
