/* guard.c: see guard.h. */
#define _GNU_SOURCE              /* MAP_ANONYMOUS */
#include "guard.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* HAVE_ASAN: the program has AddressSanitizer, though this file is not instrumented. */
#if defined(__SANITIZE_ADDRESS__) && !defined(HAVE_ASAN)
#define HAVE_ASAN
#elif defined(__has_feature) && !defined(HAVE_ASAN)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

enum {
    BAND = 512,                  /* most bytes of pattern on either side */
    PATTERN = 0xc5,              /* of bands; guard_is_intact compares with WHOLE_BAND */
    FILL = 0xa9                  /* of bytes: large negative integers, tiny negative floats */
};

#define OF_8 "\xc5\xc5\xc5\xc5\xc5\xc5\xc5\xc5"
#define OF_64 OF_8 OF_8 OF_8 OF_8 OF_8 OF_8 OF_8 OF_8
static const char WHOLE_BAND[BAND + 1] = OF_64 OF_64 OF_64 OF_64 OF_64 OF_64 OF_64 OF_64;

struct guard {
    const char *name;
    size_t page;
    char *mapping;               /* two forbidden pages and `room` bytes between; NULL: none yet */
    size_t room;
    char *data;
    size_t bytes;
    size_t before, after;        /* bytes of the bands */
    char *open_begin, *open_end; /* pages of the bytes and bands; other pages are forbidden */
    guard_access access;         /* to these pages */
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
    g->open_begin = g->open_end = NULL;
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
    /* Twice the bytes, so that growing matrices do not need a new mapping each time. */
    const size_t room = (2 * bytes / g->page + 1) * g->page;
    char *mapping = mmap(NULL, room + 2 * g->page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        return false;
    g->mapping = mapping;
    g->room = room;
    g->open_begin = g->open_end = mapping;
    g->access = GUARD_NO_ACCESS;
    return true;
}

static void protect(char *begin, char *end, guard_access access)
{
    static const int protections[] = { PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE };

    if (begin < end)
        mprotect(begin, (size_t)(end - begin), protections[access]);
}

/* Makes these pages, and no others, readable and writable. Each system call takes as long as a tiny
 * multiplication, so pages that stay open are not closed in between. */
static void open_pages(guard *g, char *begin, char *end)
{
    char *const open_begin = g->open_begin, *const open_end = g->open_end;

    if (g->access != GUARD_NO_ACCESS) {
        protect(open_begin, open_end < begin ? open_end : begin, GUARD_NO_ACCESS);
        protect(open_begin > end ? open_begin : end, open_end, GUARD_NO_ACCESS);
    }
    if (g->access != GUARD_READ_WRITE || begin < open_begin || end > open_end)
        protect(begin, end, GUARD_READ_WRITE);
    g->open_begin = begin;
    g->open_end = end;
    g->access = GUARD_READ_WRITE;
}

static size_t round_down(size_t bytes, size_t multiple)
{
    return bytes / multiple * multiple;
}

void *guard_place(guard *g, size_t bytes, size_t alignment, guard_side side)
{
    if (bytes > SIZE_MAX / 4 || !reserve(g, bytes + alignment))
        return NULL;
    char *begin = g->mapping + g->page;
    /* No requested alignment exceeds a page. */
    const size_t start =
        side == GUARD_AT_BEGIN ? 0 : g->room - round_down(bytes + alignment - 1, alignment);
    const size_t behind = g->room - start - bytes;

    ASAN_UNPOISON_MEMORY_REGION(begin, g->room);
    g->data = begin + start;
    g->bytes = bytes;
    if (bytes == 0) {            /* every page is forbidden, and needs no bands */
        guard_allow(g, GUARD_NO_ACCESS);
        g->before = g->after = 0;
        g->open_begin = g->open_end = begin;
        return g->data;
    }
    g->before = start < BAND ? start : BAND;
    g->after = behind < BAND ? behind : BAND;
    open_pages(g, begin + round_down(start - g->before, g->page),
               begin + round_down(start + bytes + g->after + g->page - 1, g->page));
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

bool guard_is_intact(const guard *g)
{
    /* Bytes that are not writable cannot have changed, and may not be readable. */
    if (!g->mapping || g->access != GUARD_READ_WRITE)
        return true;
    ASAN_UNPOISON_MEMORY_REGION(g->data - g->before, g->before);
    ASAN_UNPOISON_MEMORY_REGION(g->data + g->bytes, g->after);
    const bool intact = memcmp(g->data - g->before, WHOLE_BAND, g->before) == 0 &&
                        memcmp(g->data + g->bytes, WHOLE_BAND, g->after) == 0;
    ASAN_POISON_MEMORY_REGION(g->data - g->before, g->before);
    ASAN_POISON_MEMORY_REGION(g->data + g->bytes, g->after);
    return intact;
}

void guard_allow(guard *g, guard_access access)
{
    if (g->access != access)
        protect(g->open_begin, g->open_end, access);
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
