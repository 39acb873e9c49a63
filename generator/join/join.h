/* join.h: joins instances of one template, such as f32 and f64, or of several, into one text.
 *
 * A declaration is written once if its text, and the text of everything that it refers to, is the
 * same in all instances. Otherwise it is written once for each label of the axes that it depends
 * on, with these labels in its name: row_sum_f64. Declarations of fewer axes come first, so that C
 * can read them; within a section the template's order is kept.
 *
 * Labels of an axis that is apart, such as targets, are never in a name: their texts stand together
 * as a choice, of which a compilation takes one (guards.h).
 *
 * It compares texts, and knows no axis's meaning. */
#ifndef SG_JOIN_H
#define SG_JOIN_H

#include "generator/join/instance.h"

typedef struct sg_joined {
    const sg_axis *axes;
    size_t axis_count;
    const char *opening;         /* the comment that the template begins with, laid out; or "" */
    const sg_section *sections;  /* in an order that C can read */
    size_t section_count;
    const struct sg_join_name *names;    /* those that carry labels, sorted */
    size_t name_count;
} sg_joined;

/* columns: of a line. Returns false, with a diagnostic at the template's line, if a name with
 * labels is already a name of the template. */
bool sg_join(sg_arena *arena, sg_diags *diags, const sg_axis *axes, size_t axis_count,
             const sg_instance *instances, size_t count, size_t columns, sg_joined *out);

/* The name of an instance for a name of the template. */
const char *sg_joined_name(sg_arena *arena, const sg_joined *joined, const char *name,
                           const sg_instance *instance);

/* True if the instance needs the section. */
bool sg_section_serves(const sg_section *section, const sg_instance *instance);

/* The section's text for a label of the axis that is apart; 0 where there is no such axis. */
const char *sg_section_text(sg_arena *arena, const sg_section *section, size_t member);

/* The section's title: "f64 values, i32 row pointers"; "" if it is for all instances. */
const char *sg_section_title(sg_arena *arena, const sg_joined *joined, const sg_section *section);

/* The section's labels behind `name`: "name_f64_i32". */
const char *sg_section_name(sg_arena *arena, const sg_section *section, const char *name);

#endif
