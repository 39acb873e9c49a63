/* c_scan.h: finds the ends of comments, literals and lines of C text, without a parser. */
#ifndef SG_C_SCAN_H
#define SG_C_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* The end of the comment or literal that begins at `at`; `at` if none begins there; NULL if it does
 * not end. */
const char *sg_c_skip(const char *at);

/* The end of the directive at `at`, which is a '\n' or '\0'. Continued lines and comments belong to
 * the directive. NULL if a comment does not end. */
const char *sg_c_directive_end(const char *at);

/* The first letter that is neither a blank nor part of a comment, on the directive's line. */
const char *sg_c_skip_blanks(const char *at);

/* The name of the directive at '#', such as "ifdef", and what stands behind it. */
const char *sg_c_directive_name(const char *at, size_t *length, const char **behind);

/* The length of the identifier or number at `at`; 0 if there is none. */
size_t sg_c_word_length(const char *at);

bool sg_c_word_is(const char *word, size_t length, const char *text);

#endif
