/* target_load.h: loads a target by name, from a page of targets/ or a user's own page. */
#ifndef SG_TARGET_LOAD_H
#define SG_TARGET_LOAD_H

#include "generator/page/target.h"

/* name_or_file: "host" (the best-ranked page whose isa this CPU has), a page's name, or a path
 * ending in .lua. Returns NULL, with diagnostics, on any error. */
const sg_target *sg_target_load(sg_arena *arena, sg_diags *diags, const char *root,
                                const char *name_or_file);

/* The same with values of the command line above the page's (override.h). They do not affect which
 * page "host" stands for. */
const sg_target *sg_target_load_with(sg_arena *arena, sg_diags *diags, const char *root,
                                     const char *name_or_file, const sg_name_set *overrides);

/* Loads the page for "host": the page of highest rank among those of targets/ with host_candidate
 * whose CPU flags (the page's cpu_flags and those of its isa) are all in the file cpuinfo. cpuinfo
 * has the form of /proc/cpuinfo; without it only pages that need no flags fit. */
const sg_target *sg_target_load_host(sg_arena *arena, sg_diags *diags, const char *root,
                                     const char *cpuinfo);

/* The names of all pages that stand for a device (not those with abstract = true), sorted. */
const char *const *sg_target_list(sg_arena *arena, sg_diags *diags, const char *root,
                                  size_t *count);

#endif
