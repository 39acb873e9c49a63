/* layout.c: what is lowered grows or shrinks; lines stay aligned and below 100 columns. */
#include "prelude/words.h"

enum {                           /* the kinds */
    KIND_ONE = WIDTH,            /* the first */
    KIND_TWO = WIDTH * DEPTH     /* the second */
};

typedef struct shape {
    i32 width;                   /* samples */
    const sample *data;          /* width of them */
    u32 a, b;                    /* a comment that is so long that it cannot stay in its column */
    u32 first_of_the_corner_points, second_of_the_corner_points;    /* a comment of two lines, which
                                    stays behind its fields */
} shape;

static sample several_arguments(const sample *RESTRICT first_data, const sample *RESTRICT second,
                                i64 first_index, i64 second_index, u32 flags, sample *out)
{
    const i64 difference = first_index - second_index;
    sample total = first_data[first_index] +
                   second[second_index] * (sample)difference +
                   (sample)flags;

    if (difference > 0 &&
        flags != 0)
        total = multiply_add(multiply_add(total, total, total), multiply_add(total, total, total), total);
    out[0] = total;   /* kept */
    return total;
}

static i64 a_name_that_leaves_hardly_any_room(i64 n)
{
    return n + (WIDTH * DEPTH + WIDTH * DEPTH + WIDTH * DEPTH + WIDTH * DEPTH);
}

/* A line that cannot be broken well is left as it is. */
static i64 a_name_that_leaves_hardly_any_room_on_a_line(i64 n)
{
    n ^= a_name_that_leaves_hardly_any_room((i64)a_name_that_leaves_hardly_any_room((i64)(u32)n));
    return n;
}

sample call(const shape *s, sample *out)
{
    out[1] = (sample)a_name_that_leaves_hardly_any_room_on_a_line(s->width);
    return several_arguments((const sample *)s->data, (const sample *)s->data, (i64)s->width,
                             (i64)s->a, (u32)s->b + KIND_ONE + KIND_TWO, out);
}

/* A comment that goes on in the next line stays behind the code before it. */
u64 behind_code(u64 first, u64 second)
{
    u64 sum = (u64)first + (u64)second + (u64)(first & 1); /* begins here, behind code, and goes
                                                              on in the next line */
    sum += (u64)first + (u64)second * (u64)(second & 3) + 7; // a, b, c, d, e, f, g, h, i, j
    return sum;
}
