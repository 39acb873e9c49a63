// templates/words.c plain WIDTH=4 DEPTH=3 FLAG=0 sample=f64
/* Types, qualifiers and calls of the prelude, as each lowering has them. */

/* a*b + c */
static inline double multiply_add(double a, double b, double c)
{
    return a * b + c;
}

static inline int64_t wide_product(int64_t a, int64_t b)
{
    return a * b;
}

/* The larger one. */
static inline int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* WIDTH samples. */
typedef struct pack {
    double lane[4 /* WIDTH */];
} pack;

/* The same sample in each lane. */
static inline pack pack_of(double value)
{
    pack p;
    for (int32_t i = 0; i < 4 /* WIDTH */; i++)
        p.lane[i] = value;
    return p;
}

/* The sum of the lanes. */
static inline double pack_sum(pack p)
{
    double sum = 0;
    for (int32_t i = 0; i < 4 /* WIDTH */; i++)
        sum = sum + p.lane[i];
    return sum;
}

/* Twice the sum: its body uses another word. */
static inline double pack_twice(pack p)
{
    return 2 * pack_sum(p);
}

/* Waits for the others; nothing where there is one work-item. */
static inline void wait_for_all(void)
{
}

/* The kernel of the table below. */
static void scale(const double *restrict in, double *restrict out,
                  double *scratch, double factor, int32_t first, int32_t last)
{
    for (int32_t i = first; i < last; i++) {
        scratch[0] = multiply_add(in[i], factor, (double)larger(i, 0));
        wait_for_all();
        out[i] = scratch[0];
    }
}

static inline int64_t calls(int64_t a, int32_t n, uint32_t u, double x, double *y)
{
    pack p = pack_of(x);
    y[0] = multiply_add(x + 1, -x, y[n]) * 2;
    y[1] = multiply_add(/* weight */ x, y[n + 1], x * x);
    y[2] = pack_sum(p) + pack_twice(p);
    y[3] = multiply_add(1, n, 4.0 /* WIDTH */);
    a = wide_product(n, a);
    a = wide_product(a + 1, 12 /* WIDTH * DEPTH */) + wide_product(u, 2);
    a += (int64_t)sizeof(pack) + (int64_t)sizeof(double[4]) + (int64_t)sizeof y[0];
    if (n > 2)
        wait_for_all();
    return a;
}

static void run(const host_job *job, int64_t first, int64_t last)
{
    const double *data = (const double *)job->data;
    double scratch[4 /* WIDTH */];
    scale(data, scratch, scratch, 2, (int32_t)first, (int32_t)last);
    if (job->run && job->count < HOST_LIMIT && host_log("text") && job->data != NULL)
        job->run(job, first, calls(last, 1, 1u, 1, scratch));
}

typedef struct method {
    const char *name;
    void (*run)(const host_job *job, int64_t first, int64_t last);
} method;

static const method methods[] = {
    { .name = "scale", .run = run },
};
// kernel scale
//   in: const double *restrict, global, read, [count]
//   out: double *restrict, global, read-write, [count]
//   scratch: double *, local, read-write, []
//   factor: double, value, value, []
//   first: int32_t, value, value, []
//   last: int32_t, value, value, []
