/* test_programs.c: compiles and runs specialised text: with warnings as errors, and beside the
 * template as it stands, which must give the same results. The filter has nothing to do with the
 * project's methods, and the lowerings are written by hand. */
#define _GNU_SOURCE
#include "../tap.h"
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef TEST_FOLDER
#define TEST_FOLDER "tests/specialise"
#endif

static const char warnings[] = "-std=c11 -O1 -Wall -Wextra";

typedef struct folder {
    char path[64];
} folder;

static bool make_folder(folder *f)
{
    strcpy(f->path, "/tmp/spmvgen-test-XXXXXX");
    return mkdtemp(f->path) != NULL;
}

static void remove_folder(const folder *f)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", f->path);
    if (system(command))
        diag("could not remove %s", f->path);
}

static bool is_installed(const char *compiler)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", compiler);
    return system(command) == 0;
}

/* Writes the pieces as program.c. */
static bool write_program(const folder *f, const char *const *piece)
{
    char path[128];
    snprintf(path, sizeof path, "%s/program.c", f->path);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    for (; *piece; piece++)
        fprintf(file, "%s\n", *piece);
    return fclose(file) == 0;
}

#define PIECES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static bool compile(const folder *f, const char *compiler, const char *options)
{
    char command[2048];
    snprintf(command, sizeof command,
             "cd '%s' && rm -f program && %s %s %s program.c -o program 2>&1", f->path, compiler,
             tap_werror(), options);
    return system(command) == 0;
}

static char *read_all(FILE *file)
{
    char *text = NULL;
    size_t size = 0;
    if (!file || getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = strdup("");
    }
    return text;
}

/* The program's output, which the caller frees; "" if it fails. */
static char *run(const folder *f)
{
    char command[128];
    snprintf(command, sizeof command, "%s/program 2>&1", f->path);
    FILE *pipe = popen(command, "r");
    char *text = read_all(pipe);
    if (pipe && pclose(pipe)) {
        diag("%s", text);
        text[0] = '\0';
    }
    return text;
}

static char *read_source(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TEST_FOLDER, name);
    FILE *file = fopen(path, "r");
    char *text = read_all(file);
    if (file)
        fclose(file);
    return text;
}

static void check_filter(const folder *f, const char *compiler, const char *variant,
                         const char *types, const char *main_text)
{
    static const char expected[] =
        "27 outputs, 15 negative, 0 zero, 12 positive, y[0] = 5, y[26] = 1\n";
    char description[160], after[4096];
    bool succeeded = false;

    snprintf(description, sizeof description, "templates/fir/filter.c %s", variant);
    char *text = test_case_text(TEST_FOLDER "/root", description, &succeeded);
    if (ok(succeeded, "%s: specialised", description)) {
        snprintf(after, sizeof after, "%s\n%s", types, main_text);
        ok(write_program(f, PIECES("#include <stddef.h>\n#include <stdint.h>", text, after)) &&
               compile(f, compiler, warnings),
           "%s: %s compiles it without warnings", description, compiler);
        char *printed = run(f);
        if (!ok(!strcmp(printed, expected), "%s: %s: the program computes the filter", description,
                compiler))
            diag("it printed: %s", printed);
        free(printed);
        ok(strstr(text, "/* y[i] = sum over t of tap[t] * x[i + t]"), "%s: keeps comments",
           description);
        ok(!strstr(text, "Half of the products") == !strstr(description, "SYMMETRIC=1"),
           "%s: the pruned branch is gone", description);
    }
    free(text);
}

static void check_method(const folder *f, const char *compiler, const char *variant)
{
    static const char use[] = "const spmv_method_ops *exported(void);\n"
                              "const spmv_method_ops *exported(void)\n"
                              "{\n"
                              "    return &method_ops;\n"
                              "}\n";
    char description[160], options[512];
    bool succeeded = false;

    snprintf(description, sizeof description, "templates/csr_scalar/simd.c %s", variant);
    char *text = test_case_text(TEST_FOLDER "/../..", description, &succeeded);
    if (ok(succeeded, "%s: specialised", description)) {
        char *cwd = TEST_FOLDER[0] == '/' ? NULL : getcwd(NULL, 0);
        snprintf(options, sizeof options, "%s -c -I'%s%s%s/../../runtime'", warnings,
                 cwd ? cwd : "", cwd ? "/" : "", TEST_FOLDER);
        free(cwd);
        ok(write_program(f, PIECES("#include \"spmv_module.h\"", text, use)) &&
               compile(f, compiler, options),
           "%s: %s compiles it without warnings", description, compiler);
    } else if (text) {
        diag("%s", text);
    }
    free(text);
}

/* A template compiled as it stands, and specialised for the same values. */
static void check_same(const folder *f, int number, const char *name, const char *main_text)
{
    static const char values[] = "plain WIDTH=4 DEPTH=3 FLAG=0 BIG=100000 MINUS=-5 "
                                 "EDGE=16777216 LOWEST=-2147483648 HIGHEST=2147483647 sample=f64";
    char description[256], includes[1100], options[1200], after[64];
    bool succeeded = false;

    snprintf(description, sizeof description, "templates/%s %s", name, values);
    char *text = test_case_text(TEST_FOLDER "/root", description, &succeeded);
    char *root = realpath(TEST_FOLDER "/root", NULL);
    snprintf(after, sizeof after, "#define TEMPLATE %d\n", number);
    snprintf(includes, sizeof includes, "#include \"templates/%s\"\n%s", name, after);
    snprintf(options, sizeof options,
             "-std=c11 -O1 -w -fsanitize=undefined -fno-sanitize-recover=all -I'%.500s' "
             "-I'%.500s/runtime'", root ? root : "", root ? root : "");

    const bool first =
        ok(write_program(f, PIECES(includes, main_text)) && compile(f, "gcc", options),
           "%s: compiles as it stands", name);
    char *expected = first ? run(f) : strdup("");
    const char *const *pieces =
        PIECES("#include <stddef.h>\n#include <stdint.h>\n#include \"host.h\"", text ? text : "",
               after, main_text);
    const bool second = ok(succeeded && write_program(f, pieces) && compile(f, "gcc", options),
                           "%s: compiles specialised", name);
    char *found = second ? run(f) : strdup("");
    if (!ok(expected[0] && !strcmp(expected, found),
            "%s: the template and its specialisation agree", name))
        diag("expected:\n%s\nfound:\n%s", expected, found);
    free(expected);
    free(found);
    free(root);
    free(text);
}

int main(void)
{
    static const char *const compilers[] = { "gcc", "clang", "clang-19" };
    static const char *const filters[][2] = {
        {"plain WIDTH=4 TAPS=5 SYMMETRIC=0 sample=f64",
         "typedef double sample; typedef int64_t wide;"},
        {"plain WIDTH=8 TAPS=5 SYMMETRIC=1 sample=f32",
         "typedef float sample; typedef int64_t wide;"},
        {"vector WIDTH=1 TAPS=5 SYMMETRIC=0 sample=f64",
         "typedef double sample; typedef long long wide;"},
        {"vector WIDTH=3 TAPS=5 SYMMETRIC=1 sample=f64",
         "typedef double sample; typedef long long wide;"},
    };
    static const char *const methods[] = {
        "plain CHUNK_WEIGHT=16384 LANES=2 FETCH_AHEAD=4096 SEVERAL_VECTORS=1 real=f64 offset=i32",
        "plain CHUNK_WEIGHT=64 LANES=4 FETCH_AHEAD=4096 SEVERAL_VECTORS=0 real=f32 offset=i64",
    };
    static const char *const same[] = { "fold.c", "prune.c", "unroll.c", "signs.c", "convert.c" };
    folder f;

    if (!ok(make_folder(&f), "a folder for programs"))
        return tap_done();
    char *main_text = read_source("same_main.c");
    for (int i = 0; i < 5 && is_installed("gcc"); i++)
        check_same(&f, i + 1, same[i], main_text);
    free(main_text);
    main_text = read_source("fir_main.c");
    for (size_t c = 0; c < sizeof compilers / sizeof compilers[0]; c++) {
        if (!is_installed(compilers[c])) {
            skip("%s is not installed", compilers[c]);
            continue;
        }
        for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
            check_filter(&f, compilers[c], filters[i][0], filters[i][1], main_text);
        for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
            check_method(&f, compilers[c], methods[i]);
    }
    remove_folder(&f);
    free(main_text);
    return tap_done();
}
