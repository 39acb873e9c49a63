/* test_grid.c: the combinations of values that --set and --setting list. */
#include "bench/sweep/grid.h"
#include "bench/sweep/name_list.h"

#include <stdint.h>
#include <string.h>

#include "../tap.h"

/* The filter of these tests: keys that begin with a letter. */
static bool begins_with(const void *letter, const char *key)
{
    return *(const char *)letter == '*' || *key == *(const char *)letter;
}

static int has_text(const bench_grid *grid, const char *letter, size_t combination,
                    const char *expected)
{
    char text[64];
    const size_t length = bench_grid_text(grid, begins_with, letter, combination, ' ', text,
                                          sizeof text);

    return length == strlen(expected) && strcmp(text, expected) == 0;
}

static void test_combinations(void)
{
    static const char *const words[] = { "b.y=1,2", "a.x=8,8,9", "a.w=5" };
    bench_grid grid;
    spmv_error error = { SPMV_OK, "" };
    char cut[6];

    ok(bench_grid_create("--set", words, 3, &grid, &error) && grid.count == 3,
       "three keys are read");
    ok(bench_grid_combinations(&grid, begins_with, "*") == 4, "a value counts once");
    ok(bench_grid_combinations(&grid, begins_with, "a") == 2, "keys of others do not count");
    ok(bench_grid_combinations(&grid, begins_with, "c") == 1 && has_text(&grid, "c", 0, ""),
       "without a key there is one combination, without text");
    ok(has_text(&grid, "*", 0, "a.w=5 a.x=8 b.y=1") &&
       has_text(&grid, "*", 1, "a.w=5 a.x=8 b.y=2") &&
       has_text(&grid, "*", 2, "a.w=5 a.x=9 b.y=1") && has_text(&grid, "b", 1, "b.y=2"),
       "keys are sorted by name, and the last key's values change first");
    ok(bench_grid_text(&grid, begins_with, "a", 0, ',', cut, sizeof cut) == 11 &&
       strcmp(cut, "a.w=5") == 0, "a text that is too long is cut, and its length told");
    bench_grid_destroy(&grid);
}

static void test_limits(void)
{
    static const char many[] = "=1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w";
    spmv_error error = { SPMV_OK, "" };
    char word[BENCH_MAX_AXES + 1][80];
    const char *words[BENCH_MAX_AXES + 1];
    bench_grid grid;

    for (int i = 0; i <= BENCH_MAX_AXES; i++) {
        snprintf(word[i], sizeof word[i], "k%02d%s", i, many);
        words[i] = word[i];
    }
    ok(bench_grid_create("--set", words, BENCH_MAX_AXES, &grid, &error) &&
       bench_grid_combinations(&grid, begins_with, "*") == SIZE_MAX,
       "32^16 combinations are too many to count");
    bench_grid_destroy(&grid);
    ok(!bench_grid_create("--set", words, BENCH_MAX_AXES + 1, &grid, &error) &&
           strstr(error.text, "too many keys"),
       "so are 17 keys");
}

static void test_mistakes(void)
{
    static const struct {
        const char *words[2], *message;
    } cases[] = {
        { { "a" }, "--set takes KEY=VALUE or KEY=VALUE,VALUE without spaces, not 'a'" },
        { { "=1" }, "not '=1'" },
        { { "a=1,,2" }, "not 'a=1,,2'" },
        { { "a=,1" }, "not 'a=,1'" },
        { { "a=1," }, "not 'a=1,'" },
        { { "a=1, 2" }, "not 'a=1, 2'" },
        { { "a=1", "a=2" }, "--set a=2: 'a' is given twice; several values are given as a=1,2" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_grid grid;
        spmv_error error = { SPMV_OK, "" };
        const size_t count = cases[i].words[1] ? 2 : 1;
        ok(!bench_grid_create("--set", cases[i].words, count, &grid, &error) &&
               strstr(error.text, cases[i].message) && grid.count == 0,
           "refused: %s", cases[i].message);
    }
}

static void test_names(void)
{
    ok(bench_is_listed("f32,f64", "f64") && bench_is_listed("f32", "f32") &&
       !bench_is_listed("f32,f64", "f") && !bench_is_listed("", "f32"), "names in a list");
    ok(bench_has_page_file("host,mine.lua") && bench_has_page_file("./mine") &&
       !bench_has_page_file("host,lua"), "files of pages in a list of targets");
}

int main(void)
{
    test_combinations();
    test_limits();
    test_mistakes();
    test_names();
    return tap_done();
}
