/* slices.cu: kernels of slices; see slices.h.
 *
 * A lane's entries lie in quads, then a pair if two or three are left, then a single one:
 *
 *     f32 values, columns   [quad][32][4]     [32][2]   [32]
 *     f64 values            [quad][2][32][2]  [32][2]   [32]
 *     runs of three         [unit]{ [32][2], [32] }, columns [unit][32]
 *
 * So a lane loads 16 bytes of values at a time, and nothing is padded except to the slice's longest
 * lane. A lane loads neither entries nor elements of x beyond its own length.
 */
#ifdef PROTOTYPE_ON_CPU
#include "cpu.h"
#else
#include <cuda_runtime.h>
#ifdef NO_BOUNDS
#define LAUNCH_BOUNDS(threads, blocks)
#else
#define LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#endif
#endif

#include "bench/gpu/slices.h"

enum { WIDE = PROTOTYPE_WIDE, NARROW = PROTOTYPE_NARROW, DIAGONALS = PROTOTYPE_DIAGONALS };

/* ---- loads of the matrix: once, so not for L1, except if CACHED ------------------------------ */

#ifdef PROTOTYPE_ON_CPU
template <bool CACHED, typename T> static inline T load(const T *from)
{
    cpu_check(from, sizeof *from);
    return *from;
}
static inline int opaque(int value)
{
    return value;
}
template <typename T> static inline T load_x(const T *from)
{
    cpu_check_x(from, sizeof *from);
    return *from;
}
static inline void fetch_to_l2(const void *from, uint32_t bytes)
{
    if (bytes > 0)
        cpu_check(from, bytes);
}
#else
template <bool CACHED> static __device__ __forceinline__ double load(const double *from)
{
    double a;
    if (CACHED)
        return __ldg(from);
    asm volatile("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d"(a) : "l"(from));
    return a;
}
template <bool CACHED> static __device__ __forceinline__ float load(const float *from)
{
    float a;
    if (CACHED)
        return __ldg(from);
    asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(a) : "l"(from));
    return a;
}
template <bool CACHED> static __device__ __forceinline__ double2 load(const double2 *from)
{
    double2 a;
    if (CACHED)
        return __ldg(from);
    asm volatile("ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];"
                 : "=d"(a.x), "=d"(a.y) : "l"(from));
    return a;
}
template <bool CACHED> static __device__ __forceinline__ float2 load(const float2 *from)
{
    float2 a;
    if (CACHED)
        return __ldg(from);
    asm volatile("ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2];"
                 : "=f"(a.x), "=f"(a.y) : "l"(from));
    return a;
}
template <bool CACHED> static __device__ __forceinline__ float4 load(const float4 *from)
{
    float4 a;
    if (CACHED)
        return __ldg(from);
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w) : "l"(from));
    return a;
}
template <bool CACHED> static __device__ __forceinline__ int load(const int *from)
{
    int a;
    if (CACHED)
        return __ldg(from);
    asm volatile("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r"(a) : "l"(from));
    return a;
}
template <bool CACHED> static __device__ __forceinline__ int2 load(const int2 *from)
{
    int2 a;
    if (CACHED)
        return __ldg(from);
    asm volatile("ld.global.nc.L1::no_allocate.v2.s32 {%0, %1}, [%2];"
                 : "=r"(a.x), "=r"(a.y) : "l"(from));
    return a;
}
template <bool CACHED> static __device__ __forceinline__ int4 load(const int4 *from)
{
    int4 a;
    if (CACHED)
        return __ldg(from);
    asm volatile("ld.global.nc.L1::no_allocate.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a.x), "=r"(a.y), "=r"(a.z), "=r"(a.w) : "l"(from));
    return a;
}
template <bool CACHED> static __device__ __forceinline__ unsigned short
load(const unsigned short *from)
{
    unsigned short a;
    if (CACHED)
        return __ldg(from);
    asm volatile("ld.global.nc.L1::no_allocate.u16 %0, [%1];" : "=h"(a) : "l"(from));
    return a;
}
/* Keeps what depends on the value from being computed before a loop, and held. */
static __device__ __forceinline__ int opaque(int value)
{
    int same;
    asm volatile("mov.u32 %0, %1;" : "=r"(same) : "r"(value));
    return same;
}
template <typename T> static __device__ __forceinline__ T load_x(const T *from)
{
    return __ldg(from);
}
static __device__ __forceinline__ void fetch_to_l2(const void *from, unsigned bytes)
{
#if __CUDA_ARCH__ >= 900
    if (bytes > 0)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;"
                     :: "l"(from), "r"(bytes) : "memory");
#endif
}
#endif

template <typename V> struct pair_of;
template <> struct pair_of<float> { typedef float2 type; };
template <> struct pair_of<double> { typedef double2 type; };

/* A lane's share of a slice. Lengths count units. */
template <typename V> struct share {
    const char *values, *columns;        /* of this lane's next turn; of diagonals, their offsets */
    const V *x;                  /* from the slice's base on; of diagonals, from the row on */
    int lane, width, own, common;        /* longest, own and shortest length of a lane */
};

/* ---- turns: what a lane loads and multiplies at a time --------------------------------------- */

template <bool CACHED>
static __device__ __forceinline__ void load_four(const char *at, double *a)
{
    const double2 *from = (const double2 *)at;
    const double2 low = load<CACHED>(from), high = load<CACHED>(from + 32);
    a[0] = low.x, a[1] = low.y, a[2] = high.x, a[3] = high.y;
}

template <bool CACHED>
static __device__ __forceinline__ void load_four(const char *at, float *a)
{
    const float4 all = load<CACHED>((const float4 *)at);
    a[0] = all.x, a[1] = all.y, a[2] = all.z, a[3] = all.w;
}

/* The columns of four entries as they lie in memory. `rest` of load_rest is 1 to 3, and `last` says
 * whether the lane has the last of them. */
template <int KIND, bool CACHED> struct columns_of {
    enum { LANE = KIND == DIAGONALS ? 0 : 16, TURN = KIND == DIAGONALS ? 16 : 512 };
    int4 raw;

    __device__ __forceinline__ void clear()
    {
        raw.x = raw.y = raw.z = raw.w = 0;
    }
    __device__ __forceinline__ void load_four(const char *at)
    {
        raw = KIND == DIAGONALS ? load_x((const int4 *)at) : load<CACHED>((const int4 *)at);
    }
    __device__ __forceinline__ void load_rest(const char *at, int lane, int rest, bool last)
    {
        const int *first = (const int *)(at - lane * 16);

        if (KIND == DIAGONALS) {
            load_four(at);
            return;
        }
        if (rest >= 2) {
            const int2 pair = load<CACHED>((const int2 *)first + lane);
            raw.x = pair.x, raw.y = pair.y;
        }
        if (rest != 2 && last) {
            const int single = load<CACHED>(first + (rest == 1 ? 0 : 64) + lane);
            if (rest == 1)
                raw.x = single;
            else
                raw.z = single;
        }
    }
    __device__ __forceinline__ int at(int i) const
    {
        return i == 0 ? raw.x : i == 1 ? raw.y : i == 2 ? raw.z : raw.w;
    }
};

template <bool CACHED> struct columns_of<NARROW, CACHED> {
    enum { LANE = 8, TURN = 256 };
    int2 raw;

    __device__ __forceinline__ void clear()
    {
        raw.x = raw.y = 0;
    }
    __device__ __forceinline__ void load_four(const char *at)
    {
        raw = load<CACHED>((const int2 *)at);
    }
    __device__ __forceinline__ void load_rest(const char *at, int lane, int rest, bool last)
    {
        const unsigned short *first = (const unsigned short *)(at - lane * 8);

        if (rest >= 2)
            raw.x = load<CACHED>((const int *)first + lane);
        if (rest != 2 && last) {
            const int single = load<CACHED>(first + (rest == 1 ? 0 : 64) + lane);
            if (rest == 1)
                raw.x = single;
            else
                raw.y = single;
        }
    }
    __device__ __forceinline__ int at(int i) const
    {
        const int two = i < 2 ? raw.x : raw.y;
        return (i & 1) == 0 ? two & 0xffff : (int)((unsigned)two >> 16);
    }
};

/* Whether a value is one NaN of many. ptxas moves loads of values behind the first use of the
 * columns, to save registers, and then two latencies of memory follow one another. If what is
 * gathered depends on this, all loads come first. */
static __device__ __forceinline__ bool is_one_nan(double value)
{
#ifdef PROTOTYPE_ON_CPU
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 32 == 0x7ff8dead;
#else
    return __double2hiint(value) == 0x7ff8dead;
#endif
}

static __device__ __forceinline__ bool is_one_nan(float value)
{
#ifdef PROTOTYPE_ON_CPU
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == 0x7fc0dead;
#else
    return __float_as_int(value) == 0x7fc0dead;
#endif
}

/* Four entries. */
template <typename V, int KIND, bool CACHED> struct quad {
    typedef V value_type;
    typedef columns_of<KIND, CACHED> columns;
    enum { SIZE = 4, TERMS = 4, LANE_VALUES = 16, TURN_VALUES = 128 * sizeof(V),
           LANE_COLUMNS = columns::LANE, TURN_COLUMNS = columns::TURN };
    V a[4];
    columns c;

    __device__ __forceinline__ V value(int i) const
    {
        return a[i];
    }
    /* One value of each load, so that all must have arrived. */
    __device__ __forceinline__ bool has_one_nan() const
    {
        return is_one_nan(a[1]) & (sizeof(V) == 4 || is_one_nan(a[3]));
    }

    __device__ __forceinline__ void load_whole(const char *from, const char *columns, int)
    {
        c.load_four(columns);
        load_four<CACHED>(from, a);
    }
    /* left: entries of the lane from here on; rest: of the slice. */
    __device__ __forceinline__ void load_some(const char *from, const char *columns, int lane,
                                              int left, int rest)
    {
        typedef typename pair_of<V>::type pair;
        const V *first = (const V *)(from - lane * 16);

        a[0] = a[1] = a[2] = a[3] = 0;
        c.clear();
        if (left <= 0)
            return;
        if (rest >= 4) {
            load_whole(from, columns, lane);
            return;
        }
        c.load_rest(columns, lane, rest, left == rest);
        if (rest >= 2) {
            const pair two = load<CACHED>((const pair *)first + lane);
            a[0] = two.x, a[1] = two.y;
        }
        if (rest != 2 && left == rest) {
            const V single = load<CACHED>(first + (rest == 1 ? 0 : 64) + lane);
            if (rest == 1)
                a[0] = single;
            else
                a[2] = single;
        }
    }
    __device__ __forceinline__ void gather_whole(const V *from, V *x) const
    {
#pragma unroll
        for (int i = 0; i < 4; i++)
            x[i] = load_x(from + c.at(i));
    }
    __device__ __forceinline__ void gather_some(const V *from, int left, V *x) const
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            x[i] = 0;
            if (i < left)
                x[i] = load_x(from + c.at(i));
        }
    }
};

/* Runs of three. */
template <typename V, bool CACHED, int RUNS> struct runs {
    typedef V value_type;
    enum { SIZE = RUNS, TERMS = 3 * RUNS, LANE_VALUES = 2 * sizeof(V),
           TURN_VALUES = RUNS * 96 * sizeof(V), LANE_COLUMNS = 2, TURN_COLUMNS = RUNS * 64 };
    V a[3 * RUNS];
    int c[RUNS];

    __device__ __forceinline__ V value(int i) const
    {
        return a[i];
    }
    __device__ __forceinline__ bool has_one_nan() const
    {
        bool all = true;
#pragma unroll
        for (int i = 0; i < RUNS; i++)
            all = all & is_one_nan(a[3 * i]) & is_one_nan(a[3 * i + 2]);
        return all;
    }

    __device__ __forceinline__ void load_one(const char *from, const char *columns, int lane, int i)
    {
        typedef typename pair_of<V>::type pair;
        const pair two = load<CACHED>((const pair *)from + i * 48);

        c[i] = load<CACHED>((const unsigned short *)columns + i * 32);
        a[3 * i] = two.x, a[3 * i + 1] = two.y;
        a[3 * i + 2] = load<CACHED>((const V *)from - lane + (i * 96 + 64));
    }
    __device__ __forceinline__ void load_whole(const char *from, const char *columns, int lane)
    {
#pragma unroll
        for (int i = 0; i < RUNS; i++)
            load_one(from, columns, lane, i);
    }
    __device__ __forceinline__ void load_some(const char *from, const char *columns, int lane,
                                              int left, int)
    {
#pragma unroll
        for (int i = 0; i < RUNS; i++) {
            a[3 * i] = a[3 * i + 1] = a[3 * i + 2] = 0;
            c[i] = 0;
            if (i < left)
                load_one(from, columns, lane, i);
        }
    }
    __device__ __forceinline__ void gather_whole(const V *from, V *x) const
    {
#pragma unroll
        for (int i = 0; i < 3 * RUNS; i++)
            x[i] = load_x(from + c[i / 3] + i % 3);
    }
    __device__ __forceinline__ void gather_some(const V *from, int left, V *x) const
    {
#pragma unroll
        for (int i = 0; i < 3 * RUNS; i++) {
            x[i] = 0;
            if (i / 3 < left)
                x[i] = load_x(from + c[i / 3] + i % 3);
        }
    }
};

/* Two turns as one. */
template <class T> struct twice {
    typedef typename T::value_type value_type;
    typedef value_type V;
    enum { SIZE = 2 * T::SIZE, TERMS = 2 * T::TERMS, LANE_VALUES = T::LANE_VALUES,
           TURN_VALUES = 2 * T::TURN_VALUES, LANE_COLUMNS = T::LANE_COLUMNS,
           TURN_COLUMNS = 2 * T::TURN_COLUMNS };
    T low, high;

    __device__ __forceinline__ void load_whole(const char *from, const char *columns, int lane)
    {
        low.load_whole(from, columns, lane);
        high.load_whole(from + T::TURN_VALUES, columns + T::TURN_COLUMNS, lane);
    }
    __device__ __forceinline__ void load_some(const char *from, const char *columns, int lane,
                                              int left, int rest)
    {
        low.load_some(from, columns, lane, left, rest);
        high.load_some(from + T::TURN_VALUES, columns + T::TURN_COLUMNS, lane, left - T::SIZE,
                       rest - T::SIZE);
    }
    __device__ __forceinline__ void gather_whole(const V *from, V *x) const
    {
        low.gather_whole(from, x);
        high.gather_whole(from, x + T::TERMS);
    }
    __device__ __forceinline__ void gather_some(const V *from, int left, V *x) const
    {
        low.gather_some(from, left, x);
        high.gather_some(from, left - T::SIZE, x + T::TERMS);
    }
    __device__ __forceinline__ V value(int i) const
    {
        return i < T::TERMS ? low.value(i) : high.value(i - T::TERMS);
    }
    __device__ __forceinline__ bool has_one_nan() const
    {
        return low.has_one_nan() & high.has_one_nan();
    }
};

/* Loads the next turn, which all lanes have. */
template <class T>
static __device__ __forceinline__ void load_next(share<typename T::value_type> &s, T &t)
{
    t.load_whole(s.values, s.columns, s.lane);
    s.values += T::TURN_VALUES;
    s.columns += T::TURN_COLUMNS;
}

/* A missing entry is 0 * 0. */
template <class T>
static __device__ __forceinline__ void add(const T &t, const typename T::value_type *x,
                                           typename T::value_type &sum)
{
#pragma unroll
    for (int i = 0; i < T::TERMS; i++)
        sum += t.value(i) * x[i];
}

template <class T>
static __device__ __forceinline__ void use(const share<typename T::value_type> &s, const T &t,
                                           typename T::value_type &sum)
{
    typename T::value_type x[T::TERMS];

    t.gather_whole(s.x, x);
    add(t, x, sum);
}

/* ---- loops: names as in slices.h ----------------------------------------------------------- */

enum { PLAIN, AHEAD };

/* The turns that all lanes have, at least one. No turn is copied, since a copy waits for its
 * loads. */
template <int LOOP, class T>
static __device__ __forceinline__ void walk_whole(share<typename T::value_type> &s, int turns, T &t,
                                                  typename T::value_type &sum)
{
    if (LOOP == PLAIN) {
#pragma unroll 1
        for (; turns > 0; turns--) {
            load_next(s, t);
            if (t.has_one_nan())
                sum += t.value(T::TERMS - 1);    /* the sum is NaN, whatever x is */
            else
                use(s, t, sum);
        }
    }
    if (LOOP == AHEAD) {
        T u;
#pragma unroll 1
        for (;; turns -= 2) {
            if (turns == 1) {
                use(s, t, sum);
                break;
            }
            load_next(s, u);
            use(s, t, sum);
            if (turns == 2) {
                use(s, u, sum);
                break;
            }
            load_next(s, t);
            use(s, u, sum);
        }
    }
}

/* A turn that not all lanes have. */
template <class T>
static __device__ __forceinline__ void use_some(const share<typename T::value_type> &s,
                                                const char *values, const char *columns, int at,
                                                typename T::value_type &sum)
{
    T t;
    typename T::value_type x[T::TERMS];

    t.load_some(values, columns, s.lane, s.own - at, s.width - at);
    t.gather_some(s.x, s.own - at, x);
    add(t, x, sum);
}

/* The first turn that not all lanes have comes first, so that its loads do not wait for the
 * others. */
template <int LOOP, class T>
static __device__ __forceinline__ typename T::value_type walk(share<typename T::value_type> s)
{
    const int turns = s.common / T::SIZE;
    int at = turns * T::SIZE;
    typename T::value_type sum = 0;

    s.values += s.lane * T::LANE_VALUES;
    s.columns += s.lane * T::LANE_COLUMNS;
    if (turns > 0) {
        T t;
        const char *values = s.values + turns * T::TURN_VALUES;
        const char *columns = s.columns + turns * T::TURN_COLUMNS;

        if (LOOP == AHEAD)
            load_next(s, t);
        if (at < s.width)
            use_some<T>(s, values, columns, at, sum);
        walk_whole<LOOP>(s, turns, t, sum);
        at += T::SIZE;
        s.values += T::TURN_VALUES;
        s.columns += T::TURN_COLUMNS;
    }
#pragma unroll 1
    for (; at < s.width; at += T::SIZE) {
        use_some<T>(s, s.values, s.columns, at, sum);
        s.values += T::TURN_VALUES;
        s.columns += T::TURN_COLUMNS;
    }
    return sum;
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* The last part of a row that ends adds the sums of all parts, in their order. */
template <typename V>
static __device__ void end_part(const prototype_arrays &a, int slice, int lane, V sum, V *y,
                                V alpha, V beta)
{
    const prototype_part part = a.parts[slice];
    V *partials = (V *)a.partials;
    unsigned before = 0;

    if (lane == 0) {
        partials[slice] = sum;
        __threadfence();
        before = atomicAdd(&a.counters[part.counter], 1u);
    }
    if (__shfl_sync(0xffffffffu, before, 0) != (unsigned)part.count - 1)
        return;
    __threadfence();
    V all = 0;
    for (int i = lane; i < part.count; i += 32)
        all += __ldcg(&partials[part.first + i]);
    for (int o = 16; o > 0; o >>= 1)
        all += __shfl_xor_sync(0xffffffffu, all, o);
    if (lane == 0) {
        y[part.row] = beta == 0 ? alpha * all : alpha * all + beta * y[part.row];
        a.counters[part.counter] = 0;
    }
}

template <typename V> struct head {
    prototype_slice slice;
    unsigned lane_word;
};

template <typename V>
static __device__ __forceinline__ head<V> load_head(const prototype_arrays &a, int slice, int lane)
{
    head<V> h;
    const int4 raw = load_x((const int4 *)a.slices + slice);

    h.slice.values_at = raw.x;
    h.slice.columns_at = raw.y;
    h.slice.base = raw.z;
    h.slice.packed = raw.w;
    h.lane_word = load<false>((const unsigned short *)a.lanes + (size_t)slice * 32 + lane);
    return h;
}

template <typename V>
static __device__ __forceinline__ void fetch_slice(const prototype_arrays &a,
                                                   const prototype_slice &m)
{
    const unsigned width = m.packed & 255, kind = m.packed >> 8 & 3;

    if (width < 8)
        return;
    fetch_to_l2((const V *)a.values + (size_t)m.values_at * 32,
                width * (kind == PROTOTYPE_RUNS ? 96 : 32) * (unsigned)sizeof(V));
    if (kind != PROTOTYPE_DIAGONALS)
        fetch_to_l2((const char *)a.columns + (size_t)m.columns_at * 64,
                    width * (kind == PROTOTYPE_WIDE ? 128 : 64));
}

template <class T, bool EIGHT> struct turn_of {
    typedef T type;
};
template <class T> struct turn_of<T, true> {
    typedef twice<T> type;
};

template <typename V, int LOOP, bool EIGHT, bool CACHED>
static __device__ __forceinline__ void multiply(const prototype_arrays &a, int slice,
                                                const head<V> &h, int lane, const V *x, V *y,
                                                V alpha, V beta)
{
    const unsigned packed = h.slice.packed, kind = packed >> 8 & 3;
    const int lanes_log = packed >> 10 & 7;
    /* Lanes without a row do what lane 0 does, but for writing y: so the others need no tests. */
    const unsigned first_word = __shfl_sync(0xffffffffu, h.lane_word, 0);
    const bool absent = h.lane_word >> 10 == PROTOTYPE_ABSENT;
    const unsigned word = absent ? first_word : h.lane_word;
    const int row = (int)(packed >> 13) * a.window + (int)(word & 1023);
    enum { RUNS = sizeof(V) == 4 || (LOOP == PLAIN && !EIGHT) ? 2 : 1 };
    share<V> s;
    V sum;

    s.values = (const char *)((const V *)a.values + (size_t)h.slice.values_at * 32);
    s.columns = (const char *)a.columns + (size_t)h.slice.columns_at * 64;
    s.lane = absent ? 0 : lane;
    s.width = packed & 255;
    s.own = s.width - (int)(word >> 10);
    s.common = __reduce_min_sync(0xffffffffu, s.own);
    s.x = x + h.slice.base;
    if (kind == PROTOTYPE_NARROW) {
        sum = walk<LOOP, typename turn_of<quad<V, NARROW, CACHED>, EIGHT>::type>(s);
    } else if (kind == PROTOTYPE_RUNS) {
        sum = walk<LOOP, typename turn_of<runs<V, CACHED, RUNS>, EIGHT>::type>(s);
    } else if (kind == PROTOTYPE_DIAGONALS) {
        s.x = x + row;
        s.columns = (const char *)(a.patterns + h.slice.base);
        sum = walk<LOOP, typename turn_of<quad<V, DIAGONALS, CACHED>, EIGHT>::type>(s);
    } else {
        s.x = x;
        sum = walk<LOOP, typename turn_of<quad<V, WIDE, CACHED>, EIGHT>::type>(s);
    }
    for (int o = 0; o < lanes_log; o++)
        sum += __shfl_xor_sync(0xffffffffu, sum, 1 << o);
    if (slice < a.part_count)
        end_part(a, slice, lane, sum, y, alpha, beta);
    else if (!absent && (lane & ((1 << lanes_log) - 1)) == 0)
        y[row] = beta == 0 ? alpha * sum : alpha * sum + beta * y[row];
}

/* A warp for each slice. */
template <typename V, int LOOP, bool EIGHT, bool CACHED, bool BULK, int THREADS, int BLOCKS>
static __global__ void LAUNCH_BOUNDS(THREADS, BLOCKS)
slices(const prototype_arrays a, const V *x, V *y, V alpha, V beta)
{
    const int lane = threadIdx.x % 32;
    const int slice = blockIdx.x * (THREADS / 32) + threadIdx.x / 32;

    if (slice >= a.slice_count)
        return;
    const head<V> h = load_head<V>(a, slice, lane);
    if (BULK && lane == 0)
        fetch_slice<V>(a, h.slice);
    multiply<V, LOOP, EIGHT, CACHED>(a, slice, h, lane, x, y, alpha, beta);
}

/* A warp for many slices; the next one's head, or with BULK its entries, are under way. */
template <typename V, int LOOP, bool BULK, int THREADS, int BLOCKS>
static __global__ void LAUNCH_BOUNDS(THREADS, BLOCKS)
persistent_slices(const prototype_arrays a, const V *x, V *y, V alpha, V beta)
{
    const int lane = threadIdx.x % 32, stride = gridDim.x * (THREADS / 32);
    int slice = blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
    head<V> h, next;

    if (slice >= a.slice_count)
        return;
    h = load_head<V>(a, slice, lane);
    next = h;
    if (BULK && slice + stride < a.slice_count)
        next = load_head<V>(a, slice + stride, lane);
#pragma unroll 1
    for (;;) {
        const int following = slice + stride;
        head<V> after = next;

        if (BULK) {
            if (following + stride < a.slice_count)
                after = load_head<V>(a, following + stride, lane);
            if (following < a.slice_count && lane == 0)
                fetch_slice<V>(a, next.slice);
        } else if (following < a.slice_count) {
            next = load_head<V>(a, following, lane);
        }
        multiply<V, LOOP, false, false>(a, slice, h, opaque(lane), x, y, alpha, beta);
        if (following >= a.slice_count)
            break;
        slice = following;
        h = next;
        next = after;
    }
}

#ifdef PROTOTYPE_ON_CPU
#define LAUNCH(kernel, blocks, threads)                                                            \
    cpu_launch(blocks, threads, [&] { kernel(*arrays, (const V *)x, (V *)y, (V)alpha, (V)beta); })
#else
#define LAUNCH(kernel, blocks, threads)                                                            \
    kernel<<<blocks, threads, 0, stream>>>(*arrays, (const V *)x, (V *)y, (V)alpha, (V)beta)
#endif

template <typename V>
static int launch(prototype_loop loop, const prototype_arrays *arrays, const void *x, void *y,
                  double alpha, double beta, int multiprocessors, cudaStream_t stream)
{
    const int eights = (arrays->slice_count + 7) / 8, fours = (arrays->slice_count + 3) / 4;
    const int held = multiprocessors * 4 < eights ? multiprocessors * 4 : eights;

    if (arrays->slice_count == 0)
        return 0;
    switch (loop) {
    case PROTOTYPE_AHEAD:
        LAUNCH((slices<V, AHEAD, false, false, false, 256, 5>), eights, 256);
        break;
    case PROTOTYPE_AHEAD_EIGHT:
        LAUNCH((slices<V, AHEAD, true, false, false, 128, sizeof(V) == 4 ? 8 : 6>), fours, 128);
        break;
    case PROTOTYPE_EIGHT:
        LAUNCH((slices<V, PLAIN, true, false, false, 256, 4>), eights, 256);
        break;
    case PROTOTYPE_AHEAD_128:
        LAUNCH((slices<V, AHEAD, false, false, false, 128, 10>), fours, 128);
        break;
    case PROTOTYPE_PERSISTENT:
        LAUNCH((persistent_slices<V, AHEAD, false, 256, 4>), held, 256);
        break;
    case PROTOTYPE_CACHED:
        LAUNCH((slices<V, AHEAD, false, true, false, 256, 5>), eights, 256);
        break;
    case PROTOTYPE_BULK:
        LAUNCH((slices<V, PLAIN, false, false, true, 256, 5>), eights, 256);
        break;
    case PROTOTYPE_PERSISTENT_BULK:
        LAUNCH((persistent_slices<V, PLAIN, true, 256, 4>), held, 256);
        break;
    default:
        LAUNCH((slices<V, PLAIN, false, false, false, 256, sizeof(V) == 4 ? 6 : 5>), eights, 256);
        break;
    }
    (void)stream;
    return (int)cudaGetLastError();
}

extern "C" int gpu_prototype_launch(prototype_loop loop, int is_f32, const prototype_arrays *arrays,
                                    const void *x, void *y, double alpha, double beta,
                                    int multiprocessors, cudaStream_t stream)
{
    return is_f32 ? launch<float>(loop, arrays, x, y, alpha, beta, multiprocessors, stream)
                  : launch<double>(loop, arrays, x, y, alpha, beta, multiprocessors, stream);
}
