/* mtx_decimal.c: correctly rounded decimal numbers. See mtx_decimal.h. */
#define _GNU_SOURCE
#include "bench/matrices/mtx/mtx_decimal.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/matrices/mtx/mtx_scan.h"

enum {
    POWER_MIN = -342,            /* 10^19 * 10^-343 is below the smallest normal double */
    POWER_MAX = 308,
    POWER_COUNT = POWER_MAX - POWER_MIN + 1,
    DIGITS_MAX = 19,             /* digits that always fit 64 bits */
    EXPONENT_CAP = 1 << 26,      /* larger than any line's digits can offset */

    /* Bound of a product's error, below the true value, in units of its lowest of 128 bits. Each
     * step of the table truncates by less than one unit of a 128-bit number whose highest bit is
     * set, so after 342 steps the error is below 2 * 342 units. The product adds less than 2 more,
     * and normalising doubles the sum. */
    PRODUCT_ERROR = 2048,
    /* The same bound, in units of the high 64 bits, for a number with dropped digits: 19 digits
     * leave at most 4 leading zero bits, so one unit of the last digit is 16, doubled. */
    DROPPED_ERROR = 32
};

typedef struct power {
    uint64_t high, low;          /* the highest bit is set; not above the true power */
    int64_t exponent;            /* 10^q = (high * 2^64 + low) * 2^exponent */
} power;

struct mtx_decimal {
    locale_t c_locale;
    power power[POWER_COUNT];    /* 10^(POWER_MIN + index) */
};

/* ---- 128-bit arithmetic ---------------------------------------------------------------------- */

static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    *low = a * b;
    return a1 * b1 + (middle >> 32) + (other >> 32);
#endif
}

static inline int leading_zeros(uint64_t bits)
{
    return __builtin_clzll(bits);
}

static power power_times_ten(power p)
{
    uint64_t low_high, low_low, high_low;
    uint64_t top = multiply(p.high, 5, &high_low);
    low_high = multiply(p.low, 5, &low_low);
    high_low += low_high;
    top += high_low < low_high;
    int shift = 64 - leading_zeros(top);         /* 2 or 3: the top of 130 or 131 bits */
    return (power){ .high = top << (64 - shift) | high_low >> shift,
                    .low = high_low << (64 - shift) | low_low >> shift,
                    .exponent = p.exponent + shift + 1 };
}

/* Long division by 5, in 32-bit digits. */
static power power_by_ten(power p)
{
    uint64_t digit[4] = { p.high >> 32, (uint32_t)p.high, p.low >> 32, (uint32_t)p.low };
    uint64_t rest = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t part = rest << 32 | digit[i];
        digit[i] = part / 5;
        rest = part % 5;
    }
    uint64_t high = digit[0] << 32 | digit[1];
    uint64_t low = digit[2] << 32 | digit[3];
    int shift = leading_zeros(high);
    return (power){ .high = high << shift | low >> (64 - shift),
                    .low = low << shift | (rest << shift) / 5,
                    .exponent = p.exponent - shift - 1 };
}

/* ---- the table ------------------------------------------------------------------------------- */

mtx_decimal *mtx_decimal_create(mtx_memory *memory)
{
    mtx_decimal *decimal = mtx_memory_alloc(memory, 1, sizeof *decimal);
    if (!decimal)
        return NULL;
    decimal->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!decimal->c_locale) {
        mtx_memory_free(memory, decimal, 1, sizeof *decimal);
        return NULL;
    }
    const power one = { .high = UINT64_C(1) << 63, .low = 0, .exponent = -127 };
    decimal->power[-POWER_MIN] = one;
    for (int i = -POWER_MIN + 1; i < POWER_COUNT; i++)
        decimal->power[i] = power_times_ten(decimal->power[i - 1]);
    for (int i = -POWER_MIN - 1; i >= 0; i--)
        decimal->power[i] = power_by_ten(decimal->power[i + 1]);
    return decimal;
}

void mtx_decimal_destroy(mtx_memory *memory, mtx_decimal *decimal)
{
    if (!decimal)
        return;
    freelocale(decimal->c_locale);
    mtx_memory_free(memory, decimal, 1, sizeof *decimal);
}

/* ---- conversion ------------------------------------------------------------------------------ */

/* The double nearest to digits * 10^q. If digits were dropped, the true number exceeds digits *
 * 10^q by less than one unit of the last digit. False: the bounds do not decide. */
static inline bool is_settled(const mtx_decimal *decimal, uint64_t digits, int64_t q, bool dropped,
                              double *out)
{
    if (q < POWER_MIN || q > POWER_MAX)
        return false;
    const power *p = &decimal->power[q - POWER_MIN];
    int zeros = leading_zeros(digits);
    uint64_t middle, low, lowest;
    uint64_t high = multiply(digits << zeros, p->high, &middle);
    low = multiply(digits << zeros, p->low, &lowest);
    middle += low;
    high += middle < low;
    int64_t exponent = p->exponent + 64 + 127 - zeros;
    if (!(high >> 63)) {
        high = high << 1 | middle >> 63;
        middle <<= 1;
        exponent--;
    }

    /* high has the 53 bits of the result and 11 bits for rounding; half a unit of the result is
     * 1024. */
    uint64_t rest = high & 2047;
    uint64_t carry = middle > UINT64_MAX - PRODUCT_ERROR;
    uint64_t rest_most = rest + (dropped ? DROPPED_ERROR : 0) + carry;
    bool at_most_half = rest < 1024 || (rest == 1024 && middle == 0);
    if (at_most_half && rest_most >= 1024)
        return false;
    uint64_t significand = (high >> 11) + (rest >= 1024);
    if (significand >> 53) {
        significand >>= 1;
        exponent++;
    }
    if (exponent < -1022 || exponent > 1023)
        return false;
    uint64_t bits = (uint64_t)(exponent + 1023) << 52 | (significand & ((UINT64_C(1) << 52) - 1));
    memcpy(out, &bits, sizeof bits);
    return true;
}

/* Reads inf, infinity or nan; NULL for anything else. */
static const char *special_read(const char *p, double *value)
{
    static const struct {
        const char *name;
        double value;
    } special[] = { { "inf", INFINITY }, { "infinity", INFINITY }, { "nan", NAN } };
    size_t length = (size_t)(mtx_scan_word_end(p) - p);
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        if (length == strlen(special[i].name) && !strncasecmp(p, special[i].name, length)) {
            *value = special[i].value;
            return p + length;
        }
    }
    return NULL;
}

/* Reads the first 19 significant digits of [p, end), which has digits and at most one point. Adds
 * the number of dropped digits to *q. *dropped: one of the dropped digits is not 0. */
static uint64_t leading_digits(const char *p, const char *end, int64_t *q, bool *dropped)
{
    uint64_t digits = 0;
    int count = 0;
    *dropped = false;
    for (; p < end; p++) {
        if (*p == '.')
            continue;
        if (count == DIGITS_MAX) {
            *dropped |= *p != '0';
            ++*q;
        } else {
            digits = digits * 10 + (uint64_t)(*p - '0');
            count += digits != 0;
        }
    }
    return digits;
}

/* ---- syntax ---------------------------------------------------------------------------------- */

/* Reads eight digits at once on little-endian machines, else one by one. */
static inline const char *digits_read(const char *p, uint64_t *digits)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (;;) {
        uint64_t bytes;
        memcpy(&bytes, p, sizeof bytes);
        uint64_t value = bytes - UINT64_C(0x3030303030303030);
        /* A byte is not a digit if it is below '0' (borrow into its high bit) or above '9'. */
        if (((bytes + UINT64_C(0x4646464646464646)) | value) & UINT64_C(0x8080808080808080))
            break;
        value = value * 10 + (value >> 8);                       /* pairs */
        value = ((value & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
                 (value >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >> 32;
        *digits = *digits * 100000000 + value;
        p += 8;
    }
#endif
    for (; mtx_scan_is_digit(*p); p++)
        *digits = *digits * 10 + (uint64_t)(*p - '0');
    return p;
}

/* Reads the exponent after an e; NULL if it has no digits. */
static inline const char *exponent_read(const char *p, int64_t *q)
{
    bool negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if (!mtx_scan_is_digit(*p))
        return NULL;
    int64_t exponent = 0;
    for (; mtx_scan_is_digit(*p); p++)
        if (exponent < EXPONENT_CAP)
            exponent = exponent * 10 + (*p - '0');
    *q += negative ? -exponent : exponent;
    return p;
}

mtx_number mtx_decimal_read(const mtx_decimal *decimal, const char **cursor, double *value)
{
    const char *begin = *cursor, *p = begin;
    bool negative = *p == '-', dropped = false;
    if (*p == '-' || *p == '+')
        p++;
    mtx_number kind = MTX_NUMBER_INTEGER;
    uint64_t digits = 0;
    int64_t q = 0;
    double result = 0;

    const char *first = p;
    p = digits_read(p, &digits);
    int64_t count = p - first;
    if (*p == '.') {
        const char *fraction = ++p;
        p = digits_read(p, &digits);
        q = fraction - p;
        count -= q;
        kind = MTX_NUMBER_REAL;
    }
    const char *last = p;
    if (count == 0) {
        kind = MTX_NUMBER_SPECIAL;
        p = special_read(first, &result);
    } else if (*p == 'e' || *p == 'E') {
        kind = MTX_NUMBER_REAL;
        p = exponent_read(p + 1, &q);
    }
    if (!p || (*p != '\n' && !mtx_scan_is_blank(*p)))
        return MTX_NUMBER_NONE;

    if (count > DIGITS_MAX)
        digits = leading_digits(first, last, &q, &dropped);
    if (digits && !is_settled(decimal, digits, q, dropped, &result)) {
        result = fabs(strtod_l(begin, NULL, decimal->c_locale));
        if (isinf(result))
            kind = MTX_NUMBER_TOO_LARGE;
    }
    *value = negative ? -result : result;
    *cursor = p;
    return kind;
}
