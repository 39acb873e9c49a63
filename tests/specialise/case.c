/* case.c: reads descriptions of runs. Uses nothing shared, so cases may run at the same time. */
#define _GNU_SOURCE
#include "case.h"

#include "generator/base/text.h"
#include "lowerings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = TEST_CASE_VALUES, MAX_INSTANCES = 16 };

typedef struct lists {
    sg_spec_param param[MAX_VALUES];
    sg_spec_typedef type[MAX_VALUES];
} lists;

/* NAME=value, or name=type */
static void read_value(test_case *c, lists *l, char *name, const char *value)
{
    sg_spec_input *in = &c->input;

    if (!strcmp(name, "cap")) {
        in->unroll_cap = atoi(value);
    } else if (!strcmp(name, "launcher")) {
        c->launcher = value;
    } else if (isupper((unsigned char)name[0]) && in->param_count < MAX_VALUES) {
        const sg_loc origin = { "page.lua", (int)in->param_count + 1, 1 };
        c->words[in->param_count] = strchr(value, ',') ? value : NULL;
        l->param[in->param_count++] = (sg_spec_param){ name, strtoll(value, NULL, 0), origin };
    } else if (in->typedef_count < MAX_VALUES) {
        l->type[in->typedef_count++] = (sg_spec_typedef){ name, value };
    }
}

static void write_page(test_case *c)
{
    const char *page = "";
    for (size_t i = 0; i < c->input.param_count; i++)
        page = sg_arena_printf(c->arena, "%s%s = %lld\n", page, c->input.params[i].name,
                               (long long)c->input.params[i].value);
    sg_diags_add_source(c->diags, "page.lua", page);
}

test_case test_case_begin(const char *root, const char *description)
{
    test_case c = { .arena = sg_arena_create(), .diags = sg_diags_create(root) };
    lists *l = sg_arena_alloc(c.arena, sizeof *l);
    char *rest = NULL;
    char *word = strtok_r(sg_arena_strdup(c.arena, description), " ", &rest);

    c.input = (sg_spec_input){ .root = root, .params = l->param, .typedefs = l->type,
                               .unroll_cap = 64 };
    c.input.file = word;
    word = word ? strtok_r(NULL, " ", &rest) : NULL;
    c.input.lowering = word ? test_lowering(word) : NULL;
    while ((word = strtok_r(NULL, " ", &rest))) {
        char *value = strchr(word, '=');
        if (value) {
            *value = '\0';
            read_value(&c, l, word, value + 1);
        }
        c.input.line_directives = c.input.line_directives || !strcmp(word, "lines");
    }
    write_page(&c);
    c.understood = c.input.file && c.input.lowering;
    return c;
}

/* The n-th of the words between commas, or the only word. */
static const char *nth(test_case *c, const char *words, size_t n)
{
    for (; n && strchr(words, ','); n--)
        words = strchr(words, ',') + 1;
    return sg_arena_printf(c->arena, "%.*s", (int)strcspn(words, ","), words);
}

static size_t word_count(const char *words)
{
    size_t count = 1;

    for (; *words; words++)
        count += *words == ',';
    return count;
}

/* One instance: `index` counts through the labels of all axes, the last one fastest. */
static bool specialise(test_case *c, size_t index, sg_instance *instance)
{
    const size_t types = c->input.typedef_count;
    sg_spec_input input = c->input, launcher;
    sg_spec_typedef *chosen = sg_arena_alloc(c->arena, (types + 1) * sizeof *chosen);
    sg_spec_param *params = sg_arena_alloc(c->arena, (input.param_count + 1) * sizeof *params);
    size_t rest = index, first_label = 0, axis = c->axis_count;
    sg_spec_output launches;

    for (size_t i = types; i-- > 0;) {
        const size_t count = word_count(input.typedefs[i].text);
        chosen[i] = (sg_spec_typedef){ input.typedefs[i].name,
                                       nth(c, input.typedefs[i].text, rest % count) };
        if (count > 1) {
            instance->label[--axis] = chosen[i].text;
            first_label = rest % count;
        }
        rest /= count;
    }
    for (size_t i = 0; i < input.param_count; i++) {
        params[i] = input.params[i];
        if (c->words[i])
            params[i].value = strtoll(nth(c, c->words[i], first_label), NULL, 0);
    }
    input.typedefs = chosen;
    input.params = params;
    launcher = input;
    if (c->launcher) {
        launcher.file = c->launcher;
        if (!sg_specialise(c->arena, c->diags, &launcher, &launches))
            return false;
        input.launched = launches.launched;
    }
    if (!sg_specialise(c->arena, c->diags, &input, &c->output))
        return false;
    instance->pieces = c->output.pieces;
    instance->piece_count = c->output.piece_count;
    return true;
}

bool test_case_run(test_case *c)
{
    sg_instance instances[MAX_INSTANCES] = { { { NULL }, NULL, 0 } };
    size_t count = 1;

    for (size_t i = 0; i < c->input.typedef_count; i++) {
        const size_t labels = word_count(c->input.typedefs[i].text);
        if (labels > 1 && c->axis_count < SG_MOST_AXES)
            c->axis[c->axis_count++] = (sg_axis){ .name = c->input.typedefs[i].name };
        count *= labels;
    }
    if (!c->understood || count > MAX_INSTANCES)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!specialise(c, i, &instances[i]))
            return false;
    return sg_join(c->arena, c->diags, c->axis, c->axis_count, instances, count, SG_COLUMNS,
                   &c->joined);
}

void test_case_end(test_case *c)
{
    sg_diags_destroy(c->diags);
    sg_arena_destroy(c->arena);
}

static const char *kernels_text(test_case *c)
{
    const char *text = "";
    for (size_t i = 0; i < c->output.kernel_count; i++) {
        const sg_spec_kernel *k = &c->output.kernels[i];
        text = sg_arena_printf(c->arena, "%s// kernel %s\n", text, k->name);
        for (size_t j = 0; j < k->arg_count; j++) {
            const sg_spec_arg *a = &k->args[j];
            text = sg_arena_printf(c->arena, "%s//   %s: %s, %s, %s, [%s]\n", text, a->name,
                                   a->type, a->address_space, a->access, a->length);
        }
    }
    return text;
}

/* The opening and the sections, each below its title. */
static const char *joined_text(test_case *c)
{
    const char *text = c->joined.opening;

    for (size_t i = 0; i < c->joined.section_count; i++) {
        const sg_section *section = &c->joined.sections[i];
        const char *title = sg_section_title(c->arena, &c->joined, section);
        text = sg_arena_printf(c->arena, "%s%s%s%s%s%s", text, *text ? "\n" : "",
                               *title ? "/* ==== " : "", title, *title ? " ==== */\n\n" : "",
                               sg_section_text(c->arena, section, 0));
    }
    return text;
}

const char *test_case_result(test_case *c, bool succeeded)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *memory;
    const char *result;

    if (succeeded)
        return sg_arena_printf(c->arena, "%s%s", joined_text(c), kernels_text(c));
    memory = open_memstream(&printed, &size);
    if (!memory)
        return "";
    sg_diags_print(c->diags, memory);
    fclose(memory);
    result = sg_arena_strdup(c->arena, printed);
    free(printed);
    return result;
}

char *test_case_text(const char *root, const char *description, bool *succeeded)
{
    test_case c = test_case_begin(root, description);
    char *text = NULL;

    *succeeded = test_case_run(&c);
    if (c.understood)
        text = strdup(test_case_result(&c, *succeeded));
    test_case_end(&c);
    return text;
}
