/* options.c: see options.h. Pure functions over a constant table. */
#include "bench/gpu/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/near.h"

#define FIELD(name) offsetof(gpu_options, name)

typedef struct option {
    const char *name;            /* without the dashes */
    const char *value;           /* what --help calls its value; NULL: a flag, a bool */
    const char *choices[3];      /* NULL-terminated; none: any text, const char * */
    bool is_number;              /* double */
    size_t offset;               /* into gpu_options */
    const char *help;
} option;

static const option table[] = {
    { "matrix", "NAME", { NULL }, false, FIELD(matrix),
      "multiply the look-alike of this matrix (docs/lookalikes.md)" },
    { "shape", "NAME", { NULL }, false, FIELD(shape),
      "multiply this shape, of those that spmvbench --list shows" },
    { "size", "N", { NULL }, true, FIELD(size), "size of the shape; without it the typical one" },
    { "type", "f32|f64", { "f32", "f64" }, false, FIELD(type), "value type; without it f64" },
    { "offset", "i32|i64", { "i32", "i64" }, false, FIELD(offset),
      "type of row pointers; without it i32" },
    { "beta", "B", { NULL }, true, FIELD(beta), "of y = A*x + beta*y; without it 0" },
    { "bandwidth", NULL, { NULL }, false, FIELD(bandwidth),
      "measure how fast memory is copied and read" },
    { "describe", NULL, { NULL }, false, FIELD(describe),
      "show the sizes of the matrix in each format, and stop; needs no GPU" },
    { "probe", NULL, { NULL }, false, FIELD(probe),
      "print what the GPU is, on one line, and stop; exit code 1 where there is none" },
    { "device", "NAME", { NULL }, false, FIELD(device),
      "libspmv's device, as options.device of spmv_device_open has it; without it cuda" },
    { "target", "NAME", { NULL }, false, FIELD(target),
      "libspmv's modules of this target alone, also those whose page is for another GPU" },
    { "json", "FILE", { NULL }, false, FIELD(json),
      "write the figures here; replaces nothing but an older such file" },
    { "faults", "FILE", { NULL }, false, FIELD(faults),
      "variants that made the GPU unusable: those listed there are left out, and one that does\n"
      "so now is added, with exit code 4" },
    { "patience", "S", { NULL }, true, FIELD(patience),
      "a variant that takes longer than S seconds to be made ready or for its turn makes the GPU\n"
      "unusable; 0: none does; without it 40" },
    { "help", NULL, { NULL }, false, FIELD(help), "print this and stop" },
    { "version", NULL, { NULL }, false, FIELD(version), "print the version and stop" },
};

enum { TABLE_COUNT = sizeof table / sizeof table[0], HELP_COLUMN = 20 };

#define fail(...) (snprintf(message, message_bytes, __VA_ARGS__), false)

static const option *find(const char *word)
{
    const size_t length = strcspn(word, "=");

    for (size_t i = 0; i < TABLE_COUNT; i++)
        if (strlen(table[i].name) == length && strncmp(table[i].name, word, length) == 0)
            return &table[i];
    return NULL;
}

static bool refuse(const char *word, char *message, size_t message_bytes)
{
    const char *names[TABLE_COUNT];
    char hint[64];

    for (size_t i = 0; i < TABLE_COUNT; i++)
        names[i] = table[i].name;
    return fail("unknown option '%s'%s", word,
                sg_did_you_mean_option(hint, sizeof hint, word, names, TABLE_COUNT));
}

static bool store(const option *o, const char *value, gpu_options *out, char *message,
                  size_t message_bytes)
{
    void *field = (char *)out + o->offset;
    bool known = !o->choices[0];

    if (o->is_number) {
        char *end;
        *(double *)field = strtod(value, &end);
        return (*value && !*end && isfinite(*(double *)field)) ||
               fail("--%s takes a finite number, not '%s'", o->name, value);
    }
    for (size_t i = 0; o->choices[i]; i++)
        known = known || strcmp(o->choices[i], value) == 0;
    *(const char **)field = value;
    return known || fail("--%s takes %s, not '%s'", o->name, o->value, value);
}

bool gpu_options_parse(int argc, char *const *argv, gpu_options *out, char *message,
                       size_t message_bytes)
{
    *out = (gpu_options){ .size = -1, .type = "f64", .offset = "i32", .device = "cuda",
                          .patience = 40 };
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *equals = strchr(word, '=');
        const option *o = strncmp(word, "--", 2) == 0 ? find(word + 2) : NULL;
        const char *value = equals ? equals + 1 : NULL;

        if (!o)
            return refuse(word, message, message_bytes);
        if (value && !o->value)
            return fail("--%s takes no value, but '%s' was given", o->name, value);
        if (!o->value) {
            *(bool *)((char *)out + o->offset) = true;
            continue;
        }
        if (!value)
            value = i + 1 < argc ? argv[++i] : NULL;
        if (!value)
            return fail("--%s needs a value: --%s %s", o->name, o->name, o->value);
        if (!store(o, value, out, message, message_bytes))
            return false;
    }
    if (out->help || out->version)
        return true;
    if (out->bandwidth + out->probe + (out->matrix != NULL) + (out->shape != NULL) != 1)
        return fail("give one of --matrix NAME, --shape NAME, --bandwidth and --probe");
    if (out->patience < 0 || out->patience > 3600)
        return fail("--patience takes 0 to 3600 seconds, not %g", out->patience);
    return out->size == -1 || out->shape || fail("--size is for --shape alone");
}

void gpu_options_help(FILE *out)
{
    fputs("Usage: gpubench --matrix NAME [OPTION]...\n"
          "       gpubench --shape NAME [--size N] [OPTION]...\n"
          "       gpubench --bandwidth [--json FILE]\n"
          "       gpubench --probe\n"
          "Multiply a matrix on an NVIDIA GPU with every module of libspmv's and every algorithm of\n"
          "cuSPARSE's, check each result, and time side by side what is right; docs/gpu.md says more.\n"
          "\n", out);
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        const char *line = table[i].help;
        char left[64];

        snprintf(left, sizeof left, "  --%s%s%s", table[i].name, table[i].value ? " " : "",
                 table[i].value ? table[i].value : "");
        for (bool first = true; *line; first = false) {
            const size_t length = strcspn(line, "\n");
            fprintf(out, "%-*s  %.*s\n", HELP_COLUMN, first ? left : "", (int)length, line);
            line += length + (line[length] == '\n');
        }
    }
    fputs("\n"
          "Exit codes: 0 all is right, 1 a wrong result or a failure, 2 bad command line, 4 a variant\n"
          "left the GPU unusable, and --faults names it now.\n", out);
}
