/* sandbox.h: runs an untrusted Lua file.
 *
 * Pages, declarations (facts.lua, params.lua) and tables (dialects, isa) all run here. A file gets
 * its own Lua state without any library: no io, os, require, load, string functions, metatables,
 * coroutines, pcall or error. It may call the functions that `before` defines. The file's size, its
 * instructions and its memory in all are limited; nothing can reset the limits, since nothing
 * catches an error. Compiled Lua, control characters, text that is not UTF-8, and the name _ENV are
 * refused. Reading a global that does not exist is an error, and so is making a new one.
 *
 * A function that `before` defines may run other files in the same state (sg_lua_include). The size
 * of each file is limited, and the instructions and memory of all files together.
 *
 * Everything that touches Lua runs inside sg_lua_run, in protected mode. Memory that was allocated
 * in the arena before an error stays there until the arena is destroyed.
 */
#ifndef SG_LUA_SANDBOX_H
#define SG_LUA_SANDBOX_H

#include <lua.h>

#include "generator/base/diag.h"
#include "generator/base/input.h"

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
    lua_CFunction after;         /* may be NULL; argument 1: the file's result, or nil */
    /* May be NULL. Returns text to add to a message of Lua's parser about a line: "", or text in
     * the arena. The line ends at a line feed or '\0'. */
    const char *(*explain)(sg_arena *arena, const char *line);
    void *context;               /* sg_lua_context */
    uint64_t hash;               /* out: of the file's bytes */
    const char *text;            /* out: the file, in the arena; NULL if it could not be read */
    const sg_input *included;    /* out: the included files, by their names in messages */
    size_t included_count;
} sg_lua_job;

/* Returns false, with diagnostics at the file's line, on any error. */
bool sg_lua_run(sg_arena *arena, sg_diags *diags, sg_lua_job *job);

/* ---- for the functions that a job defines ---------------------------------------------------- */

void *sg_lua_context(lua_State *L);
sg_loc sg_lua_here(lua_State *L);             /* the line of the Lua code that called */
int sg_lua_reported(lua_State *L);            /* stops the file: the reason has been reported */

/* Runs another file at this place, with the same globals. An included file cannot include others,
 * and no file is included twice. An error in an included file stops the job; it is reported at its
 * own line, with a note at the include. what: "a shared file". All three texts must last. */
void sg_lua_include(lua_State *L, const char *path, const char *shown, const char *what);

/* math.min, math.max, math.floor, math.ceil as fields of the table at index. */
void sg_lua_add_math(lua_State *L, int index);

#endif
