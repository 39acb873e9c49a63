/* metrics.c: reads a kernel's metrics from a compiler's output. In a pattern a space matches any
 * white space, $ a name or a number, and every other character itself. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/c_words.h"
#include "generator/verify/compiler.h"

typedef struct found {
    const char *begin, *end;     /* of the match; begin NULL: there is none */
    const char *text;            /* that matches $ */
    size_t length;
} found;

static bool is_blank(char c)
{
    return isspace((unsigned char)c) != 0;
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
            while (sg_is_c_letter(*at))
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

/* The first match that begins before `end`, or in the whole text if `end` is NULL. */
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

/* The output behind the line that begins a kernel's part; NULL if there is no such line. *end: the
 * start of another kernel's part, or NULL. */
static const char *part_of(const char *output, const char *line, const char *const *names,
                           const char *name, const char **end)
{
    const char *begin = NULL;

    *end = NULL;
    for (found f = find(output, NULL, line); f.begin && !*end; f = find(f.end, NULL, line)) {
        if (!begin && is_name(&f, name))
            begin = f.end;
        for (size_t i = 0; begin && names[i]; i++)
            if (is_name(&f, names[i]) && strcmp(names[i], name))
                *end = f.begin;
    }
    return begin;
}

bool sg_metrics_read(sg_diags *diags, const sg_compiler *compiler, const char *file,
                     const char *output, const char *const *names, const char *name,
                     sg_metrics *out)
{
    const char *end;

    *out = (sg_metrics){ 0 };
    if (!compiler->kernel)
        return true;
    const char *part = part_of(output, compiler->kernel, names, name, &end);
    if (!part) {
        sg_diag(diags, SG_ERROR, (sg_loc){ file, 0, 0 }, "%s says nothing of kernel %s; expected a "
                "line \"%s\", as %s has it", compiler->title, name, compiler->kernel,
                compiler->page.file);
        return false;
    }
    for (size_t i = 0; i < SG_METRICS; i++) {
        const sg_metric_line *metric = &compiler->metrics[i];
        if (!metric->line)
            continue;
        const found f = find(part, end, metric->line);
        if (!f.begin && !metric->absent) {
            sg_diag(diags, SG_ERROR, (sg_loc){ file, 0, 0 }, "%s does not say '%s' of kernel %s; "
                    "expected a line \"%s\", as %s has it", compiler->title, sg_metric_names[i],
                    name, metric->line, compiler->page.file);
            return false;
        }
        out->known[i] = true;
        out->value[i] = strtoll(f.begin ? f.text : metric->absent, NULL, 10);
    }
    return true;
}
