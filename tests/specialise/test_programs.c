/* test_programs.c: specialised text is compiled with warnings as errors and run. The filter has
 * nothing to do with the project's methods, and its lowerings are written by hand. */
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

static const char warnings[] = "-std=c11 -O1 -Wall -Wextra -Werror";

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

static bool write_program(const folder *f, const char *before, const char *text, const char *after)
{
    char path[128];
    snprintf(path, sizeof path, "%s/program.c", f->path);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "%s\n%s\n%s", before, text, after);
    return fclose(file) == 0;
}

static bool compile(const folder *f, const char *compiler, const char *options)
{
    char command[1024];
    snprintf(command, sizeof command,
             "cd '%s' && rm -f program && %s %s %s program.c -o program 2>&1", f->path, compiler,
             warnings, options);
    return system(command) == 0;
}

/* The first line that the program prints; "" if it fails. */
static const char *run(const folder *f, char *line, int size)
{
    char command[128];
    snprintf(command, sizeof command, "%s/program", f->path);
    FILE *pipe = popen(command, "r");
    line[0] = '\0';
    if (!pipe)
        return line;
    if (!fgets(line, size, pipe))
        line[0] = '\0';
    if (pclose(pipe))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static char *read_main(void)
{
    FILE *file = fopen(TEST_FOLDER "/fir_main.c", "r");
    char *text = NULL;
    size_t size = 0;
    if (file && getdelim(&text, &size, '\0', file) < 0)
        text[0] = '\0';
    if (file)
        fclose(file);
    return text;
}

static void check_filter(const folder *f, const char *compiler, const char *variant,
                         const char *types, const char *main_text)
{
    static const char expected[] =
        "27 outputs, 15 negative, 0 zero, 12 positive, y[0] = 5, y[26] = 1";
    char description[160], after[4096], line[128];
    bool succeeded = false;

    snprintf(description, sizeof description, "templates/fir/filter.c %s", variant);
    char *text = test_case_text(TEST_FOLDER "/root", description, &succeeded);
    if (ok(succeeded, "%s: specialised", description)) {
        snprintf(after, sizeof after, "%s\n%s", types, main_text);
        ok(write_program(f, "#include <stddef.h>\n#include <stdint.h>\n", text, after) &&
               compile(f, compiler, ""),
           "%s: %s compiles it without warnings", description, compiler);
        const bool same = !strcmp(run(f, line, sizeof line), expected);
        if (!ok(same, "%s: %s: the program computes the filter", description, compiler))
            diag("it printed: %s", line);
        ok(strstr(text, "/* y[i] = sum over t of tap[t] * x[i + t]"), "%s: keeps comments",
           description);
        ok(!strstr(text, "Half of the products") == !strstr(description, "SYMMETRIC=1"),
           "%s: the branch that is not taken is gone", description);
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
        snprintf(options, sizeof options, "-c -I'%s%s%s/../../runtime'", cwd ? cwd : "",
                 cwd ? "/" : "", TEST_FOLDER);
        free(cwd);
        ok(write_program(f, "#include \"spmv_module.h\"\n", text, use) &&
               compile(f, compiler, options),
           "%s: %s compiles it without warnings", description, compiler);
    } else if (text) {
        diag("%s", text);
    }
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
        "plain CHUNK_WEIGHT=16384 real=f64 offset=i32",
        "plain CHUNK_WEIGHT=64 real=f32 offset=i64",
    };
    folder f;
    char *main_text = read_main();

    if (!ok(make_folder(&f) && main_text, "a folder for programs"))
        return tap_done();
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
