/* test_method.c: params.lua is read, and its parameters take the page's values or derived ones. */
#define _GNU_SOURCE 1
#include "fixture.h"
#include "generator/method/method.h"
#include "generator/page/target_load.h"

typedef struct loaded {
    fixture f;
    const sg_method *const *methods;
    size_t count;
    const sg_target *target;
} loaded;

/* Loads the root's methods and a page with the given text. */
static loaded load(const char *root, const char *page)
{
    loaded l = { .f = fixture_create(root) };
    const char *folder = folder_create(l.f.arena);
    const char *path = file_write(l.f.arena, folder, "page.lua", page, strlen(page));

    l.methods = sg_method_load_all(l.f.arena, l.f.diags, root, &l.count);
    l.target = sg_target_load(l.f.arena, l.f.diags, root, path);
    folder_destroy(l.f.arena, folder);
    return l;
}

static const sg_method *method(const loaded *l, const char *name)
{
    for (size_t i = 0; l->methods && i < l->count; i++)
        if (!strcmp(l->methods[i]->name, name))
            return l->methods[i];
    return NULL;
}

static const sg_param *param(const sg_params *params, const char *name)
{
    for (size_t i = 0; i < params->count; i++)
        if (!strcmp(params->param[i].decl->name, name))
            return &params->param[i];
    return NULL;
}

static bool resolve(loaded *l, const char *type, sg_params *out)
{
    const sg_method *m = method(l, "tiles");

    memset(out, 0, sizeof *out);
    return m && l->target &&
           sg_method_resolve(l->f.arena, l->f.diags, l->f.root, m, l->target, type, out);
}

static int64_t value(loaded *l, const char *type, const char *name)
{
    sg_params params;
    return resolve(l, type, &params) ? param(&params, name)->value : -1;
}

static void test_loading(const char *root)
{
    loaded l = load(root, "backend = \"words\"\n");
    const sg_method *m = method(&l, "tiles");

    ok(l.count == 2 && !strcmp(l.methods[0]->name, "plain") && m == l.methods[1],
       "folders with a params.lua are methods, sorted");
    ok(m && !strcmp(m->title, "Tiles") && !strcmp(m->source, "the tests") &&
           !strcmp(m->dir, "templates/tiles") && m->input_count == 1 &&
           !strcmp(m->inputs[0].file, "templates/tiles/params.lua") && m->inputs[0].hash &&
           m->param_count == 3,
       "a method has a title, a source, a folder and an input with its hash");
    ok(m && !strcmp(m->params[0].c_name, "WIDTH") && m->params[0].min == 1 &&
           m->params[0].max == 64 && !strcmp(m->params[0].unit, "values") &&
           m->params[0].loc.line == 3 &&
           !strcmp(m->params[0].loc.file, "templates/tiles/params.lua"),
       "a parameter has a range, a unit, an enumerator's name and a place");
    const sg_param_decl *order = m ? &m->params[2] : NULL;
    ok(order && order->choice_count == 3 && !strcmp(order->choices[1].name, "columns") &&
           order->choices[1].value == 2 && order->min == 0 && order->max == 5,
       "choices are sorted by value and give the range");
    ok(m && sg_method_has_form(m, root, "simd") && !sg_method_has_form(m, root, "simt"),
       "a method has the forms whose templates exist");
    fixture_destroy(&l.f);
}

/* Values that are worth a try. */
static void test_tune(const char *root)
{
    sg_params params;
    loaded l = load(root, "backend = \"words\"\nsimd_bits = 512\n");

    ok(resolve(&l, "f32", &params) && param(&params, "depth")->tune_count == 2 &&
           param(&params, "depth")->tune[0] == 2 && param(&params, "depth")->tune[1] == 4 &&
           param(&params, "width")->tune_count == 0,
       "tune lists values in its order, without those out of range; another parameter has none");
    fixture_destroy(&l.f);
}

static void test_values(const char *root)
{
    sg_params params;
    loaded l = load(root, "backend = \"words\"\nsimd_bits = 512\nlocal_memory = 64\n");

    ok(value(&l, "f32", "width") == 16 && value(&l, "f64", "width") == 8,
       "a default is derived from facts and the value type");
    ok(value(&l, "f32", "depth") == 4 && value(&l, "f64", "depth") == 8,
       "a default is derived from parameters above");
    ok(resolve(&l, "f32", &params) && !param(&params, "width")->from_page &&
           param(&params, "width")->origin.line == 3 && !params.benchmark_only &&
           param(&params, "width")->decl == &method(&l, "tiles")->params[0],
       "a derived value has its declaration as origin");
    ok(params.bits && !strcmp(params.bits, "width=16"), "params.lua makes bits of the values");
    fixture_destroy(&l.f);

    l = load(root, "inherit \"base\"\nmemory = \"svm\"\n");
    ok(value(&l, "f32", "width") == 4 && value(&l, "f64", "width") == 2,
       "METHOD.TYPE.PARAM wins over METHOD.PARAM on one page");
    ok(resolve(&l, "f64", &params) && param(&params, "width")->from_page &&
           param(&params, "width")->origin.line == 6 &&
           !strcmp(param(&params, "width")->origin.file, "targets/base.lua"),
       "a value of a page has the page's line as origin");
    ok(value(&l, "f32", "order") == 2, "a default may name a choice");
    fixture_destroy(&l.f);

    l = load(root, "inherit \"base\"\ntiles.width = 16\ntiles.order = \"diagonals\"\n");
    ok(value(&l, "f32", "width") == 16 && value(&l, "f64", "width") == 16,
       "METHOD.PARAM of the heir wins over METHOD.TYPE.PARAM of the ancestor");
    ok(resolve(&l, "f32", &params) && params.benchmark_only && param(&params, "order")->value == 5,
       "a choice that benchmark_only lists marks all values");
    fixture_destroy(&l.f);

    l = load(root, "backend = \"words\"\n");
    sg_params none;
    ok(sg_method_resolve(l.f.arena, l.f.diags, root, method(&l, "plain"), l.target, "f32", &none) &&
           none.count == 0 && !none.bits,
       "a method without parameters has none, and states no bits");
    fixture_destroy(&l.f);
}

static void expect_error(const char *root, const char *page, const char *type,
                         const char *const *expected, const char *name)
{
    loaded l = load(root, page);
    sg_params params;
    bool all = !resolve(&l, type, &params);

    if (!all)
        diag("the values were accepted");
    for (; *expected; expected++)
        all = says(&l.f, *expected) && all;
    ok(all, "%s", name);
    fixture_destroy(&l.f);
}

#define EXPECT(...)       \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

static void test_wrong_values(const char *root)
{
    expect_error(root, "inherit \"base\"\ntiles.width = 65\n", "f32",
                 EXPECT("page.lua:2:1: error: tiles.width must be from 1 to 64 values, found 65",
                        "params.lua:3:1: note: width is declared here"),
                 "a page's value out of range, at its line");
    expect_error(root, "inherit \"base\"\ntiles.width = \"wide\"\n", "f32",
                 EXPECT("page.lua:2:1: error: tiles.width must be an integer, found \"wide\""),
                 "a string for an integer");
    expect_error(root, "inherit \"base\"\ntiles.order = 2\n", "f32",
                 EXPECT("page.lua:2:1: error: tiles.order must be one of \"rows\", \"columns\", "
                        "\"diagonals\", found 2"),
                 "a number for a choice");
    expect_error(root, "inherit \"base\"\ntiles.order = \"row\"\n", "f32",
                 EXPECT("page.lua:2:1: error: tiles.order must be one of"), "an unknown choice");
    expect_error(root, "inherit \"base\"\ntiles.width = true\ntiles.depth = 17\n", "f32",
                 EXPECT("page.lua:2:1: error: tiles.width must be an integer, found true",
                        "page.lua:3:1: error: tiles.depth must be from 1 to 16"),
                 "all wrong values show at once");
    expect_error(root, "backend = \"words\"\nsimd_bits = 8192\n", "f32",
                 EXPECT("page.lua:2:1: error: tiles.width must be from 1 to 64 values, its default "
                        "gives 256; state it on the page"),
                 "a derived value out of range, at the line that it was derived from");
    expect_error(root, "backend = \"words\"\n", "f32",
                 EXPECT("templates/tiles/params.lua:6:1: error: attempt to perform arithmetic on a "
                        "nil value (field 'simd_bits')",
                        "page.lua: note: while the values of tiles for f32 were derived"),
                 "a fact that is missing names the page");
}

static void test_checks(const char *root)
{
    expect_error(root, "inherit \"base\"\ntiles.width = 12\n", "f32",
                 EXPECT("page.lua:2:1: error: tiles for f32: width must be a power of two",
                        "page.lua:2:1: note: width is 12 by this line",
                        "params.lua:22:1: note: the rule is here"),
                 "a check that fails, at the line of the parameter");
    expect_error(root, "inherit \"base\"\ntiles.f64.width = 32\n", "f64",
                 EXPECT("page.lua:2:1: error: tiles for f64: width * depth must not exceed 128",
                        "targets/base.lua:7:1: note: depth is 5 by this line"),
                 "a check over several parameters names each");
    loaded l = load(root, "inherit \"base\"\ntiles.f64.width = 32\n");
    ok(value(&l, "f32", "width") == 4, "a value for one type does not reach the other");
    fixture_destroy(&l.f);
    expect_error(root, "backend = \"words\"\nsimd_bits = 256\nlocal_memory = 16\n", "f32",
                 EXPECT("page.lua:3:1: error: tiles for f32: a row must fit the local memory",
                        "templates/tiles/params.lua:3:1: note: width is 8, derived"),
                 "a check that fails on derived values, at the fact that it read");
    expect_error(root, "backend = \"words\"\nsimd_bits = 256\ntiles.depth = 13\n", "f32",
                 EXPECT("page.lua:3:1: error: tiles for f32: depth must not be 13"),
                 "a check without a list finds the parameter that it read");
}

static void test_assignments(const char *root)
{
    loaded l = load(root, "backend = \"words\"\ntile.width = 3\ntiles.widht = 3\n"
                          "tiles.colour = 3\nxyzzy.x = 1\n");
    ok(!sg_method_check_assignments(l.f.diags, l.target, l.methods, l.count),
       "assignments to what does not exist are refused");
    ok(says(&l.f, "page.lua:2:1: error: unknown method 'tile'; did you mean 'tiles'?"),
       "an unknown method is answered with the nearest");
    ok(says(&l.f, "page.lua:3:1: error: method 'tiles' has no parameter 'widht'; did you mean "
                  "'width'?") &&
           says(&l.f, "templates/tiles/params.lua:3:1: note: width is declared here"),
       "an unknown parameter is answered with the nearest");
    ok(says(&l.f, "page.lua:4:1: error: method 'tiles' has no parameter 'colour'\n") &&
           says(&l.f, "templates/tiles/params.lua: note: its parameters are declared here"),
       "a parameter like no other is answered with the file");
    ok(says(&l.f, "page.lua:5:1: error: unknown method 'xyzzy'\n") &&
           sg_diags_error_count(l.f.diags) == 4,
       "every wrong assignment is reported");
    fixture_destroy(&l.f);

    l = load(root, "inherit \"base\"\n");
    ok(sg_method_check_assignments(l.f.diags, l.target, l.methods, l.count) && !*messages(&l.f),
       "known assignments are accepted");
    fixture_destroy(&l.f);
}

/* ---- params.lua that is wrong ---------------------------------------------------------------- */

static void test_folder_names(const char *root)
{
    static const char *const names[] = { "My-Scalar", "upper_Case", "2nd", "a b", "_x" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fixture f = fixture_create("");
        const char *folder = root_create(f.arena, root, "");
        const char *templates = sg_path_join(f.arena, folder, "templates");
        size_t count = 0;
        rename(sg_path_join(f.arena, templates, "odd"), sg_path_join(f.arena, templates, names[i]));
        const bool found = sg_method_load_all(f.arena, f.diags, folder, &count) != NULL;
        ok(!found && says(&f, sg_arena_printf(f.arena, "templates/%s: error: a method's folder is "
                                                        "named by lower-case letters", names[i])),
           "a folder '%s' is no method's", names[i]);
        folder_destroy(f.arena, folder);
        fixture_destroy(&f);
    }
}

static void expect_odd(const char *root, const char *params, const char *expected, const char *name)
{
    fixture f = fixture_create("");
    const char *folder = root_create(f.arena, root, params);
    size_t count = 0;
    const sg_method *const *methods = sg_method_load_all(f.arena, f.diags, folder, &count);
    const sg_target *target = sg_target_load(f.arena, f.diags, folder, "x");
    sg_params out;
    const bool resolved =
        methods && target && count == 1 &&
        sg_method_resolve(f.arena, f.diags, folder, methods[0], target, "f32", &out);

    ok(!resolved && sg_diags_error_count(f.diags) && says(&f, expected), "%s", name);
    folder_destroy(f.arena, folder);
    fixture_destroy(&f);
}

#define ODD "templates/odd/params.lua"
#define HEAD "method { title = \"Odd\", source = \"tests\" }\n"
#define TEXTS "meaning = \"m\", source = \"s\", derivation = \"d\", "
#define RANGE "min = 0, max = 9, "

static void test_odd_declarations(const char *root)
{
    expect_odd(root, "", ODD ": error: params.lua lacks method { title", "no method");
    expect_odd(root, HEAD HEAD, ODD ":2:1: error: the method is declared twice", "two methods");
    expect_odd(root, "method { titel = \"x\" }",
               ODD ":1:1: error: the method has an unknown field 'titel'; did you mean 'title'?",
               "an unknown field of the method");
    expect_odd(root, HEAD "param \"a b\" {}", ODD ":2:1: error: a parameter's name consists of",
               "an odd name");
    expect_odd(root, HEAD "param \"a\" { " RANGE TEXTS "dfault = 1 }",
               ODD ":2:1: error: param 'a' has an unknown field 'dfault'; did you mean 'default'?",
               "an unknown field");
    expect_odd(root, HEAD "param \"a\" { " RANGE TEXTS "default = 3 }",
               ODD ":2:1: error: param 'a' lacks its 'default', a function of t",
               "a default that is no function");
    expect_odd(root, HEAD "param \"a\" { min = 0, " TEXTS "}",
               ODD ":2:1: error: param 'a' needs either 'min' and 'max', or 'choices'",
               "half a range");
    expect_odd(root, HEAD "param \"a\" { min = 0, max = 1 << 31, " TEXTS "}",
               ODD ":2:1: error: param 'a': 'min' must not exceed 'max', and both must fit",
               "a range beyond int");
    expect_odd(root, HEAD "param \"a\" { choices = { x = 1, y = 1 }, " TEXTS "}",
               ODD ":2:1: error: param 'a': two choices have the value 1", "equal choices");
    expect_odd(root, HEAD "param \"a\" { choices = { \"x\" }, " TEXTS "}",
               ODD ":2:1: error: param 'a': 'choices' must be names with integers",
               "choices without values");
    expect_odd(root, HEAD "param \"a\" { choices = { [\"x\\0\"] = 1 }, " TEXTS "}",
               ODD ":2:1: error: param 'a': 'choices' must be names with integers",
               "a byte 0 in a choice");
    expect_odd(root, HEAD "param \"a\" { choices = { [\"x\\u{202e}\"] = 1 }, " TEXTS "}",
               ODD ":2:1: error: param 'a': 'choices' must be names with integers",
               "a choice that is no name");
    expect_odd(root, HEAD "param \"a\\0b\" { min = 1, max = 2, " TEXTS "}",
               ODD ":2:1: error: a parameter's name consists of letters, digits and '_'",
               "a byte 0 in a parameter's name");
    expect_odd(root, HEAD "param \"a\" { choices = {}, " TEXTS "}",
               ODD ":2:1: error: param 'a': 'choices' has no entry", "no choices");
    expect_odd(root,
               HEAD "param \"a\" { choices = { x = 1 }, benchmark_only = { \"y\" }, " TEXTS "}",
               ODD ":2:1: error: param 'a': 'benchmark_only' names 'y', which is no choice",
               "benchmark_only of something else");
    expect_odd(root,
               HEAD "param \"a\" { " RANGE TEXTS "default = function() return 1 end, "
                    "tune = { 1 } }",
               ODD ":2:1: error: param 'a': 'tune' must be a function of t that returns a list",
               "a tune that is no function");
    expect_odd(root,
               HEAD "local p = { " RANGE TEXTS "default = function() return 1 end }\n"
                    "param \"a\" (p)\nparam \"A\" (p)",
               ODD ":4:1: error: 'A' is declared twice: its enumerator is A, which 'a' has",
               "two names with one enumerator");
    expect_odd(root, HEAD "check({ \"a\" }, function() end, \"x\")",
               ODD ":2:1: error: a check names 'a', which is not declared above it",
               "a check of an unknown parameter");
    expect_odd(root, HEAD "check(3)", ODD ":2:1: error: expected check({", "a check of nothing");
    expect_odd(root, HEAD "bits(\"a\")", ODD ":2:1: error: expected bits(function(p, t)",
               "bits that are no function");
    expect_odd(root, HEAD "bits(function() end)\nbits(function() end)",
               ODD ":3:1: error: bits is declared twice", "two bits");
    expect_odd(root, HEAD "param \"a\" {\n" RANGE TEXTS "\n",
               ODD ":4:1: error: unexpected symbol near <eof>", "an unfinished file");
    expect_odd(root, "while true do end", ODD ":1:1: error: params.lua may run 200000",
               "an endless file");
    expect_odd(root, "os.exit()", ODD ":1:1: error: unknown name 'os'",
               "a file that calls the system");
}

#define PARAM_A(body) HEAD "param \"a\" { " RANGE TEXTS "\ndefault = function(t) " body " end }\n"

#define TUNE(body) HEAD "param \"a\" { " RANGE TEXTS "default = function() return 1 end,\n" \
                   "tune = function(t) " body " end }\n"

static void test_odd_functions(const char *root)
{
    expect_odd(root, TUNE("return 3"),
               ODD ":2:1: error: odd.a: tune must return a list of values, got number",
               "a tune that returns no list");
    expect_odd(root, TUNE("return { 3, \"x\" }"),
               ODD ":2:1: error: odd.a must be an integer, its tune lists \"x\"",
               "a tune that lists a value of another kind");
    expect_odd(root, TUNE("return { 3, {} }"), ODD ":2:1: error: odd.a: tune lists a table",
               "a tune that lists a table");
    expect_odd(root, PARAM_A("return nil"),
               "targets/x.lua: error: odd.a cannot be derived for f32 from the facts of this page "
               "(its default gives nil); state it, or what it is derived from: d",
               "a default of nil");
    expect_odd(root, PARAM_A("return 10"),
               ODD ":2:1: error: odd.a must be from 0 to 9, its default gives 10; state it",
               "a default out of range that reads nothing, at its declaration");
    expect_odd(root, PARAM_A("return \"x\""), ODD ":2:1: error: odd.a must be an integer",
               "a default that is a string");
    expect_odd(root, PARAM_A("return t.simd_widht"),
               ODD ":3:1: error: there is no fact 'simd_widht'; did you mean 'simd_width'?",
               "an unknown fact");
    expect_odd(root, PARAM_A("return t.a"), ODD ":3:1: error: 'a' is a parameter: t.p.a",
               "a parameter that is read as a fact");
    expect_odd(root, PARAM_A("return t.p.a"),
               ODD ":3:1: error: parameter 'a' is declared below and has no value here",
               "a parameter that needs itself");
    expect_odd(root, PARAM_A("return t.p.bb"), ODD ":3:1: error: there is no parameter 'bb'",
               "an unknown parameter");
    expect_odd(root, PARAM_A("t.simd_width = 3"),
               ODD ":3:1: error: facts and parameters cannot be assigned here",
               "facts are read-only");
    expect_odd(root, PARAM_A("t.p.a = 3"),
               ODD ":3:1: error: facts and parameters cannot be assigned here",
               "parameters are read-only");
    expect_odd(root, PARAM_A("param \"b\" {}"),
               ODD ":3:1: error: nothing can be declared once the file has run",
               "a default that declares a parameter");
    expect_odd(root, PARAM_A("check(function() return true end, \"x\")"),
               ODD ":3:1: error: nothing can be declared once the file has run",
               "a default that declares a check");
    expect_odd(root, PARAM_A("while true do end"), ODD ":3:1: error: params.lua may run 200000",
               "a default that never ends");
    expect_odd(root, PARAM_A("return 1") "check({ \"a\" }, function(p) return p.b end, \"x\")",
               ODD ":4:1: error: there is no parameter 'b'",
               "a check of an unknown parameter's value");
    expect_odd(root, PARAM_A("return 1") "check(function() return false end, \"never\")",
               ODD ":4:1: error: odd for f32: never",
               "a check that reads nothing, at its own line");
    expect_odd(root, PARAM_A("return 1") "check(function(p) return p.a > 1, p.a .. \" of 2\" end, "
               "\"too few\")", ODD ":4:1: error: odd for f32: too few: 1 of 2",
               "a check that reports its finding");
    expect_odd(root, PARAM_A("return 1") "bits(function(p) return p.b end)",
               ODD ":4:1: error: there is no parameter 'b'", "bits of an unknown parameter");
    expect_odd(root, PARAM_A("return 1") "bits(function(p) end)",
               ODD ":4:1: error: bits must return a text, got nil", "bits without a text");
}

int main(int argc, char **argv)
{
    sg_arena *arena = sg_arena_create();
    const char *root = sg_path_join(arena, argc > 1 ? argv[1] : ".", "root");

    test_loading(root);
    test_values(root);
    test_tune(root);
    test_wrong_values(root);
    test_checks(root);
    test_assignments(root);
    test_folder_names(root);
    test_odd_declarations(root);
    test_odd_functions(root);
    sg_arena_destroy(arena);
    return tap_done();
}
