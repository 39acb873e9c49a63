/* diff.c: Myers' algorithm in linear space (Algorithmica 1, 1986, section 4b). Pure functions.
 *
 * A path through the grid of `from` and `to` goes right (x: a line is deleted), down (y: a line is
 * inserted) or along a diagonal k = x - y (a line is kept); split() finds the middle of a shortest
 * path by walking from both corners at once. */
#include "generator/base/diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "generator/base/hash.h"

enum { CONTEXT = 3, MOST_LINES = 100000, MOST_STEPS = 4000 };

typedef struct line {
    const char *text;            /* with its newline, if it has one */
    size_t length;
    uint64_t hash;
} line;

typedef struct side {
    const line *lines;
    bool *changed;               /* deleted or inserted */
    long count;
} side;

typedef struct differ {
    side from, to;
    long *forward, *backward;    /* the furthest point of each diagonal */
    long middle;                 /* index of diagonal 0 */
} differ;

/* ---- lines --------------------------------------------------------------------------------- */

static side split_lines(sg_arena *arena, const char *text, size_t length)
{
    size_t count = 0;
    side s = { 0 };

    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    count += length && text[length - 1] != '\n';
    line *lines = sg_arena_alloc(arena, (count + 1) * sizeof *lines);
    for (size_t i = 0, at = 0; i < count; i++) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t stop = end ? (size_t)(end - text) + 1 : length;
        lines[i] = (line){ text + at, stop - at, sg_hash_bytes(text + at, stop - at) };
        at = stop;
    }
    s.lines = lines;
    s.count = (long)count;
    s.changed = sg_arena_alloc(arena, (count + 1) * sizeof *s.changed);
    return s;
}

static bool is_equal(const differ *d, long x, long y)
{
    const line *a = &d->from.lines[x], *b = &d->to.lines[y];
    return a->hash == b->hash && a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* ---- shortest path ------------------------------------------------------------------------- */

typedef struct box {
    long x0, x1, y0, y1;
} box;

/* The diagonals that a walk from `start` has reached after `step` steps. Diagonals beyond the edge
 * of the box are left out: no walk can continue there. */
typedef struct span {
    long low, high;
} span;

static span reach(long start, long step, long low, long high)
{
    const long first = start - step, last = start + step;
    return (span){ first < low ? 2 * low - first : first, last > high ? 2 * high - last : last };
}

static long forward_point(const differ *d, const box *at, const long *f, span before, long k)
{
    const bool has_left = k - 1 >= before.low, has_right = k + 1 <= before.high;
    long x = !has_left || (has_right && f[k + 1] > f[k - 1]) ? f[k + 1] : f[k - 1] + 1;

    while (x < at->x1 && x - k < at->y1 && is_equal(d, x, x - k))
        x++;
    return x;
}

static long backward_point(const differ *d, const box *at, const long *b, span before, long k)
{
    const bool has_left = k - 1 >= before.low, has_right = k + 1 <= before.high;
    long x = !has_right || (has_left && b[k - 1] < b[k + 1]) ? b[k - 1] : b[k + 1] - 1;

    while (x > at->x0 && x - k > at->y0 && is_equal(d, x - 1, x - k - 1))
        x--;
    return x;
}

/* Finds the middle (*x, *y) of a shortest path through a box. The box's sides are not empty, and
 * begin and end with different lines, so the middle is not a corner. Returns false if the walks do
 * not meet within MOST_STEPS. */
static bool split(const differ *d, const box *at, long *x, long *y)
{
    long *f = d->forward + d->middle, *b = d->backward + d->middle;
    const long low = at->x0 - at->y1, high = at->x1 - at->y0;
    const long start = at->x0 - at->y0, end = at->x1 - at->y1;
    const bool odd = (start - end) & 1;
    span ahead = { start, start }, behind = { end, end };

    f[start] = at->x0;
    b[end] = at->x1;
    for (long step = 1; step <= MOST_STEPS; step++) {
        const span ahead_before = ahead, behind_before = behind;
        ahead = reach(start, step, low, high);
        for (long k = ahead.low; k <= ahead.high; k += 2) {
            f[k] = *x = forward_point(d, at, f, ahead_before, k);
            *y = *x - k;
            if (odd && k >= behind.low && k <= behind.high && b[k] <= *x)
                return true;
        }
        behind = reach(end, step, low, high);
        for (long k = behind.low; k <= behind.high; k += 2) {
            b[k] = *x = backward_point(d, at, b, behind_before, k);
            *y = *x - k;
            if (!odd && k >= ahead.low && k <= ahead.high && *x <= f[k])
                return true;
        }
    }
    return false;
}

static void mark(side *s, long first, long last)
{
    for (long i = first; i < last; i++)
        s->changed[i] = true;
}

/* Marks the changed lines of a box. Each half takes half the steps, so the recursion is shallow. */
static void compare(differ *d, box at)
{
    long x, y;

    while (at.x0 < at.x1 && at.y0 < at.y1 && is_equal(d, at.x0, at.y0))
        at.x0++, at.y0++;
    while (at.x0 < at.x1 && at.y0 < at.y1 && is_equal(d, at.x1 - 1, at.y1 - 1))
        at.x1--, at.y1--;
    if (at.x0 == at.x1 || at.y0 == at.y1 || !split(d, &at, &x, &y)) {
        mark(&d->from, at.x0, at.x1);
        mark(&d->to, at.y0, at.y1);
        return;
    }
    compare(d, (box){ at.x0, x, at.y0, y });
    compare(d, (box){ x, at.x1, y, at.y1 });
}

/* ---- output -------------------------------------------------------------------------------- */

static void print_line(sg_text *out, char sign, const line *l)
{
    sg_text_append_bytes(out, &sign, 1);
    sg_text_append_bytes(out, l->text, l->length);
    if (!l->length || l->text[l->length - 1] != '\n')
        sg_text_append(out, "\n\\ No newline at end of file\n");
}

/* Counts lines from 1; an empty range is named by the line before it. */
static void print_range(sg_text *out, char sign, long first, long count)
{
    sg_text_printf(out, "%c%ld", sign, count ? first + 1 : first);
    if (count != 1)
        sg_text_printf(out, ",%ld", count);
}

static bool is_change(const differ *d, long x, long y)
{
    return (x < d->from.count && d->from.changed[x]) || (y < d->to.count && d->to.changed[y]);
}

/* Prints one hunk, which begins with context at (*x, *y), and moves *x and *y to its end. */
static void print_hunk(sg_text *out, const differ *d, long *x, long *y)
{
    long x1 = *x, y1 = *y, unchanged = 0;

    /* Changes with at most twice the context between them share a hunk. */
    for (long i = x1, k = y1; i < d->from.count || k < d->to.count;) {
        if (is_change(d, i, k)) {
            i += i < d->from.count && d->from.changed[i];
            k += k < d->to.count && d->to.changed[k];
            unchanged = 0;
            x1 = i;
            y1 = k;
        } else if (++unchanged > 2 * CONTEXT) {
            break;
        } else {
            i++, k++;
        }
    }
    for (int i = 0; i < CONTEXT && x1 < d->from.count && y1 < d->to.count; i++)
        x1++, y1++;

    sg_text_append(out, "@@ ");
    print_range(out, '-', *x, x1 - *x);
    sg_text_append(out, " ");
    print_range(out, '+', *y, y1 - *y);
    sg_text_append(out, " @@\n");
    while (*x < x1 || *y < y1) {
        if (*x < x1 && d->from.changed[*x])
            print_line(out, '-', &d->from.lines[(*x)++]);
        else if (*y < y1 && d->to.changed[*y])
            print_line(out, '+', &d->to.lines[(*y)++]);
        else
            print_line(out, ' ', &d->from.lines[(*x)++]), (*y)++;
    }
}

void sg_diff(sg_text *out, const char *from_name, const char *from, size_t from_length,
             const char *to_name, const char *to, size_t to_length)
{
    sg_arena *arena = sg_arena_create();
    differ d = { split_lines(arena, from, from_length), split_lines(arena, to, to_length),
                 NULL, NULL, 0 };
    const size_t diagonals = (size_t)(d.from.count + d.to.count) + 3;
    long x = 0, y = 0;

    if (from_length == to_length && !memcmp(from, to, to_length))
        goto done;
    sg_text_printf(out, "--- %s\n+++ %s\n", from_name, to_name);
    if (d.from.count > MOST_LINES || d.to.count > MOST_LINES) {
        sg_text_append(out, "The files differ; they are too long to show how.\n");
        goto done;
    }
    d.forward = sg_arena_alloc(arena, diagonals * sizeof *d.forward);
    d.backward = sg_arena_alloc(arena, diagonals * sizeof *d.backward);
    d.middle = d.to.count + 1;
    compare(&d, (box){ 0, d.from.count, 0, d.to.count });

    while (x < d.from.count || y < d.to.count) {
        long context = 0;
        while (!is_change(&d, x, y) && x < d.from.count && y < d.to.count)
            x++, y++, context++;
        if (!is_change(&d, x, y))
            break;
        context = context < CONTEXT ? context : CONTEXT;
        x -= context;
        y -= context;
        print_hunk(out, &d, &x, &y);
    }
done:
    sg_arena_destroy(arena);
}
