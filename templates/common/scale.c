/* scale.c: y = alpha*A*x + beta*y where nothing is added: alpha is 0, or A has no nonzero. It reads
 * neither A nor x, so that what they hold (an Inf, nothing yet) cannot matter. An alpha of 0 leaves
 * beta*y to the sign of a zero; any other one is times sums of 0, as in rows that are empty. */

enum { SCALE_CHUNK = 16384 };    /* rows a chunk */

static void scale_rows(const spmv_job *job, i64 first, i64 last)
{
    real *y = (real *)job->y;
    const real alpha = (real)job->alpha;
    const real beta = (real)job->beta;
    const i64 end = i64_min(last * SCALE_CHUNK, job->layout->csr.rows);

    for (i64 r = first * SCALE_CHUNK; r < end; r++) {
        if (alpha == 0)
            y_scale(y, (i32)r, beta);
        else
            y_store(y, (i32)r, 0, alpha, beta);
    }
}

static i32 scale_launches(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "scale_rows", scale_rows,
                    i64_ceil_div(job->layout->csr.rows, SCALE_CHUNK));
}
