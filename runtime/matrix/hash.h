/* hash.h: a 64-bit hash at the speed of memory, to recognise what was saved. Not for secrets: it
 * finds accidents, and who wants two inputs with the same hash can make them.
 *
 * Bytes are cut into chunks of SPMV_HASH_CHUNK. A chunk runs through four lanes, each of which
 * takes every fourth 64-bit word w and has two parts:
 *
 *     product = rotate((product ^ w) * odd constant, 29)
 *     trail   = rotate(trail, 23) + w
 *
 * Both are one-to-one functions of each word. The top bit of a product is changed by a word's top
 * bit alone, so that a second change could undo the first; the trail turns by another angle and
 * shows both. Hashes of chunks, which know their place, are added: in any order, so by any number
 * of threads, with the same sum. The last words of a chunk are filled up with zeros, and its
 * length is mixed in. Words are read in the machine's byte order.
 */
#ifndef SPMV_HASH_H
#define SPMV_HASH_H

#include "runtime/threads/team.h"

enum { SPMV_HASH_CHUNK = 1 << 20 };      /* bytes */

/* The hash of chunk `index`: `bytes` bytes, SPMV_HASH_CHUNK in all but the last one. */
uint64_t spmv_hash_chunk(const void *data, size_t bytes, uint64_t index);

/* The sum of the hashes of all chunks; 0 for no bytes. */
uint64_t spmv_hash(const spmv_threads *threads, const void *data, size_t bytes);

#endif
