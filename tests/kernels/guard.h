/* guard.h: memory in which every access out of bounds is an error.
 *
 * A guard owns a mapping that ends at an inaccessible page on both sides:
 *
 *     | forbidden page | band |  the requested bytes  | band | forbidden page |
 *
 * The bytes lie as close to one of the forbidden pages as their alignment allows. So an access one
 * element too far raises a signal at once, in vector, gather and masked instructions too. The bands
 * hold a pattern; under AddressSanitizer they are poisoned. A guard can also forbid writes, or
 * every access, to the bytes themselves. Without bytes there are no bands, and every access is
 * forbidden.
 *
 * Several threads may use the bytes of a guard, but only one may call its functions.
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

/* `bytes` bytes (0 is fine) at a multiple of alignment, readable and writable, filled with a
 * pattern that is an unlikely number in every type. Bytes placed earlier are lost. NULL: out of
 * memory. */
void *guard_place(guard *g, size_t bytes, size_t alignment, guard_side side);

void *guard_data(const guard *g);
size_t guard_bytes(const guard *g);
const char *guard_name(const guard *g);

/* Whether the bands are unchanged; true if the guard forbids writes. */
bool guard_is_intact(const guard *g);

void guard_allow(guard *g, guard_access access);

guard_access guard_allowed(const guard *g);

/* Whether an address lies in the mapping; *offset: its distance from the first byte. */
bool guard_covers(const guard *g, const void *address, ptrdiff_t *offset);

#endif
