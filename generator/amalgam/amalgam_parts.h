/* amalgam_parts.h: the files of an amalgam and their items in the order of the text.
 *
 * sg_amalgamate runs in passes: sg_parts_load reads the files, sg_parts_need finds the items that
 * are needed, sg_parts_select leaves out declarations that repeat others, sg_parts_write gives the
 * text, sg_parts_list_names its names. */
#ifndef SG_AMALGAM_PARTS_H
#define SG_AMALGAM_PARTS_H

#include "generator/base/name_set.h"
#include "generator/amalgam/amalgam_types.h"
#include "generator/amalgam/c_items.h"

enum { SG_NO_SOURCE = -1 };

/* A file. */
typedef struct sg_source {
    const char *name;
    sg_c_items content;
    bool is_header;
    bool is_open;                /* its includes are being read */
    bool is_live;                /* an item of it, or of a file that includes it, is needed */
    int parent;                  /* the file that included it first; SG_NO_SOURCE: none */
    int section;                 /* the nearest .c file among itself and its parents, or
                                    SG_NO_SOURCE */
} sg_source;

/* An item at its place in the text. */
typedef struct sg_part {
    const sg_c_item *item;
    int source;
    int group;                   /* part of the #if around it, or SG_C_NO_GROUP */
    bool needed;
    bool present;                /* the public header has it */
    bool written;                /* set by sg_parts_select */
    const char *comment;         /* a comment in place of the item's own; NULL: the item's own */
} sg_part;

typedef struct sg_include_edge { int from, to; } sg_include_edge;

typedef struct sg_part_name {
    const char *name;
    size_t part;
} sg_part_name;

/* What an amalgam has, for another that is built on it. */
typedef struct sg_amalgam_own {
    const sg_loc *items;         /* places of its items */
    size_t item_count;
    sg_name_set functions;       /* and variables that it declares */
    sg_name_set files;           /* whose opening comments it has */
} sg_amalgam_own;

typedef struct sg_parts {
    sg_arena *arena;
    sg_diags *diags;
    const sg_amalgam_input *input;
    sg_source *sources;          /* [0] is the entry */
    size_t source_count;
    sg_include_edge *edges;
    size_t edge_count;
    sg_part *parts;
    size_t part_count, part_capacity;
    sg_part_name *names;         /* sorted by name, then by part */
    size_t name_count;
    sg_input *inputs;
    size_t input_count;
} sg_parts;

bool sg_parts_load(sg_parts *p);
void sg_parts_need(sg_parts *p);
bool sg_parts_select(sg_parts *p);
void sg_parts_write(sg_parts *p, sg_amalgam *out);
void sg_parts_list_names(const sg_parts *p, sg_amalgam *out);

/* The first of p->names with this name; *count: how many there are. */
const sg_part_name *sg_parts_find(const sg_parts *p, const char *word, size_t length,
                                  size_t *count);

/* Whether a word of file `source` may mean the part. source: SG_NO_SOURCE for the modules. */
bool sg_parts_sees(const sg_parts *p, int source, size_t part);

/* Calls take(context, word, length) for each word of C code, words of directives included. */
typedef void sg_take_word(void *context, const char *word, size_t length);
void sg_c_each_word(sg_arena *arena, const char *code, sg_take_word *take, void *context);

/* Whether at least half of the source's items are needed. Otherwise its opening comment and its
 * headings do not describe what is left. */
bool sg_parts_is_mostly_needed(const sg_parts *p, int source);

/* Whether all of the source is part of the public header that is written. */
bool sg_parts_is_public_file(const sg_parts *p, int source);

/* Whether the part declares a function of another program: a prototype that says extern, which
 * those of the files in one text do not. */
bool sg_parts_is_imported(const sg_part *part);

/* Whether the public header declares a name of the part. */
bool sg_parts_is_public(const sg_parts *p, const sg_part *part);

static inline bool sg_part_is_marker(const sg_part *part)
{
    return part->item->kind == SG_C_IF || part->item->kind == SG_C_ELSE ||
           part->item->kind == SG_C_ENDIF;
}

#endif
