/* letters.h: UTF-8 letter by letter, and which letters may be shown.
 *
 * Names and texts of strangers reach terminals, comments and JSON. A letter that moves the cursor,
 * ends a line or turns the direction of what follows would let a text look like another one. */
#ifndef SG_LETTERS_H
#define SG_LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of the UTF-8 letter at text, 1 to 4; 0 where there is none. Reads nothing behind the
 * '\0'. */
size_t sg_utf8_length(const char *text);

/* The code point of the letter at text, which has `length` bytes by sg_utf8_length. */
uint32_t sg_utf8_letter(const char *text, size_t length);

/* False for control characters (below U+0020, U+007F to U+009F), for the separators of lines and
 * paragraphs (U+2028, U+2029), and for what overrides or isolates directions (U+202A to U+202E,
 * U+2066 to U+2069). */
bool sg_is_printable(uint32_t letter);

/* Is the whole text UTF-8 in printable letters? A line feed is none. */
bool sg_is_printable_text(const char *text);

/* Copies text with each letter that is not printable as \xHH (below U+0080, and bytes that are no
 * UTF-8) or \u{HHHH}. Backslashes stay as they are: the copy is for reading, not for reading back.
 * Of a copy that does not fit `size` bytes the first whole letters and escapes are kept. Ends
 * buffer with '\0' where size is not 0, and returns the bytes that the whole copy takes without
 * it, as snprintf does. */
size_t sg_make_printable(char *buffer, size_t size, const char *text);

#ifdef __cplusplus
}
#endif
#endif
