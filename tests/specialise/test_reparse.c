/* test_reparse.c: emitted texts are parsed again, with errors at the texts' own lines. */
#define _GNU_SOURCE
#include "../tap.h"
#include "lowerings.h"

#include "generator/clang/specialise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 16 };

static const char header[] = "#ifndef SHARED_H\n#define SHARED_H\n"
                             "typedef struct shared { int32_t count; } shared;\n#endif\n";
static const char includes[] = "/* A banner. */\n#include <stddef.h>\n#include <stdint.h>\n"
                               "#include <string.h>\n#include <math.h>\n#include \"shared.h\"\n";

/* Parses `count` files of the same text; returns printed diagnostics, which the caller frees. */
static char *reparse(const char *lowering, const char *text, size_t count, bool *succeeded)
{
    const sg_parse_file headers[] = { { "shared.h", header } };
    sg_parse_file files[MANY];
    char names[MANY][32], *printed = NULL;
    size_t size = 0;
    sg_diags *diags = sg_diags_create(".");

    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "file%zu.c", i);
        files[i] = (sg_parse_file){ names[i], text };
    }
    *succeeded = sg_reparse(diags, test_lowering(lowering), files, count, headers, 1);
    FILE *memory = open_memstream(&printed, &size);
    sg_diags_print(diags, memory);
    fclose(memory);
    sg_diags_destroy(diags);
    return printed;
}

static void check_right(const char *what, const char *body, size_t count)
{
    char text[8192];
    bool succeeded = false;

    snprintf(text, sizeof text, "%s%s", includes, body);
    char *printed = reparse("plain", text, count, &succeeded);
    if (!ok(succeeded && !printed[0], "%s: no diagnostics", what))
        diag("%s", printed);
    free(printed);
}

/* expected: a text that the diagnostics must have. The body begins in line 7. */
static void check_wrong(const char *what, const char *body, size_t count, const char *expected)
{
    char text[8192];
    bool succeeded = true;

    snprintf(text, sizeof text, "%s%s", includes, body);
    char *printed = reparse("plain", text, count, &succeeded);
    ok(!succeeded, "%s: refused", what);
    if (!ok(strstr(printed, expected), "%s: the place is shown", what))
        diag("expected %s in:\n%s", expected, printed);
    free(printed);
}

int main(void)
{
    static const char right[] =
        "static shared make(size_t n)\n{\n    shared s = { (int32_t)n };\n"
        "    memset(&s, 0, sizeof s);\n    s.count += (int32_t)fma(1, 2, 3);\n"
        "    return s;\n}\n";
    static const char vector[] =
        "#include <immintrin.h>\n"
        "__attribute__((target(\"avx2,fma\"))) static __m256d f(__m256d a)\n"
        "{\n    return _mm256_fmadd_pd(a, a, a);\n}\n";
    bool succeeded = false;

    check_right("one file", right, 1);
    check_right("many files with the same includes", right, MANY);
    check_right("intrinsics of an instruction set", vector, MANY);
    check_right("an empty body", "", 2);

    check_wrong("an undeclared name", "int32_t f(void)\n{\n    return missing;\n}\n", 1,
                "file0.c:9:12: error: use of undeclared identifier 'missing'\n"
                "    9 |     return missing;\n      |            ^\n");
    check_wrong("an undeclared name in many files", "int32_t f(void)\n{\n    return missing;\n}\n",
                MANY, "file15.c:9:12: error: use of undeclared identifier 'missing'");
    check_wrong("an undeclared function", "int32_t f(void)\n{\n    return missing(1);\n}\n", 2,
                "file1.c:9:12: error: call to undeclared function 'missing'");
    check_wrong("pointers of different types", "int32_t *f(double *x)\n{\n    return x;\n}\n", 2,
                "file1.c:9:12: error: incompatible pointer types");
    check_wrong("a #line does not hide the place",
                "#line 99 \"templates/x.c\"\nint32_t f(void)\n{\n    return missing;\n}\n", 2,
                "file1.c:10:12: error: ");
    check_wrong("a text with intrinsics",
                "#include <immintrin.h>\n"
                "static __m256d f(__m256d a)\n{\n    return missing;\n}\n",
                2, "file1.c:10:12: error: ");
    check_wrong("a header that does not exist", "#include <absent.h>\n", 3,
                "file2.c:7:10: error: 'absent.h' file not found");
    check_wrong("text that is not C", "int32_t f(\n\"\n}}}\x01 ((((\n", 2, "file1.c:");

    char *printed = reparse("plain", "int32_t f(void);\n", 1, &succeeded);
    ok(!succeeded && strstr(printed, "file0.c:1:1: error: "),
       "a text that lacks an include is refused");
    free(printed);
    printed = reparse("plain", "#include \"shared.h\"\n", 2, &succeeded);
    ok(!succeeded && strstr(printed, "shared.h:3:25: error: "),
       "errors in headers are shown there");
    free(printed);
    return tap_done();
}
