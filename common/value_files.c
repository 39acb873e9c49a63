/* value_files.c: see value_files.h. */
#include "common/value_files.h"

#include <stdio.h>
#include <string.h>

/* text: a suffix, of `length` bytes; it may end with an optional part in brackets. */
static void add_suffixes(sg_value_files *files, const char *text, size_t length)
{
    const char *optional = memchr(text, '[', length);
    const size_t first = optional ? (size_t)(optional - text) : length;

    if (!first || files->suffix_count + (optional ? 2 : 1) > SG_VALUE_SUFFIXES)
        return;
    snprintf(files->suffix[files->suffix_count++], SG_VALUE_SUFFIX_SIZE, "%.*s", (int)first, text);
    if (optional)
        snprintf(files->suffix[files->suffix_count++], SG_VALUE_SUFFIX_SIZE, "%.*s%.*s",
                 (int)first, text, (int)(length - first - 2), optional + 1);
}

sg_value_files sg_value_files_of(const char *value)
{
    sg_value_files files = { .folders = false };

    while (value && *value) {
        const size_t length = strcspn(value, "|");
        if (length == 3 && !memcmp(value, "DIR", 3))
            files.folders = true;
        if (length >= 4 && !memcmp(value, "FILE", 4) && (length == 4 || value[4] == '.')) {
            files.files = true;
            add_suffixes(&files, value + 4, length - 4);
        }
        value += length + (value[length] == '|');
    }
    return files;
}
