/* temporary.h: a folder for the files of a program that is run, such as a compiler. */
#ifndef SG_TEMPORARY_H
#define SG_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"

/* Makes a folder in TMPDIR, else in /tmp. Returns its path, or NULL with errno. */
const char *sg_temporary_folder(sg_arena *arena);

/* Removes the folder and the files in it. */
void sg_temporary_remove(sg_arena *arena, const char *dir);

/* Writes a file. false: errno says why not. */
bool sg_temporary_put(const char *path, const char *text, size_t length);

/* Runs a program, as sg_subprocess_start does. Returns its exit status, or -1 with errno if it did
 * not run. */
int sg_temporary_run(char *const *words, const char *output);

#endif
