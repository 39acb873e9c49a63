/* amalgam_write.c: the text of an amalgam from the items that were selected. */
#include "generator/amalgam/amalgam_parts.h"

#include "generator/base/text.h"
#include "generator/amalgam/amalgam_comment.h"

#include <stdlib.h>
#include <string.h>

typedef struct writer {
    sg_parts *parts;
    sg_text text;
    bool *is_opened;             /* for each source: its heading or opening comment is written */
    const char **rest;           /* for each header: its opening text behind the sentence that is
                                    the heading of its .c file; NULL: the whole text */
} writer;

/* Appends text without blanks at the ends of lines, and without several empty lines in a row. */
static void append_clean(sg_text *out, const char *at)
{
    bool was_empty = false;

    while (*at) {
        const char *end = at;
        end += strcspn(end, "\n");
        const char *next = *end ? end + 1 : end;
        while (end > at && strchr(" \t\r", end[-1]))
            end--;
        if (end > at || !was_empty) {
            sg_text_append_bytes(out, at, (size_t)(end - at));
            sg_text_append(out, "\n");
        }
        was_empty = end == at;
        at = next;
    }
}

/* ---- linkage ------------------------------------------------------------------------------- */

/* Appends the parameters at `at` to the line that begins at text->data, which is wrapped anew. */
static void append_parameters(sg_text *text, const char *at, const char *end)
{
    const size_t indent = text->length + 1;
    size_t column = text->length;
    int depth = 0;

    while (at < end) {
        const char *begin = at;
        /* Up to the next comma between parameters. */
        for (; at < end && !(depth == 1 && *at == ','); at++)
            depth += (*at == '(') - (*at == ')');
        at += at < end;
        sg_text piece = sg_text_in(text->arena);
        for (const char *c = begin; c < at; c++) {
            const bool is_blank = strchr(" \t\n", *c) != NULL;
            if (!is_blank)
                sg_text_append_bytes(&piece, c, 1);
            else if (piece.length > 0 && piece.data[piece.length - 1] != ' ')
                sg_text_append(&piece, " ");
        }
        if (column > indent && column + 1 + piece.length > SG_AMALGAM_COLUMNS) {
            sg_text_printf(text, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            sg_text_append(text, " ");
            column++;
        }
        sg_text_append(text, piece.data);
        column += piece.length;
    }
}

/* The item's text with `word` before it, and without extern. */
static const char *prefixed(sg_arena *arena, const char *word, const sg_c_item *item)
{
    const char *text = item->text;
    const size_t skipped = strncmp(text, "extern ", 7) ? 0 : 7;
    sg_text out = sg_text_in(arena);
    const bool is_function = item->kind == SG_C_FUNCTION || item->kind == SG_C_PROTOTYPE;

    sg_text_printf(&out, "%s ", word);
    const char *parameters = text + item->open;
    const bool is_plain = is_function && item->open > 0 &&
                          !memchr(text, '\n', item->open) && !memchr(text, '/', item->close) &&
                          !memchr(text, '"', item->close) && !memchr(text, '#', item->close);
    if (!is_plain) {
        sg_text_append(&out, text + skipped);
        return out.data;
    }
    sg_text_append_bytes(&out, text + skipped, item->open - skipped);
    append_parameters(&out, parameters, text + item->close);
    sg_text_append(&out, text + item->close);
    return out.data;
}

static const char *code_of(const writer *w, const sg_part *part)
{
    const sg_parts *p = w->parts;
    const sg_c_item *item = part->item;
    const bool has_linkage = item->kind == SG_C_FUNCTION || item->kind == SG_C_PROTOTYPE ||
                             item->kind == SG_C_VARIABLE || item->kind == SG_C_EXTERN;

    if (item->kind == SG_C_MODULES)
        return p->input->modules;
    if (!p->input->header || !has_linkage || item->is_static || sg_parts_is_imported(part))
        return item->text;
    if (!sg_parts_is_public(p, part))
        return prefixed(p->arena, "static", item);
    return item->kind == SG_C_FUNCTION && p->input->api ? prefixed(p->arena, p->input->api, item)
                                                        : item->text;
}

/* ---- the text ------------------------------------------------------------------------------ */

static void write_block(writer *w, const char *text)
{
    if (w->text.length > 0)
        sg_text_append(&w->text, "\n");
    append_clean(&w->text, text);
}

static int find_header(const sg_parts *p, int source, const char *base)
{
    const char *name = p->sources[source].name;
    const char *file = sg_path_join(p->arena, strchr(name, '/') ? sg_path_dir(p->arena, name) : "",
                                    sg_path_base(base));

    for (size_t i = 0; i < p->source_count; i++)
        if (!strcmp(p->sources[i].name, file))
            return (int)i;
    return SG_NO_SOURCE;
}

/* Writes the heading of a .c file and the rest of its opening comment. "see x.h": the heading is
 * the first sentence of x.h. */
static void open_section(writer *w, int section)
{
    sg_parts *p = w->parts;
    const char *opening = p->sources[section].content.opening;
    const char *base = sg_opening_reference(p->arena, opening), *rest = "";
    const int header = base ? find_header(p, section, base) : SG_NO_SOURCE;
    const char *text = sg_opening_text(p->arena, header == SG_NO_SOURCE
                                                     ? opening
                                                     : p->sources[header].content.opening);
    const char *title = sg_opening_title(p->arena, text, &rest);

    w->is_opened[section] = true;
    /* The entry's opening says how the text is put together. */
    if (!section)
        return;
    if (title)
        write_block(w, sg_heading_line(p->arena, title));
    if (header != SG_NO_SOURCE) {
        if (title)
            w->rest[header] = rest;
        return;
    }
    rest = title ? rest : text;
    if (*rest)
        write_block(w, sg_opening_comment(p->arena, rest));
}

static void open_header(writer *w, int source)
{
    sg_parts *p = w->parts;
    const sg_source *s = &p->sources[source];
    const char *text = w->rest[source] ? w->rest[source]
                                       : sg_opening_text(p->arena, s->content.opening);
    const bool is_known = p->input->header &&
                          sg_name_set_has(&p->input->header->own->files, s->name);

    w->is_opened[source] = true;
    /* Which file of the public header a function comes from is of no interest to its readers. */
    if (*text && !is_known && (p->input->header || !sg_parts_is_public_file(p, source)) &&
        source != 0 && sg_parts_is_mostly_needed(p, source))
        write_block(w, sg_opening_comment(p->arena, text));
}

/* Whether an empty line stands before the part, which follows part `last`. */
static bool wants_blank(const writer *w, size_t last, size_t index)
{
    const sg_part *parts = w->parts->parts;

    const bool is_long = parts[last].item->kind == SG_C_FUNCTION ||
                         parts[last].item->kind == SG_C_MODULES;

    if (parts[last].source != parts[index].source || parts[index].comment ||
        (is_long && !sg_part_is_marker(&parts[index])))
        return true;
    for (size_t i = last + 1; i <= index; i++)
        if (parts[i].source == parts[index].source && parts[i].item->blank_before)
            return true;
    return false;
}

static void write_part(writer *w, size_t last, size_t index)
{
    const sg_parts *p = w->parts;
    const sg_part *part = &p->parts[index];
    const int section = p->sources[part->source].section;
    const char *comment = part->comment ? part->comment : part->item->comment;
    const size_t length = w->text.length;

    if (section != SG_NO_SOURCE && !w->is_opened[section])
        open_section(w, section);
    if (!w->is_opened[part->source])
        open_header(w, part->source);
    const bool has_opened = w->text.length > length;
    if (w->text.length > 0 && (has_opened || wants_blank(w, last, index)))
        sg_text_append(&w->text, "\n");
    if (comment)
        append_clean(&w->text, comment);
    append_clean(&w->text, code_of(w, part));
}

static const char *write_text(sg_parts *p)
{
    writer w = { .parts = p, .text = sg_text_in(p->arena) };
    size_t last = 0;

    w.is_opened = sg_arena_alloc(p->arena, p->source_count * sizeof *w.is_opened);
    w.rest = sg_arena_alloc(p->arena, p->source_count * sizeof *w.rest);
    for (size_t i = 0; i < p->part_count; i++) {
        if (!p->parts[i].written)
            continue;
        write_part(&w, last, i);
        last = i;
    }
    return w.text.data;
}

/* ---- features and includes ----------------------------------------------------------------- */

static long feature_value(const sg_part *part)
{
    const char *name = part->item->names[0];

    return strtol(strstr(part->item->text, name) + strlen(name), NULL, 10);
}

/* The #if whose first branch holds the part; NULL: none. */
static const char *feature_condition(const sg_parts *p, size_t index)
{
    const int group = p->parts[index].group;

    for (size_t i = index; group != SG_C_NO_GROUP && i > (size_t)group; i--)
        if (p->parts[i].item->kind == SG_C_ELSE && p->parts[i].group == group)
            return NULL;
    return group == SG_C_NO_GROUP ? NULL : p->parts[group].item->text;
}

/* Whether another definition of the feature stands for this one: a greater or earlier one. */
static bool is_feature_repeated(const sg_parts *p, size_t index)
{
    const sg_part *part = &p->parts[index];
    const char *condition = feature_condition(p, index);

    for (size_t i = 0; i < p->part_count; i++) {
        const sg_part *other = &p->parts[i];
        if (i == index || other->item->kind != SG_C_FEATURE ||
            !p->sources[other->source].is_live ||
            strcmp(other->item->names[0], part->item->names[0]))
            continue;
        const char *others = feature_condition(p, i);
        const long more = feature_value(other) - feature_value(part);
        const bool is_wider = condition && !others;
        const bool is_equal = condition ? others && !strcmp(condition, others) : !others;
        if ((is_wider && more >= 0) || (is_equal && (more > 0 || (more == 0 && i < index))))
            return true;
    }
    return false;
}

static void add_feature(const sg_parts *p, sg_text *features, size_t index)
{
    const sg_c_item *item = p->parts[index].item;
    const char *condition = feature_condition(p, index);
    size_t length = strcspn(item->text, "/");

    while (length > 0 && item->text[length - 1] == ' ')
        length--;
    if (condition)
        sg_text_printf(features, "%s\n", condition);
    if (condition && strstr(condition, item->names[0]))
        sg_text_printf(features, "%.*s\n", (int)length, item->text);
    else
        sg_text_printf(features, "#ifndef %s\n%.*s\n#endif\n", item->names[0], (int)length,
                       item->text);
    if (condition)
        sg_text_append(features, "#endif\n");
}

static const char *write_features(const sg_parts *p)
{
    sg_text features = sg_text_in(p->arena);

    for (size_t i = 0; i < p->part_count; i++)
        if (p->parts[i].item->kind == SG_C_FEATURE && p->sources[p->parts[i].source].is_live &&
            !is_feature_repeated(p, i))
            add_feature(p, &features, i);
    return features.data;
}

static const char *const *list_includes(sg_parts *p)
{
    const char *const *known = p->input->header ? p->input->header->includes : NULL;
    sg_name_set all = { NULL, 0 }, own = { NULL, 0 };

    for (; known && *known; known++)
        sg_name_set_add(p->arena, &all, *known);
    for (size_t i = 0; i < p->part_count; i++) {
        const sg_part *part = &p->parts[i];
        if (part->item->kind != SG_C_SYSTEM || part->group != SG_C_NO_GROUP ||
            !p->sources[part->source].is_live || sg_name_set_has(&all, part->item->names[0]))
            continue;
        sg_name_set_add(p->arena, &all, part->item->names[0]);
        sg_name_set_add(p->arena, &own, part->item->names[0]);
    }
    return sg_arena_grow(p->arena, own.name, own.count, own.count + 1, sizeof *own.name);
}

/* ---- what a later amalgam must know --------------------------------------------------------- */

static const sg_amalgam_own *describe_own(sg_parts *p)
{
    sg_amalgam_own *own = sg_arena_alloc(p->arena, sizeof *own);
    sg_loc *items = sg_arena_alloc(p->arena, (p->part_count + 1) * sizeof *items);

    for (size_t i = 0; i < p->part_count; i++) {
        const sg_part *part = &p->parts[i];
        if (!part->written)
            continue;
        items[own->item_count++] = part->item->loc;
        if (!sg_name_set_has(&own->files, p->sources[part->source].name))
            sg_name_set_add(p->arena, &own->files, p->sources[part->source].name);
        const sg_c_kind kind = part->item->kind;
        if (kind == SG_C_FUNCTION || kind == SG_C_PROTOTYPE || kind == SG_C_VARIABLE ||
            kind == SG_C_EXTERN)
            for (size_t k = 0; k < part->item->name_count; k++)
                sg_name_set_add(p->arena, &own->functions, part->item->names[k]);
    }
    own->items = items;
    return own;
}

void sg_parts_write(sg_parts *p, sg_amalgam *out)
{
    const char *opening = p->sources[0].is_header
                              ? sg_opening_text(p->arena, p->sources[0].content.opening) : "";

    out->opening = *opening ? sg_opening_comment(p->arena, opening) : NULL;
    out->features = write_features(p);
    out->includes = list_includes(p);
    out->text = write_text(p);
    out->own = describe_own(p);
}
