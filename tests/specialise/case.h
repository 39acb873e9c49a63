/* case.h: one run of the specialiser, described by a line of text.
 *
 *     templates/fold.c plain WIDTH=4 sample=f64 cap=64 lines
 *
 * names the template, the lowering, parameters (capitals) and types; cap= is the unroll cap,
 * `lines` asks for #line, and launcher=FILE keeps the kernels that strings of that template name,
 * which is specialised first. The values come from the lines of a page that is called
 * "page.lua".
 *
 * Words with commas make instances, which are joined: sample=f64,f32 is an axis with two labels,
 * and WIDTH=4,8 has its values for the labels of the first axis. */
#ifndef TEST_CASE_H
#define TEST_CASE_H

#include "generator/clang/specialise.h"
#include "generator/join/join.h"

enum { TEST_CASE_VALUES = 32 };

typedef struct test_case {
    sg_arena *arena;
    sg_diags *diags;
    sg_spec_input input;
    const char *launcher;        /* NULL: none */
    const char *words[TEST_CASE_VALUES];   /* by parameter: its values by label; NULL: one value */
    sg_axis axis[SG_MOST_AXES];
    size_t axis_count;
    sg_spec_output output;       /* of the last instance */
    sg_joined joined;
    bool understood;             /* the description is valid */
} test_case;

/* Reads the description; run it with test_case_run, free it with test_case_end. */
test_case test_case_begin(const char *root, const char *description);
bool test_case_run(test_case *c);
void test_case_end(test_case *c);

/* The output with its kernels as comments below, or the diagnostics; lives as long as the case. */
const char *test_case_result(test_case *c, bool succeeded);

/* Runs a description and returns its result; NULL if it is not valid. The caller frees the text. */
char *test_case_text(const char *root, const char *description, bool *succeeded);

#endif
