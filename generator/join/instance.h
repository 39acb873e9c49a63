/* instance.h: the instances of a template that is specialised several times, and the sections of
 * the text that joins them (join.h). */
#ifndef SG_INSTANCE_H
#define SG_INSTANCE_H

#include <stdbool.h>

#include "generator/clang/specialise_types.h"

enum { SG_MOST_AXES = 4 };

typedef struct sg_axis {
    const char *name;            /* of its labels, for headings: "values"; "": labels say enough */
    bool of_template;            /* its labels are templates, which share only some declarations: a
                                    declaration of several of them does not depend on the axis */
    bool of_isa;                 /* its labels are instruction sets: a declaration with words of one
                                    depends on the axis, even if its text is the same for all */
    bool is_apart;               /* each of its labels is compiled by itself: names do not carry
                                    them, and texts that differ between them stand together; of one
                                    axis at most */
} sg_axis;

typedef struct sg_instance {
    const char *label[SG_MOST_AXES];     /* on each axis: "f64" */
    const sg_piece *pieces;
    size_t piece_count;
} sg_instance;

/* A declaration or comment of a section. */
typedef struct sg_entry {
    const char *const *text;     /* by label of the axis that is apart, in the order of instances;
                                    laid out; NULL: that label lacks it. Without such an axis there
                                    is one text */
    bool is_tight;               /* no blank line before it */
} sg_entry;

/* The declarations that depend on the same axes, for one label of each of these axes. */
typedef struct sg_section {
    unsigned axes;               /* bit a: it is for one label of axis a */
    const char *label[SG_MOST_AXES];     /* NULL if `axes` has no such bit */
    const sg_entry *entries;
    size_t entry_count;
} sg_section;

#endif
