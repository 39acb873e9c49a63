/* test_hash.c: the hash detects accidental changes of data, and does not depend on the number of
 * threads. */
#include "runtime/file/hash.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash(const void *data, size_t bytes)
{
    return spmv_hash(NULL, data, bytes);
}

static int compare(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

/* The number of equal neighbours among the sorted hashes. */
static size_t count_equal(uint64_t *hashes, size_t count)
{
    size_t equal = 0;

    qsort(hashes, count, sizeof *hashes, compare);
    for (size_t i = 1; i < count; i++)
        equal += hashes[i] == hashes[i - 1];
    return equal;
}

static void flip(unsigned char *data, int bit)
{
    data[bit / 8] ^= (unsigned char)(1 << bit % 8);
}

/* Zeros of every length, and all inputs with one or two bits set: they differ as little as
 * accidents do. */
static void test_different(void)
{
    enum { BYTES = 80, BITS = 8 * BYTES, COUNT = BYTES + 1 + BITS + BITS * (BITS - 1) / 2 };
    static uint64_t hashes[COUNT];
    unsigned char data[BYTES] = {0};
    size_t count = 0;

    for (size_t bytes = 0; bytes <= BYTES; bytes++)
        hashes[count++] = hash(data, bytes);
    for (int bit = 0; bit < BITS; bit++) {
        flip(data, bit);
        hashes[count++] = hash(data, BYTES);
        for (int second = 0; second < bit; second++) {
            flip(data, second);
            hashes[count++] = hash(data, BYTES);
            flip(data, second);
        }
        flip(data, bit);
    }
    ok(count == COUNT && count_equal(hashes, count) == 0,
       "%zu inputs of zeros and few ones have as many hashes", count);
}

/* Each bit of the input flips each bit of the hash with a probability near one half. */
static void test_spread(void)
{
    enum { BYTES = 64 };
    unsigned char data[BYTES];
    int flips[64] = {0};
    int least, most;

    for (int i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(i * 37);
    for (int bit = 0; bit < 8 * BYTES; bit++) {
        const uint64_t before = hash(data, BYTES);
        uint64_t change;

        flip(data, bit);
        change = before ^ hash(data, BYTES);
        for (int i = 0; i < 64; i++)
            flips[i] += (int)(change >> i & 1);
    }
    least = most = flips[0];
    for (int i = 1; i < 64; i++) {
        least = flips[i] < least ? flips[i] : least;
        most = flips[i] > most ? flips[i] : most;
    }
    ok(least > 180 && most < 332, "a bit of the hash flips for %d to %d of 512 bits of the input",
       least, most);
}

static void test_threads(void)
{
    const size_t bytes = 5 * (size_t)SPMV_HASH_CHUNK + 12345;
    unsigned char *data = malloc(bytes + 1);
    uint64_t one;

    if (data == NULL) {
        skip("no memory");
        return;
    }
    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)(i * UINT64_C(2654435761) >> 27);
    one = hash(data, bytes);
    for (int threads = 2; threads <= 7; threads++)
        ok(spmv_hash(&(spmv_threads){.count = threads}, data, bytes) == one,
           "%d threads compute the same hash", threads);
    memmove(data + 1, data, bytes);
    ok(hash(data + 1, bytes) == one, "the hash does not depend on the address");
    /* Two chunks change places. */
    memmove(data, data + 1, bytes);
    for (size_t i = 0; i < SPMV_HASH_CHUNK; i++) {
        const unsigned char kept = data[i];
        data[i] = data[i + 2 * (size_t)SPMV_HASH_CHUNK];
        data[i + 2 * (size_t)SPMV_HASH_CHUNK] = kept;
    }
    ok(hash(data, bytes) != one, "the order of chunks matters");
    ok(hash(NULL, 0) == 0, "0 bytes have the hash 0");
    free(data);
}

int main(void)
{
    test_different();
    test_spread();
    test_threads();
    return tap_done();
}
