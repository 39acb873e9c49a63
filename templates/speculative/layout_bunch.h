/* layout_bunch.h: the sizes and choices that both stages and the layout share. */
#ifndef SPMV_SPECULATIVE_LAYOUT_BUNCH_H
#define SPMV_SPECULATIVE_LAYOUT_BUNCH_H

#include "../prelude/base.h"

enum {
    TILE = T * W,                /* nonzeros of a tile */
    BUNCH = S * TILE,            /* of a bunch */
    ROW_NONE = -1
};

/* REPAIR: who does the second stage. With BY_RECORDS the CPU does, and only the synchronizer, the
 * records of dirty tiles and the rows that it finished cross, whoever has y. */
enum { BY_HOST, BY_DEVICE, BY_RECORDS };

/* Bunches whose open rows one work-group of the second stage looks after, on work-items. A row of
 * more bunches than that is added by all of the group. */
enum { OPEN_BUNCHES = 8 };

#endif
