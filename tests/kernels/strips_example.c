/* strips_example.c: prints the storages of the example of docs/methods/strips.md: of each, costs,
 * arrays and y. test_strips_page.py compares the page with this output.
 */
#include "templates/strips/simd.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8, COLS = 12, NNZ = 24 };

static const i32 row_ptr[ROWS + 1] = {0, 2, 5, 8, 8, 16, 19, 22, 24};
static const i32 col_idx[NNZ] = {
    0, 1,  1, 2, 3,  2, 3, 4,  0, 1, 2, 4, 5, 6, 7, 8,  5, 6, 7,  5, 6, 7,  7, 8
};

/* ---- arrays -------------------------------------------------------------------------------- */

static void begin_line(const char *name)
{
    printf("%-12s", name);
}

static void print_u16(const char *name, const u16 *of, i64 count)
{
    begin_line(name);
    for (i64 i = 0; i < count; i++)
        printf(" %d", of[i]);
    putchar('\n');
}

static void print_i32(const char *name, const i32 *of, i64 count)
{
    begin_line(name);
    for (i64 i = 0; i < count; i++)
        printf(" %d", of[i]);
    putchar('\n');
}

/* The value in row r and column c is 10 * r + c. */
static void print_values(const char *name, const real *val, i64 begin, i64 end)
{
    begin_line(name);
    for (i64 i = begin; i < end; i++)
        printf(" %02d", (i32)val[i]);
    putchar('\n');
}

/* Lane 0 is printed first. */
static void print_mask(u32 mask)
{
    for (i32 i = 0; i < LANES; i++)
        putchar(mask >> i & 1 ? '1' : '.');
}

/* ---- the storages -------------------------------------------------------------------------- */

typedef struct example {
    spmv_layout layout;
    csr_source source;
    strip_scratch *scratch;
    strip_output out;
    strip *strips;
    real *val;
    value_output values;
} example;

static void *zeros(size_t bytes)
{
    void *p = calloc(1, bytes);
    if (!p)
        exit(1);
    return p;
}

static void begin_example(example *e, const real *val, bool has_wide_values)
{
    memset(e, 0, sizeof *e);
    e->layout.csr.rows = ROWS;
    e->layout.csr.cols = COLS;
    e->layout.csr.nnz = NNZ;
    e->layout.csr.row_ptr = row_ptr;
    e->layout.csr.col_idx = col_idx;
    e->layout.csr.val = val;
    e->layout.csr.value_type = SPMV_F64;
    e->layout.csr.offset_type = SPMV_I32;
    e->layout.setting[SETTING_WIDE_VALUES] = has_wide_values;
    e->scratch = zeros(sizeof *e->scratch);
    e->layout.scratch = e->scratch;
    if (layout_size(&e->layout) != SPMV_OK || e->layout.number[NUMBER_STRIPS] != 1)
        exit(1);
    for (i32 i = 0; i < e->layout.array_count; i++)
        e->layout.array[i].data = zeros(e->layout.array[i].bytes + 64);
    e->source = source_of(&e->layout);
    e->out = strip_output_of(&e->layout);
    e->strips = e->out.strips;
    e->val = e->layout.array[VAL].data;
    e->strips[1].entry = NNZ;
    e->strips[1].row = ROWS;
    begin_finder(&e->source, &e->scratch->finder);
    find_strip_rows(&e->source, 0, &e->scratch->rows);
    sort_rows(&e->source, &e->scratch->rows);
    e->values = begin_values(&e->layout, &e->scratch->values, 0, NNZ, LOADED_BLOCK);
    e->out.codings[BLOCK_ROWS] = e->values.coding;
}

static void end_example(example *e)
{
    for (i32 i = 0; i < e->layout.array_count; i++)
        free(e->layout.array[i].data);
    free(e->scratch);
}

/* Multiplies ones, so that y has the sums of rows. */
static void print_product(const example *e)
{
    real x[COLS];
    real y[ROWS];
    real parts[STRIP_PARTS];
    spmv_job job = {0};

    for (i32 i = 0; i < COLS; i++)
        x[i] = 1;
    job.layout = &e->layout;
    job.alpha = 1;
    job.x = x;
    job.y = y;
    job.workspace = parts;
    run_strips(&job, 0, 1);
    begin_line("y");
    for (i32 i = 0; i < ROWS; i++)
        printf(" %d", (i32)y[i]);
    putchar('\n');
}

static void print_lanes(example *e)
{
    strip_rows *r = &e->scratch->rows;
    strip *t = e->strips;
    const i32 *index = e->out.index;

    t->kind = STRIP_LANES;
    build_lanes(&e->source, r, count_long_rows(r), t, 0, &e->out, e->values);
    print_u16("ROW", e->out.row, ROWS);
    begin_line("LANE_SLICE");
    for (i32 p = 0; p < t->lane_rows; p += SLICE_ROWS) {
        const lane_slice *s = &e->out.lane_slices[p / SLICE_ROWS];
        printf(" {base %d, shortest %d, longest %d}", s->base, s->shortest, s->longest);
    }
    putchar('\n');
    begin_line("COUNT");
    for (i32 i = 0; e->out.count[i]; i++)
        printf(" %d", e->out.count[i]);
    putchar('\n');
    print_i32("INDEX, i32", index, t->wide + LANES);
    print_u16("       u16", (const u16 *)(index + narrow_columns_begin(t)), t->narrow + LANES);
    index += long_columns_begin(t);
    print_i32("       i32", index, t->has_segments ? SEGMENT_HEAD : 0);
    print_u16("       u16", (const u16 *)(index + SEGMENT_HEAD), 2 * segment_words(index[1]));
    print_values("VAL, lanes", e->val, 0, t->wide + t->narrow);
    print_values("     long", e->val, t->wide + t->narrow, NNZ);
}

static void print_diagonals(example *e)
{
    strip *t = e->strips;

    t->kind = STRIP_DIAGONALS;
    if (!build_diagonals(&e->source, &e->scratch->rows, &e->scratch->finder, t, 0, &e->out,
                         e->values))
        exit(1);
    for (i32 s = 0; s * DIAGONAL_ROWS < ROWS; s++) {
        const diagonal_list *list = &e->out.diagonals[s];
        printf("DIAGONALS    slice %d: {first %d, pairs %d}\n", s, list->first, list->pairs);
        for (i32 p = list->first; p < list->first + list->pairs; p++) {
            const i32 *pair = e->out.index + p * PAIR;
            begin_line("INDEX");
            printf(" %2d %2d  ", pair[0], pair[1]);
            print_mask(first_mask(pair));
            putchar(' ');
            print_mask(second_mask(pair));
            putchar('\n');
        }
        print_values("VAL", e->val, row_ptr[s * DIAGONAL_ROWS],
                     row_ptr[(s + 1) * DIAGONAL_ROWS]);
    }
}

static void print_runs(example *e)
{
    const u16 *at = (const u16 *)e->out.index;
    strip *t = e->strips;

    t->kind = STRIP_RUNS;
    if (!build_runs(&e->source, &e->scratch->rows, t, 0, &e->out, e->values))
        exit(1);
    for (i32 row = 0; row < ROWS; row++) {
        const i32 word = e->out.row[row];
        printf("row %d: ROW %d%s", row, word & ~SAME_COLUMNS,
               word & SAME_COLUMNS ? " SAME_COLUMNS" : "");
        for (i32 s = 0; s < word && !(word & SAME_COLUMNS); s++) {
            printf("  INDEX %d %d %d", at[0], at[1], at[2]);
            const i32 vectors = at[2];
            at += RUN_HEAD;
            for (i32 v = 0; v < vectors; v++, at += RUN_WORDS) {
                printf(" | %d ", at[0]);
                print_mask(at[RUN_WINDOWS]);
            }
        }
        putchar('\n');
    }
    print_values("VAL", e->val, 0, NNZ);
}

/* VAL in the coding that the example's values get: its table, then its codes. */
static void print_coding(const char *name, const real *val)
{
    example e;
    begin_example(&e, val, false);
    const value_coding coding = e.values.coding;
    strip_rows *r = &e.scratch->rows;

    e.strips->kind = STRIP_LANES;
    build_lanes(&e.source, r, count_long_rows(r), e.strips, 0, &e.out, e.values);
    begin_line(name);
    for (i32 i = 0; i < coding.table; i++)
        printf(" %g", e.val[i]);
    printf("%s", has_codes(coding) ? " |" : "");
    for (i32 i = 0; has_codes(coding) && i < NNZ + LANES; i++)
        printf(" %d", e.values.code[i]);
    for (i32 i = 0; coding.kind == VALUES_SINGLE && i < NNZ; i++)
        printf(" %g", (f64)e.values.single[i]);
    putchar('\n');
    end_example(&e);
}

static void print_codings(void)
{
    real equal[NNZ], few[NNZ], single[NNZ];

    for (i32 row = 0; row < ROWS; row++)
        for (i32 k = row_ptr[row]; k < row_ptr[row + 1]; k++) {
            equal[k] = 0.1;
            few[k] = col_idx[k] == row ? 0.3 : 0.1;
            single[k] = 10 * row + col_idx[k];
        }
    printf("codings:\n");
    print_coding("EQUAL", equal);
    print_coding("FEW", few);
    print_coding("SINGLE", single);
}

static void print_estimate(const char *name, i64 cost)
{
    printf("%-12s %.2f cycles\n", name, (f64)cost / (f64)COST_CYCLE);
}

static void print_estimates(example *e)
{
    strip_rows *r = &e->scratch->rows;
    const i64 lanes = estimate_lanes(&e->source, r, count_long_rows(r));
    const strip_choice choice = choose_kind(&e->source, r, &e->scratch->finder);
    const char *const names[STRIP_KINDS] = {"lanes", "diagonals", "runs"};
    bool is_padded;

    print_estimate("lanes", lanes);
    print_estimate("diagonals", estimate_diagonals(&e->source, r, &e->scratch->finder, lanes,
                                                   &is_padded));
    print_estimate("runs", estimate_runs(&e->source, r));
    printf("chosen       %s\n", names[choice.kind]);
}

static void print_storages(void)
{
    void (*const print[])(example *e) = {
        print_estimates, print_lanes, print_diagonals, print_runs
    };
    const char *const names[] = {"estimates", "lanes", "diagonals", "runs"};
    real val[NNZ];

    for (i32 row = 0; row < ROWS; row++)
        for (i32 k = row_ptr[row]; k < row_ptr[row + 1]; k++)
            val[k] = 10 * row + col_idx[k];
    for (size_t i = 0; i < sizeof print / sizeof print[0]; i++) {
        example e;
        begin_example(&e, val, true);
        printf("%s:\n", names[i]);
        print[i](&e);
        if (i > 0)
            print_product(&e);
        end_example(&e);
    }
    print_codings();
}

int main(void)
{
    print_storages();
    return 0;
}
