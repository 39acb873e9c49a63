/* fuzz_page.c: a libFuzzer target, built only on request (needs clang):
 *
 *     ninja tests/generator/fuzz_page && tests/generator/fuzz_page CORPUS .../targets \
 *         -max_len=2048 -dict=.../fuzz_page.dict
 *
 * The input is a target page. If the page is accepted, facts.lua and the methods' params.lua must
 * allow its values, and each value must have a place. If the page is refused, there must be a
 * message at a line of the page or of a file that it reads. Reading the page twice must give the
 * same messages.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "generator/page/facts.h"
#include "generator/plan/plan.h"
#include "generator/page/target_load.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static sg_arena *kept;           /* shared by all inputs */
static sg_catalog catalog;
static char page[64];            /* the input as a file, by a name that ends in .lua */

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    sg_diags *diags = sg_diags_create(SOURCE_ROOT);

    (void)argc;
    (void)argv;
    kept = sg_arena_create();
    catalog.root = SOURCE_ROOT;
    catalog.methods = sg_method_load_all(kept, diags, SOURCE_ROOT, &catalog.method_count);
    require(catalog.methods != NULL);
    sg_diags_destroy(diags);
    snprintf(page, sizeof page, "/dev/shm/fuzz-%ld.lua", (long)getpid());
    return 0;
}

static void write_page(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(page, "wb");

    require(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static int lines_of(const uint8_t *bytes, size_t size)
{
    int lines = 1;

    for (size_t i = 0; i < size; i++)
        lines += bytes[i] == '\n';
    return lines;
}

/* ---- accepted -------------------------------------------------------------------------------- */

static void check_place(sg_loc loc, int lines)
{
    require(loc.file && loc.line >= 1 && (strcmp(loc.file, page) || loc.line <= lines));
}

static void check_target(const sg_target *target, sg_diags *diags, int lines)
{
    for (size_t i = 0; i < target->fact_count; i++) {
        const sg_fact *fact = &target->facts[i];
        require(fact->value.kind == fact->decl->kind);
        require(sg_fact_check(diags, fact->origin, fact->decl, &fact->value));
        check_place(fact->origin, lines);
    }
    for (size_t i = 0; i < target->assignment_count; i++) {
        const sg_assignment *a = &target->assignments[i];
        require(a->method && a->param && a->depth >= 0 && (size_t)a->depth < target->page_count);
        require(!a->type || !strcmp(a->type, "f32") || !strcmp(a->type, "f64"));
        check_place(a->origin, lines);
    }
}

static void check_variant(const sg_variant *variant, int lines)
{
    require(variant->params.count == variant->method->param_count);
    for (size_t i = 0; i < variant->params.count; i++) {
        const sg_param *param = &variant->params.param[i];
        require(param->value >= param->decl->min && param->value <= param->decl->max);
        check_place(param->origin, lines);
    }
}

/* ---- one reading ----------------------------------------------------------------------------- */

/* The messages, to be freed. */
static char *messages_of(const sg_diags *diags)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    require(out);
    sg_diags_print(diags, out);
    require(fclose(out) == 0);
    require(strlen(text) == size);
    return text;
}

/* Returns the messages, to be freed. */
static char *read_page(int lines)
{
    const sg_selection selection = { .target = page };
    sg_arena *arena = sg_arena_create();
    sg_diags *diags = sg_diags_create(SOURCE_ROOT);
    const sg_target *target = sg_target_load(arena, diags, SOURCE_ROOT, page);
    sg_plan plan;

    require(!target == (sg_diags_error_count(diags) > 0));
    if (target) {
        check_target(target, diags, lines);
        const bool is_planned = sg_plan_read(arena, diags, &catalog, &selection, &plan) &&
                                sg_plan_resolve(arena, diags, &plan);
        require(is_planned == (sg_diags_error_count(diags) == 0));
        if (is_planned)
            sg_plan_variants(arena, &plan);
        for (size_t i = 0; is_planned && i < plan.variant_count; i++)
            check_variant(&plan.variants[i], lines);
    }
    char *messages = messages_of(diags);
    require(sg_diags_error_count(diags) == 0 || strstr(messages, ".lua"));
    sg_diags_destroy(diags);
    sg_arena_destroy(arena);
    return messages;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const int lines = lines_of(bytes, size);

    write_page(bytes, size);
    char *first = read_page(lines);
    char *second = read_page(lines);
    require(!strcmp(first, second));
    free(first);
    free(second);
    unlink(page);
    return 0;
}
