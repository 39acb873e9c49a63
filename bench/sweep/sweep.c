/* sweep.c: see sweep.h. */
#define _POSIX_C_SOURCE 200809L  /* strndup */
#include "bench/sweep/sweep.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/output/message.h"
#include "bench/output/terminal.h"
#include "bench/process/interrupt.h"
#include "bench/sweep/build.h"
#include "bench/sweep/grid.h"
#include "bench/sweep/name_list.h"
#include "bench/sweep/spmvgen.h"
#include "bench/sweep/temporary.h"
#include "common/fail.h"
#include "runtime/spmv.h"

const char bench_sweep_baseline[] = "csr_scalar";

/* ---- keys ------------------------------------------------------------------------------------ */

/* A key is METHOD.PARAM, METHOD.TYPE.PARAM or a fact. */
typedef struct key_parts {
    size_t method;               /* length; 0: a fact */
    char type[4];                /* "" : both */
    const char *parameter;
} key_parts;

static key_parts split_key(const char *key)
{
    const char *dot = strchr(key, '.');
    key_parts parts = { .method = dot ? (size_t)(dot - key) : 0,
                        .parameter = dot ? dot + 1 : key };

    if (dot && (strncmp(dot, ".f32.", 5) == 0 || strncmp(dot, ".f64.", 5) == 0)) {
        memcpy(parts.type, dot + 1, 3);
        parts.parameter = dot + 5;
    }
    return parts;
}

static bool is_method_of(const char *method, const char *key)
{
    const key_parts parts = split_key(key);

    return parts.method == 0 || (strlen(method) == parts.method &&
                                 strncmp(method, key, parts.method) == 0);
}

/* The filter of a grid: the keys that a variant's method and type have. */
static bool is_key_of(const void *variant, const char *key)
{
    const bench_variant *v = variant;
    const key_parts parts = split_key(key);

    return is_method_of(v->method, key) && (!parts.type[0] || strcmp(parts.type, v->type) == 0);
}

/* ---- methods and targets --------------------------------------------------------------------- */

static bool add_method(bench_sweep *sweep, const char *name, size_t length)
{
    for (size_t i = 0; i < sweep->method_count; i++)
        if (strlen(sweep->method[i]) == length && strncmp(sweep->method[i], name, length) == 0)
            return true;
    if (sweep->method_count == BENCH_SWEEP_NAMES)
        return false;
    return (sweep->method[sweep->method_count++] = strndup(name, length)) != NULL;
}

/* The methods of --method, else those of the keys. */
static bool list_methods(const bench_sweep_request *request, const bench_grid *grid,
                         bench_sweep *sweep, spmv_error *error)
{
    sweep->with_baseline = request->method_count == 0;
    for (size_t i = 0; i < request->method_count; i++)
        if (!add_method(sweep, request->method[i], strlen(request->method[i])))
            return sg_fail(error, "out of memory");
    for (size_t i = 0; i < grid->count; i++) {
        const char *key = grid->axis[i].key;
        const size_t length = split_key(key).method;
        bool found = length == 0;
        for (size_t k = 0; k < request->method_count; k++)
            found = found || is_method_of(request->method[k], key);
        if (!found && request->method_count > 0)
            return sg_fail(error, "--set %s: --method %.*s is missing beside the other --method",
                           key, (int)length, key);
        if (length > 0 && !add_method(sweep, key, length))
            return sg_fail(error, "out of memory");
    }
    return sweep->method_count > 0 ||
           sg_fail(error, grid->count > 0 ? "--set %s: this fact concerns all methods; say which "
                   "with --method" : "--target %s is emitted: say with --method which methods",
                   grid->count > 0 ? grid->axis[0].key : request->target);
}

/* The word in quotes of the second line: "  \"c\"  targets/...". */
static char *quoted_word(const char *text)
{
    const char *begin = strchr(text, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;

    return end ? strndup(begin + 1, (size_t)(end - begin - 1)) : NULL;
}

/* Adds a target, whose name and language spmvgen knows. */
static bool add_target(const bench_spmvgen *spmvgen, bench_sweep *sweep, const char *word,
                       size_t length, spmv_error *error)
{
    static const char begin[] = "backend for ";
    spmv_error why;

    if (sweep->target_count == BENCH_SWEEP_NAMES)
        return sg_fail(error, "--target lists more than %d targets", BENCH_SWEEP_NAMES);
    bench_sweep_target *t = &sweep->target[sweep->target_count];
    if (!(t->word = strndup(word, length)))
        return sg_fail(error, "out of memory");
    sweep->target_count++;
    char *text = bench_spmvgen_explain(spmvgen, t->word, "backend", &why);
    if (!text)
        return sg_fail(error, "--target %s: %s", t->word, why.text);
    if (strncmp(text, begin, strlen(begin)) == 0)
        t->name = strndup(text + strlen(begin), strcspn(text + strlen(begin), "\n"));
    t->backend = quoted_word(text);
    free(text);
    if (!t->name || !t->backend)
        return sg_fail(error, "--target %s: %s does not say its name and backend; is it of version "
                       "%s?", t->word, spmvgen->path, SPMV_VERSION);
    for (bench_sweep_target *other = sweep->target; other < t; other++)
        if (strcmp(other->name, t->name) == 0)
            return sg_fail(error, "--target %s and %s are both %s", other->word, t->word, t->name);
    return true;
}

static bool list_targets(const bench_sweep_request *request, const bench_spmvgen *spmvgen,
                         bench_sweep *sweep, spmv_error *error)
{
    if (!request->target && request->backend)
        return sg_fail(error, "--set with --backend %s needs --target, such as generic-%s",
                       request->backend, request->backend);
    for (const char *at = request->target ? request->target : "host"; *at;
         at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if (!add_target(spmvgen, sweep, at, length, error))
            return false;
        at += length;
    }
    return true;
}

/* Whether the methods and the keys exist for a target, as spmvgen says. */
static bool check_keys(const bench_spmvgen *spmvgen, const bench_grid *grid,
                       const bench_sweep *sweep, const bench_sweep_target *target,
                       spmv_error *error)
{
    spmv_error why;

    for (size_t i = 0; i < sweep->method_count; i++) {
        char *text = bench_spmvgen_explain(spmvgen, target->word, sweep->method[i], &why);
        const bool good = text && strncmp(text, sweep->method[i], strlen(sweep->method[i])) == 0 &&
                          strstr(text, "PARAMETER");
        free(text);
        if (!good)
            return sg_fail(error, "method %s for %s: %s", sweep->method[i], target->name,
                           text ? "spmvgen knows none of that name" : why.text);
    }
    for (size_t i = 0; i < grid->count; i++) {
        const key_parts parts = split_key(grid->axis[i].key);
        char key[256];
        snprintf(key, sizeof key, "%.*s%s%s", (int)parts.method, grid->axis[i].key,
                 parts.method ? "." : "", parts.parameter);
        char *text = bench_spmvgen_explain(spmvgen, target->word, key, &why);
        free(text);
        if (!text)
            return sg_fail(error, "--set %s: %s", grid->axis[i].key, why.text);
    }
    return true;
}

/* ---- variants -------------------------------------------------------------------------------- */

static bool add_variant(const bench_grid *grid, bench_sweep *sweep, const bench_variant *kind,
                        size_t combination)
{
    const size_t length = bench_grid_text(grid, is_key_of, kind, combination, ' ', NULL, 0);
    bench_variant *v = &sweep->variant[sweep->count++];

    *v = *kind;
    if (!(v->set = malloc(length + 1)))
        return false;
    bench_grid_text(grid, is_key_of, kind, combination, ' ', v->set, length + 1);
    return true;
}

/* Adds all combinations of each target, type and method. */
static bool list_variants(const bench_sweep_request *request, const bench_grid *grid,
                          bench_sweep *sweep, spmv_error *error)
{
    static const char *const types[] = { "f64", "f32" };

    for (int pass = 0; pass < 2; pass++) {       /* counts, then adds */
        size_t count = 0;
        for (size_t t = 0; t < sweep->target_count; t++)
            for (size_t y = 0; y < 2; y++)
                for (size_t m = 0; m < sweep->method_count; m++) {
                    if (!bench_is_listed(request->type, types[y]))
                        continue;
                    const bench_variant kind = { .method = sweep->method[m], .type = types[y],
                                                 .target = &sweep->target[t] };
                    const size_t more = bench_grid_combinations(grid, is_key_of, &kind);
                    if (more > BENCH_MAX_VARIANTS || (count += more) > BENCH_MAX_VARIANTS)
                        return sg_fail(error, "--set, --target and --type have more than %d "
                                       "combinations; give fewer values", BENCH_MAX_VARIANTS);
                    for (size_t i = 0; i < more && pass == 1; i++)
                        if (!add_variant(grid, sweep, &kind, i))
                            return sg_fail(error, "out of memory");
                }
        if (pass == 0 && !(sweep->variant = calloc(count + 1, sizeof *sweep->variant)))
            return sg_fail(error, "out of memory");
    }
    return true;
}

/* Adds the items of the request, all for the one target. */
static bool list_items(const bench_sweep_request *request, bench_sweep *sweep, spmv_error *error)
{
    if (!(sweep->variant = calloc(request->item_count, sizeof *sweep->variant)))
        return sg_fail(error, "out of memory");
    for (size_t i = 0; i < request->item_count; i++) {
        const bench_sweep_item *item = &request->item[i];
        bench_variant *v = &sweep->variant[i];
        *v = (bench_variant){ .type = strcmp(item->type, "f32") == 0 ? "f32" : "f64",
                              .target = &sweep->target[0], .set = strdup(item->set) };
        sweep->count++;
        if (!v->set || !add_method(sweep, item->method, strlen(item->method)))
            return sg_fail(error, "out of memory");
        for (size_t k = 0; k < sweep->method_count; k++)
            if (strcmp(sweep->method[k], item->method) == 0)
                v->method = sweep->method[k];
    }
    return true;
}

/* A key of a type that --type leaves out would silently do nothing. */
static bool check_types(const bench_sweep_request *request, const bench_grid *grid,
                        spmv_error *error)
{
    for (size_t i = 0; i < grid->count; i++) {
        const key_parts parts = split_key(grid->axis[i].key);
        if (parts.type[0] && !bench_is_listed(request->type, parts.type))
            return sg_fail(error, "--set %s: only --type %s races", grid->axis[i].key,
                           request->type);
    }
    return true;
}

static bench_sweep_status make(const bench_sweep_request *request, bench_grid *grid,
                               bench_sweep *out, spmv_error *error)
{
    bench_spmvgen spmvgen;

    const bool lists_items = request->item_count > 0;

    if (!lists_items &&
        (!bench_grid_create("--set", request->set, request->set_count, grid, error) ||
         !check_types(request, grid, error) ||
         !list_methods(request, grid, out, error)))
        return BENCH_SWEEP_WRONG_COMMAND;
    if (!(out->temporary = bench_temporary_make(error)) ||
        !bench_spmvgen_find(out->temporary, &spmvgen, error))
        return BENCH_SWEEP_FAILED;
    if (!list_targets(request, &spmvgen, out, error))
        return BENCH_SWEEP_WRONG_COMMAND;
    for (size_t i = 0; i < out->target_count && !lists_items; i++)
        if (!check_keys(&spmvgen, grid, out, &out->target[i], error))
            return BENCH_SWEEP_WRONG_COMMAND;
    if (!(lists_items ? list_items(request, out, error)
                      : list_variants(request, grid, out, error)))
        return BENCH_SWEEP_WRONG_COMMAND;
    return bench_sweep_build(&spmvgen, request->offset, out, error);
}

bench_sweep_status bench_sweep_create(const bench_sweep_request *request, bench_sweep *out,
                                      spmv_error *error)
{
    bench_grid grid = { .count = 0 };

    *out = (bench_sweep){ .count = 0 };
    bench_interrupt_watch(NULL, false);
    bench_sweep_status status = make(request, &grid, out, error);
    bench_interrupt_watch(NULL, true);
    bench_grid_destroy(&grid);
    if (bench_interrupted() && status != BENCH_SWEEP_INTERRUPTED) {
        sg_fail(error, "interrupted before kernels were compiled");
        status = BENCH_SWEEP_INTERRUPTED;
    }
    if (status == BENCH_SWEEP_DONE) {
        size_t illegal = 0;
        if (bench_sweep_has_built(out))
            return status;
        for (size_t i = 0; i < out->count; i++)
            illegal += out->variant[i].state == BENCH_VARIANT_ILLEGAL;
        status = illegal == out->count ? BENCH_SWEEP_WRONG_COMMAND : BENCH_SWEEP_FAILED;
        sg_fail(error, "%s", illegal == out->count ? "no combination of --set is legal" : "no "
                "combination of --set can race here");
    }
    bench_sweep_clean(out);
    return status;
}

void bench_sweep_clean(bench_sweep *sweep)
{
    if (sweep->temporary)
        bench_temporary_remove(sweep->temporary);
    free(sweep->temporary);
    sweep->temporary = NULL;
}

void bench_sweep_destroy(bench_sweep *sweep)
{
    bench_sweep_clean(sweep);
    for (size_t i = 0; i < sweep->count; i++) {
        free(sweep->variant[i].set);
        free(sweep->variant[i].file);
        free(sweep->variant[i].reason);
    }
    for (size_t i = 0; i < sweep->target_count; i++) {
        free(sweep->target[i].word);
        free(sweep->target[i].name);
        free(sweep->target[i].backend);
        free(sweep->target[i].reason);
    }
    for (size_t i = 0; i < sweep->method_count; i++)
        free(sweep->method[i]);
    free(sweep->variant);
    *sweep = (bench_sweep){ .count = 0 };
}

/* ---- what does not race ---------------------------------------------------------------------- */

bool bench_sweep_has_built(const bench_sweep *sweep)
{
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->variant[i].state == BENCH_VARIANT_BUILT)
            return true;
    return false;
}

bool bench_sweep_has_failed(const bench_sweep *sweep)
{
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->variant[i].state == BENCH_VARIANT_FAILED)
            return true;
    return false;
}

const char *bench_sweep_state_text(bench_variant_state state)
{
    return state == BENCH_VARIANT_ILLEGAL ? "illegal"
           : state == BENCH_VARIANT_UNUSABLE ? "unusable" : "failed";
}

static bool has_same_reason(const bench_variant *a, const bench_variant *b)
{
    return a->state == b->state && a->target == b->target && a->reason && b->reason &&
           strcmp(a->reason, b->reason) == 0 && strcmp(a->type, b->type) == 0;
}

/* Prints the combinations of variant `first` and of later ones with the same reason. */
static void print_group(const bench_sweep *sweep, size_t first, FILE *out)
{
    enum { SHOWN = 4 };
    const bench_variant *v = &sweep->variant[first];
    const char *const state = bench_sweep_state_text(v->state);
    const char *end;
    char text[4096];
    size_t count = 0;

    if (v->state == BENCH_VARIANT_FAILED) {      /* may have several lines */
        fprintf(out, "%-8s %s %s: ", state, v->target->name, v->type);
        for (const char *line = v->reason; line; line = end ? end + 1 : NULL) {
            end = strchr(line, '\n');
            bench_line(out, "%.*s", (int)strcspn(line, "\n"), line);
        }
    } else {
        snprintf(text, sizeof text, "%s %s: %s", v->target->name, v->type, v->reason);
        bench_print_wrapped(state, text, bench_terminal_columns(out), out);
    }
    for (size_t i = first; i < sweep->count; i++) {
        const bench_variant *other = &sweep->variant[i];
        /* A key that is a fact does not name the method. */
        const bool named = strncmp(other->set, other->method, strlen(other->method)) == 0;
        if (has_same_reason(v, other) && count++ < SHOWN)
            fprintf(out, "%s%s%s%s", count == 1 ? "         " : "; ",
                    named ? "" : other->method, named || !*other->set ? "" : " ", other->set);
    }
    if (count > SHOWN)
        fprintf(out, "; and %zu more", count - SHOWN);
    fputc('\n', out);
}

void bench_sweep_print(const bench_sweep *sweep, FILE *out)
{
    bool any = false;

    for (size_t i = 0; i < sweep->count; i++) {
        bool is_first = sweep->variant[i].reason != NULL;
        for (size_t k = 0; k < i && is_first; k++)
            is_first = !has_same_reason(&sweep->variant[k], &sweep->variant[i]);
        if (is_first)
            print_group(sweep, i, out);
        any = any || is_first;
    }
    if (any)
        fputc('\n', out);
}
