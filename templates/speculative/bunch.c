/* bunch.c: the sizes that both stages and the layout share. */

enum {
    TILE = T * W,                /* nonzeros of a tile */
    BUNCH = S * TILE,            /* of a bunch */
    ROW_NONE = -1
};

/* Bunches whose open rows one work-group of the second stage looks after, on work-items. A row of
 * more bunches than that is added by all of the group. */
enum { OPEN_BUNCHES = 8 };
