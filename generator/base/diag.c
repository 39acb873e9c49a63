/* diag.c: messages in the order of their reports, printed with the line that they are about.
 *
 * Owns copies of all texts. Drops a message that repeats an earlier one at the same place, since
 * some checks run for every value type. Not for use by several threads at once. */
#include "generator/base/diag.h"

#include "generator/base/arena.h"
#include "common/utf8.h"
#include "generator/base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_LINE = 160, LARGEST_SOURCE = 16 << 20 };

typedef struct message {
    sg_severity severity;
    sg_loc loc;
    const char *text;
} message;

typedef struct source {
    const char *file;
    const char *text;            /* NULL: could not be read */
} source;

struct sg_diags {
    sg_arena *arena;
    const char *root;
    message *messages;
    size_t count;
    source *sources;
    size_t source_count;
    size_t error_count;
    bool last_was_dropped;       /* then its notes are dropped as well */
};

sg_diags *sg_diags_create(const char *root)
{
    sg_arena *arena = sg_arena_create();
    sg_diags *diags = sg_arena_alloc(arena, sizeof *diags);

    diags->arena = arena;
    diags->root = sg_arena_strdup(arena, root ? root : "");
    return diags;
}

void sg_diags_destroy(sg_diags *diags)
{
    if (diags)
        sg_arena_destroy(diags->arena);
}

/* ---- sources --------------------------------------------------------------------------------- */

static source *find_source(sg_diags *diags, const char *file)
{
    for (size_t i = 0; i < diags->source_count; i++)
        if (!strcmp(diags->sources[i].file, file))
            return &diags->sources[i];
    return NULL;
}

void sg_diags_add_source(sg_diags *diags, const char *file, const char *text)
{
    source *s = find_source(diags, file);

    if (!s) {
        diags->sources = sg_arena_more(diags->arena, diags->sources, diags->source_count,
                                       sizeof *diags->sources);
        s = &diags->sources[diags->source_count++];
        s->file = sg_arena_strdup(diags->arena, file);
        s->text = NULL;
    }
    if (text && (!s->text || strcmp(s->text, text)))
        s->text = sg_arena_strdup(diags->arena, text);
}

static const char *read_source(const sg_diags *diags, sg_arena *arena, const char *file)
{
    const char *text = NULL;
    size_t size = 0;

    for (size_t i = 0; i < diags->source_count; i++)
        if (!strcmp(diags->sources[i].file, file))
            return diags->sources[i].text;
    if (sg_read_file(arena, sg_path_join(arena, diags->root, file), LARGEST_SOURCE, &text, &size))
        sg_read_file(arena, file, LARGEST_SOURCE, &text, &size);
    return text;
}

/* ---- adding ---------------------------------------------------------------------------------- */

/* Replaces unprintable letters by '?': texts may quote a page, and a page may hold anything. A log
 * keeps its line feeds. */
static void make_printable(char *text, bool is_log)
{
    for (char *c = text; *c;) {
        const size_t length = sg_utf8_length(c);
        if ((is_log && *c == '\n') || (length && sg_is_printable(sg_utf8_letter(c, length)))) {
            c += length;
            continue;
        }
        for (size_t i = 0; i < (length ? length : 1); i++)
            *c++ = '?';
    }
}

static bool is_repeated(const sg_diags *diags, sg_severity severity, sg_loc loc, const char *text)
{
    for (size_t i = 0; i < diags->count; i++) {
        const message *m = &diags->messages[i];
        if (m->severity == severity && m->loc.line == loc.line && m->loc.column == loc.column &&
            !strcmp(m->text, text) && !m->loc.file == !loc.file &&
            (!loc.file || !strcmp(m->loc.file, loc.file)))
            return true;
    }
    return false;
}

static void add(sg_diags *diags, sg_severity severity, sg_loc loc, const char *text)
{
    if (severity == SG_NOTE) {
        if (diags->last_was_dropped)
            return;
    } else {
        diags->last_was_dropped = is_repeated(diags, severity, loc, text);
        if (diags->last_was_dropped)
            return;
        diags->error_count += severity == SG_ERROR;
    }
    diags->messages = sg_arena_more(diags->arena, diags->messages, diags->count,
                                    sizeof *diags->messages);
    if (loc.file)
        loc.file = sg_arena_strdup(diags->arena, loc.file);
    diags->messages[diags->count++] = (message){ severity, loc, text };
}

void sg_diag(sg_diags *diags, sg_severity severity, sg_loc loc, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = sg_arena_vprintf(diags->arena, format, args);
    va_end(args);
    make_printable(text, false);
    add(diags, severity, loc, text);
}

void sg_diag_log(sg_diags *diags, sg_loc loc, const char *what, const char *log, size_t length)
{
    char *shown = sg_arena_strdup(diags->arena, what);
    char *lines = sg_arena_strndup(diags->arena, log, length);

    make_printable(shown, false);
    make_printable(lines, true);
    add(diags, SG_ERROR, loc, sg_arena_printf(diags->arena, "%s:\n%s", shown, lines));
}

size_t sg_diags_error_count(const sg_diags *diags)
{
    return diags->error_count;
}

/* ---- printing -------------------------------------------------------------------------------- */

static const char *line_of(const char *text, int line, size_t *length)
{
    for (int i = 1; i < line; i++) {
        text = strchr(text, '\n');
        if (!text)
            return NULL;
        text++;
    }
    *length = strcspn(text, "\r\n");
    return text;
}

static void print_line(const char *text, sg_loc loc, FILE *out)
{
    char shown[LONGEST_LINE + 1];
    size_t length = 0, from = 0;
    const char *line = text ? line_of(text, loc.line, &length) : NULL;

    if (!line)
        return;
    /* Show only the part of a very long line around the column. */
    const size_t column = loc.column > 0 ? (size_t)loc.column - 1 : 0;
    if (column <= length && column > LONGEST_LINE / 2 && length > LONGEST_LINE)
        from = column - LONGEST_LINE / 2;
    length = length - from < LONGEST_LINE ? length - from : LONGEST_LINE;
    memcpy(shown, line + from, length);
    shown[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (shown[i] == '\t')
            shown[i] = ' ';
    make_printable(shown, false);
    fprintf(out, "%5d | %s\n", loc.line, shown);
    if (loc.column <= 0 || column < from || column - from > length)
        return;

    /* A letter of several bytes takes one column. */
    size_t place = 0;
    for (size_t i = 0; i < column - from; i++)
        place += ((unsigned char)shown[i] & 0xc0) != 0x80;
    fprintf(out, "%5s | %*s^\n", "", (int)place, "");
}

void sg_diags_print(const sg_diags *diags, FILE *out)
{
    static const char *const names[] = {
        [SG_NOTE] = "note", [SG_WARNING] = "warning", [SG_ERROR] = "error"
    };
    sg_arena *arena = sg_arena_create();

    for (size_t i = 0; i < diags->count; i++) {
        const message *m = &diags->messages[i];
        if (m->loc.file) {
            fprintf(out, "%s:", sg_printable(arena, m->loc.file));
            if (m->loc.line > 0)
                fprintf(out, "%d:", m->loc.line);
            if (m->loc.line > 0 && m->loc.column > 0)
                fprintf(out, "%d:", m->loc.column);
            fputc(' ', out);
        }
        fprintf(out, "%s: %s\n", names[m->severity], m->text);
        if (m->loc.file && m->loc.line > 0)
            print_line(read_source(diags, arena, m->loc.file), m->loc, out);
    }
    sg_arena_destroy(arena);
}
