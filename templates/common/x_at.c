/* x_at.c: x at LANES columns, in the way that the parameter GATHER names. */

DEVICE vreal x_at(const real *xb, const i32 *col)
{
    return GATHER ? v_gather(xb, col) : v_collect(xb, col);
}

/* The same at columns of 16 bits. */
DEVICE vreal x_at16(const real *xb, const u16 *col)
{
    return GATHER ? v_gather16(xb, col) : v_collect16(xb, col);
}
