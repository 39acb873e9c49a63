/* amalgam_cases.h: cases of amalgamations: files in a folder of their own, and the text or
 * the message that is expected. */
#ifndef TEST_AMALGAM_CASES_H
#define TEST_AMALGAM_CASES_H

#include "fixture.h"
#include "generator/amalgam/amalgam.h"

#include <stdlib.h>

static const sg_amalgam_macro macros[] = {
    { "SPMV_BUNDLE", 1 }, { "SPMV_BUNDLE_F32", 0 }, { "SPMV_BUNDLE_F64", 1 },
};

typedef struct sandbox {
    fixture f;
    const char *root;
    sg_amalgam header, code;
    const char *modules;
    bool passed;
} sandbox;

static sandbox sandbox_create(void)
{
    sg_arena *arena = sg_arena_create();
    const char *root = folder_create(arena);

    return (sandbox){ .f = { arena, sg_diags_create(root), root }, .root = root };
}

static void sandbox_destroy(sandbox *s)
{
    folder_destroy(s->f.arena, s->root);
    fixture_destroy(&s->f);
}

static void add(sandbox *s, const char *name, const char *text)
{
    file_write(s->f.arena, s->root, name, text, strlen(text));
}

/* Amalgamates k.h and then k.c; k.h alone if there is no k.c. */
static void amalgamate(sandbox *s)
{
    sg_amalgam_input in = { .root = s->root, .entry = "k.h", .macros = macros,
                            .macro_count = sizeof macros / sizeof macros[0],
                            .public_folder = "blocks" };

    s->passed = sg_amalgamate(s->f.arena, s->f.diags, &in, &s->header);
    in.entry = "k.c";
    in.header = &s->header;
    in.modules = s->modules;
    if (s->passed && sg_is_file(sg_path_join(s->f.arena, s->root, "k.c")))
        s->passed = sg_amalgamate(s->f.arena, s->f.diags, &in, &s->code);
    if (!s->passed && sg_diags_error_count(s->f.diags) == 0)
        diag("no message");
}

static bool is(const char *text, const char *expected)
{
    if (!strcmp(text, expected))
        return true;
    diag("expected: <<%s>>", expected);
    diag("found: <<%s>>", text);
    return false;
}

/* The text of k.c whose public function is int f(void) and which includes a.h and a.c. */
static const char *text_of(sandbox *s, const char *a_h, const char *a_c)
{
    add(s, "k.h", "int f(void);\n");
    add(s, "a.h", a_h);
    add(s, "a.c", a_c);
    add(s, "k.c", "#include \"k.h\"\n#include \"a.h\"\n#include \"a.c\"\n");
    amalgamate(s);
    if (!s->passed)
        show(&s->f);
    return s->passed ? s->code.text : "";
}

static void check_text(const char *what, const char *a_h, const char *a_c, const char *expected)
{
    sandbox s = sandbox_create();

    ok(is(text_of(&s, a_h, a_c), expected), "%s", what);
    sandbox_destroy(&s);
}

/* k.c has this text; expects this message. */
static void check_fault(const char *what, const char *text, const char *message)
{
    sandbox s = sandbox_create();

    add(&s, "k.h", "int f(void);\n");
    add(&s, "a.h", "#include \"b.h\"\n");
    add(&s, "b.h", "#include \"a.h\"\n");
    add(&s, "k.c", text);
    amalgamate(&s);
    ok(!s.passed && says(&s.f, message) && !*s.code.text, "%s", what);
    sandbox_destroy(&s);
}

#endif
