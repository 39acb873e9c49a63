/* module_cache.h: shared objects of emitted kernels, kept for the next run. The folder is `modules`
 * in the folder of libspmv's cache (docs/reference/environment.md). A file's name is the hash of
 * all that its contents depend on, so a file is never changed.
 *
 * As with libspmv's cache, a folder that others own or can write to is not used, since its contents
 * are executed. */
#ifndef BENCH_MODULE_CACHE_H
#define BENCH_MODULE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_CACHE_PATH = 1024, BENCH_CACHE_FOLDER = BENCH_CACHE_PATH - 64 };

typedef struct bench_module_cache {
    char folder[BENCH_CACHE_FOLDER];     /* as far as it is known */
    const char *fault;           /* the reason why it cannot be used, or not be written; or NULL */
    bool can_read, can_write;
    bool is_off;                 /* SPMV_CACHE is empty: the user wants no cache */
} bench_module_cache;

/* Finds the folder, and makes it if it is not there. */
void bench_module_cache_open(bench_module_cache *out);

/* A key takes one part after another, as those of libspmv's cache do. */
uint64_t bench_cache_key_begin(void);

/* Adds the .c and .h files of a folder, by name. False with errno. */
bool bench_cache_key_add_sources(uint64_t *key, const char *folder);

/* Adds a word of the compiler's command line and, if it is a program in PATH, what tells one
 * version of it from another: its path, its size and the time of its last change. */
void bench_cache_key_add_program(uint64_t *key, const char *word);

/* Writes the path of the key's file in a folder. */
void bench_cache_key_path(uint64_t key, const char *folder, char path[BENCH_CACHE_PATH]);

/* Finds a program as execvp does. False: there is none. */
bool bench_find_program(const char *word, char path[BENCH_CACHE_PATH]);

#endif
