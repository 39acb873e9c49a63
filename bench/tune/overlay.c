/* overlay.c: see overlay.h. */
#include "bench/tune/overlay.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/records/shell_words.h"
#include "bench/yardsticks/machine.h"
#include "common/utf8.h"

enum { WIDTH = 100, LABEL = 12, VALUE_COLUMN = 40 };

/* ---- the header ------------------------------------------------------------------------------ */

/* Writes "-- label       words", broken at spaces. */
static void write_lines(const char *label, const char *text, FILE *out)
{
    char printable[4096];

    sg_make_printable(printable, sizeof printable, text);
    for (const char *at = printable; *at; label = "") {
        const size_t room = WIDTH - 3 - LABEL, length = strlen(at);
        size_t end = length;
        if (length > room) {
            for (end = room; end > 0 && at[end] != ' '; end--)
                ;
            end = end > 0 ? end : strcspn(at, " ");
        }
        fprintf(out, "-- %-*s%.*s\n", LABEL, label, (int)end, at);
        at += end;
        at += strspn(at, " ");
    }
}

/* A word of the command line without the folder of a path. */
static const char *without_folder(const char *word)
{
    const char *slash = strrchr(word, '/');

    return slash && slash[1] ? slash + 1 : word;
}

static void write_command(const bench_overlay *o, FILE *out)
{
    char *text = bench_shell_words_add(NULL, "spmvbench");

    for (int i = 0; i < o->argc && text; i++) {
        const char *equals = strncmp(o->argv[i], "--", 2) == 0 ? strchr(o->argv[i], '=') : NULL;
        char word[512];
        snprintf(word, sizeof word, "%.*s%s", equals ? (int)(equals + 1 - o->argv[i]) : 0,
                 o->argv[i], without_folder(equals ? equals + 1 : o->argv[i]));
        text = bench_shell_words_add(text, word);
    }
    write_lines("command", text ? text : "(out of memory)", out);
    free(text);
}

static void write_matrices(const bench_overlay *o, const char *label, const size_t *matrix,
                           size_t count, FILE *out)
{
    char text[4096] = "";
    size_t length = 0;

    for (size_t i = 0; i < count && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? ", " : "",
                                   without_folder(o->tune->inputs->text[matrix[i]]));
    write_lines(label, text, out);
}

static void write_gain(const bench_overlay *o, const bench_study *study, FILE *out)
{
    const bench_judgement *j = &study->judgement;
    char label[64], text[1024];

    snprintf(label, sizeof label, "%.40s %s", study->space->method, study->space->type);
    fprintf(out, "--\n-- %s\n", label);
    if (!j->is_better) {
        snprintf(text, sizeof text, "as the page is: %s", j->reason);
        write_lines("", text, out);
        return;
    }
    snprintf(text, sizeof text, "%.3f times the speed of %s on the matrices of the search",
             study->search_speed, o->base);
    write_lines("", text, out);
    snprintf(text, sizeof text, "%.3f times (%.3f to %.3f) on those of the validation, at least "
             "%.3f (%s)", j->speed.median, j->speed.low, j->speed.high,
             study->validation[j->least].median,
             without_folder(o->tune->inputs->text[o->tune->holdout->validation[j->least]]));
    write_lines("", text, out);
}

static void write_header(const bench_overlay *o, FILE *out)
{
    const bench_holdout *split = o->tune->holdout;
    char cpu[128], machine[256];

    bench_cpu_name(cpu, sizeof cpu);
    snprintf(machine, sizeof machine, "%s, %d threads", cpu, o->tune->threads);
    fprintf(out, "-- %s.lua: %s with values that spmvbench tune found to be faster.\n--\n", o->name,
            o->base);
    write_command(o, out);
    write_lines("machine", machine, out);
    write_matrices(o, "search", split->search, split->searches, out);
    write_matrices(o, "validation", split->validation, split->validations, out);
    for (size_t i = 0; i < o->count; i++)
        write_gain(o, &o->study[i], out);
}

/* ---- the values ------------------------------------------------------------------------------ */

static bool is_integer(const char *value)
{
    return value[0] == '-' || isdigit((unsigned char)value[0]);
}

static void write_value(const bench_study *study, size_t axis, FILE *out)
{
    const bench_axis *a = &study->space->grid.axis[axis];
    const char *value = a->value[study->best.value[axis]];
    const char *quote = is_integer(value) ? "" : "\"";
    char line[256];

    snprintf(line, sizeof line, "%s = %s%s%s", a->key, quote, value, quote);
    fprintf(out, "%-*s -- tune: ", VALUE_COLUMN - 1, line);
    if (isnan(study->gain[axis]))
        fprintf(out, "with %s, all else equal, the kernel does not run\n", a->value[0]);
    else
        fprintf(out, "%.3f times the speed of %s, all else equal\n", study->gain[axis],
                a->value[0]);
}

void bench_overlay_write(const bench_overlay *overlay, FILE *out)
{
    write_header(overlay, out);
    fprintf(out, "\ninherit \"%s\"\n", overlay->base);
    for (size_t i = 0; i < overlay->count; i++) {
        const bench_study *study = &overlay->study[i];
        if (!study->judgement.is_better)
            continue;
        fputc('\n', out);
        for (size_t k = 0; k < study->space->grid.count; k++)
            if (study->best.value[k] > 0)
                write_value(study, k, out);
    }
}
