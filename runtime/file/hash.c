/* hash.c: see hash.h. Thread-safe: no shared state. */
#include "runtime/file/hash.h"

#include "runtime/core/threads/parallel.h"

#include <stdatomic.h>
#include <string.h>

/* ---- one chunk ----------------------------------------------------------------------------- */

enum { LANES = 4, BLOCK = LANES * 8 };   /* words; bytes */

/* Constants without a pattern: the first hexadecimal digits of pi's fraction, each word made
 * odd. */
static const uint64_t odd[LANES] = {
    UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707345), UINT64_C(0xa4093822299f31d1),
    UINT64_C(0x082efa98ec4e6c89),
};

typedef struct lanes {
    uint64_t product[LANES], trail[LANES];
} lanes;

static uint64_t rotate(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

/* A bijection in which every bit of the word affects every bit of the result. */
static uint64_t mix(uint64_t word)
{
    for (int i = 0; i < 3; i++) {
        word ^= word >> 32;
        word *= odd[i];
    }
    return word ^ word >> 32;
}

static inline void take_block(lanes *l, const unsigned char *block)
{
    uint64_t word[LANES];

    memcpy(word, block, BLOCK);
    for (int i = 0; i < LANES; i++) {
        l->product[i] = rotate((l->product[i] ^ word[i]) * odd[i], 29);
        l->trail[i] = rotate(l->trail[i], 23) + word[i];
    }
}

uint64_t spmv_hash_chunk(const void *data, size_t bytes, uint64_t index)
{
    const unsigned char *block = (const unsigned char *)data;
    const unsigned char *end = block + bytes / BLOCK * BLOCK;
    const size_t rest = bytes % BLOCK;
    lanes l = {{odd[0], odd[1], odd[2], odd[3]}, {0, 0, 0, 0}};
    uint64_t hash = mix(index) + bytes;

    for (; block < end; block += BLOCK)
        take_block(&l, block);
    if (rest > 0) {
        unsigned char last[BLOCK] = {0};

        memcpy(last, block, rest);
        take_block(&l, last);
    }
    for (int i = 0; i < LANES; i++)
        hash = mix(mix(hash ^ l.product[i]) + l.trail[i]);
    return hash;
}

/* ---- all chunks ---------------------------------------------------------------------------- */

typedef struct span {
    const unsigned char *data;
    size_t bytes;
    _Atomic uint64_t *sum;
} span;

static void hash_chunks(const void *context, int64_t first, int64_t last)
{
    const span *s = (const span *)context;
    uint64_t sum = 0;

    for (int64_t i = first; i < last; i++) {
        const size_t begin = (size_t)i * SPMV_HASH_CHUNK;
        const size_t left = s->bytes - begin;

        sum += spmv_hash_chunk(s->data + begin, left < SPMV_HASH_CHUNK ? left : SPMV_HASH_CHUNK,
                               (uint64_t)i);
    }
    atomic_fetch_add_explicit(s->sum, sum, memory_order_relaxed);
}

uint64_t spmv_hash(const spmv_threads *threads, const void *data, size_t bytes)
{
    _Atomic uint64_t sum = 0;
    const span s = {(const unsigned char *)data, bytes, &sum};
    const size_t chunks = bytes / SPMV_HASH_CHUNK + (bytes % SPMV_HASH_CHUNK != 0);

    spmv_parallel_run(threads, (int64_t)chunks, hash_chunks, &s);
    return atomic_load(&sum);
}
