/* widen.c: see widen.h. Thread-safe: no shared state.
 *
 * Values pass through blocks of doubles, which hold every value of all types. So there is one loop
 * for each type that reads it, and one that writes it. Rounding writes a block in the narrow type
 * and reads it again.
 */
#include "runtime/library/matrix/widen.h"

#include "runtime/base/atomic.h"
#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/core/matrix_check.h"
#include "runtime/base/types.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/library/matrix/half.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    CHUNK = 16384,               /* values that a thread does at least */
    BLOCK = 256                  /* values that a block on the stack holds */
};

/* ---- blocks ---------------------------------------------------------------------------------- */

static void read_block(spmv_value_type type, const void *from, int64_t begin, int count,
                       double *block)
{
    if (type == SPMV_F64)
        memcpy(block, (const double *)from + begin, (size_t)count * sizeof *block);
    else if (type == SPMV_F32)
        for (int i = 0; i < count; i++)
            block[i] = (double)((const float *)from)[begin + i];
    else if (type == SPMV_F16)
        for (int i = 0; i < count; i++)
            block[i] = (double)spmv_float_of_f16(((const uint16_t *)from)[begin + i]);
    else
        for (int i = 0; i < count; i++)
            block[i] = (double)spmv_float_of_bf16(((const uint16_t *)from)[begin + i]);
}

static void write_block(spmv_value_type type, const double *block, int count, void *to,
                        int64_t begin)
{
    if (type == SPMV_F64)
        memcpy((double *)to + begin, block, (size_t)count * sizeof *block);
    else if (type == SPMV_F32)
        for (int i = 0; i < count; i++)
            ((float *)to)[begin + i] = (float)block[i];
    else if (type == SPMV_F16)
        for (int i = 0; i < count; i++)
            ((uint16_t *)to)[begin + i] = spmv_f16_of_double(block[i]);
    else
        for (int i = 0; i < count; i++)
            ((uint16_t *)to)[begin + i] = spmv_bf16_of_double(block[i]);
}

typedef union narrow_block {
    float f32[BLOCK];
    uint32_t bits[BLOCK];        /* of f32 */
    uint16_t half[BLOCK];
} narrow_block;

/* Whether any value is no finite number: its exponent has all bits set. Without a branch, and in
 * integers of the type's size, for vectors. */
static int has_non_finite(spmv_value_type type, const narrow_block *narrow, int count)
{
    const uint16_t exponent = type == SPMV_F16 ? 0x7c00 : 0x7f80;
    uint32_t found = 0;

    if (type == SPMV_F32)
        for (int i = 0; i < count; i++)
            found |= (uint32_t)((narrow->bits[i] & 0x7f800000) == 0x7f800000);
    else
        for (int i = 0; i < count; i++)
            found |= (uint32_t)((narrow->half[i] & exponent) == exponent);
    return found != 0;
}

/* Rounds a block. Returns the first finite value that becomes infinite, or `count`. */
static int round_block(spmv_value_type type, double *block, int count)
{
    narrow_block narrow;
    double rounded[BLOCK];
    int first = count;

    write_block(type, block, count, &narrow, 0);
    read_block(type, &narrow, 0, count, rounded);
    if (has_non_finite(type, &narrow, count))
        for (int i = count - 1; i >= 0; i--)
            if (fabs(rounded[i]) > DBL_MAX && fabs(block[i]) <= DBL_MAX)
                first = i;
    memcpy(block, rounded, (size_t)count * sizeof *block);
    return first;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

typedef struct conversion {
    spmv_value_type from_type, to_type;
    spmv_value_type rounded;     /* 0: none */
    const void *from;
    void *to;
    int64_t count;
    spmv_atomic *first_chunk;    /* the first that has a value too large to be rounded; INT32_MAX:
                                    none is known */
} conversion;

/* Converts a chunk. Returns the first value that is too large to be rounded, or -1. */
static int64_t convert_chunk(const conversion *c, int64_t chunk)
{
    const int64_t first = chunk * CHUNK;
    const int64_t end = c->count - first < CHUNK ? c->count : first + CHUNK;
    double block[BLOCK];

    for (int64_t begin = first; begin < end; begin += BLOCK) {
        const int count = end - begin < BLOCK ? (int)(end - begin) : BLOCK;
        int too_large = count;

        read_block(c->from_type, c->from, begin, count, block);
        if (c->rounded != 0)
            too_large = round_block(c->rounded, block, count);
        if (too_large < count)
            return begin + too_large;
        write_block(c->to_type, block, count, c->to, begin);
    }
    return -1;
}

static void convert_chunks(const void *context, int64_t first, int64_t last)
{
    const conversion *c = (const conversion *)context;

    for (int64_t chunk = first; chunk < last; chunk++)
        if (convert_chunk(c, chunk) >= 0) {
            spmv_atomic_lower(c->first_chunk, (int32_t)chunk);
            return;
        }
}

/* Returns the first value that is too large to be rounded, or -1. */
static int64_t convert(conversion *c, const spmv_threads *threads)
{
    spmv_atomic first_chunk = INT32_MAX;

    c->first_chunk = &first_chunk;
    spmv_parallel_run(threads, c->count / CHUNK + (c->count % CHUNK != 0), convert_chunks, c);
    return spmv_atomic_get(&first_chunk) == INT32_MAX
               ? -1 : convert_chunk(c, spmv_atomic_get(&first_chunk));
}

/* row_of: the matrix with its row_ptr, for the error's text; NULL: unknown. */
static spmv_status take(const spmv_widened *w, const spmv_csr *row_of, const spmv_threads *threads,
                        const void *val, void *to, spmv_error *err)
{
    conversion c = {w->types.stored, w->types.vectors, w->types.rounded, val, to, w->csr.nnz, NULL};
    const int64_t k = convert(&c, threads);
    char row[48] = "";
    double value;

    if (k < 0)
        return SPMV_OK;
    if (row_of != NULL)
        snprintf(row, sizeof row, "row %" PRId64 " (from 0): ", spmv_row_of_entry(row_of, k));
    read_block(c.from_type, val, k, 1, &value);
    return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                          "%sval[%" PRId64 "] is %.9g, too large for %s, which options.round_to "
                          "rounds to; scale the matrix or round to %s", row, k, value,
                          spmv_value_name(c.rounded),
                          c.rounded == SPMV_F16 ? "SPMV_BF16 or SPMV_F32" : "a wider type");
}

spmv_status spmv_widened_take(const spmv_widened *w, const spmv_threads *threads, const void *val,
                              void *to, spmv_error *err)
{
    return take(w, NULL, threads, val, to, err);
}

void spmv_widened_give(const spmv_widened *w, const spmv_threads *threads, const void *from,
                       void *val)
{
    conversion c = {w->types.vectors, w->types.stored, 0, from, val, w->csr.nnz, NULL};

    (void)convert(&c, threads);
}

/* ---- the struct ------------------------------------------------------------------------------ */

size_t spmv_widened_bytes(const spmv_widened *w)
{
    return (size_t)w->csr.nnz * spmv_value_bytes(w->types.vectors);
}

/* The values are written and read as a whole, so huge pages save page faults. */
void *spmv_widened_allocate(const spmv_widened *w, spmv_error *err)
{
    void *memory = spmv_memory_alloc_streamed(spmv_widened_bytes(w));

    if (memory == NULL)
        (void)spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the values in %s, %zu bytes",
                             spmv_value_name(w->types.vectors), spmv_widened_bytes(w));
    return memory;
}

void spmv_widened_set_values(spmv_widened *w, void *val)
{
    spmv_memory_free((void *)(uintptr_t)w->csr.val);     /* own memory, const for readers */
    w->csr.val = val;
}

/* Arrays of the wide type were not checked with the matrix. */
static spmv_status check_sizes(const spmv_csr *csr, spmv_value_type type, spmv_error *err)
{
    const uint64_t most = (uint64_t)PTRDIFF_MAX / spmv_value_bytes(type);
    const struct { const char *name; int64_t count; } array[] = {
        {"val", csr->nnz}, {"x", csr->cols}, {"y", csr->rows},
    };

    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++)
        if ((uint64_t)array[i].count > most)
            return spmv_error_set(err, SPMV_OVERFLOW,
                                  "%s with %" PRId64 " elements of %s does not fit the address "
                                  "space of this program", array[i].name, array[i].count,
                                  spmv_value_name(type));
    return SPMV_OK;
}

/* val: the caller's. */
static spmv_status widen(spmv_widened *w, const void *val, const spmv_threads *threads,
                         spmv_error *err)
{
    const double start = spmv_seconds_now();
    void *to = spmv_widened_allocate(w, err);
    const spmv_status status = to != NULL ? take(w, &w->csr, threads, val, to, err)
                                          : SPMV_OUT_OF_MEMORY;

    w->csr.val = to;
    w->seconds = spmv_seconds_now() - start;
    return status;
}

spmv_status spmv_widened_complete(spmv_widened *w, const spmv_threads *threads, spmv_error *err)
{
    return w->csr.val != NULL ? SPMV_OK : widen(w, w->given, threads, err);
}

spmv_status spmv_widened_create(const spmv_csr *csr, const spmv_value_types *types, int can_wait,
                                const spmv_threads *threads, spmv_widened **out, spmv_error *err)
{
    spmv_status status = check_sizes(csr, types->vectors, err);
    spmv_widened *w;

    *out = NULL;
    if (status != SPMV_OK)
        return status;
    w = (spmv_widened *)spmv_memory_alloc_zeroed(sizeof *w);
    if (w == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for widened values");
    w->csr = *csr;
    w->csr.value_type = types->vectors;
    w->csr.val = NULL;
    w->types = *types;
    if (can_wait && types->stored == SPMV_F32 && types->rounded == 0)
        w->given = csr->val;
    else
        status = widen(w, csr->val, threads, err);
    if (status != SPMV_OK) {
        spmv_widened_destroy(w);
        return status;
    }
    w->cost = (double)csr->nnz * (double)(spmv_stored_bytes(types->stored) +
                                          2 * spmv_value_bytes(types->vectors));
    *out = w;
    return SPMV_OK;
}

void spmv_widened_destroy(spmv_widened *w)
{
    if (w == NULL)
        return;
    spmv_widened_set_values(w, NULL);
    spmv_memory_free(w);
}
