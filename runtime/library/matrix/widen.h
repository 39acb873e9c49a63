/* widen.h: a CSR matrix whose values have the type of its plan's vectors, made from values of a
 * narrower type, or from values that are rounded.
 *
 * Widening is exact, so the caller's values can be given back. The structure is the caller's.
 */
#ifndef SPMV_WIDEN_H
#define SPMV_WIDEN_H

#include "runtime/core/threads/team.h"
#include "runtime/spmv.h"

typedef struct spmv_value_types {
    spmv_value_type stored;      /* of the caller's values */
    spmv_value_type rounded;     /* narrower than `stored`: values are rounded to it; 0: they are
                                    not rounded */
    spmv_value_type vectors;     /* SPMV_F32 or SPMV_F64, at least as wide as `stored` */
} spmv_value_types;

static inline int spmv_values_convert(const spmv_value_types *types)
{
    return types->stored != types->vectors || types->rounded != 0;
}

typedef struct spmv_widened {
    spmv_csr csr;                /* its val, of type `vectors`, is the struct's; NULL: freed, or
                                    not widened yet */
    const void *given;           /* the caller's values of f32, which a module may widen itself
                                    while its plan is made; NULL: modules need csr.val */
    spmv_value_types types;
    double cost;                 /* of widening, in bytes moved, as spmv_layout.build_cost */
    double seconds;              /* that widening took; 0: it was not needed */
} spmv_widened;

/* Widens the values of a checked matrix. can_wait: values of f32 that are not rounded are only kept
 * as `given`. On an error *out is NULL: SPMV_OUT_OF_MEMORY; SPMV_INVALID_ARGUMENT: a value is too
 * large for the type that it is rounded to; SPMV_OVERFLOW: the widened values do not fit the
 * address space. */
spmv_status spmv_widened_create(const spmv_csr *csr, const spmv_value_types *types, int can_wait,
                                const spmv_threads *threads, spmv_widened **out, spmv_error *err);

/* Widens the given values, if that was not done yet. */
spmv_status spmv_widened_complete(spmv_widened *widened, const spmv_threads *threads,
                                  spmv_error *err);

void spmv_widened_destroy(spmv_widened *widened);                /* NULL is fine */

/* Bytes of the widened values. */
size_t spmv_widened_bytes(const spmv_widened *widened);

/* New memory for widened values. NULL: there is none, as *err says. */
void *spmv_widened_allocate(const spmv_widened *widened, spmv_error *err);

/* Replaces csr.val, which is freed. NULL: the values are not needed any more. */
void spmv_widened_set_values(spmv_widened *widened, void *val);

/* Widens values of the caller's type. SPMV_INVALID_ARGUMENT: a value is too large for the type that
 * it is rounded to. */
spmv_status spmv_widened_take(const spmv_widened *widened, const spmv_threads *threads,
                              const void *val, void *to, spmv_error *err);

/* Writes widened values in the caller's type, exactly. */
void spmv_widened_give(const spmv_widened *widened, const spmv_threads *threads, const void *from,
                       void *val);

#endif
