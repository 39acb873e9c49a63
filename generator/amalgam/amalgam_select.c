/* amalgam_select.c: leaves out declarations that repeat others, and conditions and headings around
 * nothing. */
#include "generator/amalgam/amalgam_parts.h"

#include "generator/base/text.h"

#include <stdint.h>
#include <string.h>

/* ---- the first use of each part ------------------------------------------------------------ */

typedef struct users {
    const sg_parts *parts;
    size_t *first;               /* of each part: the first part that uses it; SIZE_MAX: none */
    size_t user;
    int source;
} users;

static bool has_name(const sg_c_item *item, const char *name)
{
    for (size_t i = 0; i < item->name_count; i++)
        if (!strcmp(item->names[i], name))
            return true;
    return false;
}

/* Users come in the order of the text. What a macro uses is used where the macro is. */
static void note_user(void *context, const char *word, size_t length)
{
    users *u = context;
    const sg_parts *p = u->parts;
    size_t count;
    const sg_part_name *name = sg_parts_find(p, word, length, &count);

    for (size_t i = 0; i < count; i++) {
        const size_t index = name[i].part;
        const sg_part *part = &p->parts[index];
        if (u->first[index] != SIZE_MAX || !sg_parts_sees(p, u->source, index) ||
            has_name(p->parts[u->user].item, name[i].name))
            continue;
        u->first[index] = u->user;
        if (part->item->kind == SG_C_MACRO) {
            const int source = u->source;
            u->source = part->source;
            sg_c_each_word(p->arena, part->item->text, note_user, u);
            u->source = source;
        }
    }
}

static void find_users(sg_parts *p, size_t *first)
{
    users u = { .parts = p, .first = first };

    for (size_t i = 0; i < p->part_count; i++)
        first[i] = SIZE_MAX;
    for (size_t i = 0; i < p->part_count; i++) {
        const sg_part *part = &p->parts[i];
        u.user = i;
        u.source = part->source;
        if (part->item->kind == SG_C_MODULES && part->needed) {
            u.source = SG_NO_SOURCE;
            sg_c_each_word(p->arena, p->input->modules, note_user, &u);
        } else if (part->needed && part->item->kind != SG_C_MACRO) {
            sg_c_each_word(p->arena, part->item->text, note_user, &u);
        }
    }
}

/* ---- prototypes ---------------------------------------------------------------------------- */

/* The first definition of the names of a prototype or an extern variable; SIZE_MAX: none. */
static size_t find_definition(const sg_parts *p, const sg_part *part)
{
    const char *name = part->item->names[0];
    size_t count;
    const sg_part_name *found = sg_parts_find(p, name, strlen(name), &count);

    for (size_t i = 0; i < count; i++) {
        const sg_c_kind kind = p->parts[found[i].part].item->kind;
        if (kind == SG_C_FUNCTION || kind == SG_C_VARIABLE)
            return found[i].part;
    }
    return SIZE_MAX;
}

/* An earlier declaration of the same name that is written. */
static bool is_declared_before(const sg_parts *p, size_t index)
{
    const char *name = p->parts[index].item->names[0];
    size_t count;
    const sg_part_name *found = sg_parts_find(p, name, strlen(name), &count);

    for (size_t i = 0; i < count && found[i].part < index; i++)
        if (p->parts[found[i].part].written && p->parts[found[i].part].group == SG_C_NO_GROUP)
            return true;
    return false;
}

typedef struct word_search {
    const char *name;
    bool found;
} word_search;

static void compare_word(void *context, const char *word, size_t length)
{
    word_search *search = context;

    search->found = search->found || (strlen(search->name) == length &&
                                      !memcmp(search->name, word, length));
}

/* Whether the modules, or a macro that is invoked at file scope, may define the name. */
static bool may_be_defined_elsewhere(const sg_parts *p, const char *name)
{
    word_search search = { name, false };

    if (p->input->modules)
        sg_c_each_word(p->arena, p->input->modules, compare_word, &search);
    for (size_t i = 0; i < p->part_count; i++)
        search.found = search.found || (p->parts[i].needed && p->parts[i].item->kind == SG_C_CALL);
    return search.found;
}

/* The comment of a prototype for its definition; NULL: none. */
static const char *comment_of(sg_parts *p, const sg_c_item *item)
{
    sg_text comment = sg_text_in(p->arena);

    if (item->comment || !item->trailing)
        return item->comment;
    for (const char *at = item->trailing; *at;) {
        const size_t length = strcspn(at, "\n");
        sg_text_append_bytes(&comment, at, length);
        at += length;
        if (*at)
            sg_text_append(&comment, "\n   ");
        at += strspn(at, " \t\n");
    }
    return comment.data;
}

/* Decides whether a declaration that another item completes is written. */
static bool select_declaration(sg_parts *p, size_t index, const size_t *first)
{
    sg_part *part = &p->parts[index];
    const sg_c_item *item = part->item;

    if (sg_parts_is_public(p, part)) {
        part->written = false;
        return true;
    }
    if (sg_parts_is_imported(part))
        return true;
    const size_t definition = find_definition(p, part);
    if (definition == SIZE_MAX) {
        if (may_be_defined_elsewhere(p, item->names[0]))
            return true;
        if (first[index] != SIZE_MAX) {
            sg_diag(p->diags, SG_ERROR, item->loc, "%s is declared and used, but no file that %s "
                    "includes defines it", item->names[0], p->input->entry);
            sg_diag(p->diags, SG_NOTE, p->parts[first[index]].item->loc, "the first use");
            return false;
        }
        part->written = false;
        return true;
    }
    const bool is_used_later = first[definition] > definition;
    if (item->kind == SG_C_EXTERN && !is_used_later) {
        sg_diag(p->diags, SG_ERROR, p->parts[first[definition]].item->loc, "%s is used here before "
                "its definition; include the file of the definition earlier", item->names[0]);
        sg_diag(p->diags, SG_NOTE, p->parts[definition].item->loc, "the definition");
        return false;
    }
    part->written = !(is_used_later && (definition < index || item->kind == SG_C_EXTERN ||
                                        !item->has_attribute)) && !is_declared_before(p, index);
    sg_part *target = &p->parts[definition];
    if (!part->written && !target->comment && !target->item->comment)
        target->comment = comment_of(p, item);
    return true;
}

static bool is_declaration(const sg_part *part)
{
    return (part->item->kind == SG_C_PROTOTYPE || part->item->kind == SG_C_EXTERN) &&
           part->needed && !part->present;
}

static bool select_declarations(sg_parts *p)
{
    size_t *first = sg_arena_alloc(p->arena, (p->part_count + 1) * sizeof *first);
    bool is_fine = true;

    find_users(p, first);
    for (size_t i = 0; i < p->part_count; i++)
        if (is_declaration(&p->parts[i]))
            is_fine = select_declaration(p, i, first) && is_fine;
    return is_fine;
}

/* ---- conditions and headings --------------------------------------------------------------- */

/* Writes the lines of each condition with something in it, but no empty branch at its end. */
static void select_conditions(sg_parts *p)
{
    bool *is_filled = sg_arena_alloc(p->arena, p->part_count + 1);   /* a group: has items */
    bool *is_last = sg_arena_alloc(p->arena, p->part_count + 1);     /* a later branch has items */

    for (size_t i = 0; i < p->part_count; i++)
        if (p->parts[i].written)
            for (int g = p->parts[i].group; g != SG_C_NO_GROUP; g = p->parts[g].group)
                is_filled[g] = true;
    for (size_t i = p->part_count; i-- > 0;) {
        sg_part *part = &p->parts[i];
        const sg_c_kind kind = part->item->kind;
        if (part->written)
            for (int g = part->group; g != SG_C_NO_GROUP; g = p->parts[g].group)
                is_last[g] = true;
        if (kind == SG_C_IF)
            part->written = is_filled[i];
        else if (kind == SG_C_ENDIF)
            part->written = is_filled[part->group];
        else if (kind == SG_C_ELSE)
            part->written = is_last[part->group];
    }
}

/* A heading is written if something below it is, up to the next heading; a note up to the next note
 * or heading. Neither reaches beyond its branch of a condition. */
static void select_headings(sg_parts *p)
{
    for (size_t i = 0; i < p->part_count; i++) {
        sg_part *heading = &p->parts[i];
        const sg_c_kind kind = heading->item->kind;
        if ((kind != SG_C_HEADING && kind != SG_C_NOTE) ||
            (kind == SG_C_HEADING && p->sources[heading->source].is_header &&
             heading->source != 0 && !sg_parts_is_mostly_needed(p, heading->source)))
            continue;
        for (size_t k = i + 1; k < p->part_count && !heading->written; k++) {
            const sg_part *part = &p->parts[k];
            const sg_c_kind below = part->item->kind;
            if (part->source != heading->source)
                continue;
            if (below == SG_C_HEADING || (below == SG_C_NOTE && kind == SG_C_NOTE) ||
                (part->group == heading->group && (below == SG_C_ELSE || below == SG_C_ENDIF)))
                break;
            heading->written = part->written && below != SG_C_NOTE;
        }
    }
}

/* Whether the file includes the header outside of conditions anyway. */
static bool is_included_anyway(const sg_parts *p, const sg_part *part)
{
    const char *name = part->item->names[0];

    for (size_t i = 0; i < p->part_count; i++)
        if (p->parts[i].item->kind == SG_C_SYSTEM && p->parts[i].group == SG_C_NO_GROUP &&
            p->sources[p->parts[i].source].is_live && !strcmp(p->parts[i].item->names[0], name))
            return true;
    return false;
}

bool sg_parts_select(sg_parts *p)
{
    for (size_t i = 0; i < p->part_count; i++) {
        sg_part *part = &p->parts[i];
        const sg_c_kind kind = part->item->kind;
        const bool is_live = p->sources[part->source].is_live;
        if (kind == SG_C_SYSTEM)
            part->written = part->group != SG_C_NO_GROUP && is_live && !part->present &&
                            !is_included_anyway(p, part);
        else if (kind == SG_C_WRAPPER)
            part->written = !p->input->header && part->source == 0;
        else
            part->written = part->needed && !part->present && !sg_part_is_marker(part);
    }
    if (p->input->header && !select_declarations(p))
        return false;
    select_conditions(p);
    select_headings(p);
    return true;
}
