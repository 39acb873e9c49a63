// templates/words.c vector WIDTH=2,4 DEPTH=2 sample=f32,f64
/* Types, qualifiers and calls of the prelude, as each lowering has them. */

/* The larger one. */
static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

typedef struct method {
    const char *name;
    void (*run)(const host_job *job, long long first, long long last);
} method;

/* ==== f32 sample ==== */

/* 2 samples. */
typedef struct pack_f32 { double lane[2]; } pack_f32;

/* The same sample in each lane. */
static inline pack_f32 pack_of_f32(float value)
{
    pack_f32 p;
    for (int i = 0; i < 2 /* WIDTH */; i++)
        p.lane[i] = value;
    return p;
}

static double pack_sum_f32(pack_f32 p)
{
    return p.lane[0] + p.lane[larger(2 - 1, 0)];
}

/* Twice the sum: its body uses another word. */
static inline float pack_twice_f32(pack_f32 p)
{
    return 2 * pack_sum_f32(p);
}

/* The kernel of the table below. */
__attribute__((used)) static void scale_f32(const float *in, float *out,
                                            /* local */ float *scratch, float factor, int first,
                                            int last)
{
    for (int i = first; i < last; i++) {
        scratch[0] = in[i] * factor + ((float)larger(i, 0));
        out[i] = scratch[0];
    }
}

static inline long long calls_f32(long long a, int n, unsigned u, float x, float *y)
{
    pack_f32 p = pack_of_f32(x);
    y[0] = ((x + 1) * (-x) + y[n]) * 2;
    y[1] = /* weight */ x * y[n + 1] + (x * x);
    y[2] = pack_sum_f32(p) + pack_twice_f32(p);
    y[3] = 1.0f * ((float)n) + 2.0f /* WIDTH */;
    a = wide(((long long)n) * a, n);
    a = wide((a + 1) * ((long long)4 /* WIDTH * DEPTH */), a + 1) +
        wide(((long long)u) * ((long long)2), u);
    a += (long long)sizeof(pack_f32) + (long long)sizeof(float[2]) + (long long)sizeof y[0];
    return a;
}

static void run_f32(const host_job *job, long long first, long long last)
{
    const float *data = (const float *)job->data;
    float scratch[2 /* WIDTH */];
    scale_f32(data, scratch, scratch, 2, (int)first, (int)last);
    if (job->run && job->count < HOST_LIMIT && host_log("text") && job->data != NULL)
        job->run(job, first, calls_f32(last, 1, 1u, 1, scratch));
}

static const method methods_f32[] = {
    { .name = "scale", .run = run_f32 },
};

/* ==== f64 sample ==== */

/* 4 samples. */
typedef struct pack_f64 { double lane[4]; } pack_f64;

/* The same sample in each lane. */
static inline pack_f64 pack_of_f64(double value)
{
    pack_f64 p;
    for (int i = 0; i < 4 /* WIDTH */; i++)
        p.lane[i] = value;
    return p;
}

static double pack_sum_f64(pack_f64 p)
{
    return p.lane[0] + p.lane[larger(4 - 1, 0)];
}

/* Twice the sum: its body uses another word. */
static inline double pack_twice_f64(pack_f64 p)
{
    return 2 * pack_sum_f64(p);
}

/* The kernel of the table below. */
__attribute__((used)) static void scale_f64(const double *in, double *out,
                                            /* local */ double *scratch, double factor, int first,
                                            int last)
{
    for (int i = first; i < last; i++) {
        scratch[0] = in[i] * factor + ((double)larger(i, 0));
        out[i] = scratch[0];
    }
}

static inline long long calls_f64(long long a, int n, unsigned u, double x, double *y)
{
    pack_f64 p = pack_of_f64(x);
    y[0] = ((x + 1) * (-x) + y[n]) * 2;
    y[1] = /* weight */ x * y[n + 1] + (x * x);
    y[2] = pack_sum_f64(p) + pack_twice_f64(p);
    y[3] = 1.0 * ((double)n) + 4.0 /* WIDTH */;
    a = wide(((long long)n) * a, n);
    a = wide((a + 1) * ((long long)8 /* WIDTH * DEPTH */), a + 1) +
        wide(((long long)u) * ((long long)2), u);
    a += (long long)sizeof(pack_f64) + (long long)sizeof(double[4]) + (long long)sizeof y[0];
    return a;
}

static void run_f64(const host_job *job, long long first, long long last)
{
    const double *data = (const double *)job->data;
    double scratch[4 /* WIDTH */];
    scale_f64(data, scratch, scratch, 2, (int)first, (int)last);
    if (job->run && job->count < HOST_LIMIT && host_log("text") && job->data != NULL)
        job->run(job, first, calls_f64(last, 1, 1u, 1, scratch));
}

static const method methods_f64[] = {
    { .name = "scale", .run = run_f64 },
};
// kernel scale
//   in: const double *, global, read, [count]
//   out: double *, global, read-write, [count]
//   scratch: double *, local, read-write, []
//   factor: double, value, value, []
//   first: int, value, value, []
//   last: int, value, value, []
