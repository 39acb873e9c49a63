/* join.c: see join.h. Pure functions; all memory is the arena's. */
#include "generator/join/join.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "generator/clang/specialise.h"
#include "generator/base/c_words.h"
#include "generator/join/join_parts.h"
#include "generator/base/text.h"

/* ---- names with labels --------------------------------------------------------------------- */

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

static bool has_name(const char *const *names, const char *word, size_t length)
{
    for (; names && *names; names++)
        if (strlen(*names) == length && !memcmp(*names, word, length))
            return true;
    return false;
}

/* True if the piece declares the name, or refers to a piece that does. */
static bool refers(const sg_joiner *j, const sg_piece *piece, size_t instance, const char *word,
                   size_t length)
{
    if (has_name(piece->names, word, length))
        return true;
    for (const char *const *need = piece->needs; *need; need++) {
        const sg_part *other = sg_find_part(j, *need);
        if (other && other->piece[instance] &&
            has_name(other->piece[instance]->names, word, length))
            return true;
    }
    return false;
}

/* Returns NULL if the word carries no labels. */
static const sg_join_name *find_name(const sg_joiner *j, const char *word, size_t length)
{
    const sg_join_name wanted = { .name = sg_arena_strndup(j->arena, word, length) };

    return bsearch(&wanted, j->names, j->name_count, sizeof *j->names, compare_join_names);
}

static const char *renamed(const sg_joiner *j, const sg_piece *piece, size_t instance)
{
    sg_text out = sg_text_in(j->arena);
    const char *at = piece->text, *copied = piece->text, *word;
    size_t length;

    while ((word = sg_next_c_word(piece->text, &at, &length)) != NULL) {
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

typedef struct labelled_name {
    const char *text;
    const sg_join_name *from;
} labelled_name;

static int compare_labelled(const void *a, const void *b)
{
    return strcmp(((const labelled_name *)a)->text, ((const labelled_name *)b)->text);
}

static sg_loc place_of(const sg_joiner *j, const char *name)
{
    for (size_t d = 0; d < j->declared_count; d++)
        if (!strcmp(j->declared[d].name, name))
            return j->parts[j->declared[d].part].sample->loc;
    return (sg_loc){ 0 };
}

static bool report_clash(const sg_joiner *j, sg_loc loc, const char *text, const sg_join_name *from)
{
    sg_diag(j->diags, SG_ERROR, loc, "the name '%s' is taken: it is what '%s', whose text differs "
            "between the types, is called for one of them; rename one of the two", text,
            from->name);
    sg_diag(j->diags, SG_NOTE, place_of(j, from->name), "'%s' is declared here", from->name);
    return false;
}

/* Checks that no word of the piece is one of the labelled names, which are sorted. */
static bool check_words(const sg_joiner *j, const sg_piece *piece, const labelled_name *all,
                        size_t count)
{
    const char *at = piece->text, *word;
    size_t length;

    while ((word = sg_next_c_word(piece->text, &at, &length)) != NULL) {
        const labelled_name wanted = { .text = sg_arena_strndup(j->arena, word, length) };
        const labelled_name *found = bsearch(&wanted, all, count, sizeof *all, compare_labelled);
        if (found)
            return report_clash(j, piece->loc, found->text, found->from);
    }
    return true;
}

/* A member with the name of a labelled declaration would get the labels at its declaration, but not
 * at its uses. */
static bool check_members(const sg_joiner *j, const sg_piece *piece, size_t instance)
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
static bool check_clashes(const sg_joiner *j)
{
    labelled_name *all = sg_arena_alloc(j->arena, (j->name_count * j->count + 1) * sizeof *all);
    size_t count = 0;
    bool good = true;

    for (size_t n = 0; n < j->name_count; n++)
        for (size_t i = 0; i < j->count; i++) {
            const char *text = labelled(j->arena, &j->names[n], j->instances[i].label);
            bool again = false;
            for (size_t k = 0; k < i; k++)
                again = again || sg_same_labels(j, i, k, j->names[n].axes);
            if (!again)
                all[count++] = (labelled_name){ text, &j->names[n] };
        }
    qsort(all, count, sizeof *all, compare_labelled);
    for (size_t k = 1; k < count; k++)
        if (!strcmp(all[k - 1].text, all[k].text))
            good = report_clash(j, place_of(j, all[k].from->name), all[k].text, all[k - 1].from);
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

const char *sg_section_name(sg_arena *arena, const sg_section *section, const char *name)
{
    for (size_t axis = 0; axis < SG_MOST_AXES; axis++)
        if (section->axes & 1u << axis)
            name = sg_arena_printf(arena, "%s_%s", name, section->label[axis]);
    return name;
}

const char *sg_section_title(sg_arena *arena, const sg_joined *joined, const sg_section *section)
{
    const sg_axis *axes = joined->axes;
    sg_text out = sg_text_in(arena);

    for (size_t axis = 0; axis < SG_MOST_AXES; axis++)
        if (section->axes & 1u << axis)
            sg_text_printf(&out, "%s%s%s%s", out.length ? ", " : "", section->label[axis],
                           *axes[axis].name ? " " : "", axes[axis].name);
    return out.length ? out.data : "";
}

/* The first instance from `i` on that the section serves and that has the part; j->count: none. */
static size_t next_with(const sg_joiner *j, const sg_part *p, const sg_section *section, size_t i)
{
    while (i < j->count && !(p->piece[i] && sg_section_serves(section, &j->instances[i])))
        i++;
    return i;
}

static bool is_in(const sg_joiner *j, size_t p, const sg_section *section)
{
    return j->parts[p].sample->kind != SG_PIECE_COMMENT &&
           j->groups[j->parts[p].group].axes == section->axes &&
           next_with(j, &j->parts[p], section, 0) < j->count;
}

/* Adds the part's texts, equal ones as the same string. */
static void add_part(sg_joiner *j, size_t p, const sg_section *section, bool is_tight)
{
    const sg_part *part = &j->parts[p];
    const char **text = sg_arena_alloc(j->arena, j->member_count * sizeof *text);
    const char **laid_out = sg_arena_alloc(j->arena, j->member_count * sizeof *laid_out);

    for (size_t i = next_with(j, part, section, 0); i < j->count;
         i = next_with(j, part, section, i + 1)) {
        const size_t m = j->member[i];
        if (text[m])
            continue;
        text[m] = renamed(j, part->piece[i], i);
        for (size_t k = 0; k < j->member_count && !laid_out[m]; k++)
            if (laid_out[k] && !strcmp(text[k], text[m]))
                laid_out[m] = laid_out[k];
        if (!laid_out[m])
            laid_out[m] = sg_lay_out(j->arena, text[m], j->columns);
    }
    j->entries[j->entry_count++] = (sg_entry){ laid_out, is_tight };
}

/* Adds a helper behind the helpers that it needs. */
static void add_helper(sg_joiner *j, size_t p, const sg_section *section)
{
    const sg_part *part = &j->parts[p];

    if (j->written[p] || !is_in(j, p, section) || part->sample->kind != SG_PIECE_HELPER)
        return;
    j->written[p] = true;
    for (size_t i = next_with(j, part, section, 0); i < j->count;
         i = next_with(j, part, section, i + 1))
        for (const char *const *need = part->piece[i]->needs; *need; need++) {
            const sg_part *other = sg_find_part(j, *need);
            if (other)
                add_helper(j, (size_t)(other - j->parts), section);
        }
    add_part(j, p, section, false);
}

/* Adds the comments that belong to this place in the instance's template, unless the text has them
 * already. */
static bool add_comments(sg_joiner *j, size_t instance, int place)
{
    bool added = false;

    for (size_t k = 0; k < j->order_count; k++) {
        sg_part *comment = &j->parts[j->order[k]];
        const sg_piece *piece = comment->piece[instance];
        if (!piece || piece->kind != SG_PIECE_COMMENT || comment->is_shown ||
            piece->begin > place || piece->end <= place)
            continue;
        comment->is_shown = added = true;
        const char **text = sg_arena_alloc(j->arena, j->member_count * sizeof *text);
        for (size_t m = 0; m < j->member_count; m++)
            text[m] = m ? text[0] : sg_lay_out(j->arena, piece->text, j->columns);
        j->entries[j->entry_count++] = (sg_entry){ text, false };
    }
    return added;
}

const char *sg_section_text(sg_arena *arena, const sg_section *section, size_t member)
{
    sg_text out = sg_text_in(arena);

    for (size_t k = 0; k < section->entry_count; k++) {
        const sg_entry *entry = &section->entries[k];
        sg_text_printf(&out, "%s%s", k && !entry->is_tight ? "\n" : "",
                       entry->text[member] ? entry->text[member] : "");
    }
    return out.data;
}

/* The first instance with the labels of this one on the axes of templates. */
static size_t template_of(const sg_joiner *j, size_t instance)
{
    unsigned axes = 0;
    size_t first = 0;

    for (size_t axis = 0; axis < j->axis_count; axis++)
        axes |= j->axes[axis].of_template ? 1u << axis : 0;
    while (!sg_same_labels(j, first, instance, axes))
        first++;
    return first;
}

/* Adds a part behind those of later templates that it needs: a method's own parts come later in the
 * order than those whose key an earlier method has, too. before: the place of the last part. */
static void add_in_order(sg_joiner *j, size_t p, const sg_section *section, int *before)
{
    if (j->written[p] || !is_in(j, p, section))
        return;
    j->written[p] = true;
    const size_t i = next_with(j, &j->parts[p], section, 0);
    const size_t template = template_of(j, j->parts[p].sample_instance);
    const sg_piece *piece = j->parts[p].piece[i];
    for (const char *const *need = piece->needs; *need; need++) {
        const sg_part *other = sg_find_part(j, *need);
        if (other && template_of(j, other->sample_instance) > template)
            add_in_order(j, (size_t)(other - j->parts), section, before);
    }
    const bool has_comments = add_comments(j, i, piece->place);
    add_part(j, p, section, piece->is_tight && !has_comments && *before == piece->place - 1);
    *before = piece->place;
}

static void fill_section(sg_joiner *j, sg_section *section)
{
    int before = -1;

    j->entries = sg_arena_alloc(j->arena, (j->part_count + 1) * sizeof *j->entries);
    j->entry_count = 0;
    memset(j->written, 0, j->part_count * sizeof *j->written);
    for (size_t i = 0; i < j->count; i++)
        for (size_t k = 0; sg_section_serves(section, &j->instances[i]) &&
                           k < j->instances[i].piece_count; k++)
            add_helper(j, (size_t)(sg_find_part(j, j->instances[i].pieces[k].key) - j->parts),
                       section);
    for (size_t k = 0; k < j->order_count; k++)
        add_in_order(j, j->order[k], section, &before);
    section->entries = j->entries;
    section->entry_count = j->entry_count;
}

/* True if part a stands before part b: by their first template, then by their places in it. */
static bool comes_before(const sg_joiner *j, const sg_part *a, const sg_part *b)
{
    const size_t x = template_of(j, a->sample_instance), y = template_of(j, b->sample_instance);

    return x != y ? x < y : a->sample->place < b->sample->place;
}

/* Sorts the parts of the templates' own texts: insertion sort. */
static void find_order(sg_joiner *j)
{
    j->order = sg_arena_alloc(j->arena, (j->part_count + 1) * sizeof *j->order);
    for (size_t p = 0; p < j->part_count; p++) {
        if (j->parts[p].sample->kind == SG_PIECE_HELPER)
            continue;
        size_t at = j->order_count++;
        for (; at > 0 && comes_before(j, &j->parts[p], &j->parts[j->order[at - 1]]); at--)
            j->order[at] = j->order[at - 1];
        j->order[at] = p;
    }
}

static void add_sections(sg_joiner *j, unsigned axes)
{
    for (size_t i = 0; i < j->count; i++) {
        sg_section section = { .axes = axes };
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || sg_same_labels(j, i, k, axes);
        for (size_t axis = 0; axis < j->axis_count; axis++)
            section.label[axis] = axes & 1u << axis ? j->instances[i].label[axis] : NULL;
        if (!again)
            fill_section(j, &section);
        if (section.entry_count)
            j->sections[j->section_count++] = section;
    }
}

/* Fewer axes first: a part depends on all axes of every part that it refers to. */
static void make_sections(sg_joiner *j)
{
    const unsigned all = 1u << j->axis_count;

    j->written = sg_arena_alloc(j->arena, (j->part_count + 1) * sizeof *j->written);
    j->sections = sg_arena_alloc(j->arena, (all * j->count + 1) * sizeof *j->sections);
    for (int bits = 0; bits <= (int)j->axis_count; bits++)
        for (unsigned axes = 0; axes < all; axes++)
            if (bit_count(axes) == bits)
                add_sections(j, axes);
}

static const char *take_opening(sg_joiner *j)
{
    sg_part *first = j->order_count ? &j->parts[j->order[0]] : NULL;

    /* Several templates have an opening each, which stands above the template's declarations. */
    for (size_t i = 1; i < j->count; i++)
        if (template_of(j, i))
            return "";
    if (!first || first->sample->kind != SG_PIECE_COMMENT || first->sample->place)
        return "";
    first->is_shown = true;
    return sg_lay_out(j->arena, first->sample->text, j->columns);
}

/* ---- all of it ----------------------------------------------------------------------------- */

bool sg_join(sg_arena *arena, sg_diags *diags, const sg_axis *axes, size_t axis_count,
             const sg_instance *instances, size_t count, size_t columns, sg_joined *out)
{
    sg_joiner j = { .arena = arena, .diags = diags, .axes = axes, .axis_count = axis_count,
                    .instances = instances, .count = count, .columns = columns };

    sg_joiner_compare(&j);
    find_order(&j);
    if (!check_clashes(&j))
        return false;
    *out = (sg_joined){ .axes = axes, .axis_count = axis_count, .opening = take_opening(&j),
                        .names = j.names, .name_count = j.name_count };
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
