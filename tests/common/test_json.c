/* test_json.c: what the writer of JSON writes, byte by byte. */
#include <math.h>
#include <string.h>

#include "common/json.h"
#include "tests/tap.h"

typedef struct buffer {
    char bytes[2048];
    size_t length;
} buffer;

static void append(void *sink, const char *bytes, size_t length)
{
    buffer *to = sink;

    if (length >= sizeof to->bytes - to->length)
        return;
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    to->bytes[to->length] = '\0';
}

static void expect(const buffer *got, const char *text, const char *what)
{
    if (!ok(!strcmp(got->bytes, text), "%s", what))
        diag("written:\n%s", got->bytes);
}

static void test_layout(void)
{
    buffer got = { .length = 0 };
    sg_json_writer writer = sg_json_write(append, &got), *json = &writer;

    sg_json_open(json, NULL, '{', SG_JSON_LINES);
    sg_json_string(json, "name", "a");
    sg_json_open(json, "empty", '[', SG_JSON_LINES);
    sg_json_close(json, ']');
    sg_json_open(json, "line", '[', SG_JSON_ONE_LINE);
    sg_json_integer(json, NULL, -1);
    sg_json_open(json, NULL, '{', SG_JSON_LINES);
    sg_json_null(json, "nothing");
    sg_json_boolean(json, "yes", true);
    sg_json_close(json, '}');
    sg_json_break(json);
    sg_json_real(json, NULL, 0.5);
    sg_json_real(json, NULL, 1e30);
    sg_json_close(json, ']');
    sg_json_open(json, "lines", '[', SG_JSON_LINES);
    sg_json_hash(json, NULL, 10);
    sg_json_real(json, NULL, INFINITY);
    sg_json_real(json, NULL, NAN);
    sg_json_close(json, ']');
    sg_json_close(json, '}');
    expect(&got,
           "{\n"
           "  \"name\": \"a\",\n"
           "  \"empty\": [],\n"
           "  \"line\": [-1, {\"nothing\": null, \"yes\": true},\n"
           "    0.5, 1e+30],\n"
           "  \"lines\": [\n"
           "    \"000000000000000a\",\n"
           "    null,\n"
           "    null\n"
           "  ]\n"
           "}\n", "members stand on lines of their own or on one");
}

static void test_strings(void)
{
    static const struct {
        const char *text, *quoted;
    } cases[] = {
        { "", "\"\"" },
        { "a \"b\" \\c", "\"a \\\"b\\\" \\\\c\"" },
        { "line\nbell\a", "\"line\\nbell\\u0007\"" },
        { "\xc3\xa4", "\"\xc3\xa4\"" },
        { "\xe2\x80\xae", "\"\\u202e\"" },
        { "a\xff/b", "\"a\\\\xff/b\"" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        buffer got = { .length = 0 };
        sg_json_quote(append, &got, cases[i].text);
        expect(&got, cases[i].quoted, cases[i].quoted);
    }
}

static void test_file(void)
{
    FILE *file = tmpfile();
    char text[16] = "";

    if (!file) {
        skip("no temporary file can be made");
        return;
    }
    sg_json_quote(sg_json_to_file, file, "x");
    rewind(file);
    ok(fread(text, 1, sizeof text - 1, file) == 3 && !strcmp(text, "\"x\""), "a file is a sink");
    fclose(file);
}

int main(void)
{
    test_layout();
    test_strings();
    test_file();
    return tap_done();
}
