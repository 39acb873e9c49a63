/* collected_cost.c: what products take whose x is collected lane by lane, for the costs that
 * methods are chosen by. */

/* What a vector of products takes whose x is collected lane by lane, in fifths of a cycle. */
enum { COLLECTED_FIFTHS = 5 + 4 * LANES };

/* Cycles of so many such products, by whole vectors. */
static f64 collected_steps(i64 nnz)
{
    return (f64)nnz * (f64)COLLECTED_FIFTHS / (f64)(5 * LANES);
}
