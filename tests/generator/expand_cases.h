/* expand_cases.h: cases of expanded texts: files in a folder of their own, and the text or
 * the message that is expected. */
#ifndef TEST_EXPAND_CASES_H
#define TEST_EXPAND_CASES_H

#include "fixture.h"
#include "generator/clang/expand.h"

#include <stdlib.h>

static const sg_expand_macro macros[] = {
    { "SPMV_BUNDLE", 1 }, { "SPMV_BUNDLE_F32", 0 }, { "SPMV_BUNDLE_F64", 1 },
};

typedef struct sandbox {
    fixture f;
    const char *root;
    sg_expanded all;
    sg_expanded_text header, code;
    const char *modules;
    bool passed;
} sandbox;

static sandbox sandbox_create(void)
{
    sg_arena *arena = sg_arena_create();
    const char *root = folder_create(arena);

    return (sandbox){ .f = { arena, sg_diags_create(root), root }, .root = root,
                      .modules = "" };
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

/* Expands k.h and k.c. */
static void expand(sandbox *s)
{
    const sg_expand_input in = { .root = s->root, .header = "k.h", .source = "k.c",
                                 .macros = macros,
                                 .macro_count = sizeof macros / sizeof macros[0],
                                 .public_folder = "blocks", .modules = s->modules };

    s->passed = sg_expand(s->f.arena, s->f.diags, &in, &s->all);
    s->header = s->all.header;
    s->code = s->all.source;
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
    expand(s);
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
    expand(&s);
    ok(!s.passed && says(&s.f, message) && !s.code.text, "%s", what);
    sandbox_destroy(&s);
}

#endif
