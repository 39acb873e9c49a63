/* sandbox.c: one Lua state for a file and the files that it includes. sg_lua_run opens and closes
 * it.
 *
 * The limits are exact and need no clock: a hook counts instructions, and the allocator adds up all
 * requests. The garbage collector is off. After the first refusal every request is refused, so that
 * no file can make the allocator loop. One string or table cannot exceed a block, so that no single
 * instruction takes long. */
#include "generator/lua/sandbox.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/hash.h"
#include "common/utf8.h"
#include "generator/lua/value.h"
#include "common/did_you_mean.h"
#include "generator/base/text.h"

/* Lua puts a chunk's name and the line before its messages. Chunks have numbers as names, since a
 * path may be too long or odd for Lua: "file0" is the job's own file, other chunks are included
 * files. */
#define CHUNK "file"

enum { HOOK_EVERY = 1000 };

typedef struct source {
    const char *shown, *what;
    const char *text;            /* in the arena */
    size_t size;
    uint64_t hash;
    sg_loc included_at;          /* no file: it is the job's own */
} source;

typedef struct sandbox {
    sg_arena *arena;
    sg_diags *diags;
    sg_lua_job *job;
    source *sources;             /* the first is the job's own file */
    size_t source_count;
    size_t allocated;            /* all bytes ever allocated */
    bool exhausted;
    bool limited;                /* the allocator counts: not while the state itself is made */
    bool including;
    bool parsing;                /* an error now is one of the parser */
    int instructions;
    sg_loc last;                 /* the line that runs, for errors without one */
} sandbox;

static const char reported;      /* its address is the error object of sg_lua_reported */
static const char globals;       /* its address is their key in Lua's registry */

static sandbox *sandbox_of(lua_State *L)
{
    return *(sandbox **)lua_getextraspace(L);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The place that a chunk's name ("file1") and a line stand for. */
static sg_loc place_of(const sandbox *box, const char *chunk, int line)
{
    const size_t number = strtoul(chunk + strlen(CHUNK), NULL, 10);

    return (sg_loc){ box->sources[number < box->source_count ? number : 0].shown, line, 1 };
}

/* Adds a note where a file is included, behind an error in that file. */
static void note_include(const sandbox *box, const char *shown)
{
    for (size_t i = 1; i < box->source_count; i++)
        if (!strcmp(box->sources[i].shown, shown))
            sg_diag(box->diags, SG_NOTE, box->sources[i].included_at, "%s is included here", shown);
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

    lua_getinfo(L, "Sl", at);
    if (at->currentline > 0)
        box->last = place_of(box, at->source + 1, at->currentline);
    if (at->event != LUA_HOOKCOUNT)
        return;
    box->instructions += HOOK_EVERY;
    if (box->instructions < SG_LUA_INSTRUCTIONS)
        return;
    sg_diag(box->diags, SG_ERROR, box->last,
            "%s may run %d Lua instructions and this is one more; remove the loop",
            box->job->what, SG_LUA_INSTRUCTIONS);
    note_include(box, box->last.file);
    sg_lua_reported(L);
}

/* ---- globals --------------------------------------------------------------------------------- */

static int unknown_global(lua_State *L)
{
    const char *names[32];
    char hint[100];
    size_t count = 0;

    /* Sort the names of the table, since Lua's order is arbitrary: of equally near names the least
     * is suggested. */
    for (lua_pushnil(L); lua_next(L, 1) && count < 32; lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        size_t at = count++;
        for (; at > 0 && strcmp(names[at - 1], name) > 0; at--)
            names[at] = names[at - 1];
        names[at] = name;
    }
    const char *unknown = sg_lua_name(L, 2);
    return luaL_error(L, "unknown name '%s'%s", unknown,
                      sg_did_you_mean(hint, sizeof hint, unknown, names, count));
}

static int new_global(lua_State *L)
{
    const char *name = sg_lua_name(L, 2);
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

/* Pushes a source as a function, which sees the globals. */
static void load(lua_State *L, const sandbox *box, size_t number)
{
    const char *text = box->sources[number].text;
    size_t size = box->sources[number].size;
    char name[32];

    /* A byte order mark is no part of the text. */
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
        text += 3;
        size -= 3;
    }
    snprintf(name, sizeof name, "=" CHUNK "%zu", number);
    sandbox_of(L)->parsing = true;
    if (luaL_loadbufferx(L, text, size, name, "t") != LUA_OK)
        lua_error(L);
    sandbox_of(L)->parsing = false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &globals);
    lua_setupvalue(L, -2, 1);                                 /* _ENV */
}

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

    lua_pushvalue(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &globals);
    load(L, box, 0);
    lua_call(L, 0, 1);
    if (job->after) {
        lua_pushcfunction(L, job->after);
        lua_insert(L, -2);
        lua_call(L, 1, 0);
    }
    return 0;
}

/* Where line `number` of a text begins. */
static const char *line_of(const char *text, int number)
{
    for (; number > 1 && (text = strchr(text, '\n')); number--)
        text++;
    return text ? text : "";
}

/* The text that the job adds to a message of Lua's parser about its own file. */
static const char *explain_syntax(const sandbox *box, sg_loc loc)
{
    const source *own = &box->sources[0];

    return box->job->explain && loc.file == own->shown
        ? box->job->explain(box->arena, line_of(own->text, loc.line)) : "";
}

/* Reports the error object on the top of the stack, located by the line that Lua put before it. */
static void report(lua_State *L, sandbox *box, int status)
{
    sg_loc loc = box->last;
    int line = 0, used = 0;

    if (lua_touserdata(L, -1) == &reported)
        return;
    if (status == LUA_ERRMEM || box->exhausted) {
        sg_diag(box->diags, SG_ERROR, loc,
                "%s may use %d MiB of memory, %d KiB in one string or table, and this is more; "
                "keep it short", box->job->what, SG_LUA_MEMORY_BYTES >> 20,
                SG_LUA_BLOCK_BYTES >> 10);
        note_include(box, loc.file);
        return;
    }
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "Lua stopped";
    if (sscanf(text, CHUNK "%*u:%d: %n", &line, &used) == 1 && used > 0) {
        loc = place_of(box, text, line);
        text += used;
    }
    if (strstr(text, "C stack overflow"))
        text = "brackets, tables or functions stand too deep in each other";
    sg_diag(box->diags, SG_ERROR, loc, "%s%s", text,
            box->parsing ? explain_syntax(box, loc) : "");
    note_include(box, loc.file);
}

/* ---- a file, before Lua sees it -------------------------------------------------------------- */

static bool is_plain_text(sg_diags *diags, const source *file)
{
    const char *text = file->text;
    sg_loc loc = { file->shown, 1, 0 };

    for (size_t i = 0; i < file->size;) {
        const unsigned char c = (unsigned char)text[i];
        const size_t length = sg_utf8_length(text + i);
        if (length == 0 || c == 0 || (c < 0x20 && !strchr("\t\n\r", c)) || c == 0x7f) {
            sg_diag(diags, SG_ERROR, loc,
                    "expected UTF-8 text, found a byte 0x%02x; %s is written in plain Lua, and "
                    "compiled Lua is refused", c, file->what);
            return false;
        }
        /* Lua ends a line here; editors and messages of spmvgen do not. */
        if (c == '\r' && text[i + 1] != '\n') {
            sg_diag(diags, SG_ERROR, loc, "found a carriage return that no line feed follows; end "
                    "lines with a line feed");
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

/* A file that replaces its own globals could assign globals unseen. */
static bool is_without_env(sg_diags *diags, const source *file)
{
    sg_loc loc = { file->shown, 1, 1 };

    for (const char *at = file->text; *at; at++) {
        if (!strncmp(at, "_ENV", 4) && !is_word_byte(at[4]) &&
            (at == file->text || !is_word_byte(at[-1]))) {
            sg_diag(diags, SG_ERROR, loc, "the name _ENV is not for use here; remove it");
            return false;
        }
        loc.line += *at == '\n';
    }
    return true;
}

/* Adds a source, read from `path`. */
static bool read_source(sandbox *box, const char *path, source file)
{
    const sg_loc whole = { file.shown, 0, 0 };
    const size_t count = box->source_count;
    const int error = sg_read_file(box->arena, path, SG_LUA_FILE_BYTES, &file.text, &file.size);

    if (!error)
        file.hash = sg_hash_bytes(file.text, file.size);
    box->sources = sg_arena_grow(box->arena, box->sources, count, count + 1, sizeof file);
    box->sources[count] = file;
    box->source_count++;
    if (error == EFBIG) {
        sg_diag(box->diags, SG_ERROR, whole, "%s may have %d KiB and this file is larger",
                file.what, SG_LUA_FILE_BYTES >> 10);
        return false;
    }
    if (error) {
        sg_diag(box->diags, SG_ERROR, whole, "cannot read %s here: %s", file.what,
                sg_read_error(error));
        return false;
    }
    sg_diags_add_source(box->diags, file.shown, file.text);
    return is_plain_text(box->diags, &file) && is_without_env(box->diags, &file);
}

static bool read_job(sandbox *box)
{
    sg_lua_job *job = box->job;
    const bool good =
        read_source(box, job->path, (source){ .shown = job->shown, .what = job->what });

    job->text = box->sources[0].text;
    job->hash = box->sources[0].hash;
    return good;
}

static void list_included(const sandbox *box)
{
    const size_t count = box->source_count - 1;
    sg_input *pages = sg_arena_alloc(box->arena, (count + 1) * sizeof *pages);

    for (size_t i = 0; i < count; i++)
        pages[i] = (sg_input){ box->sources[i + 1].shown, box->sources[i + 1].hash };
    box->job->included = pages;
    box->job->included_count = count;
}

bool sg_lua_run(sg_arena *arena, sg_diags *diags, sg_lua_job *job)
{
    sandbox box = { .arena = arena, .diags = diags, .job = job, .last = { job->shown, 0, 0 } };

    job->included = NULL;
    job->included_count = 0;
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
    list_included(&box);
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
    lua_Debug at;

    for (int level = 1; lua_getstack(L, level, &at); level++)
        if (lua_getinfo(L, "Sl", &at) && at.currentline > 0)
            return place_of(box, at.source + 1, at.currentline);
    return (sg_loc){ box->last.file, box->last.line, 1 };
}

void sg_lua_include(lua_State *L, const char *path, const char *shown, const char *what)
{
    sandbox *box = sandbox_of(L);
    const size_t number = box->source_count;

    if (box->including)
        luaL_error(L, "%s cannot include another one", what);
    for (size_t i = 1; i < number; i++)
        if (!strcmp(box->sources[i].shown, shown))
            luaL_error(L, "%s is included twice; remove one of the two lines", shown);
    if (!read_source(box, path, (source){ .shown = shown, .what = what,
                                          .included_at = sg_lua_here(L) })) {
        note_include(box, shown);
        sg_lua_reported(L);
    }
    box->including = true;
    load(L, box, number);
    lua_call(L, 0, 0);
    box->including = false;
}

int sg_lua_reported(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)&reported);
    return lua_error(L);
}
