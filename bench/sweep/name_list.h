/* name_list.h: names with commas between, as options list them. */
#ifndef BENCH_NAME_LIST_H
#define BENCH_NAME_LIST_H

#include <stdbool.h>

bool bench_is_listed(const char *list, const char *name);

/* Whether a name is a file of a page: one with a slash, or FILE.lua. */
bool bench_has_page_file(const char *list);

#endif
