/* simd_diagonals.c: strips of diagonals multiplied. */

/* sum plus the products of a diagonal; returns how many entries it has. */
DEVICE i32 add_diagonal(const real *val, const real *x, u32 mask, vreal *sum)
{
    i32 taken = 0;

    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++) {
        const u32 bits = vector_bits(mask, i);
        sum[i] = v_fma_where(m_from_bits(bits), expand(val + taken, bits), v_load(x + i * LANES), sum[i]);
        taken += u32_popcount(bits);
    }
    return taken;
}

/* sum plus the products of a diagonal that all rows have. */
DEVICE void add_full_diagonal(const real *val, const real *x, vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
        sum[i] = v_fma(v_load(val + i * LANES), v_load(x + i * LANES), sum[i]);
}

/* Two diagonals; returns how many entries they have. Stencils have nearly all of them in full. */
DEVICE i32 add_pair(const i32 *pair, const real *val, const real *x, vreal *even, vreal *odd)
{
    i32 taken = DIAGONAL_ROWS;

    UNROLL
    for (i32 i = 0; i < 2 * DIAGONAL_VECTORS; i++)
        fetch_stream(val + i * LANES);
    if (is_full_pair(pair)) {
        add_full_diagonal(val, x + pair[0], even);
        add_full_diagonal(val + taken, x + pair[1], odd);
        return 2 * taken;
    }
    taken = add_diagonal(val, x + pair[0], first_mask(pair), even);
    return taken + add_diagonal(val + taken, x + pair[1], second_mask(pair), odd);
}

DEVICE void multiply_diagonals(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s, i32 rows)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const real *val = a->val + t->entry;
    const diagonal_list *list = a->diagonals + first_diagonal_slice(t->row, s);

    for (i32 row = 0; row < rows; row += DIAGONAL_ROWS, list++) {
        const i32 *pair = index + list->first * PAIR;
        const i32 *end = pair + list->pairs * PAIR;
        const real *x = v->x + t->row + row;
        vreal even[DIAGONAL_VECTORS];
        vreal odd[DIAGONAL_VECTORS];

        UNROLL
        for (i32 i = 0; i < DIAGONAL_VECTORS; i++) {
            even[i] = v_zero();
            odd[i] = v_zero();
        }
        for (; pair < end; pair += PAIR)
            val += add_pair(pair, val, x, even, odd);
        if (row + DIAGONAL_ROWS <= rows) {
            UNROLL
            for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
                v_y_store(v->y, t->row + row + i * LANES, v_add(even[i], odd[i]), v->alpha, v->beta);
        } else {
            real result[DIAGONAL_ROWS];
            UNROLL
            for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
                v_store(result + i * LANES, v_add(even[i], odd[i]));
            for (i32 i = 0; row + i < rows; i++)
                y_store(v->y, t->row + row + i, result[i], v->alpha, v->beta);
        }
    }
}
