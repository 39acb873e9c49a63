/* bundle.c: see bundle.h. Pure functions; all memory is the arena's. */
#include "generator/bundle/bundle.h"

#include <ctype.h>
#include <string.h>

#include "generator/base/data_files.h"
#include "generator/base/hash.h"
#include "generator/base/text.h"
#include "generator/assemble/banner.h"
#include "generator/bundle/modules.h"
#include "generator/bundle/names.h"
#include "generator/bundle/prefix.h"
#include "generator/clang/expand.h"

#define GUARD "SPMV_KERNELS_H"
#define API "SPMV_API"           /* before functions of the interface, in the source */
#define CLASH SG_DEFAULT_PREFIX "_each_bundle_needs_option_prefix"
#define BLOCKS "runtime/bundle"  /* the parts of public headers */

enum { LARGEST_FILE = 1 << 20 };

typedef struct composer {
    sg_arena *arena;
    sg_diags *diags;
    const sg_folder *folder;
    const sg_selection *selection;
    sg_emission *e;
} composer;

/* ---- files of the runtime ------------------------------------------------------------------ */

static bool has_type(const composer *c, const char *name)
{
    for (size_t p = 0; p < c->folder->plan_count; p++)
        for (size_t v = 0; v < c->folder->plans[p].variant_count; v++) {
            const sg_variant *variant = &c->folder->plans[p].variants[v];
            if (!strcmp(variant->value->name, name) || !strcmp(variant->offset->name, name))
                return true;
        }
    return false;
}

/* SPMV_BUNDLE_F32 and the like: the types that the bundle has. */
static sg_expand_macro *add_types(const composer *c, sg_expand_macro *out, const sg_type *types,
                                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sg_text name = sg_text_in(c->arena);
        sg_text_append(&name, "SPMV_BUNDLE_");
        for (const char *at = types[i].name; *at; at++)
            sg_text_printf(&name, "%c", toupper((unsigned char)*at));
        *out++ = (sg_expand_macro){ name.data, has_type(c, types[i].name) };
    }
    return out;
}

static bool expand(composer *c, const sg_bundle_entry *entry, const char *modules,
                   sg_expanded *out)
{
    const sg_plan *plan = &c->folder->plans[0];
    sg_expand_macro macros[SG_VALUE_TYPES + SG_OFFSET_TYPES + 3], *end = macros;

    *end++ = (sg_expand_macro){ "SPMV_BUNDLE", 1 };
    *end++ = (sg_expand_macro){ "SPMV_BUNDLE_STATIC", c->selection->is_static };
    *end++ = (sg_expand_macro){ "SPMV_BUNDLE_DEVICE", plan->variants[0].lowering->host != NULL };
    end = add_types(c, end, sg_value_types, SG_VALUE_TYPES);
    end = add_types(c, end, sg_offset_types, SG_OFFSET_TYPES);
    const sg_expand_input input = {
        .root = plan->catalog->root, .header = entry->header, .source = entry->implementation,
        .macros = macros, .macro_count = (size_t)(end - macros), .api = API,
        .public_folder = BLOCKS, .modules = modules,
    };
    if (!sg_expand(c->arena, c->diags, &input, out))
        return false;
    sg_emission_add_inputs(c->arena, c->e, out->inputs, out->input_count);
    return true;
}

/* A file of the data root, whole. */
static bool read_data(composer *c, const char *file, const char **text)
{
    const char *path = sg_path_join(c->arena, c->folder->plans[0].catalog->root, file);
    size_t length;
    const int error = sg_read_file(c->arena, path, LARGEST_FILE, text, &length);

    if (error) {
        sg_diag(c->diags, SG_ERROR, (sg_loc){ file, 0, 0 }, "cannot be read: %s; a bundle "
                "contains it: copy it from spmvgen's own data folder to that of --data",
                sg_read_error(error));
        return false;
    }
    const sg_input input = { file, sg_hash_bytes(*text, length) };
    sg_emission_add_inputs(c->arena, c->e, &input, 1);
    return true;
}

/* ---- composing ----------------------------------------------------------------------------- */

/* The command that makes the bundle again, in lines of a shell. */
static const char *command_of(const composer *c, const char *indent)
{
    return sg_command_lines(c->arena, sg_arena_printf(c->arena, "%s --bundle DIR",
                                                      c->folder->command), indent);
}

/* The methods of the bundle, in the order of their names: "csr5, strips". */
static const char *method_list(const composer *c)
{
    sg_text out = sg_text_in(c->arena);
    sg_name_set names = { 0 };

    for (size_t p = 0; p < c->folder->plan_count; p++)
        for (size_t f = 0; f < c->folder->plans[p].family_count; f++)
            sg_name_set_add(c->arena, &names,
                            c->folder->plans[p].families[f].variants[0].method->name);
    names = sg_name_set_sorted(c->arena, &names);
    for (size_t i = 0; i < names.count; i++)
        sg_text_printf(&out, "%s%s", i ? ", " : "", names.name[i]);
    return out.data;
}

static void begin_file(composer *c, sg_text *out, const char *name, const char *subject)
{
    sg_banner_open(out, name, subject, command_of(c, " *     "));
    sg_banner_words(out, sg_arena_printf(c->arena, "Targets: %s. Methods: %s.",
                                   sg_in_comment(c->arena, c->folder->title), method_list(c)));
    sg_text_append(out, "\n */\n");
}

static void add_includes(sg_text *out, const char *const *includes)
{
    for (; *includes; includes++)
        sg_text_printf(out, "#include %s\n", *includes);
}

static const char *renamed(const composer *c, const char *text)
{
    return sg_bundle_renamed(c->arena, text, c->selection->bundle);
}

/* Names in the banner, such as files in the command, stay. */
static void add_file(composer *c, const char *name, const char *subject, const char *text)
{
    sg_text out = sg_text_in(c->arena);

    begin_file(c, &out, name, subject);
    sg_text_append(&out, renamed(c, text));
    sg_emission_add_output(c->arena, c->e, sg_output_make(name, out.data, out.length));
}

static void add_header(composer *c, const char *name, const sg_expanded_text *header)
{
    sg_text out = sg_text_in(c->arena);

    if (header->opening)
        sg_text_printf(&out, "\n%s\n", header->opening);
    sg_text_printf(&out, "#ifndef " GUARD "\n#define " GUARD "\n\n");
    add_includes(&out, header->includes);
    sg_text_printf(&out, "\n%s\n#endif\n", header->text);
    add_file(c, name, "sparse matrix-vector multiplication, y = alpha*A*x + beta*y", out.data);
}

/* Two shared libraries of a process may have a bundle each. Static linkers refuse two of one
 * prefix, and name the function first, which therefore says what to do. */
static const char linkage[] =
    "/* In a shared library the functions are hidden, so that another library may have a bundle\n"
    " * of the same names; -D" API "= exports them. */\n"
    "#if !defined(" API ") && defined(_WIN32)\n"
    "#define " API "\n"
    "#elif !defined(" API ")\n"
    "#define " API " __attribute__((visibility(\"hidden\")))\n"
    "#endif\n\n"
    "/* Linkers name this function if a program has two bundles of one prefix. */\n"
    API " void " CLASH "(void);\n"
    API " void " CLASH "(void)\n"
    "{\n"
    "}\n";

static void add_source(composer *c, const char *name, const char *header,
                       const sg_expanded_text *source)
{
    sg_text out = sg_text_in(c->arena);

    sg_text_printf(&out, "%s#include \"" SG_DEFAULT_PREFIX "_kernels.h\"\n\n", source->features);
    add_includes(&out, source->includes);
    sg_text_printf(&out, "\n%s\n%s", linkage, source->text);
    add_file(c, name, sg_arena_printf(c->arena, "kernels and what runs them; %s is the interface",
                                      header), out.data);
}

/* Replaces each @NAME@ of the text. */
static const char *filled(composer *c, const char *text, const char *const names[][2])
{
    sg_text out = sg_text_in(c->arena);

    while (*text) {
        size_t length = strcspn(text, "@");
        sg_text_append_bytes(&out, text, length);
        text += length;
        for (size_t i = 0; *text && names[i][0]; i++) {
            length = strlen(names[i][0]);
            if (strncmp(text, names[i][0], length))
                continue;
            sg_text_append(&out, names[i][1]);
            text += length;
            length = 0;
            break;
        }
        if (*text == '@' && length)
            sg_text_append_bytes(&out, text++, 1);
    }
    return out.data;
}

/* A type of the prelude, in C. */
static const char *type_in_c(const composer *c, const char *name)
{
    const sg_lowering *lowering = c->folder->plans[0].variants[0].lowering;
    const sg_word *word = sg_lowering_find(sg_lowering_of_module(lowering), name);

    return word ? word->text : name;
}

static void add_output(composer *c, const char *name, const char *text)
{
    sg_emission_add_output(c->arena, c->e, sg_output_make(name, text, strlen(text)));
}

static bool add_documents(composer *c, const sg_bundle_entry *entry)
{
    /* The types of the README's program. */
    const char *value = has_type(c, "f64") ? "f64" : "f32";
    const char *offset = has_type(c, "i32") ? "i32" : "i64";
    const char *const names[][2] = {
        { "@type@", value },
        { "@real@", type_in_c(c, value) },
        { "@offset@", type_in_c(c, offset) },
        { "@_i64@", has_type(c, "i32") ? "" : "_i64" },
        { "@command@", command_of(c, "    ") },
        { "@targets@", c->folder->title },
        { "@methods@", method_list(c) },
        { NULL, NULL },
    };
    const char *text;

    if (!read_data(c, "LICENSE", &text))
        return false;
    add_output(c, "LICENSE", text);
    if (!read_data(c, c->selection->is_static ? entry->static_readme : entry->readme, &text))
        return false;
    add_output(c, "README.md", filled(c, renamed(c, text), names));
    return true;
}

/* The file of the programs. */
static bool add_program(composer *c, const sg_bundle_entry *entry, const sg_bundle_text *bundle)
{
    const char *extension = c->folder->plans[0].variants[0].lowering->extension;
    const char *name = sg_bundle_file(c->arena, c->selection, extension);
    const char *const names[][2] = {
        { "@kernels@\n", bundle->program },
        { "@launchers@\n", bundle->launchers },
        { NULL, NULL },
    };
    const char *text;

    if (!read_data(c, entry->program, &text))
        return false;
    add_file(c, name, "kernels, and functions that launch them", filled(c, text, names));
    return true;
}

/* ---- checks -------------------------------------------------------------------------------- */

/* One bundle is for one language: its functions take that language's memory and queues. */
static const sg_bundle_entry *entry_of(composer *c)
{
    const sg_lowering *first = c->folder->plans[0].variants[0].lowering;

    for (size_t p = 0; p < c->folder->plan_count; p++) {
        const sg_lowering *lowering = c->folder->plans[p].variants[0].lowering;
        const sg_loc page = { c->folder->plans[p].target->pages[0].file, 0, 0 };
        if (!*lowering->bundle.implementation) {
            sg_diag(c->diags, SG_ERROR, page, "dialect '%s' has no bundle; emit a folder of "
                    "modules with -o DIR", lowering->dialect);
            return NULL;
        }
        if (strcmp(lowering->dialect, first->dialect)) {
            sg_diag(c->diags, SG_ERROR, page, "its dialect is '%s', that of target '%s' is '%s', "
                    "and a bundle has one; emit two bundles with a --prefix of their own",
                    lowering->dialect, c->folder->plans[0].target->name, first->dialect);
            return NULL;
        }
    }
    if (c->selection->is_static && !*first->bundle.static_readme) {
        sg_diag(c->diags, SG_ERROR, (sg_loc){ c->folder->plans[0].target->pages[0].file, 0, 0 },
                "dialect '%s' has no bundle for --static; leave --static out", first->dialect);
        return NULL;
    }
    return &first->bundle;
}

/* A static bundle chooses nothing. */
static bool has_one_method(composer *c)
{
    if (!c->selection->is_static || !strchr(method_list(c), ','))
        return true;
    sg_diag(c->diags, SG_ERROR, (sg_loc){ 0 }, "--static makes a bundle of one method, found %s; "
            "name one by --method", method_list(c));
    return false;
}

/* ---- all of it ----------------------------------------------------------------------------- */

bool sg_bundle_make(sg_arena *arena, sg_diags *diags, sg_emission *emission)
{
    const sg_folder *folder = &emission->folder;
    composer c = { .arena = arena, .diags = diags, .folder = folder,
                   .selection = &folder->plans[0].selection, .e = emission };
    const sg_bundle_entry *entry = entry_of(&c);
    sg_expanded all;

    if (!entry || !has_one_method(&c))
        return false;
    const char *header_name = sg_bundle_file(arena, c.selection, "h");
    const char *source_name = sg_bundle_file(arena, c.selection, entry->extension);
    sg_bundle_text text;
    if (!sg_bundle_modules(arena, diags, emission, &text) ||
        !expand(&c, entry, text.modules, &all) ||
        !sg_bundle_names_check(arena, diags, &text, emission->module_count, &all,
                               folder->plans[0].contract.file) ||
        !sg_bundle_prefix_check(arena, diags, sg_arena_printf(arena, "%s\n%s", all.header.text,
                                                              all.source.text),
                                c.selection->bundle))
        return false;
    add_header(&c, header_name, &all.header);
    add_source(&c, source_name, header_name, &all.source);
    return (!text.program || add_program(&c, entry, &text)) && add_documents(&c, entry);
}
