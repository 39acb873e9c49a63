/* layout_bunch.h: sizes and choices that both stages and the layout share. */
#ifndef SPMV_SPECULATIVE_LAYOUT_BUNCH_H
#define SPMV_SPECULATIVE_LAYOUT_BUNCH_H

#include "../prelude/base.h"

enum {
    TILE = T * W,                /* nonzeros of a tile */
    BUNCH = S * TILE,            /* nonzeros of a bunch */
    ROW_NONE = -1
};

/* REPAIR: who runs the second stage. With BY_RECORDS the CPU does, and only the synchronizer, the
 * records of dirty tiles and the finished rows are transferred, regardless of where y is. */
enum { BY_HOST, BY_DEVICE, BY_RECORDS };

/* BORDERS: who finds the first rows of tiles, on devices. */
enum { BY_PLAN, BY_KERNEL };

/* Bunches whose open rows a work-group of the second stage adds, on devices. The whole group adds a
 * row that spans more bunches. */
enum { OPEN_BUNCHES = 8 };

#endif
