/* case.c: reads descriptions of runs. Uses nothing shared, so cases may run at the same time. */
#define _GNU_SOURCE
#include "case.h"

#include "lowerings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 32 };

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

bool test_case_run(test_case *c)
{
    sg_spec_input launcher = c->input;
    sg_spec_output launches;

    if (c->understood && c->launcher) {
        launcher.file = c->launcher;
        if (!sg_specialise(c->arena, c->diags, &launcher, &launches))
            return false;
        c->input.launched = launches.strings;
    }
    return c->understood && sg_specialise(c->arena, c->diags, &c->input, &c->output);
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

const char *test_case_result(test_case *c, bool succeeded)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *memory;
    const char *result;

    if (succeeded)
        return sg_arena_printf(c->arena, "%s%s", c->output.text, kernels_text(c));
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
