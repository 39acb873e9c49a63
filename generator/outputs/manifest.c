/* manifest.c: reads manifest.json, an untrusted file: names that lead out of its folder or of the
 * data root are refused. */
#include "generator/outputs/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/c_words.h"
#include "generator/base/hash.h"
#include "generator/base/json_reader.h"
#include "generator/assemble/source.h"

/* More than any folder has: a hostile manifest must not take minutes of planning. */
enum { LARGEST_MANIFEST = 16 << 20, MOST_SELECTIONS = 256, MOST_NAMES = 1000 };

/* ---- reading ------------------------------------------------------------------------------- */

typedef struct reader {
    sg_arena *arena;
    sg_diags *diags;
    const sg_json *root;
    bool good;
    bool is_older;               /* lacks a member that this version writes */
} reader;

static const sg_json nothing;    /* in place of a missing member */

static void complain(reader *r, sg_loc loc, const char *key, const char *expected)
{
    if (r->good && r->diags)
        sg_diag(r->diags, SG_ERROR, loc, "expected '%s' to be %s", key, expected);
    r->good = false;
}

static const sg_json *get(reader *r, const sg_json *object, const char *key, sg_json_kind kind)
{
    static const char *const words[] = {
        [SG_JSON_NULL] = "null", [SG_JSON_BOOLEAN] = "true or false",
        [SG_JSON_INTEGER] = "an integer", [SG_JSON_STRING] = "a string",
        [SG_JSON_ARRAY] = "an array", [SG_JSON_OBJECT] = "an object",
    };
    const sg_json *member = sg_json_member(object, key);

    if (member && member->kind == kind)
        return member;
    complain(r, member ? member->loc : object->loc, key, words[kind]);
    return &nothing;
}

/* The same for a member that earlier versions did not write. */
static const sg_json *get_later(reader *r, const sg_json *object, const char *key,
                                sg_json_kind kind)
{
    if (sg_json_member(object, key))
        return get(r, object, key, kind);
    r->is_older = true;
    return &nothing;
}

static const char *get_string(reader *r, const sg_json *object, const char *key)
{
    const char *string = get(r, object, key, SG_JSON_STRING)->string;
    return string ? string : "";
}

static uint64_t get_hash(reader *r, const sg_json *object, const char *key)
{
    const sg_json *member = get(r, object, key, SG_JSON_STRING);
    const char *text = member->string ? member->string : "";

    if (r->good && (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16))
        complain(r, member->loc, key, "16 hexadecimal digits");
    return r->good ? strtoull(text, NULL, 16) : 0;
}

static sg_name_set names_of(reader *r, const sg_json *array, const char *key)
{
    sg_name_set names = { 0 };

    if (array->count > MOST_NAMES)
        complain(r, array->loc, key, sg_arena_printf(r->arena, "at most %d names", MOST_NAMES));
    for (const sg_json *at = array->first; at && r->good; at = at->next) {
        if (at->kind != SG_JSON_STRING)
            complain(r, at->loc, key, "an array of strings");
        else
            sg_name_set_add(r->arena, &names, at->string);
    }
    return names;
}

static sg_name_set get_names(reader *r, const sg_json *object, const char *key)
{
    return names_of(r, get(r, object, key, SG_JSON_ARRAY), key);
}

static sg_name_set get_later_names(reader *r, const sg_json *object, const char *key)
{
    return names_of(r, get_later(r, object, key, SG_JSON_ARRAY), key);
}

static const sg_input *get_pages(reader *r, const char *key, size_t *count)
{
    const sg_json *array = get(r, r->root, key, SG_JSON_ARRAY);
    sg_input *pages = sg_arena_alloc(r->arena, (array->count + 1) * sizeof *pages);

    *count = 0;
    for (const sg_json *at = array->first; at && r->good; at = at->next)
        pages[(*count)++] = (sg_input){ get_string(r, at, "file"), get_hash(r, at, "hash") };
    return pages;
}

bool sg_is_plain_name(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/');
}

/* Only a bundle has a prefix. */
static const char *get_prefix(reader *r, const sg_json *object)
{
    const sg_json *member = sg_json_member(object, "bundle");

    if (member && member->kind == SG_JSON_NULL)
        return NULL;
    member = get_later(r, object, "bundle", SG_JSON_STRING);
    if (member->string && !sg_is_c_name(member->string))
        complain(r, member->loc, "bundle", "the prefix of a bundle's names");
    return member->string;
}

static sg_selection get_selection(reader *r, const sg_json *object)
{
    return (sg_selection){
        .target = get_string(r, object, "target"),
        .methods = get_names(r, object, "methods"),
        .types = get_names(r, object, "types"),
        .offsets = get_later_names(r, object, "offsets"),
        .set = get_later_names(r, object, "set"),
        .figures = get_later(r, object, "figures", SG_JSON_BOOLEAN)->integer != 0,
        .one_vector = get_later(r, object, "one_vector", SG_JSON_BOOLEAN)->integer != 0,
        .program_files = get_later(r, object, "program_files", SG_JSON_BOOLEAN)->integer != 0,
        .line_directives = get(r, object, "line_directives", SG_JSON_BOOLEAN)->integer != 0,
        .bundle = get_prefix(r, object),
        .is_static = get_later(r, object, "static", SG_JSON_BOOLEAN)->integer != 0,
    };
}

/* The first schema had one target and one selection. */
static void read_targets(reader *r, int64_t schema, sg_manifest *out)
{
    const bool is_first = schema == 1;
    const sg_json *targets = is_first ? &nothing : get(r, r->root, "targets", SG_JSON_ARRAY);
    const sg_json *selections = is_first ? &nothing : get(r, r->root, "selections", SG_JSON_ARRAY);
    const char **names = sg_arena_alloc(r->arena, (targets->count + 1) * sizeof *names);

    if (selections->count > MOST_SELECTIONS || targets->count > MOST_SELECTIONS)
        complain(r, r->root->loc, "selections",
                 sg_arena_printf(r->arena, "an array of at most %d", MOST_SELECTIONS));
    out->targets = names;
    out->selections = sg_arena_alloc(r->arena, (selections->count + 1) * sizeof *out->selections);
    if (is_first) {
        names[out->target_count++] = get_string(r, r->root, "target");
        out->selections[out->selection_count++] =
            get_selection(r, get(r, r->root, "selection", SG_JSON_OBJECT));
    }
    for (const sg_json *at = targets->first; at && r->good; at = at->next)
        names[out->target_count++] = get_string(r, at, "name");
    for (const sg_json *at = selections->first; at && r->good; at = at->next)
        out->selections[out->selection_count++] = get_selection(r, at);
    if (!out->selection_count || !out->target_count)
        complain(r, r->root->loc, "selections", "an array that is not empty");
}

static void read_fields(reader *r, sg_manifest *out)
{
    const int64_t schema = get(r, r->root, "schema_version", SG_JSON_INTEGER)->integer;

    if (schema < 1 || schema > SG_MANIFEST_SCHEMA)
        complain(r, r->root->loc, "schema_version",
                 sg_arena_printf(r->arena, "from 1 to %d", SG_MANIFEST_SCHEMA));
    r->is_older = schema < SG_MANIFEST_SCHEMA;
    out->version = get_string(r, r->root, "generator_version");
    out->command = get_string(r, r->root, "command");
    out->input_hash = get_hash(r, r->root, "input_hash");
    read_targets(r, schema, out);
    out->inputs = get_pages(r, "inputs", &out->input_count);
    out->files = get_pages(r, "files", &out->file_count);
    for (size_t i = 0; i < out->file_count; i++)
        if (!sg_is_plain_name(out->files[i].file))
            complain(r, sg_json_member(r->root, "files")->loc, "files",
                     "a list of names without a folder");
    /* A damaged manifest proves nothing about files, least of all about files outside its
     * folder. */
    if (!r->good)
        out->file_count = 0;
    out->is_older = r->is_older;
}

/* True if text that is not JSON begins a manifest of spmvgen, so that nothing of a user is lost. */
static bool is_remains(const char *text, size_t length)
{
    static const char begin[] = "{\n  \"generator\": \"spmvgen\"";
    const size_t whole = sizeof begin - 1;

    return !memcmp(text, begin, length < whole ? length : whole);
}

sg_manifest_state sg_manifest_read(sg_arena *arena, sg_diags *diags, const char *dir,
                                   sg_manifest *out)
{
    const char *path = sg_path_join(arena, dir, SG_MANIFEST_NAME);
    const sg_loc whole = { path, 0, 0 };
    reader r = { .arena = arena, .diags = diags, .good = true };
    const char *text;
    size_t length;
    const int error = sg_read_file(arena, path, LARGEST_MANIFEST, &text, &length);

    *out = (sg_manifest){ 0 };
    if (error) {
        if (diags)
            sg_diag(diags, SG_ERROR, whole, "cannot be read: %s", sg_read_error(error));
        return sg_is_file(path) ? SG_MANIFEST_FOREIGN : SG_MANIFEST_MISSING;
    }
    if (diags)
        sg_diags_add_source(diags, path, text);
    out->hash = sg_hash_bytes(text, length);
    r.root = sg_json_read(arena, diags, path, text, length);
    if (!r.root)
        return is_remains(text, length) ? SG_MANIFEST_DAMAGED : SG_MANIFEST_FOREIGN;
    const sg_json *generator = sg_json_member(r.root, "generator");
    if (!generator || generator->kind != SG_JSON_STRING || strcmp(generator->string, "spmvgen")) {
        if (diags)
            sg_diag(diags, SG_ERROR, whole, "expected a manifest that spmvgen wrote");
        return SG_MANIFEST_FOREIGN;
    }
    read_fields(&r, out);
    return r.good ? SG_MANIFEST_GOOD : SG_MANIFEST_DAMAGED;
}

bool sg_manifest_matches(const sg_manifest *manifest, const char *file, const char *text,
                         size_t length)
{
    for (size_t i = 0; i < manifest->file_count; i++)
        if (!strcmp(manifest->files[i].file, file))
            return manifest->files[i].hash == sg_hash_bytes(text, length);
    return false;
}

static void append_quoted(char *list, size_t size, const char *name)
{
    const size_t used = strlen(list);

    snprintf(list + used, size - used, "%s'%s'", used ? ", " : "", name);
}

bool sg_manifest_is_of(sg_diags *diags, const sg_manifest *manifest, const char *path,
                       const sg_folder *folder, bool some_more)
{
    const sg_name_set held = { manifest->targets, manifest->target_count };
    bool is = true;

    for (size_t i = 0; i < folder->plan_count; i++)
        is = is && sg_name_set_has(&held, folder->plans[i].target->name);
    for (size_t i = 0; i < held.count && !some_more; i++)
        is = is && sg_folder_has_target(folder, held.name[i]);
    if (is)
        return true;
    char list[256] = "", wanted[256] = "";
    for (size_t i = 0; i < held.count; i++)
        append_quoted(list, sizeof list, held.name[i]);
    for (size_t i = 0; i < folder->plan_count; i++)
        append_quoted(wanted, sizeof wanted, folder->plans[i].target->name);
    sg_diag(diags, SG_ERROR, (sg_loc){ path, 0, 0 },
            "the folder holds what was emitted for target%s %s, not %s",
            held.count > 1 ? "s" : "", list, wanted);
    return false;
}

/* ---- comparison with the folder ------------------------------------------------------------ */

static bool has_hash(sg_arena *arena, const char *path, size_t limit, uint64_t hash)
{
    const char *text;
    size_t length;

    return !sg_read_file(arena, path, limit, &text, &length) &&
           sg_hash_bytes(text, length) == hash;
}

static const sg_input *planned_input(const sg_folder *folder, const char *file)
{
    for (size_t p = 0; p < folder->plan_count; p++)
        for (size_t i = 0; i < folder->plans[p].input_count; i++)
            if (!strcmp(folder->plans[p].inputs[i].file, file))
                return &folder->plans[p].inputs[i];
    return NULL;
}

/* Files that no plan was made from are templates, below the data root. */
static bool input_is_current(sg_arena *arena, const sg_folder *folder, const sg_input *input)
{
    const sg_input *planned = planned_input(folder, input->file);

    if (planned)
        return planned->hash == input->hash;
    if (*input->file == '/' || strstr(input->file, ".."))
        return false;
    return has_hash(arena, sg_path_join(arena, folder->plans[0].catalog->root, input->file),
                    SG_LARGEST_OUTPUT, input->hash);
}

static bool has_all_files(sg_arena *arena, const sg_manifest *manifest, const sg_plan *plan)
{
    for (size_t i = 0; i < plan->input_count; i++)
        if (!sg_inputs_have(manifest->inputs, manifest->input_count, plan->inputs[i].file))
            return false;
    for (size_t i = 0; i < plan->family_count; i++) {
        const sg_variant *variant = &plan->families[i].variants[0];
        if (!sg_inputs_have(manifest->files, manifest->file_count,
                            sg_variant_output(arena, plan, variant)) ||
            (variant->program_file && plan->selection.program_files &&
             !sg_inputs_have(manifest->files, manifest->file_count, variant->program_file)))
            return false;
    }
    return true;
}

bool sg_manifest_is_current(sg_arena *arena, const sg_manifest *manifest, const sg_folder *folder,
                            const char *dir)
{
    if (manifest->is_older || strcmp(manifest->version, SG_VERSION) ||
        strcmp(manifest->command, folder->command) ||
        manifest->input_hash != sg_manifest_input_hash(manifest->version, manifest->command,
                                                       manifest->inputs, manifest->input_count))
        return false;
    for (size_t i = 0; i < folder->plan_count; i++)
        if (!has_all_files(arena, manifest, &folder->plans[i]))
            return false;
    for (size_t g = 0; g < folder->group_count; g++)
        if (folder->groups[g].shared &&
            !sg_inputs_have(manifest->files, manifest->file_count, folder->groups[g].shared))
            return false;
    for (size_t i = 0; i < manifest->input_count; i++)
        if (!input_is_current(arena, folder, &manifest->inputs[i]))
            return false;
    for (size_t i = 0; i < manifest->file_count; i++)
        if (!has_hash(arena, sg_path_join(arena, dir, manifest->files[i].file), SG_LARGEST_OUTPUT,
                      manifest->files[i].hash))
            return false;
    return true;
}
