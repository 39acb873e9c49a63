/* guard.h: memory that notices every access outside it.
 *
 * A guard owns a mapping between two pages that nobody may touch:
 *
 *     | forbidden page | band |  the bytes that were asked for  | band | forbidden page |
 *
 * The bytes stand flush with one of the forbidden pages, as nearly as their alignment allows, so
 * that reading or writing one element too far is a fault there and then, by a vector, gather or
 * masked instruction too. What is left between is filled with a pattern; AddressSanitizer, where it
 * is on, is told to forbid it. A guard can also forbid writing, or any access, to the bytes
 * themselves.
 *
 * A guard is used by one thread at a time, but for its bytes.
 */
#ifndef TEST_GUARD_H
#define TEST_GUARD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct guard guard;

typedef enum guard_side { GUARD_AT_END, GUARD_AT_BEGIN } guard_side;
typedef enum guard_access { GUARD_READ_WRITE, GUARD_READ_ONLY, GUARD_NO_ACCESS } guard_access;

guard *guard_create(const char *name);       /* NULL: out of memory. name is kept, not copied */
void guard_destroy(guard *g);                /* NULL is fine */

/* Room for bytes (0 is fine) at a multiple of alignment, readable and writable, filled with bytes
 * that make odd numbers of any type. What was placed before is gone. NULL: out of memory. */
void *guard_place(guard *g, size_t bytes, size_t alignment, guard_side side);

void *guard_data(const guard *g);
size_t guard_bytes(const guard *g);
const char *guard_name(const guard *g);

/* Whether the bands are as they were; true where writing is not allowed. */
bool guard_is_intact(const guard *g);

void guard_allow(guard *g, guard_access access);

guard_access guard_allowed(const guard *g);

/* Whether an address lies in the mapping; *offset: its distance from the first byte. */
bool guard_covers(const guard *g, const void *address, ptrdiff_t *offset);

#endif
