/* options.c: the command line's table, its parser and its help. Pure functions over a constant
 * table. */
#include "generator/options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/near.h"

#define FIELD(name) offsetof(sg_options, name)

enum { MAX_JOBS = 256, HELP_COLUMN = 26 };

static const char *const type_choices[] = { "f32", "f64", NULL };
static const char *const offset_choices[] = { "i32", "i64", NULL };

static const sg_option table[] = {
    { "target", 't', "NAME|FILE.lua", SG_OPTION_LIST,
      SG_MODE_EMIT | SG_MODE_CHECK | SG_MODE_EXPLAIN | SG_MODE_VERIFY, 0, NULL, FIELD(targets),
      "emit kernels for this page of targets/, for a page of your own,\n"
      "or for 'host', the page that fits this CPU best; may repeat" },
    { "output", 'o', "DIR", SG_OPTION_TEXT, SG_MODE_EMIT, 0, NULL, FIELD(output),
      "the folder that receives the files of all targets and one table of\n"
      "their modules, by rank; without it each target gets generated/NAME.\n"
      "Files there that an earlier run emitted and this one does not are\n"
      "removed" },
    { "method", 'm', "METHOD", SG_OPTION_LIST, SG_MODE_EMIT | SG_MODE_VERIFY, 0, NULL,
      FIELD(methods),
      "only this method; may repeat. Other methods in the folder are kept" },
    { "type", 0, "f32|f64", SG_OPTION_LIST, SG_MODE_EMIT | SG_MODE_VERIFY, 0, type_choices,
      FIELD(types),
      "only this value type; may repeat" },
    { "offsets", 0, "i32|i64", SG_OPTION_LIST, SG_MODE_EMIT | SG_MODE_VERIFY, 0, offset_choices,
      FIELD(offsets),
      "only this type of row pointers; may repeat" },
    { "set", 0, "KEY=VALUE", SG_OPTION_LAST_LIST,
      SG_MODE_EMIT | SG_MODE_EXPLAIN | SG_MODE_VERIFY, 0, NULL, FIELD(set),
      "a value in place of the page's: METHOD.PARAM=VALUE for both value\n"
      "types, METHOD.f32.PARAM=VALUE for one, FACT=VALUE; may repeat, of\n"
      "one key the last value counts" },
    { "figures", 0, NULL, SG_OPTION_FLAG, SG_MODE_EMIT | SG_MODE_VERIFY, 0, NULL, FIELD(figures),
      "also emit what spmvbench asks of a layout: its figures" },
    { "list-targets", 0, NULL, SG_OPTION_MODE, SG_MODE_LIST_TARGETS, SG_MODE_LIST_TARGETS, NULL, 0,
      "list the pages of targets/ and stop" },
    { "list-methods", 0, NULL, SG_OPTION_MODE, SG_MODE_LIST_METHODS, SG_MODE_LIST_METHODS, NULL, 0,
      "list the methods of templates/ and stop" },
    { "explain", 0, "METHOD[.PARAM]|FACT", SG_OPTION_LIST, SG_MODE_EXPLAIN, SG_MODE_EXPLAIN, NULL,
      FIELD(explains),
      "say what a parameter or fact is for a target, and which line\n"
      "of which file made it so; writes nothing" },
    { "check", 0, "DIR", SG_OPTION_LIST, SG_MODE_CHECK, SG_MODE_CHECK, NULL, FIELD(checks),
      "compare DIR with what would be emitted now: a unified diff,\n"
      "missing and orphan files, exit code 1; writes nothing" },
    { "verify", 0, NULL, SG_OPTION_MODE, SG_MODE_VERIFY, SG_MODE_VERIFY, NULL, 0,
      "compile the target's programs for the device's instruction set\n"
      "and show what each kernel takes: registers, local memory, ...;\n"
      "exit code 1 where one spills registers; writes nothing" },
    { "depfile", 0, "FILE", SG_OPTION_TEXT, SG_MODE_EMIT, 0, NULL, FIELD(depfile),
      "also write what was read, as a rule for make and ninja\n"
      "(manifest.json is its first target)" },
    { "force", 'f', NULL, SG_OPTION_FLAG, SG_MODE_EMIT, 0, NULL, FIELD(force),
      "replace files even where they were changed by hand or are not\n"
      "spmvgen's; without it they are an error" },
    { "program-files", 0, NULL, SG_OPTION_FLAG, SG_MODE_EMIT, 0, NULL, FIELD(program_files),
      "write programs of other devices to files (.cl, .cu), as nvcc takes\n"
      "them, instead of into their modules, as libspmv needs them" },
    { "line-directives", 0, NULL, SG_OPTION_FLAG, SG_MODE_EMIT, 0, NULL, FIELD(line_directives),
      "let compilers and debuggers point into the templates" },
    { "data", 0, "DIR", SG_OPTION_TEXT, ~0u, 0, NULL, FIELD(data),
      "the folder that holds templates/, targets/ and runtime/;\n"
      "without it SPMVGEN_DATA, else what was installed or built" },
    { "jobs", 'j', "N", SG_OPTION_NUMBER, SG_MODE_EMIT | SG_MODE_CHECK | SG_MODE_VERIFY, 0, NULL,
      FIELD(jobs),
      "threads; without it one for each processor" },
    { "verbose", 'v', NULL, SG_OPTION_FLAG, SG_MODE_EMIT | SG_MODE_CHECK, 0, NULL, FIELD(verbose),
      "also say what was skipped or left as it was, and why" },
    { "help", 'h', NULL, SG_OPTION_MODE, ~0u, SG_MODE_HELP, NULL, 0, "print this and stop" },
    { "version", 0, NULL, SG_OPTION_MODE, ~0u, SG_MODE_VERSION, NULL, 0,
      "print the version and stop" },
};

enum { TABLE_COUNT = sizeof table / sizeof table[0] };

const sg_option *sg_option_table(size_t *count)
{
    *count = TABLE_COUNT;
    return table;
}

/* ---- parser -------------------------------------------------------------------------------- */

typedef struct parser {
    sg_arena *arena;
    sg_options *out;
    int argc, next;
    bool ended;                  /* behind "--" */
    char *const *argv;
    bool seen[TABLE_COUNT];
    const char *error;
} parser;

static const sg_option *find_long(parser *p, const char *name, size_t length)
{
    const char *names[TABLE_COUNT];
    char hint[96];

    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (strlen(table[i].name) == length && !memcmp(table[i].name, name, length))
            return &table[i];
        names[i] = table[i].name;
    }
    const char *unknown = sg_arena_printf(p->arena, "--%.*s", (int)length, name);
    p->error = sg_arena_printf(p->arena, "unknown option '%s'%s", unknown,
                               sg_did_you_mean_option(hint, sizeof hint, unknown, names,
                                                      TABLE_COUNT));
    return NULL;
}

static const sg_option *find_letter(parser *p, char letter)
{
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if (letter && table[i].letter == letter)
            return &table[i];
    p->error = sg_arena_printf(p->arena, "unknown option '-%c'", letter);
    return NULL;
}

static bool is_choice(const sg_option *option, const char *value)
{
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        if (!strcmp(option->choices[i], value))
            return true;
    return !option->choices;
}

static void store(parser *p, const sg_option *option, const char *value)
{
    void *field = (char *)p->out + option->offset;
    char *end = NULL;
    long number;

    switch (option->kind) {
    case SG_OPTION_MODE:
        break;
    case SG_OPTION_FLAG:
        *(bool *)field = true;
        break;
    case SG_OPTION_TEXT:
        *(const char **)field = value;
        break;
    case SG_OPTION_NUMBER:
        number = strtol(value, &end, 10);
        if (*end || value[0] < '0' || value[0] > '9' || number < 1 || number > MAX_JOBS)
            p->error = sg_arena_printf(p->arena, "--%s takes a number from 1 to %d, not '%s'",
                                       option->name, MAX_JOBS, value);
        else
            *(int *)field = (int)number;
        break;
    case SG_OPTION_LIST:
        sg_names_add(p->arena, field, value);
        break;
    case SG_OPTION_LAST_LIST:
        sg_names_add_last(p->arena, field, value);
        break;
    }
}

/* attached: the value in the same word (`--output=DIR`, `-oDIR`), or NULL. */
static void take(parser *p, const sg_option *option, const char *attached)
{
    const size_t index = (size_t)(option - table);
    const char *value = attached;
    const bool single = option->kind == SG_OPTION_TEXT || option->kind == SG_OPTION_NUMBER;

    if (!option->value && attached) {
        p->error = sg_arena_printf(p->arena, "--%s takes no value, but '%s' was given",
                                   option->name, attached);
        return;
    }
    if (option->value && !value)
        value = p->next < p->argc ? p->argv[p->next++] : NULL;
    if (option->value && (!value || !*value)) {
        p->error = sg_arena_printf(p->arena, "--%s needs a value: --%s %s", option->name,
                                   option->name, option->value);
        return;
    }
    if (single && p->seen[index]) {
        p->error = sg_arena_printf(p->arena, "--%s is given twice", option->name);
        return;
    }
    if (option->value && !is_choice(option, value)) {
        p->error = sg_arena_printf(p->arena, "--%s takes %s, not '%s'", option->name,
                                   option->value, value);
        return;
    }
    p->seen[index] = true;
    store(p, option, value);
}

static const sg_option *parse_word(parser *p, const char *word)
{
    const sg_option *option = NULL;

    if (!p->ended && !strcmp(word, "--")) {
        p->ended = true;
    } else if (p->ended && word[0] == '-') {
        p->error = sg_arena_printf(p->arena, "'%s' stands behind '--', which ends the options, and "
                                   "spmvgen takes nothing but options: put it before '--'", word);
    } else if (word[0] != '-' || !word[1]) {
        p->error = sg_arena_printf(p->arena, "'%s' is not an option; a target is given as "
                                   "--target %s", word, word);
    } else if (word[1] == '-') {
        const size_t length = strcspn(word + 2, "=");
        option = find_long(p, word + 2, length);
        if (option)
            take(p, option, word[2 + length] ? word + 2 + length + 1 : NULL);
    } else {
        option = find_letter(p, word[1]);
        if (option)
            take(p, option, word[2] ? word + 2 : NULL);
    }
    return p->error ? NULL : option;
}

/* The mode is what some option asks for; every other option must belong to it. */
static void settle_mode(parser *p)
{
    const sg_option *chooser = NULL;

    p->out->mode = SG_MODE_EMIT;
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (!p->seen[i] || !table[i].selects)
            continue;
        if (chooser) {
            p->error = sg_arena_printf(p->arena, "--%s and --%s do not go together",
                                       chooser->name, table[i].name);
            return;
        }
        chooser = &table[i];
        p->out->mode = table[i].selects;
    }
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if (p->seen[i] && !(table[i].modes & p->out->mode)) {
            p->error = sg_arena_printf(p->arena, "--%s and --%s do not go together%s",
                                       chooser ? chooser->name : "target", table[i].name,
                                       p->out->mode == SG_MODE_EXPLAIN
                                           ? "; give --explain METHOD, METHOD.PARAM or FACT, "
                                             "which shows all types"
                                           : "");
            return;
        }
}

static void check_together(parser *p)
{
    const sg_options *o = p->out;

    if (o->mode == SG_MODE_EMIT && !o->targets.count)
        p->error = "nothing to do: give --target NAME, or --list-targets to see the names";
    else if (o->mode == SG_MODE_VERIFY && !o->targets.count)
        p->error = "--verify needs --target NAME: its page says what the programs are compiled for";
    else if (o->mode == SG_MODE_EXPLAIN && !o->targets.count)
        p->error = "--explain needs --target NAME: values differ from target to target";
    else if (o->mode == SG_MODE_CHECK && o->targets.count > 1)
        p->error = "--check takes one --target at most: the page to use instead of the one that "
                   "DIR/manifest.json names";
}

const char *sg_options_parse(sg_arena *arena, int argc, char *const *argv, sg_options *out)
{
    parser p = { .arena = arena, .out = out, .argc = argc, .next = 1, .argv = argv };

    *out = (sg_options){ 0 };
    while (p.next < argc) {
        const sg_option *option = parse_word(&p, argv[p.next++]);
        if (p.error)
            return p.error;
        if (option && (option->selects & (SG_MODE_HELP | SG_MODE_VERSION))) {
            out->mode = option->selects;
            return NULL;
        }
    }
    settle_mode(&p);
    if (!p.error)
        check_together(&p);
    return p.error;
}

/* ---- help ---------------------------------------------------------------------------------- */

static void print_option(FILE *out, const sg_option *option)
{
    char left[64];
    const char *line = option->help;
    bool first = true;
    const int used = snprintf(left, sizeof left, "  %c%c%c --%s%s%s", option->letter ? '-' : ' ',
                              option->letter ? option->letter : ' ', option->letter ? ',' : ' ',
                              option->name, option->value ? " " : "",
                              option->value ? option->value : "");

    if (used > HELP_COLUMN - 2) {
        fprintf(out, "%s\n", left);
        first = false;
    }
    while (*line) {
        const size_t length = strcspn(line, "\n");
        fprintf(out, "%-*s%.*s\n", HELP_COLUMN, first ? left : "", (int)length, line);
        line += length + (line[length] == '\n');
        first = false;
    }
}

void sg_options_help(FILE *out)
{
    fputs("Usage: spmvgen --target NAME [OPTION]...\n"
          "Emit sparse matrix-vector kernels for a device, as source code that is yours.\n"
          "\n", out);
    for (size_t i = 0; i < TABLE_COUNT; i++)
        print_option(out, &table[i]);
    fputs("\n"
          "Prints the files that it wrote; prints nothing when they are up to date.\n"
          "Exit codes: 0 done, 1 bad input, drift or a kernel that takes too much, 2 bad command\n"
          "line, 3 internal error, 4 nothing here can verify the target.\n", out);
}
