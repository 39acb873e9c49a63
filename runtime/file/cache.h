/* cache.h: what a driver made of a program's text, kept for the next process. A cache may lose
 * anything at any time: every failure is a miss, of which SPMV_DEBUG alone tells.
 *
 * The folder is SPMV_CACHE of the environment, else spmv in XDG_CACHE_HOME or in ~/.cache; an empty
 * SPMV_CACHE, or no home: no cache. It is made for its owner alone, and not used where others own it
 * or can write to it, since what is read from it is given to the driver. An entry is a file of its
 * own, written under another name and renamed, so that two processes may write it at once.
 */
#ifndef SPMV_CACHE_H
#define SPMV_CACHE_H

#include "runtime/spmv_module.h"

/* A key is a hash of everything that an entry depends on: of no parts 0; then one with a part more. A
 * part's end matters, so that "ab", "c" is not "a", "bc". */
uint64_t spmv_cache_key_with(uint64_t key, const void *data, size_t bytes);
uint64_t spmv_cache_key_with_text(uint64_t key, const char *text);

/* A key of what the module contract, the program's text and its options are. */
uint64_t spmv_cache_key_of(const spmv_program *program);

/* The entry's data, to be freed with spmv_memory_free; NULL: there is none. */
void *spmv_cache_read(uint64_t key, size_t *bytes);

void spmv_cache_write(uint64_t key, const void *data, size_t bytes);

#endif
