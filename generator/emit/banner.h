/* banner.h: the comment that every emitted file begins with, of at most 25 lines, and texts as they
 * may stand in C. Where values come from is for the manifest. */
#ifndef SG_BANNER_H
#define SG_BANNER_H

#include "generator/emit/plan.h"
#include "generator/base/text.h"

/* What the file is and how to have it anew, without the end of the comment. `commands` are fit
 * for a comment, lines of it where there are several. */
void sg_banner_open(sg_text *out, const char *file, const char *subject, const char *commands);

/* The whole banner of a method's file, or of its program's. */
void sg_banner_method(sg_text *out, const sg_plan *plan, const sg_family *family, const char *file);

/* Text that may stand in a C comment, and a C string literal with its quotes. */
const char *sg_in_comment(sg_arena *arena, const char *text);
const char *sg_c_string(sg_arena *arena, const char *text);

/* "insert (0)" for a named choice, "8" otherwise. */
const char *sg_param_shown(sg_arena *arena, const sg_param *param);

/* The choice's name, or NULL. */
const char *sg_param_choice(const sg_param *param);

/* The method's types, for people: "f32 or f64". offsets: those of row pointers. */
const char *sg_family_types(sg_arena *arena, const sg_family *family, bool offsets);

#endif
