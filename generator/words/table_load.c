/* table_load.c: reads the table of a dialect, an instruction set or a compiler
 * (docs/reference/dialects.md, docs/reference/compilers.md).
 *
 * The list `fields` has the fields that a table may hold, with their types and their kinds of
 * file. */
#include "generator/words/table_load.h"

#include <string.h>

#include "generator/lua/fields.h"
#include "generator/words/table_reader.h"
#include "generator/base/name_set.h"
#include "generator/base/text.h"
#include "generator/base/value_types.h"

static const char *const no_names[] = { NULL };

/* ---- plain fields ---------------------------------------------------------------------------- */

static void read_text(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    *(const char **)field = sg_table_text(r, L, path);
}

static void read_expression(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    const char *text = sg_table_text(r, L, path), *fault = sg_expression_fault(r->arena, text);

    if (fault && !r->failed)
        sg_table_fail(r, path, "expected one C expression, found %s", fault);
    *(const char **)field = text;
}

static void read_name(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    const char *name = sg_table_text(r, L, path);

    if (!sg_is_name(name))
        sg_table_fail(r, path, "expected letters, digits and '_', found \"%s\"", name);
    *(const char **)field = name;
}

static void read_own_name(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    const char *expected = *(const char **)field;
    const char *name = sg_table_text(r, L, path);

    if (strcmp(name, expected))
        sg_table_fail(r, path, "expected name = \"%s\", as the file is called, found \"%s\"",
                      expected, name);
}

static void read_boolean(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    if (!lua_isboolean(L, -1))
        sg_table_fail(r, path, "expected true or false, found %s",
                      sg_lua_describe(L, -1, r->arena));
    *(bool *)field = lua_toboolean(L, -1);
}

/* { FACT = VALUE } */
static void read_least(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    if (!sg_table_is_table(r, L, path, "{ FACT = VALUE }"))
        return;
    const char *const *keys = sg_table_keys(r, L, path);
    const size_t count = sg_list_length(keys);
    sg_least *least = sg_arena_alloc(r->arena, (count + 1) * sizeof *least);
    for (size_t i = 0; i < count; i++) {
        lua_getfield(L, -1, keys[i]);
        if (!lua_isinteger(L, -1))
            sg_table_fail(r, sg_table_join(r, path, keys[i]), "expected an integer, found %s",
                          sg_lua_describe(L, -1, r->arena));
        least[i] = (sg_least){ keys[i], lua_tointeger(L, -1) };
        lua_pop(L, 1);
    }
    least[count] = (sg_least){ NULL, 0 };
    *(const sg_least **)field = least;
}

/* ---- parse, fixed ---------------------------------------------------------------------------- */

/* A dialect states the language and perhaps arguments and a prefix, an isa only arguments. */
static void read_parse(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    static const char *const known[] = { "language", "args", "prefix", NULL };
    const bool is_isa = r->kind == SG_ISA_TABLE;
    sg_table *out = field;

    if (!sg_table_is_table(r, L, path,
                           is_isa ? "{ args = { ... } }"
                                  : "{ language = \"...\", args = { ... } }"))
        return;
    for (const char *const *key = sg_table_keys(r, L, path); *key; key++)
        if (!sg_is_one_of(known, *key))
            sg_table_fail_unknown(r, sg_table_join(r, path, *key), *key, known);
        else if (is_isa && strcmp(*key, "args"))
            sg_table_fail(r, sg_table_join(r, path, *key),
                          "the %s is the dialect's; an instruction set has args alone", *key);
    if (lua_getfield(L, -1, "language") != LUA_TNIL)
        read_name(r, L, sg_table_join(r, path, "language"), &out->parse_language);
    else if (!is_isa)
        sg_table_fail(r, path, "expected language = \"...\" in parse, found none");
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "args") != LUA_TNIL)
        sg_table_list(r, L, sg_table_join(r, path, "args"), &out->parse_args);
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "prefix") != LUA_TNIL)
        out->parse_prefix = sg_table_text(r, L, sg_table_join(r, path, "prefix"));
    lua_pop(L, 1);
}

/* An integer; in an isa also false, which lifts the dialect's limit. */
static void read_fixed_value(sg_table_reader *r, lua_State *L, const char *path, sg_fixed *out)
{
    const bool may_lift = r->kind == SG_ISA_TABLE;

    out->is_free = may_lift && lua_isboolean(L, -1) && !lua_toboolean(L, -1);
    if (lua_isinteger(L, -1))
        out->value[out->count++] = lua_tointeger(L, -1);
    else if (!out->is_free)
        sg_table_fail(r, path, "expected an integer%s, found %s",
                      may_lift ? ", or false for any that the dialect has" : "",
                      sg_lua_describe(L, -1, r->arena));
}

/* { 1, 32 } */
static void read_fixed_list(sg_table_reader *r, lua_State *L, const char *path, sg_fixed *out)
{
    const lua_Integer count = (lua_Integer)lua_rawlen(L, -1);

    if (count > SG_MOST_FIXED)
        sg_table_fail(r, path, "expected at most %d values, found %d", SG_MOST_FIXED, (int)count);
    for (lua_Integer i = 1; i <= count && i <= SG_MOST_FIXED; i++) {
        if (lua_geti(L, -1, i) == LUA_TNUMBER && lua_isinteger(L, -1))
            out->value[out->count++] = lua_tointeger(L, -1);
        else
            sg_table_fail(r, path, "expected integers, found %s", sg_lua_describe(L, -1, r->arena));
        lua_pop(L, 1);
    }
}

/* { f32 = 8, f64 = 4 }; returns false if there is no value for the reader's type. */
static bool read_fixed_by_type(sg_table_reader *r, lua_State *L, const char *path, sg_fixed *out)
{
    bool found = false;

    for (const char *const *type = sg_table_keys(r, L, path); *type; type++) {
        const char *own = sg_table_join(r, path, *type);
        sg_fixed other = *out;
        const bool is_own = !strcmp(*type, r->type);
        if (!sg_value_type_find(*type))
            sg_table_fail_unknown(r, own, *type, sg_value_type_names);
        lua_getfield(L, -1, *type);
        read_fixed_value(r, L, own, is_own ? out : &other);
        lua_pop(L, 1);
        found = found || is_own;
    }
    return found;
}

/* { LANES = 8 }, { LANES = { 1, 8 } } or { LANES = { f32 = 8, f64 = 4 } } */
static void read_fixed(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    sg_table *out = field;

    if (!sg_table_is_table(r, L, path, "{ PARAMETER = VALUE }"))
        return;
    const char *const *keys = sg_table_keys(r, L, path);
    const size_t count = sg_list_length(keys);
    sg_fixed *fixed = sg_arena_alloc(r->arena, (count + 1) * sizeof *fixed);
    for (size_t i = 0; i < count; i++) {
        const char *own = sg_table_join(r, path, keys[i]);
        sg_fixed one = { .name = keys[i], .of_isa = r->kind == SG_ISA_TABLE,
                         .loc = sg_table_place(r, own) };
        bool found = true;
        lua_getfield(L, -1, keys[i]);
        if (lua_istable(L, -1) && lua_rawlen(L, -1) > 0)
            read_fixed_list(r, L, own, &one);
        else if (lua_istable(L, -1))
            found = read_fixed_by_type(r, L, own, &one);
        else
            read_fixed_value(r, L, own, &one);
        lua_pop(L, 1);
        if (found)
            fixed[out->fixed_count++] = one;
    }
    out->fixed = fixed;
}

/* ---- host ------------------------------------------------------------------------------------ */

/* { dialect = "c", isa = "host" } */
static void read_host(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    static const char *const known[] = { "dialect", "isa", NULL };
    sg_table *out = field;

    if (!sg_table_is_table(r, L, path, "{ dialect = \"...\", isa = \"...\" }"))
        return;
    sg_table_check_keys(r, L, path, known);
    for (const char *const *key = known; *key; key++) {
        const char **name = key == known ? &out->host_dialect : &out->host_isa;
        if (lua_getfield(L, -1, *key) != LUA_TNIL)
            read_name(r, L, sg_table_join(r, path, *key), name);
        else
            sg_table_fail(r, path, "expected %s = \"...\" in host, found none", *key);
        lua_pop(L, 1);
    }
}

static const sg_bundle_entry no_bundle = { "", "", "", "", "", "", "" };

/* The entry files of bundles. */
static void read_bundle(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    sg_bundle_entry *out = &((sg_table *)field)->bundle;
    const struct { const char *key; const char **text; bool is_required; } parts[] = {
        { "header", &out->header, true },
        { "implementation", &out->implementation, true },
        { "extension", &out->extension, true },
        { "readme", &out->readme, true },
        { "static_readme", &out->static_readme, false },
        { "program", &out->program, false },
        { "launcher", &out->launcher, false },
    };
    const char *known[sizeof parts / sizeof parts[0] + 1] = { NULL };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        known[i] = parts[i].key;
    if (!sg_table_is_table(r, L, path, "{ header = \"...\", implementation = \"...\", ... }"))
        return;
    sg_table_check_keys(r, L, path, known);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (lua_getfield(L, -1, parts[i].key) != LUA_TNIL)
            *parts[i].text = sg_table_text(r, L, sg_table_join(r, path, parts[i].key));
        else if (parts[i].is_required)
            sg_table_fail(r, path, "expected %s = \"...\" in bundle, found none", parts[i].key);
        lua_pop(L, 1);
    }
    if (*out->program && !*out->launcher)
        sg_table_fail(r, path, "expected launcher = \"...\" beside program in bundle, found none");
}

/* ---- words ----------------------------------------------------------------------------------- */

static void add_word(sg_table_reader *r, sg_word word, bool is_wanted)
{
    if (is_wanted)
        r->words[r->word_count++] = word;
}

static bool has_field(lua_State *L, const char *key)
{
    const bool has = lua_getfield(L, -1, key) != LUA_TNIL;

    lua_pop(L, 1);
    return has;
}

/* A string or { helper = TEXT, needs = { ... } }. */
static void read_form(sg_table_reader *r, lua_State *L, const char *path, const char *name,
                      bool is_wanted)
{
    static const char *const known[] = { "helper", "needs", NULL };
    sg_word word = { .name = name, .form = SG_WORD_TEXT, .of_isa = r->kind == SG_ISA_TABLE,
                     .loc = sg_table_place(r, path) };

    if (!lua_istable(L, -1)) {
        word.text = sg_table_text(r, L, path);
        add_word(r, word, is_wanted);
        return;
    }
    sg_table_check_keys(r, L, path, known);
    if (!has_field(L, "helper")) {
        sg_table_fail(r, path, "expected a string or { helper = TEXT } for the word %s", name);
        return;
    }
    word.form = SG_WORD_HELPER;
    lua_getfield(L, -1, "helper");
    word.text = sg_table_text(r, L, sg_table_join(r, path, "helper"));
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "needs") != LUA_TNIL)
        sg_table_list(r, L, sg_table_join(r, path, "needs"), &word.needs);
    lua_pop(L, 1);
    add_word(r, word, is_wanted);
}

static void read_word(sg_table_reader *r, lua_State *L, const char *path, const char *name)
{
    if (!lua_istable(L, -1) || has_field(L, "helper") || has_field(L, "needs")) {
        read_form(r, L, path, name, true);
        return;
    }
    for (const char *const *type = sg_table_keys(r, L, path); *type; type++) {
        const char *own = sg_table_join(r, path, *type);
        if (!sg_value_type_find(*type)) {
            sg_table_fail_unknown(r, own, *type, sg_value_type_names);
            continue;
        }
        lua_getfield(L, -1, *type);
        read_form(r, L, own, name, !strcmp(*type, r->type));
        lua_pop(L, 1);
    }
}

static void read_words(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    sg_table *out = field;

    if (!sg_table_is_table(r, L, path, "{ WORD = ... }"))
        return;
    const char *const *keys = sg_table_keys(r, L, path);
    const size_t count = sg_list_length(keys);
    r->words = sg_arena_alloc(r->arena, (count + 1) * sizeof *r->words);
    for (; *keys; keys++) {
        if (!sg_is_name(*keys))
            sg_table_fail(r, sg_table_join(r, path, *keys), "'%s' cannot be a word of the prelude",
                          *keys);
        lua_getfield(L, -1, *keys);
        read_word(r, L, sg_table_join(r, path, *keys), *keys);
        lua_pop(L, 1);
    }
    out->words = r->words;
    out->word_count = r->word_count;
}

/* ---- inheritance ----------------------------------------------------------------------------- */

static bool load(sg_table_reader *r, const char *name);

/* "cuda": this table gets all fields of that table which it does not state itself. */
static void read_inherits(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    const char *name = sg_table_text(r, L, path);
    const char *file = sg_table_file(r->arena, r->kind, name);
    const char *own_name = r->out->name;
    sg_table *base = sg_arena_alloc(r->arena, sizeof *base);
    sg_table_reader reader = { .arena = r->arena, .diags = r->diags, .kind = r->kind,
                               .type = r->type, .root = r->root, .heir = r, .out = base };

    (void)field;
    for (const sg_table_reader *heir = r; file && heir; heir = heir->heir)
        if (!strcmp(heir->file, file)) {
            sg_table_fail(r, path, "'%s' inherits itself", name);
            return;
        }
    if (!sg_table_exists(r->diags, r->root, r->kind, name, sg_table_place(r, path)) ||
        !load(&reader, name)) {
        r->failed = true;
        return;
    }
    r->base = base;
    *r->out = *base;
    r->out->name = own_name;
    r->out->bundle = no_bundle;  /* the base's is in the base's language */
    r->out->source = r->out->preamble = r->out->postamble = "";   /* join_base adds the base's */
    r->out->words = NULL;
    r->out->fixed = NULL;
    r->out->more = NULL;
    r->out->word_count = r->out->fixed_count = r->out->more_count = 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

enum {
    IN_DIALECT = SG_DIALECT_TABLE,
    IN_ISA = SG_ISA_TABLE,
    IN_BOTH = IN_DIALECT | IN_ISA,
    IN_COMPILER = SG_COMPILER_TABLE,
    IN_ALL = IN_BOTH | IN_COMPILER
};

typedef struct field {
    const char *key;
    void (*read)(sg_table_reader *r, lua_State *L, const char *path, void *field);
    size_t offset;               /* in sg_table; 0 if read takes the whole table */
    int kinds;
    bool is_required;
} field;

#define OF_COMPILER(member) offsetof(sg_table, compiler.member)

static const field fields[] = {
    { "inherits", read_inherits, 0, IN_ALL, false },   /* first: others replace inherited fields */
    { "name", read_own_name, offsetof(sg_table, name), IN_ALL, true },
    { "form", read_name, offsetof(sg_table, form), IN_DIALECT, true },
    { "extension", read_name, offsetof(sg_table, extension), IN_DIALECT, true },
    { "parse", read_parse, 0, IN_DIALECT, true },
    { "parse", read_parse, 0, IN_ISA, false },
    { "host", read_host, 0, IN_DIALECT, false },
    { "bundle", read_bundle, 0, IN_DIALECT, false },
    { "build_options", read_text, offsetof(sg_table, build_options), IN_BOTH, false },
    { "prelude_bodies", read_boolean, offsetof(sg_table, prelude_bodies), IN_DIALECT, false },
    { "rounds_once", read_boolean, offsetof(sg_table, rounds_once), IN_BOTH, false },
    { "least", read_least, offsetof(sg_table, least), IN_DIALECT, false },
    { "preamble", read_text, offsetof(sg_table, preamble), IN_BOTH, false },
    { "preamble_header", sg_table_read_preamble_header, offsetof(sg_table, preamble), IN_ISA,
      false },
    { "postamble", read_text, offsetof(sg_table, postamble), IN_DIALECT, false },
    { "condition", read_expression, offsetof(sg_table, condition), IN_ISA, false },
    { "begin_functions", read_text, offsetof(sg_table, begin_functions), IN_ISA, false },
    { "end_functions", read_text, offsetof(sg_table, end_functions), IN_ISA, false },
    { "usable", read_expression, offsetof(sg_table, usable), IN_ISA, true },
    { "cpu_flags", sg_table_list, offsetof(sg_table, cpu_flags), IN_ISA, false },
    { "extensions", sg_table_list, offsetof(sg_table, extensions), IN_ISA, false },
    { "fixed", read_fixed, 0, IN_BOTH, false },
    { "words", read_words, 0, IN_BOTH, true },
    { "source", sg_table_read_source, offsetof(sg_table, source), IN_BOTH, false },
    { "title", read_text, OF_COMPILER(title), IN_COMPILER, true },
    { "language", read_name, OF_COMPILER(language), IN_COMPILER, true },
    { "prefix", read_text, OF_COMPILER(prefix), IN_COMPILER, false },
    { "clang", sg_table_list, OF_COMPILER(clang), IN_COMPILER, false },
    { "command", sg_table_list, OF_COMPILER(command), IN_COMPILER, false },
    { "output", read_name, OF_COMPILER(output), IN_COMPILER, false },
    { "install", read_text, OF_COMPILER(install), IN_COMPILER, false },
    { "kernel", read_text, OF_COMPILER(kernel), IN_COMPILER, false },
    { "figures", sg_table_read_metrics, OF_COMPILER(metrics), IN_COMPILER, false },
    { "occupancy", sg_table_read_occupancy, offsetof(sg_table, compiler), IN_COMPILER, false },
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static void check_keys(sg_table_reader *r, lua_State *L)
{
    const char *known[FIELDS + 1] = { NULL };
    size_t count = 0;

    for (size_t i = 0; i < FIELDS; i++)
        if (fields[i].kinds & (int)r->kind)
            known[count++] = fields[i].key;
    sg_table_check_keys(r, L, "", known);
}

static int read_table(lua_State *L)
{
    sg_table_reader *r = sg_lua_context(L);

    lua_settop(L, 1);
    r->lines = sg_lua_keys_scan(r->arena, *r->text);
    if (!sg_table_is_table(r, L, "", "the file to return a table"))
        return 0;
    check_keys(r, L);
    for (size_t i = 0; i < FIELDS; i++) {
        const field *f = &fields[i];
        if (!(f->kinds & (int)r->kind))
            continue;
        if (lua_getfield(L, 1, f->key) != LUA_TNIL)
            f->read(r, L, f->key, (char *)r->out + f->offset);
        else if (f->is_required && (!r->base || f->read == read_own_name))
            sg_table_fail(r, "", "the table lacks '%s'", f->key);
        lua_settop(L, 1);
    }
    return 0;
}

static bool load(sg_table_reader *r, const char *name)
{
    sg_lua_job job = { .what = "a table", .after = read_table, .context = r };
    sg_table *out = r->out;

    *out = (sg_table){ .name = sg_arena_strdup(r->arena, name), .form = "", .extension = "",
                       .preamble = "", .postamble = "", .usable = "", .build_options = "",
                       .condition = "", .begin_functions = "", .end_functions = "",
                       .host_dialect = "", .host_isa = "",
                       .bundle = no_bundle, .parse_language = "",
                       .parse_prefix = "", .source = "",
                       .parse_args = no_names, .cpu_flags = no_names,
                       .compiler = { .prefix = "", .output = "", .install = "" },
                       .extensions = no_names };
    r->file = job.shown = sg_table_file(r->arena, r->kind, name);
    r->text = &job.text;
    job.path = sg_path_join(r->arena, r->root, job.shown);
    const bool ran = sg_lua_run(r->arena, r->diags, &job);
    out->page = (sg_input){ job.shown, job.hash };
    if (ran && !r->failed && *out->source)
        sg_table_add_source(r);
    if (ran && !r->failed && r->base)
        sg_table_join_base(r);
    return ran && !r->failed;
}

bool sg_table_load(sg_arena *arena, sg_diags *diags, const char *root, sg_table_kind kind,
                   const char *name, const char *type, sg_table *out)
{
    sg_table_reader r = { .arena = arena, .diags = diags, .kind = kind, .type = type,
                          .root = root, .out = out };

    return sg_table_exists(diags, root, kind, name, (sg_loc){ 0 }) && load(&r, name);
}
