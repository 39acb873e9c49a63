/* target_load.h: from a name to the target that a page of targets/ or a user's own page states. */
#ifndef SG_TARGET_LOAD_H
#define SG_TARGET_LOAD_H

#include "generator/page/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* name_or_file: "host" (the best-ranked page whose isa this CPU has), a page's name, or a path
 * ending in .lua. NULL and diagnostics on any error. */
const sg_target *sg_target_load(sg_arena *arena, sg_diags *diags, const char *root,
                                const char *name_or_file);

/* The same with values of the command line above the page's (override.h). They do not take part in
 * choosing the page that "host" stands for. */
const sg_target *sg_target_load_with(sg_arena *arena, sg_diags *diags, const char *root,
                                     const char *name_or_file, const sg_name_set *overrides);

/* What "host" means: the highest rank among the pages of targets/ that say host_candidate and whose
 * words of the CPU (their own cpu_flags and those of their isa) all stand in the file cpuinfo,
 * which has the form of /proc/cpuinfo. Where it cannot be read, no words are known, and a page that
 * asks for none is taken. */
const sg_target *sg_target_load_host(sg_arena *arena, sg_diags *diags, const char *root,
                                     const char *cpuinfo);

/* The names of all pages that stand for a device (not those with abstract = true), sorted. */
const char *const *sg_target_list(sg_arena *arena, sg_diags *diags, const char *root,
                                  size_t *count);

#ifdef __cplusplus
}
#endif
#endif
