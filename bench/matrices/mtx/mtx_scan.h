/* mtx_scan.h: scans characters and indices of a line that ends in a newline. */
#ifndef MTX_SCAN_H
#define MTX_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* Carriage returns are blanks, so lines may end in CRLF. */
static inline bool mtx_scan_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

static inline bool mtx_scan_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline const char *mtx_scan_blanks(const char *p)
{
    while (mtx_scan_is_blank(*p))
        p++;
    return p;
}

/* The end of the word that starts at p. */
static inline const char *mtx_scan_word_end(const char *p)
{
    while (*p != '\n' && !mtx_scan_is_blank(*p))
        p++;
    return p;
}

/* Reads up to 18 digits and the blank or newline after them; NULL for anything else. */
static inline const char *mtx_scan_index(const char *p, int64_t *out)
{
    uint64_t value = 0;
    const char *begin = p;
    for (; mtx_scan_is_digit(*p); p++)
        value = value * 10 + (uint64_t)(*p - '0');
    if (p == begin || p - begin > 18 || (*p != '\n' && !mtx_scan_is_blank(*p)))
        return 0;
    *out = (int64_t)value;
    return p;
}

#endif
