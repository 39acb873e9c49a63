/* sandbox.h: runs one Lua file that nobody has to trust.
 *
 * Pages, declarations (facts.lua, params.lua) and tables (dialects, isa) all run here. A file gets
 * its own Lua state without any library: no io, os, require, load, string functions, metatables,
 * coroutines, pcall or error. It may call the functions that `before` defines. Limits: the file's
 * size, its instructions, and its memory in all; nothing can reset them, since nothing catches an
 * error. Compiled Lua, control characters, text that is not UTF-8, and the name
 * _ENV are refused. Globals that do not exist are errors, and so is making new ones.
 *
 * A function that `before` defines may let the file run others in its state (sg_lua_include). Each
 * file has a limit of its own for its size; instructions and memory are limited for all together.
 *
 * Everything that touches Lua runs inside sg_lua_run, in protected mode. Memory that was allocated
 * in the arena before an error stays there until the arena is destroyed.
 */
#ifndef SG_LUA_SANDBOX_H
#define SG_LUA_SANDBOX_H

#include <lua.h>

#include "generator/base/diag.h"
#include "generator/base/input.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SG_LUA_FILE_BYTES = 256 * 1024,
    SG_LUA_INSTRUCTIONS = 200 * 1000,
    SG_LUA_MEMORY_BYTES = 16 * 1024 * 1024,   /* allocated in all; nothing is collected */
    SG_LUA_BLOCK_BYTES = 128 * 1024           /* of one string or table: bounds one operation */
};

typedef struct sg_lua_job {
    const char *path;            /* to open */
    const char *shown;           /* in messages */
    const char *what;            /* "a page", for messages about limits */
    lua_CFunction before;        /* may be NULL; argument 1: the table of globals, to fill */
    lua_CFunction after;         /* may be NULL; argument 1: what the file returned, or nil */
    /* May be NULL. What to add to a message of Lua's parser about this line, which ends at a line
     * feed or '\0': "", or text in the arena. */
    const char *(*explain)(sg_arena *arena, const char *line);
    void *context;               /* sg_lua_context */
    uint64_t hash;               /* out: of the file's bytes */
    const char *text;            /* out: the file, in the arena; NULL when it could not be read */
    const sg_input *included;    /* out: the files that it included, as they were shown */
    size_t included_count;
} sg_lua_job;

/* False, with diagnostics at the file's line, on any error. */
bool sg_lua_run(sg_arena *arena, sg_diags *diags, sg_lua_job *job);

/* ---- for the functions that a job defines ---------------------------------------------------- */

void *sg_lua_context(lua_State *L);
sg_loc sg_lua_here(lua_State *L);             /* the line of the Lua code that called */
int sg_lua_reported(lua_State *L);            /* stops the file: the reason has been reported */

/* Runs another file at this place, with the same globals. It cannot include any itself, and none is
 * included twice, so there are never more than a folder has. An error in it stops all, at its own
 * line, with a note where it was included. what: "a shared file". All three texts must last. */
void sg_lua_include(lua_State *L, const char *path, const char *shown, const char *what);

/* math.min, math.max, math.floor, math.ceil as fields of the table at index. */
void sg_lua_add_math(lua_State *L, int index);

#ifdef __cplusplus
}
#endif
#endif
