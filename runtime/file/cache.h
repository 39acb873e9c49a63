/* cache.h: compiled programs of devices, kept for the next process. A cache may lose anything at
 * any time: every failure is a miss, and only SPMV_DEBUG shows it.
 *
 * The folder is SPMV_CACHE of the environment, else spmv in XDG_CACHE_HOME or ~/.cache. With an
 * empty SPMV_CACHE or without a home there is no cache. The folder is created for its owner alone.
 * It is not used if others own it or can write to it, since its contents are given to the driver.
 * Each entry is a file, written under another name and renamed, so that two processes may write it
 * at once.
 */
#ifndef SPMV_CACHE_H
#define SPMV_CACHE_H

#include "runtime/spmv_module.h"

/* A key is a hash of all parts that an entry depends on. It begins as 0 and takes one part at a
 * time. Lengths are hashed too, so that "ab", "c" differs from "a", "bc". */
uint64_t spmv_cache_key_with(uint64_t key, const void *data, size_t bytes);
uint64_t spmv_cache_key_with_text(uint64_t key, const char *text);

/* Finds the folder, or one below it ("/modules"; "": itself), and makes it if it is not there.
 * Writes its path as far as it is known. Returns the reason why it cannot be used; NULL: it can. */
const char *spmv_cache_folder(char *folder, const char *below, size_t bytes);

/* The key of the module contract, the program's text and its options. */
uint64_t spmv_cache_key_of(const spmv_program *program);

/* The entry's data, to be freed with spmv_memory_free; NULL: there is none. */
void *spmv_cache_read(uint64_t key, size_t *bytes);

void spmv_cache_write(uint64_t key, const void *data, size_t bytes);

#endif
