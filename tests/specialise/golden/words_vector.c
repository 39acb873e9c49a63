// templates/words.c vector WIDTH=4 DEPTH=3 FLAG=0 sample=f64
/* Types, qualifiers and calls of the prelude, as each lowering has them. */

/* The larger one. */
static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

/* 4 samples. */
typedef struct pack { double lane[4]; } pack;

/* The same sample in each lane. */
static inline pack pack_of(double value)
{
    pack p;
    for (int i = 0; i < 4 /* WIDTH */; i++)
        p.lane[i] = value;
    return p;
}

static double pack_sum(pack p)
{
    return p.lane[0] + p.lane[larger(4 - 1, 0)];
}

/* Twice the sum: its body uses another word. */
static inline double pack_twice(pack p)
{
    return 2 * pack_sum(p);
}

/* The kernel of the table below. */
__attribute__((used)) static void scale(const double *in, double *out,
                                        /* local */ double *scratch, double factor, int first,
                                        int last)
{
    for (int i = first; i < last; i++) {
        scratch[0] = in[i] * factor + ((double)larger(i, 0));
        out[i] = scratch[0];
    }
}

static inline long long calls(long long a, int n, unsigned u, double x, double *y)
{
    pack p = pack_of(x);
    y[0] = ((x + 1) * (-x) + y[n]) * 2;
    y[1] = /* weight */ x * y[n + 1] + (x * x);
    y[2] = pack_sum(p) + pack_twice(p);
    y[3] = 1.0 * ((double)n) + 4.0 /* WIDTH */;
    a = wide(((long long)n) * a, n);
    a = wide((a + 1) * ((long long)12 /* WIDTH * DEPTH */), a + 1) +
        wide(((long long)u) * ((long long)2), u);
    a += (long long)sizeof(pack) + (long long)sizeof(double[4]) + (long long)sizeof y[0];
    return a;
}

static void run(const host_job *job, long long first, long long last)
{
    const double *data = (const double *)job->data;
    double scratch[4 /* WIDTH */];
    scale(data, scratch, scratch, 2, (int)first, (int)last);
    if (job->run && job->count < HOST_LIMIT && host_log("text") && job->data != NULL)
        job->run(job, first, calls(last, 1, 1u, 1, scratch));
}

typedef struct method {
    const char *name;
    void (*run)(const host_job *job, long long first, long long last);
} method;

static const method methods[] = {
    { .name = "scale", .run = run },
};
// kernel scale
//   in: const double *, global, read, [count]
//   out: double *, global, read-write, [count]
//   scratch: double *, local, read-write, []
//   factor: double, value, value, []
//   first: int, value, value, []
//   last: int, value, value, []
