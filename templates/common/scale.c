/* scale.c: y = beta*y, which is all that is left of y = alpha*A*x + beta*y when alpha is 0. It
 * reads neither A nor x, so that what they hold (an Inf, nothing yet) cannot matter. */

enum { SCALE_CHUNK = 16384 };    /* rows a chunk */

static void scale_rows(const spmv_job *job, i64 first, i64 last)
{
    real *y = (real *)job->y;
    const real beta = (real)job->beta;
    const i64 end = i64_min(last * SCALE_CHUNK, job->layout->csr.rows);

    for (i64 r = first * SCALE_CHUNK; r < end; r++)
        y[r] = beta == 0 ? (real)0 : beta * y[r];
}

static i32 scale_launches(const spmv_job *job, spmv_step *step)
{
    step[0].name = "scale_rows";
    step[0].run = scale_rows;
    step[0].grid = i64_ceil_div(job->layout->csr.rows, SCALE_CHUNK);
    return 1;
}
