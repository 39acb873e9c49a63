/* streams.h: the independent streams of random numbers that a look-alike is drawn from. Renumbering
 * them changes every look-alike. */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

#include "bench/matrices/random.h"

typedef enum bench_stream_kind {
    STREAM_FIXED = 1,            /* rows that get their length outright */
    STREAM_LENGTHS,              /* a node's length */
    STREAM_PATCH_LENGTHS,        /* a patch's */
    STREAM_NODE,                 /* where a node's own pieces are */
    STREAM_HUB,                  /* the column of a hub of a region */
    STREAM_SPREAD,               /* columns of a row that goes across everything */
    STREAM_VALUES,               /* of a row */
    STREAM_PIECE                 /* + t: piece t of a patch; the last */
} bench_stream_kind;

#endif
