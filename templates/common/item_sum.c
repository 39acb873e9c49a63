/* item_sum.c: what one work-item adds. Its loads are independent of each other and asked for LOADS
 * at a time, while the additions keep their order: a work-item waits for memory once for LOADS
 * entries, and not for each of them. At the end, what would lie behind it is read from the first
 * entry of the turn instead, which costs no traffic, and not added: so nothing branches. */

enum { LOADS = 4 };

/* `sum` and entries k, k + stride, ... before end, one after the other. */
DEVICE real item_sum(real sum, GLOBAL const i32 *col, GLOBAL const real *val, GLOBAL const real *xb,
                     i32 k, i32 end, i32 stride)
{
    for (; k < end; k += LOADS * stride) {
        i32 column[LOADS];
        real value[LOADS];
        real x[LOADS];

        column[0] = i32_stream(col, k);
        value[0] = r_stream(val, k);
        UNROLL
        for (i32 i = 1; i < LOADS; i++) {
            const i32 at = k + i * stride < end ? k + i * stride : k;
            column[i] = i32_stream(col, at);
            value[i] = r_stream(val, at);
        }
        UNROLL
        for (i32 i = 0; i < LOADS; i++)
            x[i] = x_read(xb, column[i]);
        sum = r_fma(value[0], x[0], sum);
        UNROLL
        for (i32 i = 1; i < LOADS; i++)
            sum = k + i * stride < end ? r_fma(value[i], x[i], sum) : sum;
    }
    return sum;
}

/* The same for values that only have to be added. */
DEVICE real item_parts(GLOBAL const real *part, i64 k, i64 end, i32 stride)
{
    real sum = 0;

    for (; k < end; k += LOADS * stride) {
        real value[LOADS];

        value[0] = part[k];
        UNROLL
        for (i32 i = 1; i < LOADS; i++)
            value[i] = part[k + i * stride < end ? k + i * stride : k];
        sum = sum + value[0];
        UNROLL
        for (i32 i = 1; i < LOADS; i++)
            sum = k + i * stride < end ? sum + value[i] : sum;
    }
    return sum;
}
