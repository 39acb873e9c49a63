/* test_include.c: an included file declares at the line of its include, within common limits. */
#define _GNU_SOURCE 1
#include "fixture.h"
#include "generator/method/method.h"
#include "generator/page/target_load.h"

#define ODD "templates/odd/params.lua"
#define SHARED "templates/common/shared.lua"
#define HEAD "method { title = \"Odd\", source = \"tests\" }\n"
#define PARAM(name, body) "param \"" name "\" { min = 0, max = 9, meaning = \"m\",\n" \
                          "source = \"s\", derivation = \"d\", " \
                          "default = function(t) " body " end }\n"
#define TEN_MEGABYTES "local s = \"0123456789abcdef\"\nfor i = 1, 12 do s = s .. s end\n" \
                      "for i = 1, 150 do local x = s .. i end\n"
#define INCLUDE "include \"shared\"\n"

/* A root with one method and templates/common/shared.lua. */
static const char *root_of_two(sg_arena *arena, const char *root, const char *params,
                               const char *shared, size_t size)
{
    const char *folder = root_create(arena, root, params);
    const char *common = sg_path_join(arena, folder, "templates/common");

    mkdir(common, 0700);
    file_write(arena, common, "shared.lua", shared, size);
    return folder;
}

/* The method and its values for the page x; NULL where there are none. */
static const sg_method *resolve(fixture *f, const char *folder, sg_params *out)
{
    size_t count = 0;
    const sg_method *const *methods = sg_method_load_all(f->arena, f->diags, folder, &count);
    const sg_target *target = sg_target_load(f->arena, f->diags, folder, "x");

    return methods && count == 1 && target &&
                   sg_method_resolve(f->arena, f->diags, folder, methods[0], target, "f32", out)
               ? methods[0] : NULL;
}

static void test_declared(const char *root)
{
    fixture f = fixture_create("");
    const char *shared = "\n" PARAM("b", "return t.p.a + 1")
                         "check({ \"b\" }, function(p) return p.b == 4 end, \"b must be 4\")\n";
    const char *folder = root_of_two(f.arena, root, HEAD PARAM("a", "return 3") INCLUDE
                                     PARAM("c", "return t.p.b"), shared, strlen(shared));
    sg_params params = { .count = 0 };
    const sg_method *m = resolve(&f, folder, &params);

    ok(m && params.count == 3 && !strcmp(m->params[1].name, "b") && params.param[1].value == 4 &&
           params.param[2].value == 4, "included parameters stand between those above and below");
    ok(m && !strcmp(m->params[1].loc.file, SHARED) && m->params[1].loc.line == 2 &&
           !strcmp(params.param[1].origin.file, SHARED) &&
           !strcmp(m->params[2].loc.file, ODD) && m->params[2].loc.line == 5,
       "each parameter has its own file and line as its place");
    ok(m && m->input_count == 2 && !strcmp(m->inputs[0].file, ODD) &&
           !strcmp(m->inputs[1].file, SHARED) && m->inputs[0].hash && m->inputs[1].hash &&
           m->inputs[0].hash != m->inputs[1].hash,
       "both files are inputs of the method, each with its hash");
    const sg_target *target = sg_target_load(f.arena, f.diags, folder, "x");
    file_write(f.arena, sg_path_join(f.arena, folder, "templates/common"), "shared.lua",
               PARAM("b", "return 4"), strlen(PARAM("b", "return 4")));
    ok(m && target &&
           !sg_method_resolve(f.arena, f.diags, folder, m, target, "f32", &params) &&
           says(&f, SHARED ": error: the file has changed since it was read; run again"),
       "a shared file that changes meanwhile is noticed");
    folder_destroy(f.arena, folder);
    fixture_destroy(&f);
}

static void expect_sized(const char *root, const char *params, const char *shared, size_t size,
                         const char *expected, const char *name)
{
    fixture f = fixture_create("");
    const char *folder = root_of_two(f.arena, root, params, shared, size);
    sg_params out;

    ok(!resolve(&f, folder, &out) && sg_diags_error_count(f.diags) && says(&f, expected), "%s",
       name);
    folder_destroy(f.arena, folder);
    fixture_destroy(&f);
}

static void expect(const char *root, const char *params, const char *shared, const char *expected,
                   const char *name)
{
    expect_sized(root, params, shared, strlen(shared), expected, name);
}

static void test_words(const char *root)
{
    static const char *const names[] = { "../odd/params", "/shared", "shared.lua", "Shared", "",
                                         "2" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fixture f = fixture_create("");
        expect(root, sg_arena_printf(f.arena, HEAD "include \"%s\"", names[i]), "",
               ODD ":2:1: error: a shared file is included by its name in templates/common/",
               sg_arena_printf(f.arena, "'%s' is no name of a shared file", names[i]));
        fixture_destroy(&f);
    }
    expect(root, HEAD "include(3)", "", ODD ":2:1: error: include takes the name of a file of",
           "a number is no name of a shared file");
    expect(root, HEAD "include \"sharde\"", "",
           ODD ":2:1: error: there is no shared file 'sharde' in templates/common/; did you mean "
           "'shared'?", "a missing file, at the line of the include");
    expect(root, HEAD INCLUDE INCLUDE, "", ODD ":3:1: error: " SHARED " is included twice",
           "a file that is included twice");
    expect(root, HEAD INCLUDE, INCLUDE,
           SHARED ":1:1: error: a shared file cannot include another one",
           "a shared file that includes itself");
    expect(root, HEAD PARAM("a", "return 1") INCLUDE, PARAM("A", "return 1"),
           SHARED ":1:1: error: 'A' is declared twice: its enumerator is A, which 'a' has",
           "a parameter that both declare");
}

static void test_errors(const char *root)
{
    static const char note[] = ODD ":2:1: note: " SHARED " is included here";

    expect(root, HEAD INCLUDE, "local x =\n", SHARED ":2:1: error: unexpected symbol near <eof>",
           "an error is located in the shared file");
    expect(root, HEAD INCLUDE, "local x =\n", note,
           "an error has a note at the line of the include");
    expect(root, HEAD INCLUDE, "os.exit()", SHARED ":1:1: error: unknown name 'os'",
           "a shared file has the names of params.lua");
    expect(root, HEAD "local a = 1\n" INCLUDE, "a = a + 1", SHARED ":1:1: error: unknown name 'a'",
           "a shared file does not see the locals of params.lua");
    expect(root, HEAD INCLUDE, "x = 1", SHARED ":1:1: error: 'x' cannot be assigned here",
           "a shared file makes no new globals");
    expect(root, HEAD INCLUDE, "local _ENV = {}",
           SHARED ":1:1: error: the name _ENV is not for use", "a shared file keeps its globals");
    expect(root, HEAD INCLUDE, "local _ENV = {}", note, "a refused name has a note at the include");
    expect_sized(root, HEAD INCLUDE, "\n\x1bLua", 5,
                 SHARED ":2: error: expected UTF-8 text, found a byte 0x1b; a shared file is",
                 "compiled Lua is refused");
    expect(root, HEAD INCLUDE, PARAM("a", "\nreturn t.simd_widht"),
           SHARED ":3:1: error: there is no fact 'simd_widht'; did you mean 'simd_width'?",
           "a default's error is located in the shared file");
    expect(root, HEAD INCLUDE, PARAM("a", "return 10"),
           SHARED ":1:1: error: odd.a must be from 0 to 9",
           "a default out of range is located there, too");
    expect(root, HEAD INCLUDE, PARAM("a", "return 1") "check(function(p) return false end, \"no\")",
           SHARED ":3:1: error: odd for f32: no", "a check that fails is located there, too");
}

static void test_limits(const char *root)
{
    fixture f = fixture_create("");
    char *large = sg_arena_alloc(f.arena, (256 << 10) + 2);

    memset(large, ' ', (256 << 10) + 1);
    expect(root, HEAD INCLUDE, large,
           SHARED ": error: a shared file may have 256 KiB and this file is larger",
           "a large file");
    expect(root, HEAD INCLUDE, "\nwhile true do end",
           SHARED ":2:1: error: params.lua may run 200000", "an endless file");
    expect(root, HEAD "for i = 1, 150000 do end\n" INCLUDE "\n", "for i = 1, 150000 do end",
           SHARED ":1:1: error: params.lua may run 200000",
           "instructions of both files are counted");
    expect(root, HEAD TEN_MEGABYTES INCLUDE, TEN_MEGABYTES,
           SHARED ":3:1: error: params.lua may use 16 MiB of memory",
           "memory of both files is counted");
    expect(root, HEAD "local ok = 1\n" INCLUDE, "while true do end",
           ODD ":3:1: note: " SHARED " is included here",
           "an endless file has a note where it is included");
    fixture_destroy(&f);
}

int main(int argc, char **argv)
{
    sg_arena *arena = sg_arena_create();
    const char *root = sg_path_join(arena, argc > 1 ? argv[1] : ".", "root");

    test_declared(root);
    test_words(root);
    test_errors(root);
    test_limits(root);
    sg_arena_destroy(arena);
    return tap_done();
}
