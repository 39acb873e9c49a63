/* amalgam_comment.h: opening comments of files, as an amalgam shows them. */
#ifndef SG_AMALGAM_COMMENT_H
#define SG_AMALGAM_COMMENT_H

#include <stdbool.h>

#include "generator/base/arena.h"

enum { SG_AMALGAM_COLUMNS = 100 };

/* The text of an opening comment "x.h: text" without its name and the comment's frame; "" for
 * "x.c: see x.h.". opening: NULL gives "". */
const char *sg_opening_text(sg_arena *arena, const char *opening);

/* The file in "x.c: see x.h."; NULL if the opening comment is another one. */
const char *sg_opening_reference(sg_arena *arena, const char *opening);

/* The first sentence, if a heading has room for it; else NULL. *rest: the text behind it. */
const char *sg_opening_title(sg_arena *arena, const char *text, const char **rest);

/* A line with the title between dashes, as a comment. */
const char *sg_heading_line(sg_arena *arena, const char *title);

/* The text as a comment that begins with a capital letter; its first paragraph is wrapped anew. */
const char *sg_opening_comment(sg_arena *arena, const char *text);

#endif
