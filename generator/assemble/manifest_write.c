/* manifest_write.c: see manifest_write.h. */
#include "generator/assemble/manifest_write.h"

#include <string.h>

#include "common/json.h"
#include "generator/assemble/banner.h"
#include "generator/page/facts.h"
#include "generator/base/hash.h"
#include "generator/assemble/program.h"

static void to_text(void *text, const char *bytes, size_t length)
{
    sg_text_append_bytes(text, bytes, length);
}

static sg_arena *arena_of(const sg_json_writer *json)
{
    return ((const sg_text *)json->sink)->arena;
}

static void write_names(sg_json_writer *json, const char *key, const sg_name_set *names)
{
    sg_json_open(json, key, '[', SG_JSON_ONE_LINE);
    for (size_t i = 0; i < names->count; i++)
        sg_json_string(json, NULL, names->name[i]);
    sg_json_close(json, ']');
}

static void write_selections(sg_json_writer *json, const sg_folder *folder)
{
    sg_json_open(json, "selections", '[', SG_JSON_LINES);
    for (size_t i = 0; i < folder->plan_count; i++) {
        const sg_selection *selection = &folder->plans[i].selection;
        sg_json_open(json, NULL, '{', SG_JSON_LINES);
        sg_json_string(json, "target", selection->target);
        write_names(json, "methods", &selection->methods);
        write_names(json, "types", &selection->types);
        write_names(json, "offsets", &selection->offsets);
        write_names(json, "set", &selection->set);
        sg_json_boolean(json, "figures", selection->figures);
        sg_json_boolean(json, "one_vector", selection->one_vector);
        sg_json_boolean(json, "program_files", selection->program_files);
        sg_json_boolean(json, "line_directives", selection->line_directives);
        if (selection->bundle)
            sg_json_string(json, "bundle", selection->bundle);
        else
            sg_json_null(json, "bundle");
        sg_json_boolean(json, "static", selection->is_static);
        sg_json_close(json, '}');
    }
    sg_json_close(json, ']');
}

static void write_page(sg_json_writer *json, const char *file, uint64_t hash)
{
    sg_json_open(json, NULL, '{', SG_JSON_ONE_LINE);
    sg_json_string(json, "file", file);
    sg_json_hash(json, "hash", hash);
    sg_json_close(json, '}');
}

static void write_facts(sg_json_writer *json, const sg_target *target)
{
    sg_json_open(json, "facts", '{', SG_JSON_LINES);
    for (size_t i = 0; i < target->fact_count; i++) {
        const sg_fact *fact = &target->facts[i];
        sg_json_open(json, fact->decl->name, '{', SG_JSON_ONE_LINE);
        if (fact->value.kind == SG_STRING)
            sg_json_string(json, "value", fact->value.string);
        else if (fact->value.kind == SG_BOOLEAN)
            sg_json_boolean(json, "value", fact->value.integer != 0);
        else
            sg_json_integer(json, "value", fact->value.integer);
        sg_json_string(json, "unit", fact->decl->unit);
        sg_json_string(json, "origin", sg_shown_origin(arena_of(json), fact->origin));
        sg_json_close(json, '}');
    }
    sg_json_close(json, '}');
}

/* The family's first variant with its n-th value type; NULL if there are fewer types. */
static const sg_variant *nth_type(const sg_family *family, size_t n)
{
    for (size_t i = 0; i < family->variant_count; i++) {
        if (i && family->variants[i].value == family->variants[i - 1].value)
            continue;
        if (!n--)
            return &family->variants[i];
    }
    return NULL;
}

/* The parameters of a method, each with one entry for each value type. */
static void write_params(sg_json_writer *json, const sg_family *family)
{
    const sg_variant *variant;

    sg_json_open(json, "parameters", '[', SG_JSON_LINES);
    for (size_t i = 0; i < family->variants[0].params.count; i++) {
        const sg_param_decl *decl = family->variants[0].params.param[i].decl;
        sg_json_open(json, NULL, '{', SG_JSON_LINES);
        sg_json_string(json, "name", decl->name);
        sg_json_string(json, "unit", decl->unit);
        for (size_t n = 0; (variant = nth_type(family, n)) != NULL; n++) {
            const sg_param *param = &variant->params.param[i];
            const char *choice = sg_param_choice(param);
            sg_json_open(json, variant->value->name, '{', SG_JSON_ONE_LINE);
            sg_json_integer(json, "value", param->value);
            if (choice)
                sg_json_string(json, "choice", choice);
            sg_json_string(json, "origin", sg_shown_origin(arena_of(json), param->origin));
            sg_json_close(json, '}');
        }
        sg_json_close(json, '}');
    }
    sg_json_close(json, ']');
}

static void write_kernel(sg_json_writer *json, const sg_module *module, size_t index)
{
    const sg_spec_kernel *kernel = &sg_module_kernels(module)->kernels[index];
    const sg_param *group_size =
        module->variant->program_file ? sg_program_group_size(module) : NULL;

    sg_json_open(json, NULL, '{', SG_JSON_LINES);
    sg_json_string(json, "symbol", module->kernel_symbols[index]);
    sg_json_string(json, "name", kernel->name);
    if (group_size)
        sg_json_integer(json, "group_size", group_size->value);
    else
        sg_json_null(json, "group_size");
    sg_json_integer(json, "local_bytes", kernel->local_bytes);
    sg_json_open(json, "arguments", '[', SG_JSON_LINES);
    for (size_t i = 0; i < kernel->arg_count; i++) {
        const sg_spec_arg *arg = &kernel->args[i];
        sg_json_open(json, NULL, '{', SG_JSON_ONE_LINE);
        sg_json_string(json, "name", arg->name);
        sg_json_string(json, "type", arg->type);
        sg_json_string(json, "address_space", arg->address_space);
        sg_json_string(json, "access", arg->access);
        sg_json_string(json, "length", arg->length);
        sg_json_close(json, '}');
    }
    sg_json_close(json, ']');
    sg_json_close(json, '}');
}

/* Writes a kernel that several modules share once. */
static void write_kernels(sg_json_writer *json, const sg_source *source)
{
    sg_name_set written = { 0 };

    sg_json_open(json, "kernels", '[', SG_JSON_LINES);
    for (size_t i = 0; i < source->family->variant_count; i++) {
        const sg_module *module = &source->modules[i];
        for (size_t k = 0; k < sg_module_kernels(module)->kernel_count; k++) {
            if (sg_name_set_has(&written, module->kernel_symbols[k]))
                continue;
            sg_name_set_add(arena_of(json), &written, module->kernel_symbols[k]);
            write_kernel(json, module, k);
        }
    }
    sg_json_close(json, ']');
}

/* Two modules of a method and value type with the same text here give the same bits. */
static void write_bits(sg_json_writer *json, const sg_variant *variant)
{
    if (variant->params.bits)
        sg_json_string(json, "bits", sg_arena_printf(arena_of(json), "%s, multiply-add rounded %s",
                                                     variant->params.bits,
                                                     variant->lowering->rounds_once ? "once"
                                                                                    : "twice"));
    else
        sg_json_null(json, "bits");
}

static void write_module(sg_json_writer *json, const sg_module *module)
{
    const sg_variant *variant = module->variant;

    sg_json_open(json, NULL, '{', SG_JSON_LINES);
    sg_json_string(json, "symbol", variant->symbol);
    sg_json_string(json, "value_type", variant->value->name);
    sg_json_string(json, "offset_type", variant->offset->name);
    sg_json_string(json, "column_type", "i32");
    sg_json_string(json, "determinism",
                   variant->params.benchmark_only ? "benchmark only" : "same bits");
    write_bits(json, variant);
    sg_json_open(json, "kernels", '[', SG_JSON_ONE_LINE);
    for (size_t k = 0; k < sg_module_kernels(module)->kernel_count; k++)
        sg_json_string(json, NULL, module->kernel_symbols[k]);
    sg_json_close(json, ']');
    sg_json_string(json, "workspace_bytes", "by layout_size");
    sg_json_open(json, "host_steps", '[', SG_JSON_ONE_LINE);
    for (size_t i = 0; variant->program_file && i < module->spec.kernel_count; i++)
        sg_json_string(json, NULL, module->spec.kernels[i].name);
    sg_json_close(json, ']');
    sg_json_hash(json, "source_hash", module->source_hash);
    sg_json_close(json, '}');
}

/* The file of the programs; NULL: the source has them, or there are none. */
static const char *program_file(sg_arena *arena, const sg_source *source)
{
    const sg_variant *variant = &source->family->variants[0];
    const sg_selection *selection = &source->plan->selection;

    if (selection->bundle && *variant->lowering->bundle.program)
        return sg_bundle_file(arena, selection, variant->lowering->extension);
    return source->writes_program ? variant->program_file : NULL;
}

/* A method's file, for one target. */
static void write_source(sg_json_writer *json, const sg_folder *folder, const sg_source *source)
{
    const char *program = program_file(arena_of(json), source);
    const char *shared = sg_folder_group(folder, source->family)->shared;
    const sg_variant *variant = &source->family->variants[0];
    const sg_lowering *lowering = variant->lowering;

    sg_json_open(json, NULL, '{', SG_JSON_LINES);
    sg_json_string(json, "method", variant->method->name);
    sg_json_string(json, "target", source->plan->target->name);
    sg_json_string(json, "file", sg_variant_output(arena_of(json), source->plan, variant));
    if (shared)
        sg_json_string(json, "shared", shared);
    if (program)
        sg_json_string(json, "program", program);
    else
        sg_json_null(json, "program");
    sg_json_string(json, "backend", lowering->dialect);
    sg_json_string(json, "isa", lowering->isa);
    sg_json_open(json, "extensions", '[', SG_JSON_ONE_LINE);
    for (const char *const *name = lowering->extensions; *name; name++)
        sg_json_string(json, NULL, *name);
    sg_json_close(json, ']');
    sg_json_integer(json, "rank", sg_target_integer(source->plan->target, "rank"));
    write_params(json, source->family);
    write_kernels(json, source);
    sg_json_open(json, "modules", '[', SG_JSON_LINES);
    for (size_t i = 0; i < source->family->variant_count; i++)
        write_module(json, &source->modules[i]);
    sg_json_close(json, ']');
    sg_json_close(json, '}');
}

static void write_targets(sg_json_writer *json, const sg_folder *folder)
{
    sg_json_open(json, "targets", '[', SG_JSON_LINES);
    for (size_t i = 0; i < folder->plan_count; i++) {
        const sg_target *target = folder->plans[i].target;
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || !strcmp(folder->plans[k].target->name, target->name);
        if (again)
            continue;
        sg_json_open(json, NULL, '{', SG_JSON_LINES);
        const char *table = sg_folder_table_of(arena_of(json), folder, target);
        sg_json_string(json, "name", target->name);
        if (table)
            sg_json_string(json, "table", table);
        write_facts(json, target);
        sg_json_close(json, '}');
    }
    sg_json_close(json, ']');
}

uint64_t sg_manifest_input_hash(const char *version, const char *command, const sg_input *inputs,
                                size_t count)
{
    uint64_t hash = sg_hash_combine(sg_hash_string(version), sg_hash_string(command));

    for (size_t i = 0; i < count; i++) {
        hash = sg_hash_combine(hash, sg_hash_string(inputs[i].file));
        hash = sg_hash_combine(hash, inputs[i].hash);
    }
    return hash;
}

void sg_manifest_write(sg_text *out, const sg_emission *e)
{
    const sg_folder *folder = &e->folder;
    sg_json_writer writer = sg_json_write(to_text, out), *json = &writer;

    sg_json_open(json, NULL, '{', SG_JSON_LINES);
    sg_json_string(json, "generator", "spmvgen");
    sg_json_integer(json, "schema_version", SG_MANIFEST_SCHEMA);
    sg_json_string(json, "generator_version", SG_VERSION);
    sg_json_string(json, "command", folder->command);
    write_selections(json, folder);
    sg_json_string(json, "table", folder->table);
    sg_json_hash(json, "abi_hash", folder->plans[0].abi);
    sg_json_hash(json, "input_hash",
                 sg_manifest_input_hash(SG_VERSION, folder->command, e->inputs, e->input_count));
    sg_json_open(json, "inputs", '[', SG_JSON_LINES);
    for (size_t i = 0; i < e->input_count; i++)
        write_page(json, e->inputs[i].file, e->inputs[i].hash);
    sg_json_close(json, ']');
    sg_json_open(json, "files", '[', SG_JSON_LINES);
    for (size_t i = 0; i < e->output_count; i++)
        write_page(json, e->outputs[i].name, e->outputs[i].hash);
    sg_json_close(json, ']');
    write_targets(json, folder);
    sg_json_open(json, "methods", '[', SG_JSON_LINES);
    for (size_t i = 0; i < e->source_count; i++)
        write_source(json, folder, &e->sources[i]);
    sg_json_close(json, ']');
    sg_json_close(json, '}');
}
