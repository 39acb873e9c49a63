/* join.c: see join.h. Pure functions; all memory is the arena's. */
#include "join.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* A declaration, in all instances. */
typedef struct part {
    const char *key;
    const sg_piece **piece;      /* by instance; NULL: that one does not have it */
    const sg_piece *sample;      /* one of them */
    size_t group;                /* the first of the parts that share a name with it */
    bool is_shown;               /* a comment: it stands in the text */
} part;

/* Parts that share a name, such as a prototype and its function: they depend on the same axes. The
 * index of the first part is that of the group. */
typedef struct group {
    unsigned axes;
    size_t part_count;
    bool has_labels;             /* its names carry labels */
} group;

typedef struct sg_join_name {
    const char *name;
    unsigned axes;
} sg_join_name;

/* A name and who declares it. */
typedef struct declared {
    const char *name;
    size_t part;
} declared;

typedef struct joiner {
    sg_arena *arena;
    sg_diags *diags;
    const sg_axis *axes;
    size_t axis_count;
    const sg_instance *instances;
    size_t count;
    part *parts;                 /* sorted by key */
    size_t part_count;
    group *groups;               /* one for each part; only those of first parts count */
    declared *declared;          /* sorted by name */
    size_t declared_count;
    sg_join_name *names;         /* that carry labels */
    size_t name_count;
    size_t *order;               /* parts of the template's own text, by place */
    size_t order_count;
    sg_section *sections;
    size_t section_count;
    bool *written;               /* by part, of the section that is being written */
} joiner;

/* ---- parts --------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_parts(const void *a, const void *b)
{
    return strcmp(((const part *)a)->key, ((const part *)b)->key);
}

/* NULL where no instance has it: a need that its own piece does not stand for. */
static part *find_part(const joiner *j, const char *key)
{
    const part wanted = { .key = key };

    return bsearch(&wanted, j->parts, j->part_count, sizeof *j->parts, compare_parts);
}

static void collect_parts(joiner *j)
{
    size_t most = 0, used = 0;

    for (size_t i = 0; i < j->count; i++)
        most += j->instances[i].piece_count;
    const char **keys = sg_arena_alloc(j->arena, (most + 1) * sizeof *keys);
    for (size_t i = 0; i < j->count; i++)
        for (size_t k = 0; k < j->instances[i].piece_count; k++)
            keys[used++] = j->instances[i].pieces[k].key;
    qsort(keys, used, sizeof *keys, compare_keys);
    j->parts = sg_arena_alloc(j->arena, (most + 1) * sizeof *j->parts);
    for (size_t k = 0; k < used; k++) {
        if (k && !strcmp(keys[k - 1], keys[k]))
            continue;
        part *p = &j->parts[j->part_count];
        p->key = keys[k];
        p->piece = sg_arena_alloc(j->arena, j->count * sizeof *p->piece);
        p->group = j->part_count++;
    }
    for (size_t i = 0; i < j->count; i++)
        for (size_t k = 0; k < j->instances[i].piece_count; k++) {
            part *p = find_part(j, j->instances[i].pieces[k].key);
            p->sample = p->piece[i] = &j->instances[i].pieces[k];
        }
}

/* ---- names --------------------------------------------------------------------------------- */

static int compare_declared(const void *a, const void *b)
{
    const declared *x = a, *y = b;
    const int by_name = strcmp(x->name, y->name);

    return by_name ? by_name : (x->part > y->part) - (x->part < y->part);
}

static size_t first_of(const joiner *j, size_t p)
{
    while (j->parts[p].group != p)
        p = j->parts[p].group;
    return p;
}

static const char *const *names_of(const part *p, size_t instance)
{
    return p->piece[instance] ? p->piece[instance]->names : NULL;
}

/* Names may differ between the instances of a part, where a type of one has other members. */
static void collect_names(joiner *j)
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
                j->declared[j->declared_count++] = (declared){ *name, p };
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

static bool same_labels(const joiner *j, size_t a, size_t b, unsigned axes)
{
    for (size_t axis = 0; axis < j->axis_count; axis++)
        if (axes & 1u << axis &&
            strcmp(j->instances[a].label[axis], j->instances[b].label[axis]) != 0)
            return false;
    return true;
}

/* Do instances with equal labels on these axes have the same texts of the group? An instance that
 * lacks the only part of a group counts as having it: an uncalled declaration harms nothing. */
static bool explains(const joiner *j, size_t first, unsigned axes)
{
    for (size_t p = first; p < j->part_count; p++) {
        if (j->parts[p].group != first)
            continue;
        for (size_t a = 0; a < j->count; a++)
            for (size_t b = a + 1; b < j->count; b++) {
                const sg_piece *x = j->parts[p].piece[a], *y = j->parts[p].piece[b];
                if (!same_labels(j, a, b, axes) || x == y)
                    continue;
                if (x && y ? strcmp(x->text, y->text) != 0 : j->groups[first].part_count > 1)
                    return false;
            }
    }
    return true;
}

/* Does an axis have a label whose instances all lack the group? Then the group must not stand in
 * their text, since a device of theirs may not have its types, such as f64. */
static bool is_lacking(const joiner *j, size_t first, size_t axis)
{
    for (size_t a = 0; a < j->count; a++) {
        bool has = false;
        for (size_t b = 0; b < j->count; b++)
            for (size_t p = first; p < j->part_count && same_labels(j, a, b, 1u << axis); p++)
                has = has || (j->parts[p].group == first && j->parts[p].piece[b]);
        if (!has)
            return true;
    }
    return false;
}

static void find_own_axes(joiner *j)
{
    j->groups = sg_arena_alloc(j->arena, (j->part_count + 1) * sizeof *j->groups);
    for (size_t p = 0; p < j->part_count; p++)
        j->groups[j->parts[p].group].part_count++;
    for (size_t p = 0; p < j->part_count; p++) {
        group *g = &j->groups[p];
        if (j->parts[p].group != p || j->parts[p].sample->kind == SG_PIECE_COMMENT)
            continue;
        g->axes = (1u << j->axis_count) - 1;
        for (size_t axis = j->axis_count; axis-- > 0;)
            if (explains(j, p, g->axes & ~(1u << axis)))
                g->axes &= ~(1u << axis);
        for (size_t axis = 0; axis < j->axis_count; axis++)
            if (is_lacking(j, p, axis))
                g->axes |= 1u << axis;
    }
}

/* Whoever refers to what depends on an axis depends on it. */
static void spread_axes(joiner *j)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t p = 0; p < j->part_count; p++)
            for (size_t i = 0; i < j->count; i++) {
                group *own = &j->groups[j->parts[p].group];
                const sg_piece *piece = j->parts[p].piece[i];
                for (const char *const *need = piece ? piece->needs : NULL; need && *need; need++) {
                    const part *other = find_part(j, *need);
                    const unsigned more = other ? j->groups[other->group].axes & ~own->axes : 0;
                    changed = changed || more;
                    own->axes |= more;
                }
            }
    }
}

/* A name that is there once needs no labels. */
static void find_labelled(joiner *j)
{
    for (size_t p = 0; p < j->part_count; p++) {
        size_t first_with = j->count;
        for (size_t i = 0; i < j->count; i++) {
            if (!j->parts[p].piece[i])
                continue;
            if (first_with == j->count)
                first_with = i;
            group *g = &j->groups[j->parts[p].group];
            g->has_labels = g->has_labels || !same_labels(j, first_with, i, g->axes);
        }
    }
    /* Parts of one name of which an instance has only some. */
    for (size_t p = 0; p < j->part_count; p++)
        for (size_t q = j->parts[p].group; q < p; q++)
            for (size_t i = 0; j->parts[q].group == j->parts[p].group && i < j->count; i++) {
                group *g = &j->groups[j->parts[p].group];
                g->has_labels = g->has_labels || !j->parts[p].piece[i] != !j->parts[q].piece[i];
            }
    j->names = sg_arena_alloc(j->arena, (j->declared_count + 1) * sizeof *j->names);
    for (size_t d = 0; d < j->declared_count; d++) {
        const group *g = &j->groups[j->parts[j->declared[d].part].group];
        const bool again = j->name_count &&
                           !strcmp(j->names[j->name_count - 1].name, j->declared[d].name);
        if (g->has_labels && !again)
            j->names[j->name_count++] = (sg_join_name){ j->declared[d].name, g->axes };
    }
}

static int compare_join_names(const void *a, const void *b)
{
    return strcmp(((const sg_join_name *)a)->name, ((const sg_join_name *)b)->name);
}

/* row_sum gives row_sum_f64, ROW_SUM gives ROW_SUM_F64. */
static const char *labelled(sg_arena *arena, const sg_join_name *name, const char *const label[])
{
    const size_t length = strlen(name->name);
    const char *text = name->name;
    bool is_capital = true;

    for (const char *at = text; *at; at++)
        is_capital = is_capital && !islower((unsigned char)*at);
    for (size_t axis = 0; axis < SG_MOST_AXES; axis++)
        if (name->axes & 1u << axis)
            text = sg_arena_printf(arena, "%s_%s", text, label[axis]);
    char *copy = sg_arena_strdup(arena, text);
    for (char *at = copy + length; is_capital && *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return copy;
}

/* ---- the text of a part --------------------------------------------------------------------- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind the comment, literal or line for the preprocessor that begins here; `at` if none does. */
static const char *skip_other(const char *text, const char *at)
{
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if ((at[0] == '/' && at[1] == '/') || (at[0] == '#' && (at == text || at[-1] == '\n'))) {
        at += strcspn(at, "\n");
        while (*at && at[-1] == '\\')
            at += 1 + strcspn(at + 1, "\n");
        return at;
    }
    if (*at == '"' || *at == '\'') {
        const char *end = at + 1;
        while (*end && *end != *at)
            end += end[0] == '\\' && end[1] ? 2 : 1;
        return *end ? end + 1 : end;
    }
    return at;
}

/* The next word of code at or behind *at, which is left behind it; NULL: there is none. Members,
 * which follow a dot or an arrow, and numbers are no words. */
static const char *next_word(const char *text, const char **at, size_t *length)
{
    const char *p = *at;

    while (*p) {
        const char *behind = skip_other(text, p);
        if (behind != p) {
            p = behind;
            continue;
        }
        if (!is_word(*p)) {
            p++;
            continue;
        }
        const char *begin = p, *before = p;
        while (is_word(*p) || (isdigit((unsigned char)*begin) && *p == '.'))
            p++;
        while (before > text && isspace((unsigned char)before[-1]))
            before--;
        const bool is_member = (before > text && before[-1] == '.') ||
                               (before > text + 1 && before[-2] == '-' && before[-1] == '>');
        if (is_member || isdigit((unsigned char)*begin))
            continue;
        *at = p;
        *length = (size_t)(p - begin);
        return begin;
    }
    *at = p;
    return NULL;
}

static bool has_name(const char *const *names, const char *word, size_t length)
{
    for (; names && *names; names++)
        if (strlen(*names) == length && !memcmp(*names, word, length))
            return true;
    return false;
}

/* Does the piece declare the name, or refer to what declares it? */
static bool refers(const joiner *j, const sg_piece *piece, size_t instance, const char *word,
                   size_t length)
{
    if (has_name(piece->names, word, length))
        return true;
    for (const char *const *need = piece->needs; *need; need++) {
        const part *other = find_part(j, *need);
        if (other && other->piece[instance] &&
            has_name(other->piece[instance]->names, word, length))
            return true;
    }
    return false;
}

/* NULL: the word carries no labels. */
static const sg_join_name *find_name(const joiner *j, const char *word, size_t length)
{
    const sg_join_name wanted = { .name = sg_arena_strndup(j->arena, word, length) };

    return bsearch(&wanted, j->names, j->name_count, sizeof *j->names, compare_join_names);
}

static const char *renamed(const joiner *j, const sg_piece *piece, size_t instance)
{
    sg_text out = sg_text_in(j->arena);
    const char *at = piece->text, *copied = piece->text, *word;
    size_t length;

    while ((word = next_word(piece->text, &at, &length)) != NULL) {
        const sg_join_name *name = find_name(j, word, length);
        if (!name || !refers(j, piece, instance, word, length))
            continue;
        sg_text_append_bytes(&out, copied, (size_t)(word - copied));
        sg_text_append(&out, labelled(j->arena, name, j->instances[instance].label));
        copied = at;
    }
    sg_text_append(&out, copied);
    return out.data;
}

/* ---- clashes ------------------------------------------------------------------------------- */

typedef struct fresh {
    const char *text;
    const sg_join_name *from;
} fresh;

static int compare_fresh(const void *a, const void *b)
{
    return strcmp(((const fresh *)a)->text, ((const fresh *)b)->text);
}

static sg_loc place_of(const joiner *j, const char *name)
{
    for (size_t d = 0; d < j->declared_count; d++)
        if (!strcmp(j->declared[d].name, name))
            return j->parts[j->declared[d].part].sample->loc;
    return (sg_loc){ 0 };
}

static bool complain(const joiner *j, sg_loc loc, const char *text, const sg_join_name *from)
{
    sg_diag(j->diags, SG_ERROR, loc, "the name '%s' is taken: it is what '%s', whose text differs "
            "between the types, is called for one of them; rename one of the two", text,
            from->name);
    sg_diag(j->diags, SG_NOTE, place_of(j, from->name), "'%s' is declared here", from->name);
    return false;
}

/* Is one of the fresh names, which are sorted, a word of the piece? */
static bool check_words(const joiner *j, const sg_piece *piece, const fresh *all, size_t count)
{
    const char *at = piece->text, *word;
    size_t length;

    while ((word = next_word(piece->text, &at, &length)) != NULL) {
        const fresh wanted = { .text = sg_arena_strndup(j->arena, word, length) };
        const fresh *found = bsearch(&wanted, all, count, sizeof *all, compare_fresh);
        if (found)
            return complain(j, piece->loc, found->text, found->from);
    }
    return true;
}

/* A member that is called as a name with labels would get them where it is declared, and not where
 * it is used. */
static bool check_members(const joiner *j, const sg_piece *piece, size_t instance)
{
    for (const char *const *member = piece->members; member && *member; member++) {
        const sg_join_name *name = find_name(j, *member, strlen(*member));
        if (!name || !refers(j, piece, instance, *member, strlen(*member)))
            continue;
        sg_diag(j->diags, SG_ERROR, piece->loc, "the member '%s' has the name of something that "
                "its struct refers to, whose text differs between the types; rename one of the two",
                *member);
        sg_diag(j->diags, SG_NOTE, place_of(j, name->name), "'%s' is declared here", name->name);
        return false;
    }
    return true;
}

/* No name with labels may be a word of any text, local or not: it could mean something else
 * there. */
static bool check_clashes(const joiner *j)
{
    fresh *all = sg_arena_alloc(j->arena, (j->name_count * j->count + 1) * sizeof *all);
    size_t count = 0;
    bool good = true;

    for (size_t n = 0; n < j->name_count; n++)
        for (size_t i = 0; i < j->count; i++) {
            const char *text = labelled(j->arena, &j->names[n], j->instances[i].label);
            bool again = false;
            for (size_t k = 0; k < i; k++)
                again = again || same_labels(j, i, k, j->names[n].axes);
            if (!again)
                all[count++] = (fresh){ text, &j->names[n] };
        }
    qsort(all, count, sizeof *all, compare_fresh);
    for (size_t k = 1; k < count; k++)
        if (!strcmp(all[k - 1].text, all[k].text))
            good = complain(j, place_of(j, all[k].from->name), all[k].text, all[k - 1].from);
    for (size_t p = 0; p < j->part_count && count; p++) {
        bool fine = j->parts[p].sample->kind != SG_PIECE_COMMENT;
        const char *before = "";
        for (size_t i = 0; i < j->count && fine; i++) {
            const sg_piece *piece = j->parts[p].piece[i];
            if (!piece || !strcmp(piece->text, before))
                continue;
            before = piece->text;
            fine = check_words(j, piece, all, count) && check_members(j, piece, i);
            good = good && fine;
        }
    }
    return good;
}

/* ---- sections ------------------------------------------------------------------------------ */

static int bit_count(unsigned bits)
{
    int count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

bool sg_section_serves(const sg_section *section, const sg_instance *instance)
{
    for (size_t axis = 0; axis < SG_MOST_AXES; axis++)
        if (section->axes & 1u << axis &&
            strcmp(section->label[axis], instance->label[axis]) != 0)
            return false;
    return true;
}

const char *sg_section_title(sg_arena *arena, const sg_section *section, const sg_axis *axes)
{
    sg_text out = sg_text_in(arena);

    for (size_t axis = 0; axis < SG_MOST_AXES; axis++)
        if (section->axes & 1u << axis)
            sg_text_printf(&out, "%s%s %s", out.length ? ", " : "", section->label[axis],
                           axes[axis].name);
    return out.length ? out.data : "";
}

/* The first instance that the section serves and that has the part; j->count: none. */
static size_t instance_with(const joiner *j, const part *p, const sg_section *section)
{
    size_t i = 0;

    while (i < j->count && !(p->piece[i] && sg_section_serves(section, &j->instances[i])))
        i++;
    return i;
}

static bool is_in(const joiner *j, size_t p, const sg_section *section)
{
    return j->parts[p].sample->kind != SG_PIECE_COMMENT &&
           j->groups[j->parts[p].group].axes == section->axes &&
           instance_with(j, &j->parts[p], section) < j->count;
}

static void add_text(sg_text *out, const char *text, bool is_tight)
{
    if (out->length)
        sg_text_append(out, is_tight ? "\n" : "\n\n");
    sg_text_append(out, text);
}

/* With what it rests on before it. */
static void add_helper(joiner *j, sg_text *out, size_t p, const sg_section *section)
{
    if (j->written[p] || !is_in(j, p, section) || j->parts[p].sample->kind != SG_PIECE_HELPER)
        return;
    j->written[p] = true;
    const size_t i = instance_with(j, &j->parts[p], section);
    const sg_piece *piece = j->parts[p].piece[i];
    for (const char *const *need = piece->needs; *need; need++) {
        const part *other = find_part(j, *need);
        if (other)
            add_helper(j, out, (size_t)(other - j->parts), section);
    }
    add_text(out, renamed(j, piece, i), false);
}

/* The comments that speak of what has this place, unless they stand in the text already. */
static bool add_comments(joiner *j, sg_text *out, int place)
{
    bool added = false;

    for (size_t k = 0; k < j->order_count; k++) {
        part *comment = &j->parts[j->order[k]];
        if (comment->sample->kind != SG_PIECE_COMMENT || comment->is_shown ||
            comment->sample->begin > place || comment->sample->end <= place)
            continue;
        comment->is_shown = added = true;
        add_text(out, comment->sample->text, false);
    }
    return added;
}

static const char *section_text(joiner *j, const sg_section *section)
{
    sg_text out = sg_text_in(j->arena);
    int before = -1;

    memset(j->written, 0, j->part_count * sizeof *j->written);
    for (size_t i = 0; i < j->count; i++)
        for (size_t k = 0; sg_section_serves(section, &j->instances[i]) &&
                           k < j->instances[i].piece_count; k++)
            add_helper(j, &out, (size_t)(find_part(j, j->instances[i].pieces[k].key) - j->parts),
                       section);
    for (size_t k = 0; k < j->order_count; k++) {
        const part *p = &j->parts[j->order[k]];
        if (!is_in(j, j->order[k], section))
            continue;
        const size_t i = instance_with(j, p, section);
        const sg_piece *piece = p->piece[i];
        const bool has_comments = add_comments(j, &out, piece->place);
        add_text(&out, renamed(j, piece, i),
                 piece->is_tight && !has_comments && before == piece->place - 1);
        before = piece->place;
    }
    return out.length ? sg_lay_out(j->arena, out.data) : "";
}

/* Insertion: the orders of the instances are merged, each of which is sorted. */
static void find_order(joiner *j)
{
    j->order = sg_arena_alloc(j->arena, (j->part_count + 1) * sizeof *j->order);
    for (size_t p = 0; p < j->part_count; p++) {
        if (j->parts[p].sample->kind == SG_PIECE_HELPER)
            continue;
        size_t at = j->order_count++;
        for (; at > 0 && j->parts[j->order[at - 1]].sample->place > j->parts[p].sample->place; at--)
            j->order[at] = j->order[at - 1];
        j->order[at] = p;
    }
}

static void add_sections(joiner *j, unsigned axes)
{
    for (size_t i = 0; i < j->count; i++) {
        sg_section section = { .axes = axes };
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || same_labels(j, i, k, axes);
        for (size_t axis = 0; axis < j->axis_count; axis++)
            section.label[axis] = axes & 1u << axis ? j->instances[i].label[axis] : NULL;
        section.text = again ? "" : section_text(j, &section);
        if (*section.text)
            j->sections[j->section_count++] = section;
    }
}

/* By number of axes: what refers to another part depends on its axes, and on more. */
static void make_sections(joiner *j)
{
    const unsigned all = 1u << j->axis_count;

    j->written = sg_arena_alloc(j->arena, (j->part_count + 1) * sizeof *j->written);
    j->sections = sg_arena_alloc(j->arena, (all * j->count + 1) * sizeof *j->sections);
    for (int bits = 0; bits <= (int)j->axis_count; bits++)
        for (unsigned axes = 0; axes < all; axes++)
            if (bit_count(axes) == bits)
                add_sections(j, axes);
}

static const char *take_opening(joiner *j)
{
    part *first = j->order_count ? &j->parts[j->order[0]] : NULL;

    if (!first || first->sample->kind != SG_PIECE_COMMENT || first->sample->place)
        return "";
    first->is_shown = true;
    return sg_lay_out(j->arena, first->sample->text);
}

/* ---- all of it ----------------------------------------------------------------------------- */

bool sg_join(sg_arena *arena, sg_diags *diags, const sg_axis *axes, size_t axis_count,
             const sg_instance *instances, size_t count, sg_joined *out)
{
    joiner j = { .arena = arena, .diags = diags, .axes = axes, .axis_count = axis_count,
                 .instances = instances, .count = count };

    collect_parts(&j);
    collect_names(&j);
    find_own_axes(&j);
    spread_axes(&j);
    find_labelled(&j);
    find_order(&j);
    if (!check_clashes(&j))
        return false;
    *out = (sg_joined){ .opening = take_opening(&j), .names = j.names, .name_count = j.name_count };
    make_sections(&j);
    out->sections = j.sections;
    out->section_count = j.section_count;
    return true;
}

const char *sg_joined_name(sg_arena *arena, const sg_joined *joined, const char *name,
                           const sg_instance *instance)
{
    const sg_join_name wanted = { .name = name };
    const sg_join_name *found = bsearch(&wanted, joined->names, joined->name_count,
                                        sizeof *joined->names, compare_join_names);

    return found ? labelled(arena, found, instance->label) : name;
}
