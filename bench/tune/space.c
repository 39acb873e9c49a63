/* space.c: see space.h. */
#define _POSIX_C_SOURCE 200809L  /* strdup */
#include "bench/tune/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/random.h"
#include "common/fail.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* Splits "METHOD.TYPE.PARAM=..." into the space's names. */
static bool read_names(const char *line, bench_space *space)
{
    const char *dot = strchr(line, '.'), *second = dot ? strchr(dot + 1, '.') : NULL;

    if (!second || second - dot != 4 || (size_t)(dot - line) >= sizeof space->method)
        return false;
    snprintf(space->method, sizeof space->method, "%.*s", (int)(dot - line), line);
    snprintf(space->type, sizeof space->type, "%.3s", dot + 1);
    return strcmp(space->type, "f32") == 0 || strcmp(space->type, "f64") == 0;
}

static bool is_of(const bench_space *space, const char *line)
{
    bench_space other;

    return read_names(line, &other) && strcmp(other.method, space->method) == 0 &&
           strcmp(other.type, space->type) == 0;
}

/* Reads the lines of one space, from line[*at] on. */
static bool read_space(char *const *line, size_t lines, size_t *at, bench_space *out,
                       spmv_error *error)
{
    const size_t first = *at;

    if (!read_names(line[first], out))
        return sg_fail(error, "spmvgen --tunable printed '%s'; expected "
                       "METHOD.TYPE.PARAM=VALUE,VALUE; is it of this version?", line[first]);
    while (*at < lines && is_of(out, line[*at]))
        ++*at;
    return bench_grid_create("spmvgen --tunable", (const char *const *)&line[first], *at - first,
                             &out->grid, error);
}

bench_space *bench_spaces_read(const char *text, size_t *count, spmv_error *error)
{
    char *copy = strdup(text);
    char **line = calloc(strlen(text) + 1, sizeof *line);
    bench_space *spaces = calloc(strlen(text) + 1, sizeof *spaces);
    size_t lines = 0;
    bool good = copy && line && spaces;

    if (!good)
        sg_fail(error, "out of memory");
    *count = 0;
    for (char *word = good ? strtok(copy, "\n") : NULL; word; word = strtok(NULL, "\n"))
        line[lines++] = word;
    for (size_t at = 0; at < lines && good;) {
        good = read_space(line, lines, &at, &spaces[*count], error);
        *count += good;
    }
    free(copy);
    free(line);
    if (good)
        return spaces;
    bench_spaces_free(spaces, *count);
    return NULL;
}

void bench_spaces_free(bench_space *spaces, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bench_grid_destroy(&spaces[i].grid);
    free(spaces);
}

/* ---- points ---------------------------------------------------------------------------------- */

bool bench_point_equals(const bench_point *a, const bench_point *b)
{
    return memcmp(a->value, b->value, sizeof a->value) == 0;
}

size_t bench_point_changes(const bench_space *space, const bench_point *point, size_t *first)
{
    size_t count = 0;

    for (size_t i = space->grid.count; i-- > 0;)
        if (point->value[i] > 0) {
            *first = i;
            count++;
        }
    return count;
}

static bool every_key(const void *context, const char *key)
{
    (void)context, (void)key;
    return true;
}

size_t bench_space_size(const bench_space *space)
{
    return bench_grid_combinations(&space->grid, every_key, NULL);
}

/* Adds a point unless it is there. Returns the number of points. */
static size_t add_point(const bench_point *point, bench_point *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bench_point_equals(&out[i], point))
            return count;
    out[count] = *point;
    return count + 1;
}

static void shuffle(bench_point *points, size_t count, bench_random *random)
{
    for (size_t i = count; i > 1; i--) {
        const size_t k = (size_t)bench_random_below(random, (int64_t)i);
        const bench_point last = points[i - 1];
        points[i - 1] = points[k];
        points[k] = last;
    }
}

/* Every point, the page first, the others shuffled. */
static size_t list_all(const bench_space *space, size_t size, bench_random *random,
                       bench_point *out)
{
    for (size_t i = 0; i < size; i++) {
        size_t rest = i;
        out[i] = (bench_point){ { 0 } };
        for (size_t k = 0; k < space->grid.count; k++) {
            out[i].value[k] = (unsigned char)(rest % space->grid.axis[k].count);
            rest /= space->grid.axis[k].count;
        }
    }
    shuffle(out + 1, size - 1, random);
    return size;
}

/* The points that differ from the page at one axis. Returns their number. */
static size_t list_single(const bench_space *space, bench_random *random, bench_point *out)
{
    size_t count = 0;

    for (size_t k = 0; k < space->grid.count; k++)
        for (size_t v = 1; v < space->grid.axis[k].count; v++) {
            out[count] = (bench_point){ { 0 } };
            out[count++].value[k] = (unsigned char)v;
        }
    shuffle(out, count, random);
    return count;
}

static bench_point random_point(const bench_space *space, bench_random *random)
{
    bench_point point = { { 0 } };

    for (size_t k = 0; k < space->grid.count; k++)
        point.value[k] = (unsigned char)bench_random_below(random,
                                                           (int64_t)space->grid.axis[k].count);
    return point;
}

size_t bench_space_points(const bench_space *space, size_t most, uint64_t seed, bench_point *out)
{
    bench_random random = bench_random_stream(seed, strlen(space->method), space->type[1]);
    const size_t size = bench_space_size(space);
    size_t singles = 0, count = 0;

    if (size <= most)
        return list_all(space, size, &random, out);
    for (size_t k = 0; k < space->grid.count; k++)
        singles += space->grid.axis[k].count - 1;
    bench_point *single = calloc(singles + 1, sizeof *single);
    if (!single)
        return 0;
    out[count++] = (bench_point){ { 0 } };
    list_single(space, &random, single);
    for (size_t i = 0; i < singles && count < most; i++)
        count = add_point(&single[i], out, count);
    free(single);
    while (count < most) {
        const bench_point point = random_point(space, &random);
        count = add_point(&point, out, count);
    }
    return count;
}

/* skip: letters of a key that are left out. */
static void write_values(const bench_space *space, const bench_point *point, size_t skip,
                         char *text, size_t bytes)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t k = 0; k < space->grid.count && length < bytes; k++) {
        const bench_axis *axis = &space->grid.axis[k];
        if (point->value[k] > 0)
            length += (size_t)snprintf(text + length, bytes - length, "%s%s=%s", length ? " " : "",
                                       axis->key + skip, axis->value[point->value[k]]);
    }
}

void bench_space_text(const bench_space *space, const bench_point *point, char *text, size_t bytes)
{
    write_values(space, point, 0, text, bytes);
}

void bench_space_words(const bench_space *space, const bench_point *point, char *text,
                       size_t bytes)
{
    write_values(space, point, strlen(space->method) + strlen(space->type) + 2, text, bytes);
    if (text[0] == '\0')
        snprintf(text, bytes, "as the page is");
}

const char *bench_space_parameter(const bench_space *space, size_t axis)
{
    return strrchr(space->grid.axis[axis].key, '.') + 1;
}
