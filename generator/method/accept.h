/* accept.h: whether a value is one of a parameter's. */
#ifndef SG_ACCEPT_H
#define SG_ACCEPT_H

#include <stdbool.h>

#include "generator/base/arena.h"
#include "generator/base/value.h"
#include "generator/method/param_decl.h"

/* What gave a value: a page or the command line, which write choices as names, or a function of
 * params.lua, which writes names or numbers. */
typedef enum sg_value_source {
    SG_FROM_PAGE, SG_FROM_DEFAULT, SG_FROM_TUNE
} sg_value_source;

/* Stores the value's number in *out. False, with diagnostics at `loc`, if the parameter has no such
 * value. */
bool sg_param_accept(sg_arena *arena, sg_diags *diags, const char *method,
                     const sg_param_decl *decl, const sg_value *value, sg_value_source source,
                     sg_loc loc, int64_t *out);

/* The number of a choice, given by name or number; false: there is no such choice. */
bool sg_param_find_choice(const sg_param_decl *decl, const sg_value *value, int64_t *out);

#endif
