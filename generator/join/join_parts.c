/* join_parts.c: see join_parts.h. */
#include "generator/join/join_parts.h"

#include <stdlib.h>
#include <string.h>

#include "generator/base/name_set.h"

/* ---- parts --------------------------------------------------------------------------------- */

static int compare_parts(const void *a, const void *b)
{
    return strcmp(((const sg_part *)a)->key, ((const sg_part *)b)->key);
}

sg_part *sg_find_part(const sg_joiner *j, const char *key)
{
    const sg_part wanted = { .key = key };

    return bsearch(&wanted, j->parts, j->part_count, sizeof *j->parts, compare_parts);
}

static void collect_parts(sg_joiner *j)
{
    size_t most = 0, used = 0;

    for (size_t i = 0; i < j->count; i++)
        most += j->instances[i].piece_count;
    const char **keys = sg_arena_alloc(j->arena, (most + 1) * sizeof *keys);
    for (size_t i = 0; i < j->count; i++)
        for (size_t k = 0; k < j->instances[i].piece_count; k++)
            keys[used++] = j->instances[i].pieces[k].key;
    qsort(keys, used, sizeof *keys, sg_compare_names);
    j->parts = sg_arena_alloc(j->arena, (most + 1) * sizeof *j->parts);
    for (size_t k = 0; k < used; k++) {
        if (k && !strcmp(keys[k - 1], keys[k]))
            continue;
        sg_part *p = &j->parts[j->part_count];
        p->key = keys[k];
        p->piece = sg_arena_alloc(j->arena, j->count * sizeof *p->piece);
        p->group = j->part_count++;
    }
    for (size_t i = 0; i < j->count; i++)
        for (size_t k = 0; k < j->instances[i].piece_count; k++) {
            sg_part *p = sg_find_part(j, j->instances[i].pieces[k].key);
            p->piece[i] = &j->instances[i].pieces[k];
            if (p->sample)
                continue;
            p->sample = p->piece[i];
            p->sample_instance = i;
        }
}

/* ---- names --------------------------------------------------------------------------------- */

static int compare_declared(const void *a, const void *b)
{
    const sg_declared_name *x = a, *y = b;
    const int by_name = strcmp(x->name, y->name);

    return by_name ? by_name : (x->part > y->part) - (x->part < y->part);
}

static size_t first_of(const sg_joiner *j, size_t p)
{
    while (j->parts[p].group != p)
        p = j->parts[p].group;
    return p;
}

static const char *const *names_of(const sg_part *p, size_t instance)
{
    return p->piece[instance] ? p->piece[instance]->names : NULL;
}

/* The names of a part may differ between instances, if its type has other members there. */
static void collect_names(sg_joiner *j)
{
    size_t most = 0;

    for (size_t p = 0; p < j->part_count; p++)
        for (size_t i = 0; i < j->count; i++)
            for (const char *const *name = names_of(&j->parts[p], i); name && *name; name++)
                most++;
    j->declared = sg_arena_alloc(j->arena, (most + 1) * sizeof *j->declared);
    for (size_t p = 0; p < j->part_count; p++)
        for (size_t i = 0; i < j->count; i++)
            for (const char *const *name = names_of(&j->parts[p], i); name && *name; name++)
                j->declared[j->declared_count++] = (sg_declared_name){ *name, p };
    qsort(j->declared, j->declared_count, sizeof *j->declared, compare_declared);
    for (size_t d = 1; d < j->declared_count; d++) {
        const size_t a = first_of(j, j->declared[d - 1].part), b = first_of(j, j->declared[d].part);
        if (!strcmp(j->declared[d - 1].name, j->declared[d].name) && a != b)
            j->parts[a > b ? a : b].group = a < b ? a : b;
    }
    for (size_t p = 0; p < j->part_count; p++)
        j->parts[p].group = first_of(j, p);
}

/* ---- axes ---------------------------------------------------------------------------------- */

bool sg_same_labels(const sg_joiner *j, size_t a, size_t b, unsigned axes)
{
    for (size_t axis = 0; axis < j->axis_count; axis++)
        if (axes & 1u << axis &&
            strcmp(j->instances[a].label[axis], j->instances[b].label[axis]) != 0)
            return false;
    return true;
}

/* True if the instance has a part of the group. */
static bool has_group(const sg_joiner *j, size_t first, size_t instance)
{
    for (size_t p = first; p < j->part_count; p++)
        if (j->parts[p].group == first && j->parts[p].piece[instance])
            return true;
    return false;
}

/* True if instances with equal labels on these axes, and on the one that is apart, have the same
 * texts of the group. An instance that lacks the whole group counts as having it: an unused
 * declaration does no harm. */
static bool explains(const sg_joiner *j, size_t first, unsigned axes)
{
    axes |= j->apart;
    for (size_t p = first; p < j->part_count; p++) {
        if (j->parts[p].group != first)
            continue;
        for (size_t a = 0; a < j->count; a++)
            for (size_t b = a + 1; b < j->count; b++) {
                const sg_piece *x = j->parts[p].piece[a], *y = j->parts[p].piece[b];
                if (!sg_same_labels(j, a, b, axes) || x == y)
                    continue;
                if (x && y ? strcmp(x->text, y->text) != 0
                           : has_group(j, first, a) && has_group(j, first, b))
                    return false;
            }
    }
    return true;
}

/* The member's labels of the axis with an instance that has the group, and those without. */
static void count_labels(const sg_joiner *j, size_t member, size_t first, size_t axis, size_t *with,
                         size_t *without)
{
    const unsigned axes = 1u << axis | j->apart;

    *with = *without = 0;
    for (size_t a = 0; a < j->count; a++) {
        bool again = j->member[a] != member, has = false;
        for (size_t b = 0; b < a; b++)
            again = again || sg_same_labels(j, a, b, axes);
        for (size_t b = a; b < j->count && !again; b++)
            has = has || (sg_same_labels(j, a, b, axes) && has_group(j, first, b));
        *with += has;
        *without += !has && !again;
    }
}

/* True if the group depends on the axis because some labels lack it. Their text must not have it,
 * since their device may lack its types, such as f64. Templates lack each other's declarations:
 * those of one template are its own, those of several are shared. */
static bool is_lacking(const sg_joiner *j, size_t first, size_t axis)
{
    size_t with, without;

    for (size_t m = 0; m < j->member_count; m++) {
        count_labels(j, m, first, axis, &with, &without);
        if (with > 0 && without > 0 && (!j->axes[axis].of_template || with == 1))
            return true;
    }
    return false;
}

/* True if a piece of the group has words of an instruction set. */
static bool is_of_isa(const sg_joiner *j, size_t first)
{
    for (size_t p = first; p < j->part_count; p++)
        for (size_t i = 0; i < j->count && j->parts[p].group == first; i++)
            if (j->parts[p].piece[i] && j->parts[p].piece[i]->of_isa)
                return true;
    return false;
}

static void find_own_axes(sg_joiner *j)
{
    j->groups = sg_arena_alloc(j->arena, (j->part_count + 1) * sizeof *j->groups);
    for (size_t p = 0; p < j->part_count; p++) {
        sg_name_group *g = &j->groups[p];
        if (j->parts[p].group != p || j->parts[p].sample->kind == SG_PIECE_COMMENT)
            continue;
        g->axes = ((1u << j->axis_count) - 1) & ~j->apart;
        for (size_t axis = j->axis_count; axis-- > 0;)
            if (explains(j, p, g->axes & ~(1u << axis)))
                g->axes &= ~(1u << axis);
        for (size_t axis = 0; axis < j->axis_count; axis++)
            if (!j->axes[axis].is_apart &&
                (is_lacking(j, p, axis) || (j->axes[axis].of_isa && is_of_isa(j, p))))
                g->axes |= 1u << axis;
    }
}

/* A part depends on the axes of all parts that it refers to. */
static void spread_axes(sg_joiner *j)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t p = 0; p < j->part_count; p++)
            for (size_t i = 0; i < j->count; i++) {
                sg_name_group *own = &j->groups[j->parts[p].group];
                const sg_piece *piece = j->parts[p].piece[i];
                for (const char *const *need = piece ? piece->needs : NULL; need && *need; need++) {
                    const sg_part *other = sg_find_part(j, *need);
                    const unsigned more = other ? j->groups[other->group].axes & ~own->axes : 0;
                    changed = changed || more;
                    own->axes |= more;
                }
            }
    }
}

/* Finds the names that need labels: those with several texts. */
static void find_labelled(sg_joiner *j)
{
    for (size_t p = 0; p < j->part_count; p++) {
        size_t first_with = j->count;
        for (size_t i = 0; i < j->count; i++) {
            if (!j->parts[p].piece[i])
                continue;
            if (first_with == j->count)
                first_with = i;
            sg_name_group *g = &j->groups[j->parts[p].group];
            g->has_labels = g->has_labels || !sg_same_labels(j, first_with, i, g->axes);
        }
    }
    /* Parts that share a name need labels if an instance has only some of them. */
    for (size_t p = 0; p < j->part_count; p++)
        for (size_t q = j->parts[p].group; q < p; q++)
            for (size_t i = 0; j->parts[q].group == j->parts[p].group && i < j->count; i++) {
                sg_name_group *g = &j->groups[j->parts[p].group];
                g->has_labels = g->has_labels || !j->parts[p].piece[i] != !j->parts[q].piece[i];
            }
    j->names = sg_arena_alloc(j->arena, (j->declared_count + 1) * sizeof *j->names);
    for (size_t d = 0; d < j->declared_count; d++) {
        const sg_name_group *g = &j->groups[j->parts[j->declared[d].part].group];
        /* Targets may declare a name in parts of their own, which are compiled apart. */
        const bool has_labels = g->has_labels && (g->axes || !j->apart);
        const bool again = j->name_count &&
                           !strcmp(j->names[j->name_count - 1].name, j->declared[d].name);
        if (has_labels && !again)
            j->names[j->name_count++] = (sg_join_name){ j->declared[d].name, g->axes };
    }
}

static void number_members(sg_joiner *j)
{
    j->member = sg_arena_alloc(j->arena, (j->count + 1) * sizeof *j->member);
    for (size_t axis = 0; axis < j->axis_count; axis++)
        j->apart |= j->axes[axis].is_apart ? 1u << axis : 0;
    for (size_t i = 0; i < j->count; i++) {
        size_t same = 0;
        while (!sg_same_labels(j, same, i, j->apart))
            same++;
        j->member[i] = same < i ? j->member[same] : j->member_count++;
    }
}

void sg_joiner_compare(sg_joiner *j)
{
    number_members(j);
    collect_parts(j);
    collect_names(j);
    find_own_axes(j);
    spread_axes(j);
    find_labelled(j);
}
