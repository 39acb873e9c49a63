/* declare.h: the declarations of a method's params.lua: the method, its parameters, checks and
 * bits.
 *
 * The functions of params.lua (defaults, checks and bits) live only as long as the file's Lua
 * state. A caller that needs them passes `after`, which runs inside that state. */
#ifndef SG_DECLARE_H
#define SG_DECLARE_H

#include "generator/lua/sandbox.h"
#include "generator/method/param_decl.h"

typedef struct sg_declared_param {
    sg_param_decl decl;
    const char *const *benchmark_only;   /* NULL or a NULL-terminated list of choices */
    int default_ref;             /* in Lua's registry */
    int tune_ref;                /* the same; LUA_NOREF: the parameter is not tuned */
} sg_declared_param;

typedef struct sg_declared_check {
    const char *const *params;   /* NULL, or the parameters checked; NULL-terminated */
    const char *message;
    int function_ref;
    sg_loc loc;
} sg_declared_check;

typedef struct sg_declared {
    sg_arena *arena;
    sg_diags *diags;
    const char *root;
    const char *dir;             /* "templates/csr5" */
    const char *file;            /* "templates/csr5/params.lua" */
    const char *title, *source;  /* NULL until `method` has run */
    sg_declared_param *params;
    size_t param_count;
    sg_declared_check *checks;
    size_t check_count;
    int bits_ref;                /* the function given to `bits`; 0: none */
    sg_loc bits_loc;
    const sg_input *inputs;      /* the file, then those that it includes */
    size_t input_count;
    bool is_closed;              /* the file has run */
    lua_CFunction after;
    void *context;               /* for `after` */
} sg_declared;

/* Runs templates/NAME/params.lua, and the files that it includes. after: may be NULL;
 * sg_lua_context returns `out` in it. Returns false, with diagnostics, on any error. Keeps
 * `context` of *out and sets all other members. */
bool sg_declare(sg_arena *arena, sg_diags *diags, const char *root, const char *name,
                lua_CFunction after, sg_declared *out);

/* The index of a parameter, or param_count. */
size_t sg_declared_find(const sg_declared *d, const char *name);

#endif
