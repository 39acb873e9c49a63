/* json.c: see json.h. */
#include "common/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/utf8.h"

enum { INDENT = 2 };

void sg_json_to_file(void *file, const char *bytes, size_t length)
{
    fwrite(bytes, 1, length, file);
}

void sg_json_quote(sg_json_put *put, void *sink, const char *text)
{
    put(sink, "\"", 1);
    for (size_t bytes; *text; text += bytes) {
        const size_t length = sg_utf8_length(text);
        const uint32_t letter = length ? sg_utf8_letter(text, length) : 0;
        char escape[16] = "";

        bytes = length ? length : 1;
        if (letter == '"' || letter == '\\')
            snprintf(escape, sizeof escape, "\\%c", *text);
        else if (letter == '\n')
            snprintf(escape, sizeof escape, "\\n");
        else if (!length)
            snprintf(escape, sizeof escape, "\\\\x%02x", (unsigned char)*text);
        else if (!sg_is_printable(letter))
            snprintf(escape, sizeof escape, "\\u%04" PRIx32, letter);
        put(sink, escape[0] ? escape : text, escape[0] ? strlen(escape) : length);
    }
    put(sink, "\"", 1);
}

static void put_text(sg_json_writer *json, const char *text)
{
    json->put(json->sink, text, strlen(text));
}

static void put_line_break(sg_json_writer *json)
{
    put_text(json, "\n");
    for (int i = 0; i < json->depth * INDENT; i++)
        put_text(json, " ");
}

static void begin_value(sg_json_writer *json, const char *key)
{
    const bool on_line = json->inline_depth != 0 && !json->breaks;

    if (!json->empty)
        put_text(json, on_line ? ", " : ",");
    if (json->depth && !on_line)
        put_line_break(json);
    json->empty = false;
    json->breaks = false;
    if (key) {
        sg_json_quote(json->put, json->sink, key);
        put_text(json, ": ");
    }
}

/* Writes a value as it is formatted, without escapes. */
__attribute__((format(printf, 3, 4)))
static void put_plain(sg_json_writer *json, const char *key, const char *format, ...)
{
    char value[64];
    va_list args;

    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    begin_value(json, key);
    put_text(json, value);
}

sg_json_writer sg_json_write(sg_json_put *put, void *sink)
{
    return (sg_json_writer){ .put = put, .sink = sink, .empty = true };
}

void sg_json_open(sg_json_writer *json, const char *key, char bracket, sg_json_layout layout)
{
    put_plain(json, key, "%c", bracket);
    json->depth++;
    if (layout == SG_JSON_ONE_LINE && !json->inline_depth)
        json->inline_depth = json->depth;
    json->empty = true;
}

void sg_json_close(sg_json_writer *json, char bracket)
{
    const bool on_line = json->inline_depth != 0;

    if (json->inline_depth == json->depth)
        json->inline_depth = 0;
    json->depth--;
    if (!on_line && !json->empty)
        put_line_break(json);
    json->put(json->sink, &bracket, 1);
    json->empty = false;
    json->breaks = false;
    if (!json->depth)
        put_text(json, "\n");
}

void sg_json_break(sg_json_writer *json)
{
    json->breaks = true;
}

void sg_json_string(sg_json_writer *json, const char *key, const char *value)
{
    begin_value(json, key);
    sg_json_quote(json->put, json->sink, value);
}

void sg_json_integer(sg_json_writer *json, const char *key, int64_t value)
{
    put_plain(json, key, "%" PRId64, value);
}

void sg_json_real(sg_json_writer *json, const char *key, double value)
{
    if (isfinite(value))
        put_plain(json, key, "%.6g", value);
    else
        sg_json_null(json, key);
}

void sg_json_boolean(sg_json_writer *json, const char *key, bool value)
{
    put_plain(json, key, "%s", value ? "true" : "false");
}

void sg_json_null(sg_json_writer *json, const char *key)
{
    put_plain(json, key, "null");
}

void sg_json_hash(sg_json_writer *json, const char *key, uint64_t value)
{
    put_plain(json, key, "\"%016" PRIx64 "\"", value);
}
