/* folder.h: a folder of the test's own, and what is in it. Running into trouble ends the test. */
#ifndef FOLDER_H
#define FOLDER_H

#include <stddef.h>

/* Makes a folder and goes there. */
void folder_enter(void);

/* Removes it with everything in it. */
void folder_leave(void);

/* How many files there are. */
int folder_count(void);

/* The whole file; with free() for its end. NULL, and size 0, if there is none. */
unsigned char *folder_get(const char *name, size_t *size);
void folder_put(const char *name, const void *bytes, size_t size);

#endif
