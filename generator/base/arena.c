/* arena.c: blocks of memory in a list, freed together. Not for use by several threads at once. */
#include "generator/base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

typedef struct block {
    struct block *next;
    size_t used, capacity;
    max_align_t data[];
} block;

struct sg_arena {
    block *blocks;               /* the newest first; only that one has room */
};

static void *memory_or_exit(void *memory)
{
    if (!memory) {
        fputs("spmvgen: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

sg_arena *sg_arena_create(void)
{
    return memory_or_exit(calloc(1, sizeof(sg_arena)));
}

void sg_arena_destroy(sg_arena *arena)
{
    if (!arena)
        return;
    for (block *b = arena->blocks; b;) {
        block *next = b->next;
        free(b);
        b = next;
    }
    free(arena);
}

void *sg_arena_alloc(sg_arena *arena, size_t bytes)
{
    const size_t unit = sizeof(max_align_t);
    block *b = arena->blocks;

    if (bytes > SIZE_MAX / 2)
        memory_or_exit(NULL);
    bytes = (bytes + unit - 1) / unit * unit;
    if (!b || b->capacity - b->used < bytes) {
        const size_t capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        block *fresh = memory_or_exit(calloc(1, sizeof(block) + capacity));
        fresh->capacity = capacity;
        fresh->next = b;
        arena->blocks = b = fresh;
    }
    void *memory = (char *)b->data + b->used;
    b->used += bytes;
    return memory;
}

char *sg_arena_strndup(sg_arena *arena, const char *text, size_t length)
{
    char *copy = sg_arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *sg_arena_strdup(sg_arena *arena, const char *text)
{
    return sg_arena_strndup(arena, text, strlen(text));
}

char *sg_arena_vprintf(sg_arena *arena, const char *format, va_list args)
{
    va_list again;
    char *text;

    if (!format)                 /* never NULL; without this a sanitized build warns */
        format = "";
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    text = sg_arena_alloc(arena, (size_t)(length > 0 ? length : 0) + 1);
    if (length > 0)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *sg_arena_printf(sg_arena *arena, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = sg_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

void *sg_arena_grow(sg_arena *arena, const void *old, size_t old_count, size_t new_count,
                    size_t element_bytes)
{
    if (element_bytes && new_count > SIZE_MAX / 2 / element_bytes)
        memory_or_exit(NULL);
    void *fresh = sg_arena_alloc(arena, new_count * element_bytes);
    if (old_count)
        memcpy(fresh, old, (old_count < new_count ? old_count : new_count) * element_bytes);
    return fresh;
}

void *sg_arena_more(sg_arena *arena, void *old, size_t count, size_t element_bytes)
{
    const bool is_full = !(count & (count - 1));     /* 0, 1, 2, 4, 8, ... */

    return is_full ? sg_arena_grow(arena, old, count, count ? 2 * count : 1, element_bytes) : old;
}
