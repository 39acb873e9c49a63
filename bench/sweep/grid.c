/* grid.c: see grid.h. */
#define _POSIX_C_SOURCE 200809L  /* strdup */
#include "bench/sweep/grid.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/fail.h"

static bool has_value(const bench_axis *axis, const char *value)
{
    for (size_t i = 0; i < axis->count; i++)
        if (strcmp(axis->value[i], value) == 0)
            return true;
    return false;
}

static const bench_axis *find_axis(const bench_grid *grid, const char *key)
{
    for (size_t i = 0; i < grid->count; i++)
        if (strcmp(grid->axis[i].key, key) == 0)
            return &grid->axis[i];
    return NULL;
}

/* Adds an axis without values, in its place by name. */
static bench_axis *add_axis(bench_grid *grid, char *key)
{
    size_t at = 0;

    while (at < grid->count && strcmp(grid->axis[at].key, key) < 0)
        at++;
    memmove(&grid->axis[at + 1], &grid->axis[at], (grid->count - at) * sizeof grid->axis[0]);
    grid->count++;
    grid->axis[at] = (bench_axis){ .key = key };
    return &grid->axis[at];
}

/* Adds the values, separated by commas, each once. False: out of memory. */
static bool add_values(bench_axis *axis, const char *values)
{
    for (const char *at = values, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        char *value = strndup(at, (size_t)(end - at));
        if (value && has_value(axis, value)) {
            free(value);
            continue;
        }
        const char **more = realloc(axis->value, (axis->count + 1) * sizeof *more);
        if (more)
            axis->value = more;
        if (!value || !more) {
            free(value);
            return false;
        }
        axis->value[axis->count++] = value;
    }
    return true;
}

/* Whether a value is missing between, before or behind commas. (One empty value is a value, which
 * its reader judges.) */
static bool has_gap(const char *values)
{
    const size_t length = strlen(values);

    return length > 0 && (values[0] == ',' || values[length - 1] == ',' || strstr(values, ",,"));
}

static bool add_word(bench_grid *grid, const char *option, const char *word, spmv_error *error)
{
    const char *equals = strchr(word, '=');

    if (!equals || equals == word || has_gap(equals + 1) || strpbrk(word, " \t\n"))
        return sg_fail(error, "%s takes KEY=VALUE or KEY=VALUE,VALUE without spaces, not '%s'",
                       option, word);
    char *key = strndup(word, (size_t)(equals - word));
    const bench_axis *same = key ? find_axis(grid, key) : NULL;

    if (same)
        sg_fail(error, "%s %s: '%s' is given twice; several values are given as %s=%s,%s", option,
                word, key, key, same->value[0], equals + 1);
    else if (!key || grid->count == BENCH_MAX_AXES)
        sg_fail(error, "%s %s: %s", option, word, key ? "too many keys" : "out of memory");
    else if (add_values(add_axis(grid, key), equals + 1))
        return true;
    else
        return sg_fail(error, "%s %s: out of memory", option, word);
    free(key);
    return false;
}

bool bench_grid_create(const char *option, const char *const *words, size_t count, bench_grid *out,
                       spmv_error *error)
{
    *out = (bench_grid){ .count = 0 };
    for (size_t i = 0; i < count; i++) {
        if (!add_word(out, option, words[i], error)) {
            bench_grid_destroy(out);
            return false;
        }
    }
    return true;
}

void bench_grid_destroy(bench_grid *grid)
{
    for (size_t i = 0; i < grid->count; i++) {
        for (size_t k = 0; k < grid->axis[i].count; k++)
            free((void *)grid->axis[i].value[k]);
        free(grid->axis[i].value);
        free(grid->axis[i].key);
    }
    *grid = (bench_grid){ .count = 0 };
}

size_t bench_grid_combinations(const bench_grid *grid, bench_axis_filter *counts,
                               const void *context)
{
    size_t product = 1;

    for (size_t i = 0; i < grid->count; i++) {
        if (!counts(context, grid->axis[i].key))
            continue;
        if (product > SIZE_MAX / grid->axis[i].count)
            return SIZE_MAX;
        product *= grid->axis[i].count;
    }
    return product;
}

size_t bench_grid_text(const bench_grid *grid, bench_axis_filter *counts, const void *context,
                       size_t combination, char separator, char *text, size_t bytes)
{
    size_t stride = bench_grid_combinations(grid, counts, context), length = 0;

    if (bytes > 0)
        text[0] = '\0';
    for (size_t i = 0; i < grid->count; i++) {
        const bench_axis *axis = &grid->axis[i];
        if (!counts(context, axis->key))
            continue;
        stride /= axis->count;
        const char *value = axis->value[combination / stride % axis->count];
        const char between[] = { length ? separator : '\0', '\0' };
        const size_t used = length < bytes ? length : bytes;
        length += (size_t)snprintf(text + used, bytes - used, "%s%s=%s", between, axis->key,
                                   value);
    }
    return length;
}
