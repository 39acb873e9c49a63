/* folder.h: a temporary folder of the test, and its files. Any error ends the test. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

#include <stddef.h>

/* Makes a folder and changes to it. */
void folder_enter(void);

/* Removes the folder with everything in it. */
void folder_leave(void);

/* The number of files in the folder. */
int folder_count(void);

/* The contents of a file, for the caller to free(). NULL, and size 0: no such file. */
unsigned char *folder_get(const char *name, size_t *size);
void folder_put(const char *name, const void *bytes, size_t size);

#endif
