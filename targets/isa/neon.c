/* neon.c: words of neon.lua that are functions, on pairs of NEON registers. */
#include "helpers.h"
#include <arm_neon.h>

#ifdef REAL_IS_F32

/* Eight lanes in two registers. */
typedef struct vreal {
    float32x4_t low, high;
} vreal;

static inline vreal v_zero(void)
{
    const vreal result = { vdupq_n_f32(0), vdupq_n_f32(0) };
    return result;
}

static inline vreal v_all(float a)
{
    const vreal result = { vdupq_n_f32(a), vdupq_n_f32(a) };
    return result;
}

static inline vreal v_load(const float *p)
{
    const vreal result = { vld1q_f32(p), vld1q_f32(p + 4) };
    return result;
}

static inline void v_store(float *p, vreal a)
{
    vst1q_f32(p, a.low);
    vst1q_f32(p + 4, a.high);
}

static inline vreal v_add(vreal a, vreal b)
{
    const vreal result = { vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high) };
    return result;
}

static inline vreal v_mul(vreal a, vreal b)
{
    const vreal result = { vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high) };
    return result;
}

/* a*b + c, rounded once; the instruction takes c first. */
static inline vreal v_fma(vreal a, vreal b, vreal c)
{
    const vreal result = { vfmaq_f32(c.low, a.low, b.low), vfmaq_f32(c.high, a.high, b.high) };
    return result;
}

/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline float v_sum(vreal a)
{
    const float32x4_t s = vaddq_f32(a.low, a.high);
    return vpadds_f32(vadd_f32(vget_low_f32(s), vget_high_f32(s)));
}

/* Folds a to two lanes, as the first steps of v_sum do, and b likewise. */
static inline float32x4_t v_fold(vreal a, vreal b)
{
    const float32x4_t s = vaddq_f32(a.low, a.high), t = vaddq_f32(b.low, b.high);
    return vaddq_f32(vcombine_f32(vget_low_f32(s), vget_low_f32(t)),
                     vcombine_f32(vget_high_f32(s), vget_high_f32(t)));
}

/* v_sum of 8 vectors: lane i has the sum of v[i]. Each step adds the upper half of a vector's part
 * to the lower half, as v_sum does. */
static inline vreal v_sums(const vreal *v)
{
    const vreal result = { vpaddq_f32(v_fold(v[0], v[1]), v_fold(v[2], v[3])),
                           vpaddq_f32(v_fold(v[4], v[5]), v_fold(v[6], v[7])) };
    return result;
}

/* x at 2 columns, in half a register: joining halves is a shorter chain of dependent steps than
 * filling a register lane by lane. */
static inline float32x2_t v_collect_pair(const float *x, const int32_t *col)
{
    return vset_lane_f32(x[col[1]], vdup_n_f32(x[col[0]]), 1);
}

/* x at 8 columns, by one load per lane. */
static inline vreal v_collect(const float *x, const int32_t *col)
{
    const vreal result = { vcombine_f32(v_collect_pair(x, col), v_collect_pair(x, col + 2)),
                           vcombine_f32(v_collect_pair(x, col + 4), v_collect_pair(x, col + 6)) };
    return result;
}

/* There is no gather instruction. */

static inline vreal v_gather(const float *x, const int32_t *col)
{
    return v_collect(x, col);
}

/* x at 2 columns of 16 bits. */
static inline float32x2_t v_collect16_pair(const float *x, const uint16_t *col)
{
    return vset_lane_f32(x[col[1]], vdup_n_f32(x[col[0]]), 1);
}

/* x at 8 columns of 16 bits, by one load per lane. */
static inline vreal v_collect16(const float *x, const uint16_t *col)
{
    const vreal result = {
        vcombine_f32(v_collect16_pair(x, col), v_collect16_pair(x, col + 2)),
        vcombine_f32(v_collect16_pair(x, col + 4), v_collect16_pair(x, col + 6)),
    };
    return result;
}

static inline vreal v_gather16(const float *x, const uint16_t *col)
{
    return v_collect16(x, col);
}

/* Runs of 4 values, from two places. */
static inline vreal v_load_runs(const float *x, const uint16_t *place)
{
    const vreal result = { vld1q_f32(x + place[0]), vld1q_f32(x + place[1]) };
    return result;
}

/* Runs of 4 values, to two places; the first one last. */
static inline void v_store_runs(float *p, const uint16_t *place, vreal a)
{
    vst1q_f32(p + place[1], a.high);
    vst1q_f32(p + place[0], a.low);
}

/* Values are stored in this precision. */
static inline vreal v_load_single(const float *p)
{
    return v_load(p);
}

/* The bytes of a table in two registers. */
typedef uint8x16x2_t vtable;

static inline vtable v_table(const float *p)
{
    return vld1q_u8_x2((const uint8_t *)p);
}

/* Value code[i] of the table: each code becomes the indices of the four bytes of its value. */
static inline vreal v_pick(vtable table, const uint8_t *code)
{
    static const uint8_t of_lane[16] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3 };
    static const uint8_t byte[16] = { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3 };
    const uint8x16_t codes = vcombine_u8(vshl_n_u8(vld1_u8(code), 2), vcreate_u8(0));
    const uint8x16_t low = vqtbl1q_u8(codes, vld1q_u8(of_lane));
    const uint8x16_t high = vqtbl1q_u8(codes, vaddq_u8(vld1q_u8(of_lane), vdupq_n_u8(4)));
    const vreal result = {
        vreinterpretq_f32_u8(vqtbl2q_u8(table, vaddq_u8(low, vld1q_u8(byte)))),
        vreinterpretq_f32_u8(vqtbl2q_u8(table, vaddq_u8(high, vld1q_u8(byte)))),
    };
    return result;
}

/* x at 8 columns of 8 bits, by one load per lane. */
static inline vreal v_collect8(const float *x, const uint8_t *col)
{
    const uint16_t wide[8] = { col[0], col[1], col[2], col[3], col[4], col[5], col[6], col[7] };
    return v_collect16(x, wide);
}

static inline vreal v_gather8(const float *x, const uint8_t *col)
{
    return v_collect8(x, col);
}

/* p[index[i]] = lane i, by one store per lane. */
static inline void v_distribute(float *p, const int32_t *index, vreal a)
{
    vst1q_lane_f32(p + index[0], a.low, 0);
    vst1q_lane_f32(p + index[1], a.low, 1);
    vst1q_lane_f32(p + index[2], a.low, 2);
    vst1q_lane_f32(p + index[3], a.low, 3);
    vst1q_lane_f32(p + index[4], a.high, 0);
    vst1q_lane_f32(p + index[5], a.high, 1);
    vst1q_lane_f32(p + index[6], a.high, 2);
    vst1q_lane_f32(p + index[7], a.high, 3);
}

/* 0 < n < 4 values of a register, zeros above. */
static inline float32x4_t v_load_some(const float *p, int32_t n)
{
    float32x4_t r = vld1q_lane_f32(p, vdupq_n_f32(0), 0);
    if (n > 1)
        r = vld1q_lane_f32(p + 1, r, 1);
    if (n > 2)
        r = vld1q_lane_f32(p + 2, r, 2);
    return r;
}

/* n < 8 values, zeros above; the memory above is not accessed. */
static inline vreal v_load_first(const float *p, int32_t n)
{
    vreal r = v_zero();
    if (n < 4) {
        r.low = v_load_some(p, n);
    } else {
        r.low = vld1q_f32(p);
        if (n > 4)
            r.high = v_load_some(p + 4, n - 4);
    }
    return r;
}

/* Four registers become the columns of four rows. */
static inline void v_transpose_four(float32x4_t a, float32x4_t b, float32x4_t c, float32x4_t d,
                                    float *p, int32_t stride)
{
    const float64x2_t even_ab = vreinterpretq_f64_f32(vtrn1q_f32(a, b));
    const float64x2_t even_cd = vreinterpretq_f64_f32(vtrn1q_f32(c, d));
    const float64x2_t odd_ab = vreinterpretq_f64_f32(vtrn2q_f32(a, b));
    const float64x2_t odd_cd = vreinterpretq_f64_f32(vtrn2q_f32(c, d));
    vst1q_f32(p, vreinterpretq_f32_f64(vzip1q_f64(even_ab, even_cd)));
    vst1q_f32(p + stride, vreinterpretq_f32_f64(vzip1q_f64(odd_ab, odd_cd)));
    vst1q_f32(p + 2 * stride, vreinterpretq_f32_f64(vzip2q_f64(even_ab, even_cd)));
    vst1q_f32(p + 3 * stride, vreinterpretq_f32_f64(vzip2q_f64(odd_ab, odd_cd)));
}

/* Vector k of 8 is stored as column k; row i is at p + i * stride. */
static inline void v_transpose(const vreal *a, float *p, int32_t stride)
{
    v_transpose_four(a[0].low, a[1].low, a[2].low, a[3].low, p, stride);
    v_transpose_four(a[4].low, a[5].low, a[6].low, a[7].low, p + 4, stride);
    v_transpose_four(a[0].high, a[1].high, a[2].high, a[3].high, p + 4 * stride, stride);
    v_transpose_four(a[4].high, a[5].high, a[6].high, a[7].high, p + 4 * stride + 4, stride);
}

/* a in the lanes below n, zeros above. */
static inline vreal v_first(vreal a, int32_t n)
{
    static const int32_t lane[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const int32x4_t limit = vdupq_n_s32(n);
    const uint32x4_t low = vcgtq_s32(limit, vld1q_s32(lane));
    const uint32x4_t high = vcgtq_s32(limit, vld1q_s32(lane + 4));
    const vreal result = { vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a.low), low)),
                           vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a.high), high)) };
    return result;
}

/* x at 0 < n < 4 columns of a register, zeros above. */
static inline float32x4_t v_collect_some(const float *x, const int32_t *col, int32_t n)
{
    float32x4_t r = vld1q_lane_f32(x + col[0], vdupq_n_f32(0), 0);
    if (n > 1)
        r = vld1q_lane_f32(x + col[1], r, 1);
    if (n > 2)
        r = vld1q_lane_f32(x + col[2], r, 2);
    return r;
}

/* x at n < 8 columns, zeros above; the columns above are not read. */
static inline vreal v_collect_first(const float *x, const int32_t *col, int32_t n)
{
    vreal r = v_zero();
    if (n < 4) {
        r.low = v_collect_some(x, col, n);
    } else {
        r.low = vcombine_f32(v_collect_pair(x, col), v_collect_pair(x, col + 2));
        if (n > 4)
            r.high = v_collect_some(x, col + 4, n - 4);
    }
    return r;
}

/* Eight indices in two registers. */
typedef struct vindex {
    int32x4_t low, high;
} vindex;

/* Each word, shifted down. */
static inline vindex i_high_bits(const uint32_t *word, int32_t shift)
{
    const int32x4_t down = vdupq_n_s32(-shift);
    const vindex result = { vreinterpretq_s32_u32(vshlq_u32(vld1q_u32(word), down)),
                            vreinterpretq_s32_u32(vshlq_u32(vld1q_u32(word + 4), down)) };
    return result;
}

/* first, first + 1, first + 2, ... */
static inline vindex i_from(int32_t first)
{
    const int32x4_t lane = { 0, 1, 2, 3 };
    const vindex result = { vaddq_s32(vdupq_n_s32(first), lane),
                            vaddq_s32(vdupq_n_s32(first + 4), lane) };
    return result;
}

/* All bits of a lane are set, or none. */
typedef struct vmask {
    uint32x4_t low, high;
} vmask;

/* a where the mask is set, b elsewhere. */
static inline vindex i_select(vmask m, vindex a, vindex b)
{
    const vindex result = { vbslq_s32(m.low, a.low, b.low), vbslq_s32(m.high, a.high, b.high) };
    return result;
}

/* a + 1 where the mask is set: a set lane is -1. */
static inline vindex i_increment(vmask m, vindex a)
{
    const vindex result = { vsubq_s32(a.low, vreinterpretq_s32_u32(m.low)),
                            vsubq_s32(a.high, vreinterpretq_s32_u32(m.high)) };
    return result;
}

/* p[index] = value, by one store per lane: there is no scatter instruction. */
static inline void v_scatter(float *p, vindex index, vreal a)
{
    vst1q_lane_f32(p + vgetq_lane_s32(index.low, 0), a.low, 0);
    vst1q_lane_f32(p + vgetq_lane_s32(index.low, 1), a.low, 1);
    vst1q_lane_f32(p + vgetq_lane_s32(index.low, 2), a.low, 2);
    vst1q_lane_f32(p + vgetq_lane_s32(index.low, 3), a.low, 3);
    vst1q_lane_f32(p + vgetq_lane_s32(index.high, 0), a.high, 0);
    vst1q_lane_f32(p + vgetq_lane_s32(index.high, 1), a.high, 1);
    vst1q_lane_f32(p + vgetq_lane_s32(index.high, 2), a.high, 2);
    vst1q_lane_f32(p + vgetq_lane_s32(index.high, 3), a.high, 3);
}

/* One bit per lane, lane 0 lowest. */
static inline uint32_t m_bits(vmask m)
{
    const uint32x4_t low = { 1, 2, 4, 8 }, high = { 16, 32, 64, 128 };
    return vaddvq_u32(vorrq_u32(vandq_u32(m.low, low), vandq_u32(m.high, high)));
}

/* The lanes whose word has the bit set. */
static inline vmask m_test_bit(const uint32_t *word, int32_t bit)
{
    const uint32x4_t one = vdupq_n_u32(1u << bit);
    const vmask result = { vtstq_u32(vld1q_u32(word), one), vtstq_u32(vld1q_u32(word + 4), one) };
    return result;
}

/* The lanes whose bit is set. */
static inline vmask m_from_bits(uint32_t bits)
{
    const uint32x4_t all = vdupq_n_u32(bits);
    const uint32x4_t low = { 1, 2, 4, 8 }, high = { 16, 32, 64, 128 };
    const vmask result = { vtstq_u32(all, low), vtstq_u32(all, high) };
    return result;
}

/* For each value of 4 bits, the bytes of the four values that the lanes take. */
static const uint8_t spmv_expand_4[16][16] = {
    { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7 },
    { 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11 },
    { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11 },
    { 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7 },
    { 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11 },
    { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11 },
    { 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
};

/* Distributes consecutive values from p on over the lanes whose bit is set: the index of a lane's
 * value is the number of set bits below the lane's own. */
static inline vreal v_expand(const float *p, uint32_t bits)
{
    const uint32_t low = bits & 15u;
    const float *next = p + (0x4332322132212110u >> 4 * low & 15u);      /* set bits of low */
    const uint8x16_t first = vreinterpretq_u8_f32(vld1q_f32(p));
    const uint8x16_t second = vreinterpretq_u8_f32(vld1q_f32(next));

    const vreal result = {
        vreinterpretq_f32_u8(vqtbl1q_u8(first, vld1q_u8(spmv_expand_4[low]))),
        vreinterpretq_f32_u8(vqtbl1q_u8(second, vld1q_u8(spmv_expand_4[bits >> 4]))),
    };
    return result;
}

/* As v_expand, of values in registers: those of the upper lanes begin after the set bits of low. */
static inline vreal v_spread(vreal packed, uint32_t bits)
{
    const uint32_t low = bits & 15u;
    const uint8x16x2_t values = { { vreinterpretq_u8_f32(packed.low),
                                    vreinterpretq_u8_f32(packed.high) } };
    const uint8_t before = (uint8_t)(4 * (0x4332322132212110u >> 4 * low & 15u));
    const uint8x16_t second = vaddq_u8(vld1q_u8(spmv_expand_4[bits >> 4]), vdupq_n_u8(before));
    const vreal result = { vreinterpretq_f32_u8(vqtbl2q_u8(values, vld1q_u8(spmv_expand_4[low]))),
                           vreinterpretq_f32_u8(vqtbl2q_u8(values, second)) };
    return result;
}

/* a where the mask is set, b elsewhere. */
static inline vreal v_select(vmask m, vreal a, vreal b)
{
    const vreal result = { vbslq_f32(m.low, a.low, b.low), vbslq_f32(m.high, a.high, b.high) };
    return result;
}

#endif

#ifdef REAL_IS_F64

/* Four lanes in two registers. */
typedef struct vreal {
    float64x2_t low, high;
} vreal;

static inline vreal v_zero(void)
{
    const vreal result = { vdupq_n_f64(0), vdupq_n_f64(0) };
    return result;
}

static inline vreal v_all(double a)
{
    const vreal result = { vdupq_n_f64(a), vdupq_n_f64(a) };
    return result;
}

static inline vreal v_load(const double *p)
{
    const vreal result = { vld1q_f64(p), vld1q_f64(p + 2) };
    return result;
}

static inline void v_store(double *p, vreal a)
{
    vst1q_f64(p, a.low);
    vst1q_f64(p + 2, a.high);
}

static inline vreal v_add(vreal a, vreal b)
{
    const vreal result = { vaddq_f64(a.low, b.low), vaddq_f64(a.high, b.high) };
    return result;
}

static inline vreal v_mul(vreal a, vreal b)
{
    const vreal result = { vmulq_f64(a.low, b.low), vmulq_f64(a.high, b.high) };
    return result;
}

/* a*b + c, rounded once; the instruction takes c first. */
static inline vreal v_fma(vreal a, vreal b, vreal c)
{
    const vreal result = { vfmaq_f64(c.low, a.low, b.low), vfmaq_f64(c.high, a.high, b.high) };
    return result;
}

/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline double v_sum(vreal a)
{
    return vpaddd_f64(vaddq_f64(a.low, a.high));
}

/* v_sum of 4 vectors: lane i has the sum of v[i]. Each step adds the upper half of a vector's part
 * to the lower half, as v_sum does. */
static inline vreal v_sums(const vreal *v)
{
    const vreal result = {
        vpaddq_f64(vaddq_f64(v[0].low, v[0].high), vaddq_f64(v[1].low, v[1].high)),
        vpaddq_f64(vaddq_f64(v[2].low, v[2].high), vaddq_f64(v[3].low, v[3].high)),
    };
    return result;
}

/* x at 4 columns, by one load per lane. */
static inline vreal v_collect(const double *x, const int32_t *col)
{
    const vreal result = { vcombine_f64(vld1_f64(x + col[0]), vld1_f64(x + col[1])),
                           vcombine_f64(vld1_f64(x + col[2]), vld1_f64(x + col[3])) };
    return result;
}

/* There is no gather instruction. */

static inline vreal v_gather(const double *x, const int32_t *col)
{
    return v_collect(x, col);
}

/* x at 4 columns of 16 bits, by one load per lane. */
static inline vreal v_collect16(const double *x, const uint16_t *col)
{
    const vreal result = { vcombine_f64(vld1_f64(x + col[0]), vld1_f64(x + col[1])),
                           vcombine_f64(vld1_f64(x + col[2]), vld1_f64(x + col[3])) };
    return result;
}

static inline vreal v_gather16(const double *x, const uint16_t *col)
{
    return v_collect16(x, col);
}

/* A run of 4 values. */
static inline vreal v_load_runs(const double *x, const uint16_t *place)
{
    const vreal result = { vld1q_f64(x + *place), vld1q_f64(x + *place + 2) };
    return result;
}

/* A run of 4 values. */
static inline void v_store_runs(double *p, const uint16_t *place, vreal a)
{
    vst1q_f64(p + *place, a.low);
    vst1q_f64(p + *place + 2, a.high);
}

/* 4 values stored in single precision. */
static inline vreal v_load_single(const float *p)
{
    const vreal result = { vcvt_f64_f32(vld1_f32(p)), vcvt_f64_f32(vld1_f32(p + 2)) };
    return result;
}

/* The bytes of a table in two registers. */
typedef uint8x16x2_t vtable;

static inline vtable v_table(const double *p)
{
    return vld1q_u8_x2((const uint8_t *)p);
}

/* Value code[i] of the table: each code becomes the indices of the eight bytes of its value. */
static inline vreal v_pick(vtable table, const uint8_t *code)
{
    static const uint8_t byte[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7 };
    const uint8x16_t offset = vld1q_u8(byte);
    const uint8x16_t low = vcombine_u8(vdup_n_u8((uint8_t)(8 * code[0])),
                                       vdup_n_u8((uint8_t)(8 * code[1])));
    const uint8x16_t high = vcombine_u8(vdup_n_u8((uint8_t)(8 * code[2])),
                                        vdup_n_u8((uint8_t)(8 * code[3])));
    const vreal result = { vreinterpretq_f64_u8(vqtbl2q_u8(table, vaddq_u8(low, offset))),
                           vreinterpretq_f64_u8(vqtbl2q_u8(table, vaddq_u8(high, offset))) };
    return result;
}

/* x at 4 columns of 8 bits, by one load per lane. */
static inline vreal v_collect8(const double *x, const uint8_t *col)
{
    const vreal result = { vcombine_f64(vld1_f64(x + col[0]), vld1_f64(x + col[1])),
                           vcombine_f64(vld1_f64(x + col[2]), vld1_f64(x + col[3])) };
    return result;
}

static inline vreal v_gather8(const double *x, const uint8_t *col)
{
    return v_collect8(x, col);
}

/* p[index[i]] = lane i, by one store per lane. */
static inline void v_distribute(double *p, const int32_t *index, vreal a)
{
    vst1q_lane_f64(p + index[0], a.low, 0);
    vst1q_lane_f64(p + index[1], a.low, 1);
    vst1q_lane_f64(p + index[2], a.high, 0);
    vst1q_lane_f64(p + index[3], a.high, 1);
}

/* n < 4 values, zeros above; the memory above is not accessed. */
static inline vreal v_load_first(const double *p, int32_t n)
{
    vreal r = v_zero();
    r.low = n > 1 ? vld1q_f64(p) : vcombine_f64(vld1_f64(p), vcreate_f64(0));
    if (n > 2)
        r.high = vcombine_f64(vld1_f64(p + 2), vcreate_f64(0));
    return r;
}

/* Vector k of 4 is stored as column k; row i is at p + i * stride. */
static inline void v_transpose(const vreal *a, double *p, int32_t stride)
{
    for (int k = 0; k < 4; k += 2) {
        vst1q_f64(p + k, vzip1q_f64(a[k].low, a[k + 1].low));
        vst1q_f64(p + k + stride, vzip2q_f64(a[k].low, a[k + 1].low));
        vst1q_f64(p + k + 2 * stride, vzip1q_f64(a[k].high, a[k + 1].high));
        vst1q_f64(p + k + 3 * stride, vzip2q_f64(a[k].high, a[k + 1].high));
    }
}

/* a in the lanes below n, zeros above. */
static inline vreal v_first(vreal a, int32_t n)
{
    static const int64_t lane[4] = { 0, 1, 2, 3 };
    const int64x2_t limit = vdupq_n_s64(n);
    const uint64x2_t low = vcgtq_s64(limit, vld1q_s64(lane));
    const uint64x2_t high = vcgtq_s64(limit, vld1q_s64(lane + 2));
    const vreal result = { vreinterpretq_f64_u64(vandq_u64(vreinterpretq_u64_f64(a.low), low)),
                           vreinterpretq_f64_u64(vandq_u64(vreinterpretq_u64_f64(a.high), high)) };
    return result;
}

/* x at n < 4 columns, zeros above; the columns above are not read. */
static inline vreal v_collect_first(const double *x, const int32_t *col, int32_t n)
{
    vreal r = v_zero();
    r.low = vcombine_f64(vld1_f64(x + col[0]), n > 1 ? vld1_f64(x + col[1]) : vcreate_f64(0));
    if (n > 2)
        r.high = vcombine_f64(vld1_f64(x + col[2]), vcreate_f64(0));
    return r;
}

/* first, first + 1, first + 2, ... */
static inline int32x4_t i_from(int32_t first)
{
    const int32x4_t lane = { 0, 1, 2, 3 };
    return vaddq_s32(vdupq_n_s32(first), lane);
}

/* p[index] = value, by one store per lane: there is no scatter instruction. */
static inline void v_scatter(double *p, int32x4_t index, vreal a)
{
    vst1q_lane_f64(p + vgetq_lane_s32(index, 0), a.low, 0);
    vst1q_lane_f64(p + vgetq_lane_s32(index, 1), a.low, 1);
    vst1q_lane_f64(p + vgetq_lane_s32(index, 2), a.high, 0);
    vst1q_lane_f64(p + vgetq_lane_s32(index, 3), a.high, 1);
}

/* One bit per lane, lane 0 lowest. */
static inline uint32_t m_bits(uint32x4_t m)
{
    const uint32x4_t lane = { 1, 2, 4, 8 };
    return vaddvq_u32(vandq_u32(m, lane));
}

/* The lanes whose bit is set. */
static inline uint32x4_t m_from_bits(uint32_t bits)
{
    const uint32x4_t lane = { 1, 2, 4, 8 };
    return vtstq_u32(vdupq_n_u32(bits), lane);
}

/* For each value of 4 bits, the bytes of the four values that the lanes take. */
static const uint8_t spmv_expand_4[16][32] = {
    { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
      0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
      8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      16, 17, 18, 19, 20, 21, 22, 23, 16, 17, 18, 19, 20, 21, 22, 23 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
      8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
      0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
      8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      16, 17, 18, 19, 20, 21, 22, 23, 16, 17, 18, 19, 20, 21, 22, 23 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
      8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 },
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 },
};

/* Distributes consecutive values from p on over the lanes whose bit is set: the index of a lane's
 * value is the number of set bits below the lane's own. */
static inline vreal v_expand(const double *p, uint32_t bits)
{
    const uint8_t *take = spmv_expand_4[bits];
    const uint8x16x2_t values = vld1q_u8_x2((const uint8_t *)p);

    const vreal result = { vreinterpretq_f64_u8(vqtbl2q_u8(values, vld1q_u8(take))),
                           vreinterpretq_f64_u8(vqtbl2q_u8(values, vld1q_u8(take + 16))) };
    return result;
}

/* As v_expand, of values in registers. */
static inline vreal v_spread(vreal packed, uint32_t bits)
{
    const uint8_t *take = spmv_expand_4[bits];
    const uint8x16x2_t values = { { vreinterpretq_u8_f64(packed.low),
                                    vreinterpretq_u8_f64(packed.high) } };
    const vreal result = { vreinterpretq_f64_u8(vqtbl2q_u8(values, vld1q_u8(take))),
                           vreinterpretq_f64_u8(vqtbl2q_u8(values, vld1q_u8(take + 16))) };
    return result;
}

/* a where the mask is set, b elsewhere. Lanes of the mask are widened to 64 bits. */
static inline vreal v_select(uint32x4_t m, vreal a, vreal b)
{
    const int32x4_t wide = vreinterpretq_s32_u32(m);
    const uint64x2_t low = vreinterpretq_u64_s64(vmovl_s32(vget_low_s32(wide)));
    const uint64x2_t high = vreinterpretq_u64_s64(vmovl_high_s32(wide));
    const vreal result = { vbslq_f64(low, a.low, b.low), vbslq_f64(high, a.high, b.high) };
    return result;
}

#endif
