// templates/layout.c vector WIDTH=4 DEPTH=3 sample=f64
/* What is lowered grows or shrinks; lines stay aligned and below 100 columns. */

enum {                           /* the kinds */
    KIND_ONE = 4 /* WIDTH */,    /* the first */
    KIND_TWO = 12 /* WIDTH * DEPTH */ /* the second */
};

typedef struct shape {
    int width;                   /* samples */
    const double *data;          /* width of them */
    unsigned a, b;               /* a comment that is so long that it cannot stay in its column */
    unsigned first_of_the_corner_points,
        second_of_the_corner_points;    /* a comment of two lines, which
                                           stays behind its fields */
} shape;

static double several_arguments(const double *first_data, const double *second,
                                long long first_index, long long second_index, unsigned flags,
                                double *out)
{
    const long long difference = first_index - second_index;
    double total = first_data[first_index] +
                   second[second_index] * (double)difference +
                   (double)flags;

    if (difference > 0 &&
        flags != 0)
        total = (total * total + total) * (total * total + total) + total;
    out[0] = total;   /* kept */
    return total;
}

static long long a_name_that_leaves_hardly_any_room(long long n)
{
    return n + 48 /* from WIDTH, DEPTH */;
}

/* A line that cannot be broken well is left as it is. */
static long long a_name_that_leaves_hardly_any_room_on_a_line(long long n)
{
    n ^= a_name_that_leaves_hardly_any_room((long long)a_name_that_leaves_hardly_any_room((long long)(unsigned)n));
    return n;
}

double call(const shape *s, double *out)
{
    out[1] = (double)a_name_that_leaves_hardly_any_room_on_a_line(s->width);
    return several_arguments((const double *)s->data, (const double *)s->data, (long long)s->width,
                             (long long)s->a, (unsigned)s->b + KIND_ONE + KIND_TWO, out);
}

/* A comment that goes on in the next line stays behind the code before it. */
unsigned long long behind_code(unsigned long long first, unsigned long long second)
{
    unsigned long long sum = (unsigned long long)first + (unsigned long long)second +
                             (unsigned long long)(first & 1); /* begins here, behind code, and goes
                                                                 on in the next line */
    sum += (unsigned long long)first + (unsigned long long)second *
           (unsigned long long)(second & 3) + 7; // a, b, c, d, e, f, g, h, i, j
    return sum;
}
