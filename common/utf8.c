/* utf8.c: see utf8.h. Pure functions. */
#include "common/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

size_t sg_utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    const size_t length = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;

    if (s[0] >= 0x80 && (s[0] < 0xc2 || s[0] > 0xf4))
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong, half of a surrogate pair, or beyond U+10FFFF. */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

uint32_t sg_utf8_letter(const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    uint32_t letter = length == 1 ? s[0] : s[0] & (0x7fu >> length);

    for (size_t i = 1; i < length; i++)
        letter = letter << 6 | (s[i] & 0x3fu);
    return letter;
}

bool sg_is_printable(uint32_t letter)
{
    return letter >= 0x20 && (letter < 0x7f || letter > 0x9f) &&
           (letter < 0x2028 || letter > 0x202e) && (letter < 0x2066 || letter > 0x2069);
}

bool sg_is_printable_text(const char *text)
{
    size_t length;

    for (; *text; text += length) {
        length = sg_utf8_length(text);
        if (!length || !sg_is_printable(sg_utf8_letter(text, length)))
            return false;
    }
    return true;
}

size_t sg_printable_letter(const char *text, char out[SG_PRINTABLE_LETTER])
{
    const size_t length = sg_utf8_length(text);
    const uint32_t letter = length ? sg_utf8_letter(text, length) : (unsigned char)*text;

    if (length && sg_is_printable(letter)) {
        memcpy(out, text, length);
        out[length] = '\0';
    } else {
        snprintf(out, SG_PRINTABLE_LETTER,
                 length > 1 ? "\\u{%04" PRIx32 "}" : "\\x%02" PRIx32, letter);
    }
    return length ? length : 1;
}

size_t sg_make_printable(char *buffer, size_t size, const char *text)
{
    char piece[SG_PRINTABLE_LETTER];
    size_t needed = 0, used = 0;

    while (*text) {
        text += sg_printable_letter(text, piece);
        const size_t bytes = strlen(piece);
        if (needed == used && used + bytes < size) {
            memcpy(buffer + used, piece, bytes);
            used += bytes;
        }
        needed += bytes;
    }
    if (size)
        buffer[used] = '\0';
    return needed;
}
