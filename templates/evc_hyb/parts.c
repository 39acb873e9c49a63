/* parts.c: the parts of a split row, and how they are added: the same for work-items and for
 * CPUs. */

enum { FEW_PARTS = 16 };         /* are added in order; more, as a whole group of work-items does
                                    it */
