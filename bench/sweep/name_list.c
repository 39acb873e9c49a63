/* name_list.c: see name_list.h. */
#include "bench/sweep/name_list.h"

#include <string.h>

bool bench_is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

bool bench_has_page_file(const char *list)
{
    for (const char *at = list; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if (memchr(at, '/', length) || (length > 4 && strncmp(at + length - 4, ".lua", 4) == 0))
            return true;
        at += length;
    }
    return false;
}
