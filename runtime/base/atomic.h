/* atomic.h: atomic operations that every compiler of bundles has, as C or C++, on 32-bit numbers
 * and pointers, which CPUs have without a library's help. Threads that read a value see all that
 * was written before the value was. */
#ifndef SPMV_ATOMIC_H
#define SPMV_ATOMIC_H

#include <stdint.h>

#if SPMV_BUNDLE_STATIC

/* One thread at a time uses a number. */
typedef int32_t spmv_atomic;
typedef void *spmv_atomic_pointer;

static inline int32_t spmv_atomic_get(const spmv_atomic *number)
{
    return *number;
}

static inline int spmv_atomic_replace(spmv_atomic *number, int32_t *known, int32_t value)
{
    (void)known;
    *number = value;
    return 1;
}

#else

#if defined(__GNUC__)

typedef int32_t spmv_atomic;
typedef void *spmv_atomic_pointer;

static inline int32_t spmv_atomic_get(const spmv_atomic *number)
{
    return __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

static inline void spmv_atomic_set(spmv_atomic *number, int32_t value)
{
    __atomic_store_n(number, value, __ATOMIC_RELEASE);
}

/* Writes `value` if the number is still *known, and returns 1; otherwise updates *known. */
static inline int spmv_atomic_replace(spmv_atomic *number, int32_t *known, int32_t value)
{
    return __atomic_compare_exchange_n(number, known, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Replaces the pointer and returns what it was. */
static inline void *spmv_atomic_exchange(spmv_atomic_pointer *pointer, void *value)
{
    return __atomic_exchange_n(pointer, value, __ATOMIC_ACQ_REL);
}

#elif defined(_MSC_VER)

#include <intrin.h>

typedef volatile long spmv_atomic;
typedef void *volatile spmv_atomic_pointer;

static inline int32_t spmv_atomic_get(const spmv_atomic *number)
{
    return (int32_t)_InterlockedCompareExchange((spmv_atomic *)number, 0, 0);
}

static inline void spmv_atomic_set(spmv_atomic *number, int32_t value)
{
    (void)_InterlockedExchange(number, value);
}

static inline int spmv_atomic_replace(spmv_atomic *number, int32_t *known, int32_t value)
{
    const int32_t before = *known;

    *known = (int32_t)_InterlockedCompareExchange(number, value, before);
    return *known == before;
}

static inline void *spmv_atomic_exchange(spmv_atomic_pointer *pointer, void *value)
{
    return _InterlockedExchangePointer(pointer, value);
}

#else

#include <stdatomic.h>

typedef _Atomic int32_t spmv_atomic;
typedef void *_Atomic spmv_atomic_pointer;

static inline int32_t spmv_atomic_get(const spmv_atomic *number)
{
    return atomic_load_explicit((spmv_atomic *)number, memory_order_acquire);
}

static inline void spmv_atomic_set(spmv_atomic *number, int32_t value)
{
    atomic_store_explicit(number, value, memory_order_release);
}

static inline int spmv_atomic_replace(spmv_atomic *number, int32_t *known, int32_t value)
{
    return atomic_compare_exchange_strong_explicit(number, known, value, memory_order_acq_rel,
                                                   memory_order_acquire);
}

static inline void *spmv_atomic_exchange(spmv_atomic_pointer *pointer, void *value)
{
    return atomic_exchange_explicit(pointer, value, memory_order_acq_rel);
}

#endif

/* Returns 1 if the number was 0, which it is no longer, and 0 if another thread has the lock. */
static inline int spmv_atomic_try_lock(spmv_atomic *lock)
{
    int32_t unlocked = 0;

    return spmv_atomic_replace(lock, &unlocked, 1);
}

static inline void spmv_atomic_unlock(spmv_atomic *lock)
{
    spmv_atomic_set(lock, 0);
}

#endif

/* Sets the number to the least of itself and `value`. */
static inline void spmv_atomic_lower(spmv_atomic *number, int32_t value)
{
    int32_t known = spmv_atomic_get(number);

    while (value < known && !spmv_atomic_replace(number, &known, value))
        continue;
}

#endif
