/* lua_sandbox.c: one Lua state a file, opened and closed by sg_lua_run.
 *
 * The limits are exact and have no clock: an instruction hook counts, and the allocator adds up all
 * that was ever asked for. The collector is off, and after the first refusal every further request
 * is refused too, so that no file can make it work in circles. One string or table cannot exceed a
 * block, so that no single instruction takes long. */
#include "lua_sandbox.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "near.h"
#include "text.h"

#define CHUNK "page"             /* the name that Lua puts before a line in its messages */

enum { HOOK_EVERY = 1000 };

typedef struct sandbox {
    sg_arena *arena;
    sg_diags *diags;
    sg_lua_job *job;
    size_t size;                 /* of job->text */
    size_t allocated;            /* all bytes ever given */
    bool exhausted;
    bool limited;                /* the allocator counts: not while the state itself is made */
    int instructions;
    int last_line;               /* the line that runs, for errors that carry none */
} sandbox;

static const char reported;      /* its address is the error object of sg_lua_reported */

static sandbox *sandbox_of(lua_State *L)
{
    return *(sandbox **)lua_getextraspace(L);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void *allocate(void *context, void *old, size_t old_size, size_t new_size)
{
    sandbox *box = context;

    if (new_size == 0) {
        free(old);
        return NULL;
    }
    /* Lua relies on shrinking not to fail. */
    if (box->limited && (!old || new_size > old_size)) {
        if (box->exhausted || new_size > SG_LUA_BLOCK_BYTES ||
            box->allocated + new_size > SG_LUA_MEMORY_BYTES) {
            box->exhausted = true;
            return NULL;
        }
        box->allocated += new_size;
    }
    return realloc(old, new_size);
}

static void hook(lua_State *L, lua_Debug *at)
{
    sandbox *box = sandbox_of(L);

    lua_getinfo(L, "l", at);
    if (at->currentline > 0)
        box->last_line = at->currentline;
    if (at->event != LUA_HOOKCOUNT)
        return;
    box->instructions += HOOK_EVERY;
    if (box->instructions < SG_LUA_INSTRUCTIONS)
        return;
    sg_diag(box->diags, SG_ERROR, (sg_loc){ box->job->shown, box->last_line, 1 },
            "%s may run %d Lua instructions and this is one more; remove the loop",
            box->job->what, SG_LUA_INSTRUCTIONS);
    sg_lua_reported(L);
}

/* ---- globals --------------------------------------------------------------------------------- */

static int unknown_global(lua_State *L)
{
    const char *names[32];
    char hint[100];
    size_t count = 0;

    /* Names of the table itself; their order is Lua's, so the nearest of equals is made unique by
     * sorting: the least one is asked first. */
    for (lua_pushnil(L); lua_next(L, 1) && count < 32; lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        size_t at = count++;
        for (; at > 0 && strcmp(names[at - 1], name) > 0; at--)
            names[at] = names[at - 1];
        names[at] = name;
    }
    const char *unknown = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
    return luaL_error(L, "unknown name '%s'%s", unknown,
                      sg_did_you_mean(hint, sizeof hint, unknown, names, count));
}

static int new_global(lua_State *L)
{
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
    return luaL_error(L, "'%s' cannot be assigned here; use 'local %s'", name, name);
}

void sg_lua_add_math(lua_State *L, int index)
{
    static const char *const names[] = { "min", "max", "floor", "ceil" };

    index = lua_absindex(L, index);
    luaL_requiref(L, "math", luaopen_math, 0);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        lua_getfield(L, -2, names[i]);
        lua_setfield(L, -2, names[i]);
    }
    lua_setfield(L, index, "math");
    lua_pop(L, 1);
}

/* ---- running --------------------------------------------------------------------------------- */

static int run_protected(lua_State *L)
{
    sandbox *box = lua_touserdata(L, 1);
    sg_lua_job *job = box->job;

    lua_settop(L, 0);
    lua_newtable(L);                                          /* 1: globals */
    lua_newtable(L);                                          /* 2: their metatable */
    lua_pushcfunction(L, unknown_global);
    lua_setfield(L, 2, "__index");
    lua_pushcfunction(L, new_global);
    lua_setfield(L, 2, "__newindex");
    if (job->before) {
        lua_pushcfunction(L, job->before);
        lua_pushvalue(L, 1);
        lua_call(L, 1, 0);
    }
    if (!lua_getmetatable(L, 1)) {
        lua_pushvalue(L, 2);
        lua_setmetatable(L, 1);
    }
    lua_settop(L, 1);

    /* A byte order mark is no part of the text. */
    const char *text = job->text;
    size_t size = box->size;
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
        text += 3;
        size -= 3;
    }
    if (luaL_loadbufferx(L, text, size, "=" CHUNK, "t") != LUA_OK)
        return lua_error(L);
    lua_pushvalue(L, 1);
    lua_setupvalue(L, 2, 1);                                  /* _ENV */
    lua_call(L, 0, 1);
    if (job->after) {
        lua_pushcfunction(L, job->after);
        lua_insert(L, -2);
        lua_call(L, 1, 0);
    }
    return 0;
}

/* Reports the error object on the top of the stack, located by the line that Lua put before it. */
static void report(lua_State *L, sandbox *box, int status)
{
    sg_loc loc = { box->job->shown, box->last_line, box->last_line ? 1 : 0 };
    int line = 0, used = 0;

    if (lua_touserdata(L, -1) == &reported)
        return;
    if (status == LUA_ERRMEM || box->exhausted) {
        sg_diag(box->diags, SG_ERROR, loc,
                "%s may use %d MiB of memory, %d KiB in one string or table, and this is more; "
                "keep it short", box->job->what, SG_LUA_MEMORY_BYTES >> 20,
                SG_LUA_BLOCK_BYTES >> 10);
        return;
    }
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "Lua stopped";
    if (sscanf(text, CHUNK ":%d: %n", &line, &used) == 1 && used > 0) {
        loc.line = line;
        loc.column = 1;
        text += used;
    }
    if (strstr(text, "C stack overflow"))
        text = "brackets, tables or functions stand too deep in each other";
    sg_diag(box->diags, SG_ERROR, loc, "%s", text);
}

/* ---- the file, before Lua sees it ------------------------------------------------------------ */

static bool is_plain_text(sandbox *box, const char *text, size_t size)
{
    sg_loc loc = { box->job->shown, 1, 0 };

    for (size_t i = 0; i < size;) {
        const unsigned char c = (unsigned char)text[i];
        const size_t length = sg_utf8_length(text + i);
        if (length == 0 || c == 0 || (c < 0x20 && !strchr("\t\n\r", c)) || c == 0x7f) {
            sg_diag(box->diags, SG_ERROR, loc,
                    "expected UTF-8 text, found a byte 0x%02x; %s is written in plain Lua, and "
                    "compiled Lua is refused", c, box->job->what);
            return false;
        }
        /* Lua ends a line here, editors and our messages do not. */
        if (c == '\r' && text[i + 1] != '\n') {
            sg_diag(box->diags, SG_ERROR, loc, "found a carriage return that no line feed follows; "
                    "end lines with a line feed");
            return false;
        }
        loc.line += c == '\n';
        i += length;
    }
    return true;
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A file that replaces its own globals could assign without being seen. */
static bool is_without_env(sandbox *box, const char *text)
{
    sg_loc loc = { box->job->shown, 1, 1 };

    for (const char *at = text; *at; at++) {
        if (!strncmp(at, "_ENV", 4) && !is_word_byte(at[4]) &&
            (at == text || !is_word_byte(at[-1]))) {
            sg_diag(box->diags, SG_ERROR, loc, "the name _ENV is not for use here; remove it");
            return false;
        }
        loc.line += *at == '\n';
    }
    return true;
}

static bool read_job(sandbox *box)
{
    sg_lua_job *job = box->job;
    const sg_loc whole = { job->shown, 0, 0 };
    const char *text = NULL;
    const int error = sg_read_file(box->arena, job->path, SG_LUA_FILE_BYTES, &text, &box->size);

    if (error == EFBIG) {
        sg_diag(box->diags, SG_ERROR, whole, "%s may have %d KiB and this file is larger",
                job->what, SG_LUA_FILE_BYTES >> 10);
        return false;
    }
    if (error) {
        sg_diag(box->diags, SG_ERROR, whole, "cannot read %s here: %s", job->what,
                sg_read_error(error));
        return false;
    }
    job->text = text;
    job->hash = sg_hash_bytes(text, box->size);
    sg_diags_add_source(box->diags, job->shown, text);
    return is_plain_text(box, text, box->size) && is_without_env(box, text);
}

bool sg_lua_run(sg_arena *arena, sg_diags *diags, sg_lua_job *job)
{
    sandbox box = { .arena = arena, .diags = diags, .job = job };

    job->text = NULL;
    job->hash = 0;
    if (!read_job(&box))
        return false;
    lua_State *L = lua_newstate(allocate, &box);
    if (!L) {
        sg_diag(diags, SG_ERROR, (sg_loc){ job->shown, 0, 0 }, "not enough memory to run Lua");
        return false;
    }
    *(sandbox **)lua_getextraspace(L) = &box;
    box.limited = true;
    lua_gc(L, LUA_GCSTOP);
    lua_sethook(L, hook, LUA_MASKCOUNT | LUA_MASKLINE, HOOK_EVERY);
    lua_pushcfunction(L, run_protected);
    lua_pushlightuserdata(L, &box);
    const int status = lua_pcall(L, 1, 0, 0);
    if (status != LUA_OK)
        report(L, &box, status);
    lua_close(L);
    return status == LUA_OK;
}

/* ---- for the functions that a job defines ---------------------------------------------------- */

void *sg_lua_context(lua_State *L)
{
    return sandbox_of(L)->job->context;
}

sg_loc sg_lua_here(lua_State *L)
{
    const sandbox *box = sandbox_of(L);
    sg_loc loc = { box->job->shown, box->last_line, 1 };
    lua_Debug at;

    for (int level = 1; lua_getstack(L, level, &at); level++)
        if (lua_getinfo(L, "l", &at) && at.currentline > 0) {
            loc.line = at.currentline;
            break;
        }
    return loc;
}

int sg_lua_reported(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)&reported);
    return lua_error(L);
}
