/* banner.h: the comment at the start of every emitted file, at most 30 lines, and text escaped for
 * C. The manifest has the origins of values. */
#ifndef SG_BANNER_H
#define SG_BANNER_H

#include "generator/plan/folder.h"
#include "generator/assemble/module.h"
#include "generator/base/text.h"

/* Appends the file's subject and the commands that emit it, without the end of the comment.
 * `commands` is fit for a comment, with one command per line. */
void sg_banner_open(sg_text *out, const char *file, const char *subject, const char *commands);

/* The whole banner of a method's file, or of its program's, with the parameters that the text
 * depends on. modules: in the order of the family's variants. */
void sg_banner_method(sg_text *out, const sg_plan *plan, const sg_family *family,
                      const sg_module *modules, const char *file);

/* The whole banner of the file that a group shares. */
void sg_banner_shared(sg_text *out, const sg_group *group);

/* Appends words to a comment, in lines of " * ". */
void sg_banner_words(sg_text *out, const char *words);

/* A command in lines of a shell, fit for a comment; all but the first begin with `indent`. */
const char *sg_command_lines(sg_arena *arena, const char *command, const char *indent);

/* The text made safe for a C comment; the text as a C string literal with its quotes. */
const char *sg_in_comment(sg_arena *arena, const char *text);
const char *sg_c_string(sg_arena *arena, const char *text);

/* "insert (0)" for a named choice, "8" otherwise. */
const char *sg_param_shown(sg_arena *arena, const sg_param *param);

/* The choice's name, or NULL. */
const char *sg_param_choice(const sg_param *param);

#endif
