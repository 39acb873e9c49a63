// templates/layout.c plain WIDTH=4 DEPTH=3 sample=f64
/* What is lowered grows or shrinks; lines stay aligned and below 100 columns. */

/* a*b + c */
static inline double multiply_add(double a, double b, double c)
{
    return a * b + c;
}

enum {                           /* the kinds */
    KIND_ONE = 4 /* WIDTH */,    /* the first */
    KIND_TWO = 12 /* WIDTH * DEPTH */ /* the second */
};

typedef struct shape {
    int32_t width;               /* samples */
    const double *data;          /* width of them */
    uint32_t a, b;               /* a comment that is so long that it cannot stay in its column */
    uint32_t first_of_the_corner_points,
        second_of_the_corner_points;    /* a comment of two lines, which
                                           stays behind its fields */
} shape;

static double several_arguments(const double *restrict first_data, const double *restrict second,
                                int64_t first_index, int64_t second_index, uint32_t flags,
                                double *out)
{
    const int64_t difference = first_index - second_index;
    double total = first_data[first_index] +
                   second[second_index] * (double)difference +
                   (double)flags;

    if (difference > 0 &&
        flags != 0)
        total = multiply_add(multiply_add(total, total, total), multiply_add(total, total, total),
                             total);
    out[0] = total;   /* kept */
    return total;
}

static int64_t a_name_that_leaves_hardly_any_room(int64_t n)
{
    return n + 48 /* from WIDTH, DEPTH */;
}

/* A line that cannot be broken well is left as it is. */
static int64_t a_name_that_leaves_hardly_any_room_on_a_line(int64_t n)
{
    n ^= a_name_that_leaves_hardly_any_room((int64_t)a_name_that_leaves_hardly_any_room((int64_t)(uint32_t)n));
    return n;
}

double call(const shape *s, double *out)
{
    out[1] = (double)a_name_that_leaves_hardly_any_room_on_a_line(s->width);
    return several_arguments((const double *)s->data, (const double *)s->data, (int64_t)s->width,
                             (int64_t)s->a, (uint32_t)s->b + KIND_ONE + KIND_TWO, out);
}

/* A comment that goes on in the next line stays behind the code before it. */
uint64_t behind_code(uint64_t first, uint64_t second)
{
    uint64_t sum = (uint64_t)first + (uint64_t)second +
                   (uint64_t)(first & 1); /* begins here, behind code, and goes
                                             on in the next line */
    sum += (uint64_t)first + (uint64_t)second * (uint64_t)(second & 3) +
           7; // a, b, c, d, e, f, g, h, i, j
    return sum;
}
