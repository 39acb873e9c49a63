/* json.h: writes indented JSON to any sink of bytes.
 *
 *     sg_json_writer json = sg_json_write(sg_json_to_file, stdout);
 *     sg_json_open(&json, NULL, '{', SG_JSON_LINES);
 *     sg_json_integer(&json, "rows", 3);
 *     sg_json_close(&json, '}');
 *
 * Members come out in the order of the calls; a key is NULL for elements of arrays and the root.
 * Nothing is allocated. Errors stay in the sink: a caller that writes to a FILE checks ferror. */
#ifndef SG_COMMON_JSON_H
#define SG_COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void sg_json_put(void *sink, const char *bytes, size_t length);

typedef struct sg_json_writer {
    sg_json_put *put;
    void *sink;
    int depth;
    int inline_depth;            /* the level that is written on one line; 0: none */
    bool empty;                  /* this level has no member yet */
    bool breaks;                 /* the next member begins a line */
} sg_json_writer;

typedef enum sg_json_layout {
    SG_JSON_LINES,               /* a line for each member */
    SG_JSON_ONE_LINE             /* all members on one line; sg_json_break begins another */
} sg_json_layout;

sg_json_writer sg_json_write(sg_json_put *put, void *sink);
void sg_json_to_file(void *file, const char *bytes, size_t length);    /* FILE * */

void sg_json_open(sg_json_writer *json, const char *key, char bracket, sg_json_layout layout);
void sg_json_close(sg_json_writer *json, char bracket);       /* '}' or ']' */
void sg_json_break(sg_json_writer *json);

void sg_json_string(sg_json_writer *json, const char *key, const char *value);
void sg_json_integer(sg_json_writer *json, const char *key, int64_t value);
void sg_json_real(sg_json_writer *json, const char *key, double value);     /* Inf, NaN: null */
void sg_json_boolean(sg_json_writer *json, const char *key, bool value);
void sg_json_null(sg_json_writer *json, const char *key);
void sg_json_hash(sg_json_writer *json, const char *key, uint64_t value);   /* 16 hex digits */

/* Writes text alone, as a quoted string. A byte that is not UTF-8 (a file name may hold one)
 * becomes the four characters \xHH, as in messages: JSON cannot hold bytes. */
void sg_json_quote(sg_json_put *put, void *sink, const char *text);

#endif
