/* words.c: types, qualifiers and calls of the prelude, as each lowering has them. */
#include "prelude/words.h"

/* The kernel of the table below. */
KERNEL void scale(LENGTH("count") const sample *RESTRICT in, LENGTH("count") sample *RESTRICT out,
                  LOCAL sample *scratch, sample factor, i32 first, i32 last)
{
    for (i32 i = first; i < last; i++) {
        scratch[0] = multiply_add(in[i], factor, (sample)larger(i, 0));
        wait_for_all();
        out[i] = scratch[0];
    }
}

DEVICE i64 calls(i64 a, i32 n, u32 u, sample x, sample *y)
{
    pack p = pack_of(x);
    y[0] = multiply_add(x + 1, -x, y[n]) * 2;
    y[1] = multiply_add(/* weight */ x, y[n + 1], x * x);
    y[2] = pack_sum(p) + pack_twice(p);
    y[3] = multiply_add(1, n, WIDTH);
    a = wide_product(n, a);
    a = wide_product(a + 1, WIDTH * DEPTH) + wide_product(u, 2);
    a += (i64)sizeof(pack) + (i64)sizeof(sample[WIDTH]) + (i64)sizeof y[0];
    if (n > 2)
        wait_for_all();
    return a;
}

static void run(const host_job *job, i64 first, i64 last)
{
    const sample *data = (const sample *)job->data;
    sample scratch[WIDTH];
    scale(data, scratch, scratch, 2, (i32)first, (i32)last);
    if (job->run && job->count < HOST_LIMIT && host_log("text") && job->data != NULL)
        job->run(job, first, calls(last, 1, 1u, 1, scratch));
}

typedef struct method {
    const char *name;
    void (*run)(const host_job *job, i64 first, i64 last);
} method;

static const method methods[] = {
    { .name = "scale", .run = run },
};
