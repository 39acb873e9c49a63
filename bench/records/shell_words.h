/* shell_words.h: words as a line that a shell takes. */
#ifndef BENCH_SHELL_WORDS_H
#define BENCH_SHELL_WORDS_H

/* Appends a word, in quotes if it needs them. text: from malloc; NULL: no words yet. Returns the
 * longer text; NULL: out of memory, and text is freed. */
char *bench_shell_words_add(char *text, const char *word);

#endif
