/* bandwidth.c: see bandwidth.h. */
#define _GNU_SOURCE              /* _SC_LEVEL3_CACHE_SIZE */
#include "bench/yardsticks/bandwidth.h"

#include "runtime/core/threads/team.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include "targets/isa/x86_cpu.h"
#endif

enum { BLOCK = 64 };             /* words of a step: eight cache lines */

struct bench_stream {
    size_t blocks;
    int threads;
    uint64_t sum;                /* of all words, modulo 2^64 */
    uint64_t *word;
};

/* ---- reading ------------------------------------------------------------------------------- */

/* Eight independent sums of eight words each, so that no addition waits for the one before. The
 * compiler turns this into the widest vectors of the function that it is inlined into. */
static inline __attribute__((always_inline)) uint64_t sum_blocks(const uint64_t *word,
                                                                 size_t blocks)
{
    uint64_t part[BLOCK] = { 0 };
    uint64_t sum = 0;

    for (size_t b = 0; b < blocks; b++)
        for (size_t i = 0; i < BLOCK; i++)
            part[i] += word[b * BLOCK + i];
    for (size_t i = 0; i < BLOCK; i++)
        sum += part[i];
    return sum;
}

typedef uint64_t sum_function(const uint64_t *word, size_t blocks);

static uint64_t sum_plain(const uint64_t *word, size_t blocks)
{
    return sum_blocks(word, blocks);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static uint64_t sum_256(const uint64_t *word, size_t blocks)
{
    return sum_blocks(word, blocks);
}

__attribute__((target("avx512f"))) static uint64_t sum_512(const uint64_t *word, size_t blocks)
{
    return sum_blocks(word, blocks);
}

static sum_function *widest_sum(void)
{
    return x86_has(X86_AVX512F) ? sum_512 : x86_has(X86_AVX2) ? sum_256 : sum_plain;
}
#else
static sum_function *widest_sum(void)
{
    return sum_plain;
}
#endif

/* ---- streams ------------------------------------------------------------------------------- */

int bench_threads(int wanted)
{
    return spmv_threads_wanted(wanted, NULL, NULL).count;
}

static size_t part_begin(const bench_stream *stream, int part)
{
    return (size_t)((double)stream->blocks * part / stream->threads);
}

static void fill_part(void *context, int32_t part)
{
    const bench_stream *stream = context;
    const size_t end = part_begin(stream, part + 1) * BLOCK;

    for (size_t i = part_begin(stream, part) * BLOCK; i < end; i++)
        stream->word[i] = i;
}

bench_stream *bench_stream_create(size_t bytes, int threads)
{
    const size_t block_bytes = BLOCK * sizeof(uint64_t);
    const size_t blocks = bytes / block_bytes + 1;

    if (blocks > SIZE_MAX / block_bytes)
        return NULL;
    bench_stream *stream = calloc(1, sizeof *stream);
    uint64_t *word = aligned_alloc(64, blocks * block_bytes);
    if (!stream || !word) {
        free(stream);
        free(word);
        return NULL;
    }
    stream->blocks = blocks;
    stream->threads = threads > 0 ? threads : 1;
    stream->word = word;
    const spmv_threads team = { .count = stream->threads };
    spmv_team_run(&team, stream->threads, fill_part, stream);
    /* 0 + 1 + ... + n - 1 modulo 2^64; n is even */
    const uint64_t n = (uint64_t)blocks * BLOCK;
    stream->sum = n / 2 * (n - 1);
    return stream;
}

void bench_stream_destroy(bench_stream *stream)
{
    if (!stream)
        return;
    free(stream->word);
    free(stream);
}

size_t bench_stream_bytes(const bench_stream *stream)
{
    return stream->blocks * BLOCK * sizeof(uint64_t);
}

typedef struct reading {
    const bench_stream *stream;
    sum_function *sum_of;
    _Atomic uint64_t sum;
} reading;

static void read_part(void *context, int32_t part)
{
    reading *r = context;
    const size_t begin = part_begin(r->stream, part);

    r->sum += r->sum_of(r->stream->word + begin * BLOCK, part_begin(r->stream, part + 1) - begin);
}

int bench_stream_read(void *context)
{
    const bench_stream *stream = context;
    const spmv_threads team = { .count = stream->threads };
    reading r = { stream, widest_sum(), 0 };

    spmv_team_run(&team, stream->threads, read_part, &r);
    return r.sum != stream->sum;
}

size_t bench_dram_bytes(void)
{
    size_t bytes = (size_t)64 << 20;
    size_t largest = (size_t)1 << 30;
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
#ifdef _SC_LEVEL4_CACHE_SIZE
    const long caches[] = { sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL3_CACHE_SIZE),
                            sysconf(_SC_LEVEL4_CACHE_SIZE) };

    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++)
        if (caches[i] > 0 && 4 * (size_t)caches[i] > bytes)
            bytes = 4 * (size_t)caches[i];
#endif
    if (pages > 0 && page_bytes > 0 && (size_t)pages / 8 < largest / (size_t)page_bytes)
        largest = (size_t)pages / 8 * (size_t)page_bytes;
    return bytes < largest ? bytes : largest;
}
