/* cache_line.h: lines of the caches, for memory that one thread writes and others read at once. In
 * bundles, which have many compilers, such memory has no special place. */
#ifndef SPMV_CACHE_LINE_H
#define SPMV_CACHE_LINE_H

#if SPMV_BUNDLE
#define SPMV_LINE_ALIGNED
#define SPMV_FETCH_LINES(memory) ((void)0)
#else
/* Begins to read the first three lines of the memory, even if it is shorter. */
#ifdef __GNUC__
#define SPMV_LINE_ALIGNED __attribute__((aligned(64)))
#define SPMV_FETCH_LINES(memory) \
    (__builtin_prefetch(memory), __builtin_prefetch((const char *)(memory) + 64), \
     __builtin_prefetch((const char *)(memory) + 128))
#else
#define SPMV_LINE_ALIGNED
#define SPMV_FETCH_LINES(memory) ((void)0)
#endif
#endif

#endif
