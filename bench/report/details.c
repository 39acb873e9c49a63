/* details.c: see details.h. */
#include "bench/report/details.h"

#include <string.h>

enum { SAMPLES = 15 };           /* multiplications after one that warms up */

static void print_figures(const bench_contender *c, FILE *out)
{
    spmv_figure figure[SPMV_MAX_FIGURES];
    int32_t count = 0;

    if (spmv_plan_figures(c->plan, figure, &count))
        return;
    for (int32_t i = 0; i < count; i++)
        fprintf(out, "  %-32s %.6g %s\n", figure[i].name, figure[i].value, figure[i].unit);
    fprintf(out, "  %-32s %zu bytes\n", "layout", c->info.layout_bytes);
    fprintf(out, "  %-32s %zu bytes\n", "workspace", c->info.workspace_bytes);
    if (c->restore_seconds > 0)
        fprintf(out, "  %-32s %.4g us\n", "back to CSR", 1e6 * c->restore_seconds);
}

/* Finds "name=..." in "name=value,..."; NULL: not found. */
static const char *find_setting(const char *settings, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = settings; *at; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return at;
    }
    return NULL;
}

static void print_settings(const bench_contender *c, FILE *out)
{
    const spmv_method_ops *ops = c->module->ops;

    for (int32_t i = 0; i < ops->setting_count; i++) {
        const spmv_setting *s = &ops->settings[i];
        const char *given = find_setting(c->settings, s->name);

        if (given)
            fprintf(out, "  setting %.*s", (int)strcspn(given, ","), given);
        else
            fprintf(out, "  setting %s=%lld", s->name, (long long)s->initial);
        fprintf(out, "  (%lld to %lld; %s)\n", (long long)s->least, (long long)s->most, s->meaning);
    }
}

/* Prints the median time of each step and its share. */
static void print_steps(const bench_contender *c, FILE *out)
{
    const bench_problem *p = c->problem;
    double seconds[SPMV_MAX_STEPS][SAMPLES];
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;
    double whole = 0;

    for (int sample = -1; sample < SAMPLES; sample++) {
        if (spmv_execute_profile(c->plan, p->alpha, bench_contender_x(c), p->beta, c->y, NULL, time,
                                 &count))
            return;
        for (int32_t i = 0; i < count && sample >= 0; i++)
            seconds[i][sample] = time[i].seconds;
    }
    for (int32_t i = 0; i < count; i++) {
        time[i].seconds = bench_median(seconds[i], SAMPLES);
        whole += time[i].seconds;
    }
    for (int32_t i = 0; i < count; i++)
        fprintf(out, "  step %-27s %.4g us, %.1f%%\n", time[i].name, 1e6 * time[i].seconds,
                whole > 0 ? 100 * time[i].seconds / whole : 0);
}

void bench_details_print(const bench_report *report, FILE *out)
{
    for (size_t i = 0; i < report->count; i++) {
        const bench_contender *c = &report->contenders[i];
        const char *set = bench_contender_set(c);

        if (!c->correct || !c->module)
            continue;
        fprintf(out, "\n%s%s%s\n", c->module->name, set[0] ? "  " : "", set);
        print_figures(c, out);
        print_settings(c, out);
        print_steps(c, out);
    }
}
