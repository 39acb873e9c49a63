/* fetch_x.c: x at columns that come later is fetched into the second cache, for which a core may
 * wait for more lines at once than for the first one. A small x is near anyway: then fetching costs
 * more than it saves, and nothing is fetched. Who calls these asks for X_AHEAD > 0 first, so that
 * they are not there where it is 0.
 */

/* Of nnz columns, those whose x is fetched ahead: all, or none. */
static i64 fetched_columns(const spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;

    return csr->cols * value_bytes(csr) >= X_FAR ? csr->nnz : 0;
}

/* Values of x that are needed X_AHEAD columns later than those at `count` columns from col on, if
 * there are as many; left: columns from col on that are fetched. */
FETCHER void fetch_x(const real *x, const i32 *col, i32 count, i64 left)
{
    if (left >= X_AHEAD + count)
        for (i32 i = 0; i < count; i++)
            prefetch_l2(x + col[X_AHEAD + i]);
}
