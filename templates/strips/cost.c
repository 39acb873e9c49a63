/* cost.c: what a strip costs in each way: bytes that are read, and what its steps are worth in bytes.
 *
 * A core reads about `cycle` bytes while it computes for a cycle, where cores share the memory; bytes
 * and cycles are added, although they overlap in part: that orders the ways as measured
 * (docs/performance.md). x and y cost the same in all of them, and are left out.
 */

enum { SAMPLE = 4096 };          /* entries of a strip that are looked at in each way, or a few more */

static const f64 cycle = 5;
static const f64 no_way = 1e300;

/* Every so manieth of `count` slices or rows is looked at, which have nnz entries. */
static i32 sample_distance(i32 count, i64 nnz)
{
    return (i32)i64_max(1, i64_min(count / 4, nnz / SAMPLE));
}

/* Cycles of a vector of products: x is collected lane by lane; read as it stands, with the mask of a
 * diagonal; or run by run. */
static f64 collected_vector(void)
{
    return 1.0 + 0.8 * LANES;
}

static f64 diagonal_vector(void)
{
    return 6.0;
}

static f64 runs_vector(void)
{
    return 3.25 + 0.75 * (LANES / V_RUN);
}

/* words: what a column takes, of 4 bytes */
static f64 long_rows_cost(i64 rows, i64 nnz, f64 words)
{
    return (f64)nnz * (sizeof(real) + sizeof(i32) * words) +
           cycle * ((f64)rows * 20 + (f64)nnz / LANES * collected_vector());
}

/* wide: the share of entries with columns of 32 bits */
static f64 lanes_cost(i64 nnz, f64 wide, i64 vectors, i64 slices)
{
    return (f64)nnz * (sizeof(real) + sizeof(u16) * (1 + wide)) +
           cycle * ((f64)vectors * collected_vector() + (f64)slices * 24) +
           (f64)slices * SLICE_ROWS * sizeof(u16);
}

static f64 diagonals_cost(f64 pairs, i64 slices, i64 nnz)
{
    const i32 vectors = (DIAGONAL_ROWS + LANES - 1) / LANES;

    return (f64)nnz * sizeof(real) + pairs * (f64)(PAIR * sizeof(i32)) +
           cycle * (2 * pairs * vectors * diagonal_vector() + (f64)slices * 16);
}

static f64 runs_cost(f64 vectors, i64 rows, i64 nnz)
{
    const i32 windows = LANES / V_RUN;

    return (f64)nnz * sizeof(real) + (vectors * (windows + 1) + (f64)rows * 3) * sizeof(u16) +
           cycle * (vectors * runs_vector() + (f64)rows * 20);
}
