/* options.c: the options of spmvgen, the modes that they belong to, and its help. Pure functions
 * over a constant table. */
#include "generator/options.h"

#include <string.h>

#include "common/fail.h"
#include "common/program.h"
#include "generator/base/c_words.h"
#include "generator/base/value_types.h"
#include "generator/pipeline.h"

#define FIELD(name) offsetof(parse, options.name)

enum { MAX_JOBS = 256, MAX_PREFIX = 64, HELP_COLUMN = 26 };

/* The parser fills this. Lists of options grow in the arena. */
typedef struct parse {
    sg_options options;
    sg_arena *arena;
} parse;

static void add_name(void *out, void *list, const char *value)
{
    sg_name_set_add(((parse *)out)->arena, list, value);
}

/* "NAME,NAME" lists names. */
static void add_names(void *out, void *list, const char *value)
{
    sg_arena *arena = ((parse *)out)->arena;

    for (;; value++) {
        const size_t length = strcspn(value, ",");
        sg_name_set_add(arena, list, sg_arena_strndup(arena, value, length));
        value += length;
        if (!*value)
            return;
    }
}

/* The path of a page may contain commas. */
static void add_targets(void *out, void *list, const char *value)
{
    if (strchr(value, '/'))
        add_name(out, list, value);
    else
        add_names(out, list, value);
}

static void add_name_last(void *out, void *list, const char *value)
{
    sg_name_set_add_last(((parse *)out)->arena, list, value);
}

static bool refuse_operand(void *out, const char *word, bool ended, spmv_error *error)
{
    (void)out;
    if (ended && word[0] == '-')
        return sg_fail(error, "'%s' stands behind '--', which ends the options, and spmvgen takes "
                       "nothing but options: put it before '--'", word);
    return sg_fail(error, "'%s' is not an option; a target is given as --target %s", word, word);
}

/* ---- table --------------------------------------------------------------------------------- */

/* "f32|f64" */
#define ALTERNATIVE(name, capitals, bits) "|" #name
#define VALUE_TYPES (&SG_EACH_VALUE_TYPE(ALTERNATIVE)[1])

static const char *const shells[] = { "bash", NULL };

static const sg_option_listing
    listed_targets = { .options = "--list-targets", .heading = "TARGET", .column = 1,
                       .more = "host" },
    listed_methods = { .options = "--list-methods", .heading = "METHOD", .column = 1 };

static const sg_option options[] = {
    { .name = "target", .letter = 't', .value = "NAME|FILE.lua", .kind = SG_OPTION_LIST,
      .add = add_targets, .offset = FIELD(targets), .listing = &listed_targets,
      .modes = SG_MODE_EMIT | SG_MODE_CHECK | SG_MODE_EXPLAIN | SG_MODE_TUNABLE |
               SG_MODE_VERIFY | SG_MODE_DUMP,
      .help = "emit kernels for this page of targets/, for a page of your own,\n"
              "or for 'host', the page that fits this CPU best; may repeat, or\n"
              "list names: NAME,NAME" },
    { .name = "output", .letter = 'o', .value = "DIR", .kind = SG_OPTION_TEXT,
      .offset = FIELD(output), .modes = SG_MODE_EMIT,
      .help = "the folder that receives the files of all targets and one table of\n"
              "their modules, by rank; without it each target gets generated/NAME.\n"
              "Files there that an earlier run emitted and this one does not are\n"
              "removed" },
    { .name = "bundle", .value = "DIR", .kind = SG_OPTION_TEXT, .offset = FIELD(bundle),
      .modes = SG_MODE_EMIT | SG_MODE_DUMP,
      .help = "emit one header and one source that need no library, with the kernels\n"
              "of all targets and the runtime that chooses among them; only the\n"
              "methods of this run are in it" },
    { .name = "prefix", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(prefix),
      .modes = SG_MODE_EMIT | SG_MODE_DUMP,
      .help = "begin the names of a bundle and of its files with NAME_, not spmv_" },
    { .name = "static", .kind = SG_OPTION_FLAG, .offset = FIELD(is_static),
      .modes = SG_MODE_EMIT | SG_MODE_DUMP,
      .help = "make a bundle of one method that allocates nothing" },
    { .name = "method", .letter = 'm', .value = "METHOD", .kind = SG_OPTION_LIST,
      .add = add_names, .offset = FIELD(methods), .listing = &listed_methods,
      .modes = SG_MODE_EMIT | SG_MODE_VERIFY | SG_MODE_DUMP,
      .help = "only this method; may repeat, or list names: NAME,NAME. Other\n"
              "methods in the folder are kept" },
    { .name = "type", .value = VALUE_TYPES, .kind = SG_OPTION_LIST, .add = add_name,
      .offset = FIELD(types), .choices = sg_value_type_names,
      .modes = SG_MODE_EMIT | SG_MODE_VERIFY | SG_MODE_DUMP,
      .help = "only this value type; may repeat" },
    { .name = "offsets", .value = "i32|i64", .kind = SG_OPTION_LIST, .add = add_name,
      .offset = FIELD(offsets), .choices = sg_offset_type_names,
      .modes = SG_MODE_EMIT | SG_MODE_VERIFY | SG_MODE_DUMP,
      .help = "only this type of row pointers; may repeat" },
    { .name = "set", .value = "KEY=VALUE", .kind = SG_OPTION_LIST, .add = add_name_last,
      .offset = FIELD(set),
      .modes = SG_MODE_EMIT | SG_MODE_EXPLAIN | SG_MODE_TUNABLE | SG_MODE_VERIFY | SG_MODE_DUMP,
      .help = "a value in place of the page's: METHOD.PARAM=VALUE for all value\n"
              "types, METHOD.f32.PARAM=VALUE for one, FACT=VALUE; may repeat, of\n"
              "one key the last value counts" },
    { .name = "figures", .kind = SG_OPTION_FLAG, .offset = FIELD(figures),
      .modes = SG_MODE_EMIT | SG_MODE_VERIFY | SG_MODE_DUMP,
      .help = "also emit what spmvbench asks of a layout: its figures" },
    { .name = "one-vector", .kind = SG_OPTION_FLAG, .offset = FIELD(one_vector),
      .modes = SG_MODE_EMIT | SG_MODE_VERIFY | SG_MODE_DUMP,
      .help = "leave out the kernels that multiply several vectors at once; --static\n"
              "does, too" },
    { .name = "list-targets", .kind = SG_OPTION_NONE, .modes = SG_MODE_LIST_TARGETS,
      .selects = SG_MODE_LIST_TARGETS,
      .help = "list the pages of targets/ and stop" },
    { .name = "list-methods", .kind = SG_OPTION_NONE, .modes = SG_MODE_LIST_METHODS,
      .selects = SG_MODE_LIST_METHODS,
      .help = "list the methods of templates/ and stop" },
    { .name = "explain", .value = "METHOD[.PARAM]|FACT", .kind = SG_OPTION_LIST, .add = add_name,
      .offset = FIELD(explains), .listing = &listed_methods, .modes = SG_MODE_EXPLAIN,
      .selects = SG_MODE_EXPLAIN,
      .help = "say what a parameter or fact is for a target, and which line\n"
              "of which file made it so; writes nothing" },
    { .name = "tunable", .kind = SG_OPTION_NONE, .modes = SG_MODE_TUNABLE,
      .selects = SG_MODE_TUNABLE,
      .help = "list the parameters that are worth tuning for a target, with the\n"
              "page's value and others, as spmvbench --set takes them" },
    { .name = "check", .value = "DIR", .kind = SG_OPTION_LIST, .add = add_name,
      .offset = FIELD(checks), .modes = SG_MODE_CHECK, .selects = SG_MODE_CHECK,
      .help = "compare DIR with what would be emitted now: a unified diff,\n"
              "missing and orphan files, exit code 1; writes nothing" },
    { .name = "verify", .kind = SG_OPTION_NONE, .modes = SG_MODE_VERIFY,
      .selects = SG_MODE_VERIFY,
      .help = "compile the target's programs for the device's instruction set\n"
              "and show what each kernel takes: registers, local memory, ...;\n"
              "exit code 1 where one spills registers; writes nothing" },
    { .name = "dump", .value = "PASS", .kind = SG_OPTION_TEXT, .offset = FIELD(dump),
      .choices = sg_pass_names, .modes = SG_MODE_DUMP, .selects = SG_MODE_DUMP,
      .help = "print what stands after a pass of spmvgen, to debug a template or\n"
              "a page: page, resolve, plan, specialise, join, assemble, parse,\n"
              "bundle, manifest; writes nothing" },
    { .name = "depfile", .value = "FILE", .kind = SG_OPTION_TEXT, .offset = FIELD(depfile),
      .modes = SG_MODE_EMIT,
      .help = "also write what was read, as a rule for make and ninja\n"
              "(manifest.json is its first target)" },
    { .name = "force", .letter = 'f', .kind = SG_OPTION_FLAG, .offset = FIELD(force),
      .modes = SG_MODE_EMIT,
      .help = "replace files even where they were changed by hand or are not\n"
              "spmvgen's; without it they are an error" },
    { .name = "program-files", .kind = SG_OPTION_FLAG, .offset = FIELD(program_files),
      .modes = SG_MODE_EMIT | SG_MODE_DUMP,
      .help = "write programs of other devices to files (.cl, .cu), as nvcc takes\n"
              "them, instead of into their modules, as libspmv needs them" },
    { .name = "line-directives", .kind = SG_OPTION_FLAG, .offset = FIELD(line_directives),
      .modes = SG_MODE_EMIT | SG_MODE_DUMP,
      .help = "let compilers and debuggers point into the templates" },
    { .name = "data", .value = "DIR", .kind = SG_OPTION_TEXT, .offset = FIELD(data),
      .modes = ~0u,
      .help = "the folder that holds templates/, targets/ and runtime/;\n"
              "without it SPMVGEN_DATA, else what was installed or built" },
    { .name = "jobs", .letter = 'j', .value = "N", .kind = SG_OPTION_INTEGER, .min = 1,
      .max = MAX_JOBS, .offset = FIELD(jobs),
      .modes = SG_MODE_EMIT | SG_MODE_CHECK | SG_MODE_VERIFY | SG_MODE_DUMP,
      .help = "threads; without it one for each processor" },
    { .name = "verbose", .letter = 'v', .kind = SG_OPTION_FLAG, .offset = FIELD(verbose),
      .modes = SG_MODE_EMIT | SG_MODE_CHECK,
      .help = "also say what was skipped or left as it was, and why" },
    { .name = "help", .letter = 'h', .kind = SG_OPTION_NONE, .stops = true, .modes = ~0u,
      .selects = SG_MODE_HELP,
      .help = "print this and stop" },
    { .name = "version", .kind = SG_OPTION_NONE, .stops = true, .modes = ~0u,
      .selects = SG_MODE_VERSION,
      .help = "print the version and stop" },
    { .name = "completion", .value = "SHELL", .kind = SG_OPTION_TEXT, .stops = true,
      .offset = FIELD(shell), .choices = shells, .modes = ~0u,
      .selects = SG_MODE_COMPLETION,
      .help = "print completion of this command line for bash and stop" },
};

enum { OPTION_COUNT = sizeof options / sizeof options[0] };

static const sg_option_table table = {
    .options = options, .count = OPTION_COUNT, .help_column = HELP_COLUMN,
    .operand = refuse_operand,
};

/* ---- modes --------------------------------------------------------------------------------- */

/* Sets *mode to the mode that an option selects, and checks that all options belong to the mode.
 * Returns NULL or an error. uses: how often each option was given. Options that stop go
 * with every option. */
static const char *settle_mode(sg_arena *arena, const unsigned *uses, sg_mode *mode)
{
    const sg_option *chooser = NULL;

    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (uses[i] && options[i].stops) {
            *mode = options[i].selects;
            return NULL;
        }
    *mode = SG_MODE_EMIT;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (!uses[i] || !options[i].selects)
            continue;
        if (chooser)
            return sg_arena_printf(arena, "--%s and --%s do not go together", chooser->name,
                                   options[i].name);
        chooser = &options[i];
        *mode = options[i].selects;
    }
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (uses[i] && !(options[i].modes & *mode))
            return sg_arena_printf(arena, "--%s and --%s do not go together%s",
                                   chooser ? chooser->name : "target", options[i].name,
                                   *mode == SG_MODE_EXPLAIN
                                       ? "; give --explain METHOD, METHOD.PARAM or FACT, "
                                         "which shows all types"
                                       : "");
    return NULL;
}

/* Returns an error if the mode lacks an option or has too many, else NULL. */
static const char *check_together(sg_arena *arena, const sg_options *o)
{
    if (o->mode == SG_MODE_EMIT && !o->targets.count)
        return "nothing to do: give --target NAME, or --list-targets to see the names";
    if (o->mode == SG_MODE_VERIFY && !o->targets.count)
        return "--verify needs --target NAME: its page says what the programs are compiled for";
    if (o->mode == SG_MODE_DUMP && !o->targets.count)
        return "--dump needs --target NAME: passes begin with its page";
    if (o->mode == SG_MODE_EXPLAIN && !o->targets.count)
        return "--explain needs --target NAME: values differ from target to target";
    if (o->mode == SG_MODE_TUNABLE && o->targets.count != 1)
        return "--tunable needs one --target NAME: values differ from target to target";
    if (o->mode == SG_MODE_CHECK && o->targets.count > 1)
        return "--check takes one --target at most: the page to use instead of the one that "
               "DIR/manifest.json names";
    if (o->bundle && o->output)
        return "--bundle and --output do not go together: --bundle DIR names the folder";
    if (!o->bundle && (o->prefix || o->is_static))
        return "--prefix and --static are for bundles: give --bundle DIR, too";
    if (o->prefix && (!sg_is_c_name(o->prefix) || strlen(o->prefix) > MAX_PREFIX))
        return sg_arena_printf(arena, "--prefix is '%s'; expected letters, digits and '_', a "
                               "letter first and at most %d of them, for names in C",
                               o->prefix, MAX_PREFIX);
    if (o->bundle && (o->figures || o->program_files || o->line_directives))
        return "--bundle does not go together with --figures, --program-files or "
               "--line-directives: they are for folders of modules";
    return NULL;
}

const char *sg_options_parse(sg_arena *arena, int argc, char *const *argv, sg_options *out)
{
    spmv_error wrong;
    parse p = { .arena = arena };
    unsigned uses[OPTION_COUNT];

    *out = (sg_options){ 0 };
    if (!sg_option_table_parse(&table, argc, argv, &p, uses, &wrong))
        return sg_arena_strdup(arena, wrong.text);
    *out = p.options;
    const char *error = settle_mode(arena, uses, &out->mode);
    return error ? error : check_together(arena, out);
}

/* ---- help ---------------------------------------------------------------------------------- */

static const sg_program_entry exit_codes[] = {
    { "0", "done" },
    { "1", "bad input, drift or a kernel that takes too much" },
    { "2", "bad command line" },
    { "3", "internal error" },
    { "4", "nothing here can verify the target" },
    { NULL, NULL },
};

static const sg_program_entry environment[] = {
    { "SPMVGEN_DATA", "the folder of templates/, targets/ and runtime/, like --data" },
    { "TMPDIR", "the folder of temporary files of --verify and --check; else /tmp" },
    { NULL, NULL },
};

static const sg_program program = {
    .name = "spmvgen", .version = SG_VERSION, .table = &table, .exit_codes = exit_codes,
    .purpose = "emit sparse matrix-vector kernels as source code",
    .usage = "--target NAME [OPTION]...",
    .description = "Emit sparse matrix-vector kernels for a device, as source code that is yours.",
    .notes = "Prints the files that it wrote; prints nothing when they are up to date. --check\n"
             "and later runs read the manifest.json of a folder.\n",
    .examples = "  $ spmvgen --target host -o kernels\n"
                "  $ spmvgen --target host --type f64 --bundle my-bundle\n"
                "  $ spmvgen --target my-device.lua --line-directives -o my-device\n",
    .environment = environment,
};

const sg_program *sg_options_program(void)
{
    return &program;
}
