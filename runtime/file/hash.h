/* hash.h: a 64-bit hash at the speed of memory, to recognise saved data. It detects accidents and
 * is not cryptographic: inputs with equal hashes can be constructed.
 *
 * Bytes are cut into chunks of SPMV_HASH_CHUNK. A chunk runs through four lanes, each of which
 * takes every fourth 64-bit word w and has two parts:
 *
 *     product = rotate((product ^ w) * odd constant, 29)
 *     trail   = rotate(trail, 23) + w
 *
 * Both are bijections of each word. A change of a word's top bit reaches only the top bit of the
 * product, so a second change could cancel the first; the trail rotates by another amount and shows
 * both. The hash of a chunk depends on its index, and hashes of chunks are added, so any number of
 * threads in any order gives the same sum. The last words of a chunk are padded with zeros, and its
 * length is mixed in. Words are read in the machine's byte order.
 */
#ifndef SPMV_HASH_H
#define SPMV_HASH_H

#include "runtime/core/threads/team.h"

enum { SPMV_HASH_CHUNK = 1 << 20 };      /* bytes */

/* The hash of chunk `index`. `bytes` is SPMV_HASH_CHUNK for all chunks but the last. */
uint64_t spmv_hash_chunk(const void *data, size_t bytes, uint64_t index);

/* The sum of the hashes of all chunks; 0 for no bytes. */
uint64_t spmv_hash(const spmv_threads *threads, const void *data, size_t bytes);

#endif
