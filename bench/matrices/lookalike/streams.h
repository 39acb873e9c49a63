/* streams.h: the streams of random numbers that a look-alike is drawn from. Renumbering them
 * changes every look-alike. */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

#include "bench/matrices/random.h"

typedef enum bench_stream_kind {
    STREAM_FIXED = 1,            /* rows with a fixed length */
    STREAM_LENGTHS,              /* length of a node */
    STREAM_PATCH_LENGTHS,        /* length of a patch */
    STREAM_NODE,                 /* pieces of a node */
    STREAM_HUB,                  /* column of a hub of a region */
    STREAM_SPREAD,               /* columns of a row that is spread evenly */
    STREAM_VALUES,               /* values of a row */
    STREAM_PIECE                 /* + t: piece t of a patch; the last */
} bench_stream_kind;

#endif
