/* c_words.h: the words of C code, without a parser. */
#ifndef SG_C_WORDS_H
#define SG_C_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the next word of code at or behind *at, and moves *at behind it; NULL if there is none.
 * Skips comments, literals, preprocessor lines, numbers, and members (words behind a dot or an
 * arrow). `text` is where the text begins. */
const char *sg_next_c_word(const char *text, const char **at, size_t *length);

/* True for letters, digits and '_'. */
bool sg_is_c_letter(char c);

/* True for letters, digits and '_', a letter first. */
bool sg_is_c_name(const char *text);

#endif
