/* amalgam_need.c: finds the items of an amalgam that are needed. */
#include "generator/amalgam/amalgam_parts.h"

#include "generator/base/c_words.h"
#include "generator/base/text.h"

#include <string.h>

/* ---- words --------------------------------------------------------------------------------- */

void sg_c_each_word(sg_arena *arena, const char *code, sg_take_word *take, void *context)
{
    /* sg_next_c_word skips directives, whose words count here. */
    char *copy = sg_arena_printf(arena, " %s", code);
    bool is_line_start = true;
    const char *word, *at;
    size_t length;

    for (char *p = copy; *p; p++) {
        if (*p == '#' && is_line_start)
            *p = ' ';
        is_line_start = *p == '\n' || (is_line_start && (*p == ' ' || *p == '\t'));
    }
    at = copy;
    while ((word = sg_next_c_word(copy, &at, &length)) != NULL)
        take(context, word, length);
}

/* Other .c files do not mean the part if they use its name. */
static bool is_private(const sg_parts *p, const sg_part *part)
{
    const sg_c_kind kind = part->item->kind;
    const bool may_be_shared = kind == SG_C_FUNCTION || kind == SG_C_PROTOTYPE ||
                               kind == SG_C_VARIABLE || kind == SG_C_EXTERN;

    return !p->sources[part->source].is_header && (part->item->is_static || !may_be_shared);
}

bool sg_parts_sees(const sg_parts *p, int source, size_t part)
{
    int owner = p->parts[part].source;

    if (!is_private(p, &p->parts[part]))
        return true;
    while (owner != SG_NO_SOURCE && owner != source)
        owner = p->sources[owner].parent;
    return owner == source && source != SG_NO_SOURCE;
}

bool sg_parts_is_imported(const sg_part *part)
{
    return part->item->kind == SG_C_PROTOTYPE && !strncmp(part->item->text, "extern ", 7);
}

bool sg_parts_is_public(const sg_parts *p, const sg_part *part)
{
    for (size_t i = 0; p->input->header && i < part->item->name_count; i++)
        if (sg_name_set_has(&p->input->header->own->functions, part->item->names[i]))
            return true;
    return false;
}

bool sg_parts_is_mostly_needed(const sg_parts *p, int source)
{
    size_t needed = 0, all = 0;

    for (size_t i = 0; i < p->part_count; i++) {
        if (p->parts[i].source != source || p->parts[i].item->kind > SG_C_CALL)
            continue;
        needed += p->parts[i].needed;
        all++;
    }
    return 2 * needed >= all;
}

/* ---- needs --------------------------------------------------------------------------------- */

typedef struct needer {
    sg_parts *parts;
    size_t *waiting;             /* needed parts whose words were not looked at */
    size_t waiting_count;
    int source;                  /* of the words that are looked at */
} needer;

static void need_part(needer *n, size_t index)
{
    sg_parts *p = n->parts;
    sg_part *part = &p->parts[index];

    if (part->needed)
        return;
    part->needed = true;
    if (!part->present)
        n->waiting[n->waiting_count++] = index;
    if (part->group == SG_C_NO_GROUP || sg_part_is_marker(part))
        return;
    /* The lines of all conditions around it. */
    for (int group = part->group; group != SG_C_NO_GROUP; group = p->parts[group].group) {
        if (p->parts[group].needed)
            continue;
        for (size_t i = (size_t)group; i < p->part_count; i++) {
            sg_part *marker = &p->parts[i];
            if (i != (size_t)group && (!sg_part_is_marker(marker) || marker->group != group ||
                                       marker->item->kind == SG_C_IF))
                continue;
            marker->needed = true;
            n->waiting[n->waiting_count++] = i;
            if (marker->item->kind == SG_C_ENDIF)
                break;
        }
    }
}

static void need_word(void *context, const char *word, size_t length)
{
    needer *n = context;
    size_t count;
    const sg_part_name *name = sg_parts_find(n->parts, word, length, &count);

    for (size_t i = 0; i < count; i++)
        if (sg_parts_sees(n->parts, n->source, name[i].part))
            need_part(n, name[i].part);
}

static void look_at_waiting(needer *n)
{
    sg_parts *p = n->parts;

    while (n->waiting_count > 0) {
        const sg_part *part = &p->parts[n->waiting[--n->waiting_count]];
        n->source = part->source;
        sg_c_each_word(p->arena, part->item->text, need_word, n);
        /* A name's other declarations, such as a function's prototype. */
        for (size_t i = 0; i < part->item->name_count; i++)
            if (part->item->kind <= SG_C_MACRO)
                need_word(n, part->item->names[i], strlen(part->item->names[i]));
    }
}

/* ---- items that no word needs ---------------------------------------------------------------- */

typedef struct checker {
    const sg_parts *parts;
    int source;
    size_t needed, lacking;      /* names that are not macros */
} checker;

static void check_word(void *context, const char *word, size_t length)
{
    checker *c = context;
    size_t count;
    const sg_part_name *name = sg_parts_find(c->parts, word, length, &count);

    for (size_t i = 0; i < count; i++) {
        const sg_part *part = &c->parts->parts[name[i].part];
        if (part->item->kind == SG_C_MACRO || !sg_parts_sees(c->parts, c->source, name[i].part))
            continue;
        if (part->needed)
            c->needed++;
        else
            c->lacking++;
    }
}

/* A static assertion is needed if all that it names is. */
static bool needs_check(const sg_parts *p, const sg_part *part)
{
    checker c = { .parts = p, .source = part->source };

    sg_c_each_word(p->arena, part->item->text, check_word, &c);
    return c.lacking == 0 && (c.needed > 0 || p->sources[part->source].is_live);
}

static bool is_undef_needed(const sg_parts *p, const sg_part *part)
{
    const char *name = part->item->names[0];
    size_t count;
    const sg_part_name *found = sg_parts_find(p, name, strlen(name), &count);

    for (size_t i = 0; i < count; i++)
        if (p->parts[found[i].part].needed)
            return true;
    return false;
}

/* Files with a needed item are live, and so is what they include. */
static void find_live_sources(sg_parts *p)
{
    bool has_changed = true;

    for (size_t i = 0; i < p->part_count; i++)
        if (p->parts[i].needed && !sg_part_is_marker(&p->parts[i]))
            p->sources[p->parts[i].source].is_live = true;
    while (has_changed) {
        has_changed = false;
        for (size_t i = 0; i < p->edge_count; i++) {
            const sg_include_edge *edge = &p->edges[i];
            if (p->sources[edge->from].is_live && !p->sources[edge->to].is_live)
                has_changed = p->sources[edge->to].is_live = true;
        }
    }
}

static bool is_dependent_needed(const sg_parts *p, const sg_part *part)
{
    switch (part->item->kind) {
    case SG_C_CHECK: return needs_check(p, part);
    case SG_C_UNDEF: return is_undef_needed(p, part);
    case SG_C_CALL:
    case SG_C_PRAGMA: return p->sources[part->source].is_live;
    default: return false;
    }
}

bool sg_parts_is_public_file(const sg_parts *p, int source)
{
    const char *folder = p->input->public_folder;
    const size_t length = folder ? strlen(folder) : 0;
    const char *name = p->sources[source].name;

    return source == 0 || (folder && !strncmp(name, folder, length) && name[length] == '/');
}

static bool is_root(const sg_parts *p, const sg_part *part)
{
    const sg_c_kind kind = part->item->kind;

    if (p->input->header)
        return (kind == SG_C_CALL && part->source == 0) ||
               ((kind == SG_C_FUNCTION || kind == SG_C_VARIABLE) && sg_parts_is_public(p, part));
    return kind <= SG_C_PRAGMA && sg_parts_is_public_file(p, part->source);
}

void sg_parts_need(sg_parts *p)
{
    needer n = { .parts = p };
    bool has_changed = true;

    n.waiting = sg_arena_alloc(p->arena, (p->part_count + 1) * sizeof *n.waiting);
    p->sources[0].is_live = true;
    for (size_t i = 0; i < p->part_count; i++) {
        if (is_root(p, &p->parts[i]))
            need_part(&n, i);
        if (p->parts[i].item->kind == SG_C_MODULES && p->input->modules) {
            n.source = SG_NO_SOURCE;
            sg_c_each_word(p->arena, p->input->modules, need_word, &n);
            need_part(&n, i);
        }
    }
    while (has_changed) {
        look_at_waiting(&n);
        find_live_sources(p);
        has_changed = false;
        for (size_t i = 0; i < p->part_count; i++) {
            if (p->parts[i].needed || !is_dependent_needed(p, &p->parts[i]))
                continue;
            need_part(&n, i);
            has_changed = true;
        }
    }
}
