/* guards.h: lines of the preprocessor by which the shared text of several targets chooses what the
 * target that is compiled needs: a target's own file defines its macro, FOR_ZEN4. */
#ifndef SG_GUARDS_H
#define SG_GUARDS_H

#include "generator/base/text.h"
#include "generator/join/instance.h"

typedef struct sg_guards {
    const char *const *macros;   /* by target */
    size_t count;                /* 0: the text is for one target alone */
    size_t target;               /* which one */
} sg_guards;

/* The macro of a target's name in C. */
const char *sg_guard_macro(sg_arena *arena, const char *c_name);

/* Appends an #if whose condition is that none of the macros is defined. */
void sg_guards_none(sg_text *out, const sg_guards *guards);

/* Appends texts by target, equal ones once; NULL: a target lacks it. print appends one text. */
void sg_guarded(sg_text *out, const sg_guards *guards, const char *const *texts,
                void (*print)(sg_text *out, const char *text));

/* The same for all declarations of a section. */
void sg_guarded_section(sg_text *out, const sg_guards *guards, const sg_section *section,
                        void (*print)(sg_text *out, const char *text));

#endif
