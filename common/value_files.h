/* value_files.h: the files that an option or an operand takes, according to its value's name. */
#ifndef SG_COMMON_VALUE_FILES_H
#define SG_COMMON_VALUE_FILES_H

#include <stdbool.h>
#include <stddef.h>

enum { SG_VALUE_SUFFIX_SIZE = 24, SG_VALUE_SUFFIXES = 2 };

typedef struct sg_value_files {
    bool folders;                /* DIR */
    bool files;                  /* FILE; without a suffix: any file */
    size_t suffix_count;
    char suffix[SG_VALUE_SUFFIXES][SG_VALUE_SUFFIX_SIZE];
} sg_value_files;

/* value: alternatives between '|'. DIR is a folder, FILE a file, FILE.x a file with this suffix,
 * FILE.x[.y] one with the suffix .x or .x.y. All other names are no files. NULL: none. */
sg_value_files sg_value_files_of(const char *value);

#endif
