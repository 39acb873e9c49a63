/* CSR5: host code of the kernels. It builds the layout.
 *
 * In addition to the arrays for CPUs, a device gets lists, so that its kernels need not search for
 * work:
 *
 *   tile_info    u32[tiles]: what a tile's work-items do beyond its nonzeros
 *   empty_row    i32[empty_rows]: the rows without nonzeros
 *   open_tile    i64[short_rows + long_rows]: the tiles whose last row has an overhang above the
 *                limit: first those whose row lies in at most SHORT_TILES further
 *                tiles, then the others
 *
 * If there are such rows, the workspace is `carry`, two sums for each tile: the first of the row
 * that began before the tile, the second of the row that begins in the tile and continues after it.
 * Which of these sums are written, and later read, depends on the matrix only.
 */
#include "../prelude/host.h"
#include "../common/host_scale.h"
#include "build.h"
#include "build_sizes.h"
#include "host_classic.h"
#include "layout.h"
#include "layout_classic.h"
#include "layout_stats.h"
#include "simt_groups.h"
#include "simt_tile_info.h"

enum {                           /* spmv_layout.array */
    TILE_INFO = FORM_ARRAYS,
    EMPTY_ROW,
    OPEN_TILE,
    ARRAY_COUNT
};

enum {                           /* spmv_layout.number */
    NUMBER_EMPTY_ROWS = FORM_NUMBERS,
    NUMBER_SHORT_ROWS,
    NUMBER_LONG_ROWS,
    NUMBER_OVERHANG_LIMIT,       /* see overhang_limit */
    NUMBER_COUNT
};

static const c8 *const number_names[NUMBER_COUNT] = {
    "complete_tiles", "sigma", "chunks", "tiles", "wide_tiles", "empty_rows", "short_rows",
    "long_rows", "overhang_limit"
};

static i64 form_described_tiles(i64 nnz, i32 tile_size)
{
    return i64_ceil_div(nnz, tile_size);
}

/* Numbers of rows without nonzeros, of rows whose sum needs another kernel, and of nonzeros that
 * are read twice since another tile adds them. */
typedef struct row_counts {
    i64 empty, in_few_tiles, in_many_tiles, twice;
} row_counts;

/* Adds the numbers of these rows to `at`; limit: of overhangs. If arrays are given, also writes
 * each row to its place. */
static row_counts list_rows(const spmv_layout *layout, row_counts at, i64 limit, i32 *empty_row,
                            i64 *open_tile)
{
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    const i32 size = shape_of(SIGMA ? SIGMA : (i32)layout->number[NUMBER_SIGMA]).size;

    for (i64 r = 0; r < layout->csr.rows; r++) {
        const i64 begin = row_begin(&row_ptr, r);
        const i64 end = row_begin(&row_ptr, r + 1);

        if (begin == end) {
            if (empty_row)
                empty_row[at.empty] = (i32)r;
            at.empty++;
            continue;
        }

        const i64 further = (end - 1) / size - begin / size;
        const i64 overhang = end - (begin / size + 1) * size;
        if (overhang <= limit) {
            at.twice += i64_max(overhang, 0);
            continue;
        }

        i64 *place = further <= SHORT_TILES ? &at.in_few_tiles : &at.in_many_tiles;
        if (open_tile)
            open_tile[*place] = begin / size;
        (*place)++;
    }
    return at;
}

static spmv_status form_arrays(spmv_layout *layout)
{
    const row_counts none = { 0, 0, 0, 0 };
    const i32 size = shape_of(SIGMA ? SIGMA : (i32)layout->number[NUMBER_SIGMA]).size;
    i64 limit = least_overhang_limit(size);
    row_counts found = list_rows(layout, none, limit, NULL, NULL);
    spmv_status status;

    /* One kernel less is worth a few nonzeros that are read twice. */
    if (found.in_few_tiles && !found.in_many_tiles) {
        const row_counts most = list_rows(layout, none, size, NULL, NULL);

        if (!most.in_few_tiles && most.twice - found.twice <= layout->csr.nnz / 16) {
            limit = size;
            found = most;
        }
    }
    layout->number[NUMBER_OVERHANG_LIMIT] = limit;

    layout->array_count = ARRAY_COUNT;
    layout->number[NUMBER_EMPTY_ROWS] = found.empty;
    layout->number[NUMBER_SHORT_ROWS] = found.in_few_tiles;
    layout->number[NUMBER_LONG_ROWS] = found.in_many_tiles;
    status = set_array(layout, TILE_INFO, "tile_info", layout->number[NUMBER_DESCRIBED],
                       sizeof(u32));
    if (!status)
        status = set_array(layout, EMPTY_ROW, "empty_row", found.empty, sizeof(i32));
    if (!status)
        status = set_array(layout, OPEN_TILE, "open_tile",
                           found.in_few_tiles + found.in_many_tiles, sizeof(i64));
    if (!status)
        status = add_part(layout, "carry",
                          found.in_few_tiles + found.in_many_tiles
                              ? 2 * layout->number[NUMBER_DESCRIBED] : 0,
                          value_bytes(&layout->csr), 0);
    return status;
}

/* Number of segments of a tile, from its descriptor. */
static i32 count_segments(const csr5_matrix *a, i64 tile)
{
    const u32 *desc = a->tile_desc + tile * a->shape.words * OMEGA + OMEGA - 1;
    i32 segments = lane_y_offset(&a->shape, desc[0]);

    for (i32 s = 0; s < a->shape.sigma; s++) {
        const i32 bit = a->shape.y_bits + a->shape.seg_bits + s;
        segments += (i32)(desc[bit / 32 * OMEGA] >> (31 - bit % 32) & 1u);
    }
    return segments;
}

/* Who adds the row of the tile's first nonzero: FIRST_... */
static i32 first_row_role(const csr5_matrix *a, i64 tile, i64 limit)
{
    const i32 row = tile_row(a->tile_ptr[tile]);
    const i64 tile_begin = tile * a->shape.size;
    const i64 begin = row_begin(&a->row_ptr, row);

    if (begin == tile_begin)
        return FIRST_OWN;
    return begin >= tile_begin - a->shape.size &&
                   row_begin(&a->row_ptr, row + 1) <= tile_begin + limit
               ? FIRST_TAKEN : FIRST_CARRIED;
}

static void build_tile_info(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    u32 *tile_info = (u32 *)job->layout->array[TILE_INFO].data;
    const i64 limit = job->layout->number[NUMBER_OVERHANG_LIMIT];
    const i64 end = i64_min(last * CHUNK_TILES, a.described);

    for (i64 t = first * CHUNK_TILES; t < end; t++) {
        const i64 tile_end = (t + 1) * a.shape.size;
        i32 overhang = 0;
        bool open = false;

        if (t + 1 < a.described) {
            const i32 row = tile_row(a.tile_ptr[t + 1]);
            const i64 begin = row_begin(&a.row_ptr, row);
            const i64 further = row_begin(&a.row_ptr, row + 1) - tile_end;
            const bool taken = begin >= t * a.shape.size && further <= limit;

            open = begin < tile_end && !taken;
            overhang = begin < tile_end && taken ? (i32)further : 0;
        }
        tile_info[t] = tile_info_word(count_segments(&a, t), overhang, open,
                                      first_row_role(&a, t, limit));
    }
}

static void build_lists(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const row_counts begin = { 0, 0, layout->number[NUMBER_SHORT_ROWS], 0 };

    (void)first;
    (void)last;
    list_rows(layout, begin, layout->number[NUMBER_OVERHANG_LIMIT],
              (i32 *)layout->array[EMPTY_ROW].data, (i64 *)layout->array[OPEN_TILE].data);
}

static i32 form_build_steps(const spmv_layout *layout, spmv_step *step, i32 count)
{
    count = add_step(step, count, "build_tile_info", build_tile_info,
                     layout->number[NUMBER_CHUNKS]);
    if (!layout->array[EMPTY_ROW].bytes && !layout->array[OPEN_TILE].bytes)
        return count;
    return add_step(step, count, "build_lists", build_lists, 1);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const i64 *number = job->layout->number;
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_kernel(step, n, "csr5_tiles",
                   i64_ceil_div(number[NUMBER_DESCRIBED], GROUP_TILES) +
                   i64_ceil_div(number[NUMBER_EMPTY_ROWS], WORK_GROUP_SIZE));
    if (number[NUMBER_SHORT_ROWS] + number[NUMBER_LONG_ROWS])
        n = add_kernel(step, n, "csr5_open_rows",
                       i64_ceil_div(number[NUMBER_SHORT_ROWS], WORK_GROUP_SIZE) +
                       number[NUMBER_LONG_ROWS]);
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = SEGMENTED_SUM == CLASSIC ? classic_layout_size : layout_size,
    .build_steps = SEGMENTED_SUM == CLASSIC ? borrowed_no_steps : build_steps,
    .update_steps = SEGMENTED_SUM == CLASSIC ? borrowed_no_steps : update_steps,
    .restore_steps = SEGMENTED_SUM == CLASSIC ? borrowed_restore_steps : restore_steps,
    .launches = SEGMENTED_SUM == CLASSIC ? classic_launches : launches,
    .figures = FIGURES && SEGMENTED_SUM != CLASSIC ? layout_stats : NULL,
    .number_count = NUMBER_COUNT,
    .number_names = number_names,
    .converts = SEGMENTED_SUM == CLASSIC ? 0 : 1,
};
