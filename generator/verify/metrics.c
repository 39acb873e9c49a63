/* metrics.c: what a compiler's words say of a kernel. Patterns are lines of those words: a space
 * stands for any white space, $ for a name or a number, all else for itself. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "generator/verify/compiler.h"

typedef struct found {
    const char *begin, *end;     /* of the match; begin is NULL where there is none */
    const char *text;            /* what $ stands for */
    size_t length;
} found;

static bool is_blank(char c)
{
    return isspace((unsigned char)c) != 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool match_at(const char *at, const char *pattern, found *out)
{
    out->begin = at;
    for (; *pattern; pattern++) {
        if (is_blank(*pattern)) {
            if (!is_blank(*at))
                return false;
            at += strspn(at, " \t\r\n");
        } else if (*pattern == '$') {
            out->text = at;
            while (is_word(*at))
                at++;
            out->length = (size_t)(at - out->text);
            if (!out->length)
                return false;
        } else if (*at++ != *pattern) {
            return false;
        }
    }
    out->end = at;
    return true;
}

/* The first match that begins before end; NULL: the text's. */
static found find(const char *text, const char *end, const char *pattern)
{
    found f = { 0 };

    for (; *text && (!end || text < end); text++)
        if (match_at(text, pattern, &f))
            return f;
    return (found){ 0 };
}

static bool is_name(const found *f, const char *name)
{
    return strlen(name) == f->length && !memcmp(name, f->text, f->length);
}

/* What follows the line that begins a kernel's part; NULL where there is none. *end: where the part
 * of another kernel begins, or NULL. */
static const char *part_of(const char *words, const char *line, const char *const *names,
                           const char *name, const char **end)
{
    const char *begin = NULL;

    *end = NULL;
    for (found f = find(words, NULL, line); f.begin && !*end; f = find(f.end, NULL, line)) {
        if (!begin && is_name(&f, name))
            begin = f.end;
        for (size_t i = 0; begin && names[i]; i++)
            if (is_name(&f, names[i]) && strcmp(names[i], name))
                *end = f.begin;
    }
    return begin;
}

bool sg_figures_read(sg_diags *diags, const sg_compiler *compiler, const char *file,
                     const char *words, const char *const *names, const char *name,
                     sg_figures *out)
{
    const char *end;

    *out = (sg_figures){ 0 };
    if (!compiler->kernel)
        return true;
    const char *part = part_of(words, compiler->kernel, names, name, &end);
    if (!part) {
        sg_diag(diags, SG_ERROR, (sg_loc){ file, 0, 0 }, "%s says nothing of kernel %s; expected a "
                "line \"%s\", as %s has it", compiler->title, name, compiler->kernel,
                compiler->page.file);
        return false;
    }
    for (size_t i = 0; i < SG_FIGURES; i++) {
        const sg_figure_line *figure = &compiler->figures[i];
        if (!figure->line)
            continue;
        const found f = find(part, end, figure->line);
        if (!f.begin && !figure->absent) {
            sg_diag(diags, SG_ERROR, (sg_loc){ file, 0, 0 }, "%s does not say '%s' of kernel %s; "
                    "expected a line \"%s\", as %s has it", compiler->title, sg_figure_names[i],
                    name, figure->line, compiler->page.file);
            return false;
        }
        out->known[i] = true;
        out->value[i] = strtoll(f.begin ? f.text : figure->absent, NULL, 10);
    }
    return true;
}
