/* hash.h: 64-bit hashes that name contents: of pages, templates, tables and emitted text.
 *
 * They guard against stale files, not against an adversary. The value is the same on every machine
 * and is written into emitted files, so the function is part of their format. */
#ifndef SG_HASH_H
#define SG_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FNV-1a of the bytes with a final mix, so that close texts differ in every bit. */
uint64_t sg_hash_bytes(const void *bytes, size_t length);
uint64_t sg_hash_string(const char *text);

/* The hash of a sequence: order matters. Start with sg_hash_bytes(NULL, 0) or any hash. */
uint64_t sg_hash_combine(uint64_t first, uint64_t second);

#ifdef __cplusplus
}
#endif
#endif
