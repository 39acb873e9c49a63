/* utf8.h: decodes UTF-8, and tests whether letters are printable.
 *
 * Text from untrusted files reaches terminals, comments and JSON. A letter that moves the cursor,
 * ends a line or reverses the direction of text would let one text look like another. */
#ifndef SG_UTF8_H
#define SG_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the UTF-8 letter at text, 1 to 4; 0 if the bytes there are not UTF-8. Reads nothing
 * behind the '\0'. */
size_t sg_utf8_length(const char *text);

/* The code point of the letter at text, which has `length` bytes by sg_utf8_length. */
uint32_t sg_utf8_letter(const char *text, size_t length);

/* False for control characters (below U+0020, U+007F to U+009F), for the separators of lines and
 * paragraphs (U+2028, U+2029), and for letters that change the direction of text (U+202A to
 * U+202E, U+2066 to U+2069). */
bool sg_is_printable(uint32_t letter);

/* True if text is UTF-8 and all its letters are printable. A line feed is not printable. */
bool sg_is_printable_text(const char *text);

enum { SG_PRINTABLE_LETTER = 16 };

/* Copies the letter at text, which is not empty, to out and returns its bytes in text. An
 * unprintable letter is written as \xHH (a letter below U+0080, or a byte that is not UTF-8) or
 * \u{HHHH}. Backslashes are not escaped: people read the copy, programs do not. */
size_t sg_printable_letter(const char *text, char out[SG_PRINTABLE_LETTER]);

/* Copies text with each letter as sg_printable_letter copies it. A copy longer than `size` bytes is
 * cut behind a whole letter or escape. Ends buffer with '\0' unless size is 0. Returns the length
 * of the whole copy without '\0', as snprintf does. */
size_t sg_make_printable(char *buffer, size_t size, const char *text);

#ifdef __cplusplus
}
#endif
#endif
