/* sizes.c: the sizes of the arrays, which follow from row_ptr alone, and what a multiplication costs. */

enum { SAMPLES = 16 };           /* strips that are measured to know what all of them cost */

static i64 strip_count_of(const spmv_csr *csr)
{
    return i64_ceil_div(csr->rows + csr->nnz, STRIP_WEIGHT);
}

static i64 split_row_count(const spmv_layout *layout)
{
    const csr_source a = source_of(layout);
    i64 count = 0;

    for (i32 row = 0; row < a.rows; row++)
        count += row_length(&a, row) > STRIP_WEIGHT;
    return count;
}

/* Some strips, evenly spread, for all; x and y once. */
static f64 estimate_cost(const spmv_layout *layout)
{
    const csr_source a = source_of(layout);
    const i64 strips = layout->number[NUMBER_STRIPS];
    const i64 samples = i64_min(strips, SAMPLES);
    f64 cost = 0;
    i64 weight = 0;

    for (i64 i = 0; i < samples; i++) {
        strip_rows r;
        find_rows(&a, share_begin(i, strips, samples), &r);
        cost += (f64)(choose_kind(&a, &r).cost / BYTE);
        weight += r.count + r.nnz;
    }
    return cost / (f64)i64_max(weight, 1) * (f64)(layout->csr.rows + layout->csr.nnz) +
           (f64)(layout->csr.rows + layout->csr.cols) * sizeof(real);
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const i64 strips = strip_count_of(csr);
    const i64 splits = split_row_count(layout);
    spmv_status status;

    layout->number[NUMBER_STRIPS] = strips;
    layout->number[NUMBER_SPLIT_ROWS] = splits;
    layout->array_count = ARRAY_COUNT;
    layout->borrows = SPMV_BORROWS_ROW_PTR;
    layout->value_arrays = 1 << VAL;
    status = set_array(layout, STRIP, "strip", strips ? strips + 1 : 0, sizeof(strip));
    if (!status)
        status = set_array(layout, LANE_SLICE, "lane_slice",
                           strips ? csr->rows / SLICE_ROWS + strips + 1 : 0, sizeof(lane_slice));
    if (!status)
        status = set_array(layout, DIAGONALS, "diagonals",
                           strips ? csr->rows / DIAGONAL_ROWS + strips + 1 : 0, sizeof(diagonal_list));
    if (!status)
        status = set_array(layout, ROW, "row", csr->rows, sizeof(u16));
    if (!status)
        status = set_array(layout, COUNT, "count", strips * BOUNDARY, sizeof(u8));
    if (!status)
        status = set_array(layout, INDEX, "index", csr->nnz + (strips + 1) * INDEX_PAD, sizeof(i32));
    if (!status)
        status = set_array(layout, VAL, "val", csr->nnz + LANES, sizeof(real));
    if (!status)
        status = set_array(layout, SPLIT_ROW, "split_row", splits, sizeof(i32));
    if (!status)
        status = set_workspace(layout, splits ? strips * STRIP_PARTS : 0, sizeof(real));
    if (!status) {
        /* Memory that is touched first, two looks at the columns, and values that are moved one by one: about
         * as long whatever the type of the values is. */
        layout->cost = estimate_cost(layout);
        layout->build_cost = (f64)csr->nnz * 300 + (f64)csr->rows * 200;
    }
    return status;
}
