/* hash.c: 64-bit FNV-1a with a final mix. Pure functions. */
#include "generator/base/hash.h"

#include <string.h>

static uint64_t mix(uint64_t h)
{
    h ^= h >> 33;
    h *= UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 33;
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    h ^= h >> 33;
    return h;
}

uint64_t sg_hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++) {
        h ^= at[i];
        h *= UINT64_C(0x100000001b3);
    }
    return mix(h);
}

uint64_t sg_hash_string(const char *text)
{
    return sg_hash_bytes(text, strlen(text));
}

uint64_t sg_hash_combine(uint64_t first, uint64_t second)
{
    /* The multiplication makes the order matter; the odd constant makes combine(0, 0) nonzero. */
    return mix(first * UINT64_C(0x9e3779b97f4a7c15) + second + UINT64_C(0x632be59bd9b4e019));
}
