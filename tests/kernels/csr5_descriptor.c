/* csr5_descriptor.c: the fields of csr5's descriptor have the paper's numbers of bits, and these
 * hold the greatest values that a tile can have.
 *
 * The template itself is included, for TEST_OMEGA lanes; every sigma is tried. TEST_NAME is the
 * function that test_csr5_descriptor.c calls.
 */
#include "templates/csr5/simd.c"

#include "tests/tap.h"

void TEST_NAME(void);

enum { SIGMAS = 64, WORDS = 3, ROOM = OMEGA * SIGMAS + 1 };

static i32 row_ptr[ROOM];
static u32 tile_ptr[2], desc[WORDS * OMEGA];

/* Describes the tile of a matrix whose `rows` rows have `length` nonzeros each, and fill it. */
static tile_shape describe(i32 sigma, i32 rows, i32 length)
{
    csr5_matrix a = {0};
    spmv_csr csr = {0};
    i32 last_row = 0;

    for (i32 r = 0; r <= rows; r++)
        row_ptr[r] = r * length;
    csr.offset_type = SPMV_I32;
    csr.row_ptr = row_ptr;
    a.row_ptr = row_offsets_of(&csr);
    a.tile_ptr = tile_ptr;
    a.rows = rows;
    a.shape = shape_of(sigma);
    describe_tile(&a, 0, desc, &last_row);
    return a.shape;
}

/* The flag of a step of a lane. */
static bool is_flagged(const tile_shape *shape, i32 lane, i32 step)
{
    const i32 bit = shape->y_bits + shape->seg_bits + step;

    return (desc[bit / 32 * OMEGA + lane] >> (31 - bit % 32) & 1u) != 0;
}

/* Is a number of bits the least that holds the values below `count`? */
static bool is_log2(i32 bits, i32 count)
{
    return count <= 1 << bits && (bits == 0 || count > 1 << (bits - 1));
}

static void test_widths(void)
{
    bool y = true, seg = true, words = true;

    for (i32 sigma = 1; sigma <= SIGMAS; sigma++) {
        const tile_shape shape = shape_of(sigma);
        const i32 bits = shape.y_bits + shape.seg_bits + sigma;

        y = y && (shape.size == 1 ? shape.y_bits == 1 : is_log2(shape.y_bits, shape.size));
        seg = seg && is_log2(shape.seg_bits, OMEGA);
        words = words && 32 * shape.words >= bits && 32 * (shape.words - 1) < bits;
    }
    ok(y, "omega %d: y_offset has log2(omega * sigma) bits", OMEGA);
    ok(seg, "omega %d: seg_offset has log2(omega) bits", OMEGA);
    ok(words, "omega %d: with sigma bits of flags, they take as few words as hold them", OMEGA);
}

/* A row starts at every nonzero: y_offset has its greatest values. */
static void test_every_row_starts(void)
{
    bool offsets = true, flags = true;

    for (i32 sigma = 1; sigma <= SIGMAS; sigma++) {
        const tile_shape shape = describe(sigma, OMEGA * sigma, 1);

        for (i32 lane = 0; lane < OMEGA; lane++) {
            offsets = offsets && lane_y_offset(&shape, desc[lane]) == lane * sigma &&
                      lane_seg_offset(&shape, desc[lane]) == 0;
            for (i32 step = 0; step < sigma; step++)
                flags = flags && is_flagged(&shape, lane, step);
        }
    }
    ok(offsets, "omega %d: the greatest y_offset, (omega - 1) * sigma, is kept", OMEGA);
    ok(flags, "omega %d: all flags of a tile are kept", OMEGA);
}

/* One row fills the tile: seg_offset has its greatest values. */
static void test_no_row_starts(void)
{
    bool offsets = true, flags = true;

    for (i32 sigma = 1; sigma <= SIGMAS; sigma++) {
        const tile_shape shape = describe(sigma, 1, OMEGA * sigma);

        for (i32 lane = 0; lane < OMEGA; lane++) {
            offsets = offsets && lane_seg_offset(&shape, desc[lane]) == OMEGA - 1 - lane &&
                      lane_y_offset(&shape, desc[lane]) == (lane > 0);
            for (i32 step = 0; step < sigma; step++)
                flags = flags && is_flagged(&shape, lane, step) == (lane == 0 && step == 0);
        }
    }
    ok(offsets, "omega %d: the greatest seg_offset, omega - 1, is kept", OMEGA);
    ok(flags, "omega %d: only the tile's first nonzero is flagged", OMEGA);
}

void TEST_NAME(void)
{
    test_widths();
    test_every_row_starts();
    test_no_row_starts();
}
