/* guard.c: see guard.h. */
#define _GNU_SOURCE              /* MAP_ANONYMOUS */
#include "guard.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

enum {
    BAND = 512,                  /* bytes of pattern on either side, at most */
    PATTERN = 0xc5,              /* of bands */
    FILL = 0xa9                  /* of bytes: large negative integers, tiny negative floats */
};

struct guard {
    const char *name;
    size_t page;
    char *mapping;               /* two forbidden pages and `room` bytes between; NULL: none yet */
    size_t room;
    char *data;
    size_t bytes;
    size_t before, after;        /* bytes of the bands */
    guard_access access;
};

guard *guard_create(const char *name)
{
    guard *g = calloc(1, sizeof *g);

    if (g) {
        g->name = name;
        g->page = (size_t)sysconf(_SC_PAGESIZE);
    }
    return g;
}

static void unmap(guard *g)
{
    if (!g->mapping)
        return;
    ASAN_UNPOISON_MEMORY_REGION(g->mapping, g->room + 2 * g->page);
    munmap(g->mapping, g->room + 2 * g->page);
    g->mapping = NULL;
}

void guard_destroy(guard *g)
{
    if (!g)
        return;
    unmap(g);
    free(g);
}

static bool reserve(guard *g, size_t bytes)
{
    if (g->mapping && bytes <= g->room)
        return true;
    unmap(g);
    /* Twice what is needed, so that growing matrices do not map anew each time. */
    const size_t room = (2 * bytes / g->page + 1) * g->page;
    char *mapping = mmap(NULL, room + 2 * g->page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        return false;
    g->mapping = mapping;
    g->room = room;
    g->access = GUARD_NO_ACCESS;
    return true;
}

void *guard_place(guard *g, size_t bytes, size_t alignment, guard_side side)
{
    if (bytes > SIZE_MAX / 4 || !reserve(g, bytes + alignment))
        return NULL;
    char *begin = g->mapping + g->page;
    char *end = begin + g->room;

    guard_allow(g, GUARD_READ_WRITE);
    ASAN_UNPOISON_MEMORY_REGION(begin, g->room);
    /* Pages are aligned to more than any alignment that is asked for. */
    g->data = side == GUARD_AT_BEGIN ? begin : end - (bytes + alignment - 1) / alignment * alignment;
    g->bytes = bytes;
    g->before = (size_t)(g->data - begin) < BAND ? (size_t)(g->data - begin) : BAND;
    g->after = (size_t)(end - g->data) - bytes < BAND ? (size_t)(end - g->data) - bytes : BAND;
    memset(g->data - g->before, PATTERN, g->before);
    memset(g->data, FILL, bytes);
    memset(g->data + bytes, PATTERN, g->after);
    ASAN_POISON_MEMORY_REGION(g->data - g->before, g->before);
    ASAN_POISON_MEMORY_REGION(g->data + bytes, g->after);
    return g->data;
}

void *guard_data(const guard *g)
{
    return g->data;
}

size_t guard_bytes(const guard *g)
{
    return g->bytes;
}

const char *guard_name(const guard *g)
{
    return g->name;
}

static bool is_pattern(const char *band, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)band[i] != PATTERN)
            return false;
    return true;
}

bool guard_is_intact(const guard *g)
{
    /* What cannot be written need not be looked at, and perhaps cannot be. */
    if (!g->mapping || g->access != GUARD_READ_WRITE)
        return true;
    ASAN_UNPOISON_MEMORY_REGION(g->data - g->before, g->before);
    ASAN_UNPOISON_MEMORY_REGION(g->data + g->bytes, g->after);
    const bool intact = is_pattern(g->data - g->before, g->before) &&
                        is_pattern(g->data + g->bytes, g->after);
    ASAN_POISON_MEMORY_REGION(g->data - g->before, g->before);
    ASAN_POISON_MEMORY_REGION(g->data + g->bytes, g->after);
    return intact;
}

void guard_allow(guard *g, guard_access access)
{
    static const int protections[] = { PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE };

    if (g->mapping && g->access != access)
        mprotect(g->mapping + g->page, g->room, protections[access]);
    g->access = access;
}

guard_access guard_allowed(const guard *g)
{
    return g->access;
}

bool guard_covers(const guard *g, const void *address, ptrdiff_t *offset)
{
    const char *byte = address;

    if (!g->mapping || byte < g->mapping || byte >= g->mapping + g->room + 2 * g->page)
        return false;
    *offset = byte - g->data;
    return true;
}
