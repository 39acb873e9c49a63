/* blocks.c: pairs of diagonals in INDEX:
 *
 *     i32 place of the first | i32 of the second | u16 mask of the first | u16 of the second |
 */

enum { PAIR = 3 };               /* i32 */

DEVICE u32 first_mask(const i32 *pair)
{
    return (u32)pair[2] & 0xffffu;
}

DEVICE u32 second_mask(const i32 *pair)
{
    return (u32)pair[2] >> 16;
}

/* The mask of a diagonal that all rows of a slice have. */
DEVICE u32 full_mask(void)
{
    return ((u32)1 << DIAGONAL_ROWS) - 1;
}

DEVICE bool is_full_pair(const i32 *pair)
{
    return (u32)pair[2] == (full_mask() | full_mask() << 16);
}

/* Where pairs are written, and how far they may go. */
typedef struct block_writer {
    i32 *pair, *end;
    bool is_second;              /* the next one is the second of its pair */
    bool is_full;                /* there was no room for one */
} block_writer;

static void write_block(block_writer *w, i32 place, u32 mask)
{
    if (w->is_second) {
        w->pair[1] = place;
        w->pair[2] = (i32)((u32)w->pair[2] | mask << 16);
        w->pair += PAIR;
    } else if (w->end - w->pair >= PAIR) {
        w->pair[0] = place;
        w->pair[1] = place;
        w->pair[2] = (i32)mask;
    } else {
        w->is_full = true;
        return;
    }
    w->is_second = !w->is_second;
}

/* Behind the last one of a slice. */
static void end_blocks(block_writer *w)
{
    w->pair += w->is_second ? PAIR : 0;
    w->is_second = false;
}
