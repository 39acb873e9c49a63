/* subject.c: see subject.h. */
#include "bench/tune/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sweep/spmvgen.h"
#include "bench/sweep/temporary.h"
#include "common/fail.h"

static bool is_asked_for(const bench_options *o, const char *method)
{
    bool found = o->methods.count == 0;

    for (size_t i = 0; i < o->methods.count; i++)
        found = found || strcmp(o->methods.name[i], method) == 0;
    return found;
}

static bool has_method(const bench_tune_subject *subject, const char *method)
{
    for (size_t i = 0; i < subject->all_count; i++)
        if (strcmp(subject->all[i].method, method) == 0)
            return true;
    return false;
}

/* Whether each --method has parameters to tune. */
static bool check_methods(const bench_options *o, const bench_tune_subject *subject,
                          spmv_error *error)
{
    char known[256] = "";
    size_t length = 0;

    for (size_t i = 0; i < subject->all_count && length < sizeof known; i++)
        if (i == 0 || strcmp(subject->all[i].method, subject->all[i - 1].method) != 0)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                       i ? ", " : "", subject->all[i].method);
    for (size_t i = 0; i < o->methods.count; i++)
        if (!has_method(subject, o->methods.name[i]))
            return sg_fail(error, "--method %s has no parameter to tune for %s; these have: %s",
                           o->methods.name[i], subject->page, known);
    return true;
}

static bool select_spaces(const bench_options *o, bench_tune_subject *subject, spmv_error *error)
{
    const char *type[BENCH_MAX_TYPES];
    const size_t count = bench_options_types(o, type);

    if (!(subject->space = calloc(subject->all_count + 1, sizeof *subject->space)))
        return sg_fail(error, "out of memory");
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < subject->all_count; i++) {
            const bench_space *space = &subject->all[i];
            if (strcmp(space->type, type[t]) == 0 && is_asked_for(o, space->method))
                subject->space[subject->count++] = space;
        }
    return subject->count > 0 ||
           sg_fail(error, "%s has no parameter to tune for --type %s", subject->page, o->type);
}

/* Reads the page's name, and the spaces of all methods. */
static bool ask(const bench_spmvgen *spmvgen, const char *target, bench_tune_subject *out,
                spmv_error *error)
{
    static const char begin[] = "backend for ";
    char *page = bench_spmvgen_explain(spmvgen, target, "backend", error);
    char *tunable = page ? bench_spmvgen_tunable(spmvgen, target, error) : NULL;

    if (page && strncmp(page, begin, strlen(begin)) == 0)
        snprintf(out->page, sizeof out->page, "%.*s", (int)strcspn(page + strlen(begin), "\n"),
                 page + strlen(begin));
    if (tunable)
        out->all = bench_spaces_read(tunable, &out->all_count, error);
    free(page);
    free(tunable);
    return out->all != NULL;
}

bool bench_tune_subject_find(const bench_options *options, const char *target,
                             bench_tune_subject *out, spmv_error *error)
{
    char *folder = bench_temporary_make(error);
    bench_spmvgen spmvgen;

    *out = (bench_tune_subject){ .count = 0 };
    if (!folder)
        return false;
    const bool good = bench_spmvgen_find(folder, &spmvgen, error) &&
                      ask(&spmvgen, target, out, error);
    bench_temporary_remove(folder);
    free(folder);
    return good && check_methods(options, out, error) &&
           select_spaces(options, out, error);
}

void bench_tune_subject_free(bench_tune_subject *subject)
{
    bench_spaces_free(subject->all, subject->all_count);
    free(subject->space);
    *subject = (bench_tune_subject){ .count = 0 };
}
