/* join_parts.h: compares the declarations of several instances; join.c writes their text. */
#ifndef SG_JOIN_PARTS_H
#define SG_JOIN_PARTS_H

#include "generator/join/instance.h"

/* A declaration, in all instances. */
typedef struct sg_part {
    const char *key;
    const sg_piece **piece;      /* by instance; NULL: the instance lacks it */
    const sg_piece *sample;      /* the first of the pieces */
    size_t sample_instance;
    size_t group;                /* the first of the parts that share a name with it */
    bool is_shown;               /* a comment that the text has already */
} sg_part;

/* Parts that share a name, such as a prototype and its function: they depend on the same axes. The
 * index of the first part is that of the group. */
typedef struct sg_name_group {
    unsigned axes;
    bool has_labels;             /* its names carry labels */
} sg_name_group;

typedef struct sg_join_name {
    const char *name;
    unsigned axes;
} sg_join_name;

/* A name and the part that declares it. */
typedef struct sg_declared_name {
    const char *name;
    size_t part;
} sg_declared_name;

typedef struct sg_joiner {
    sg_arena *arena;
    sg_diags *diags;
    const sg_axis *axes;
    size_t axis_count;
    const sg_instance *instances;
    size_t count;
    size_t columns;              /* of a line */
    unsigned apart;              /* bit of the axis that is apart, or 0 */
    size_t *member;              /* by instance: the number of its label on that axis */
    size_t member_count;         /* 1 without such an axis */
    sg_part *parts;              /* sorted by key */
    size_t part_count;
    sg_name_group *groups;       /* one for each part; only those of first parts count */
    sg_declared_name *declared;       /* sorted by name */
    size_t declared_count;
    sg_join_name *names;         /* that carry labels */
    size_t name_count;
    size_t *order;               /* parts of the template's own text, by place */
    size_t order_count;
    sg_section *sections;
    size_t section_count;
    bool *written;               /* by part, of the section that is being written */
    sg_entry *entries;          /* of that section */
    size_t entry_count;
} sg_joiner;

/* Fills the members from `apart` to `names`: which axes each declaration depends on, and which
 * names carry labels. */
void sg_joiner_compare(sg_joiner *j);

/* The part with this key, or NULL if no instance has one. */
sg_part *sg_find_part(const sg_joiner *j, const char *key);

/* True if instances a and b have the same labels on these axes. */
bool sg_same_labels(const sg_joiner *j, size_t a, size_t b, unsigned axes);

#endif
