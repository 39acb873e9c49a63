/* arena.h: memory that lives as long as one run of the generator.
 * Every string and struct of targets, methods and tables is allocated here and freed together.
 * Running out of memory ends the program with exit code 3: nothing has been written by then. */
#ifndef SG_ARENA_H
#define SG_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_arena sg_arena;

sg_arena *sg_arena_create(void);
void sg_arena_destroy(sg_arena *arena);                       /* NULL is fine */

void *sg_arena_alloc(sg_arena *arena, size_t bytes);          /* zeroed, aligned for anything */
char *sg_arena_strdup(sg_arena *arena, const char *text);
char *sg_arena_strndup(sg_arena *arena, const char *text, size_t length);
char *sg_arena_printf(sg_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *sg_arena_vprintf(sg_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* A new block of new_count elements that starts with the old_count old ones. */
void *sg_arena_grow(sg_arena *arena, const void *old, size_t old_count, size_t new_count,
                    size_t element_bytes);

/* Room for one more element than `count`: `old`, or a larger copy of it. Only this function may
 * have made it grow. */
void *sg_arena_more(sg_arena *arena, void *old, size_t count, size_t element_bytes);

#ifdef __cplusplus
}
#endif
#endif
