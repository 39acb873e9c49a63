/* test_expand.c: one text from an entry file and the files that it includes: what is kept, what
 * vanishes, what becomes static, and which mistakes are found. */
#define _GNU_SOURCE 1
#include "expand_cases.h"

#include <stdint.h>
#include <stdlib.h>

static void test_conditions(void)
{
    check_text("a condition of bundles is decided, and its lines vanish", "",
               "#if SPMV_BUNDLE && !defined(SPMV_BUNDLE_X) /* why */\nint f(void)\n{\n"
               "#if SPMV_BUNDLE_F32\n    return 1;\n#elif SPMV_BUNDLE_F64\n    return 2;\n#else\n"
               "    return 3;\n#endif\n}\n#else\nint g;\n#endif\n",
               "int f(void)\n{\n    return 2;\n}\n");
    check_text("other conditions stay",  "",
               "int f(void)\n{\n#ifdef _OPENMP\n    return 1;\n#else\n    return 2;\n#endif\n}\n",
               "int f(void)\n{\n#ifdef _OPENMP\n    return 1;\n#else\n    return 2;\n#endif\n}\n");
    check_text("a chain ends with the decided condition that is true", "",
               "#if SPMV_BUNDLE_F32\nint f(void) { return 1; }\n#elif SPMV_BUNDLE\n"
               "int f(void) { return 2; }\n#elif defined(A)\nint f(void) { return 3; }\n#else\n"
               "int f(void) { return 4; }\n#endif\n",
               "int f(void) { return 2; }\n");
    check_text("the preprocessor decides, so conditions may compare", "",
               "#if SPMV_BUNDLE == 1 && \\\n    SPMV_BUNDLE_F64 > SPMV_BUNDLE_F32\n"
               "int f(void) { return 1; }\n#endif /* both */\n",
               "int f(void) { return 1; }\n");
    check_text("conditions in comments and in dead text are not read", "",
               "/*\n#if SPMV_BUNDLE && X\n*/\nint f(void) { return 1; }\n#if SPMV_BUNDLE_F32\n"
               "#if SPMV_BUNDLE && X\n#endif\n#endif\n",
               "/*\n#if SPMV_BUNDLE && X\n*/\nint f(void) { return 1; }\n");
    check_fault("a mixture of both is an error with its line", "\n#if SPMV_BUNDLE && A\n#endif\n",
                "k.c:2:1: error: the condition mixes SPMV_BUNDLE... with other names");
    check_fault("so is a chain that would leave a condition of the user",
                "#ifndef SPMV_BUNDLE\n#elif defined(A)\n#endif\n",
                "k.c:2:1: error: the condition mixes SPMV_BUNDLE... with other names");
    check_fault("and one that begins with such a condition",
                "#ifdef A\n#elif SPMV_BUNDLE\n#endif\n",
                "k.c:2:1: error: the condition mixes SPMV_BUNDLE... with other names");
    check_fault("a decided condition that is no expression is an error with its line",
                "int a;\n\n#if SPMV_BUNDLE &&\n#endif\n", "k.c:3:1: error: expected value");
}

static void test_needs(void)
{
    check_text("items that nothing needs are dropped, words in comments and strings are no needs",
               "typedef int used;\ntypedef int idle;\nenum { A, B };\nenum { C };\n",
               "static int g(void)\n{\n    return 1;\n}\n\n"
               "int f(void)\n{\n    used x = B; /* g */\n    return x + (\"g\"[0] == 'C');\n}\n",
               "typedef int used;\nenum { A, B };\n\nint f(void)\n{\n    used x = B; /* g */\n"
               "    return x + (\"g\"[0] == 'C');\n}\n");
    check_text("needs reach through types, tags, macros and initialisers",
               "#define TWICE(x) ((x) * FACTOR)\n#define FACTOR 2\n#define IDLE 3\n"
               "struct inner { int i; };\nstruct outer { struct inner in; int idle; };\n",
               "static int one(void) { return 1; }\nstatic int (*const calls[])(void) = { one };\n"
               "static struct outer o;\nint f(void) { return TWICE(o.idle) + calls[0](); }\n",
               "#define TWICE(x) ((x) * FACTOR)\n#define FACTOR 2\nstruct inner { int i; };\n"
               "struct outer { struct inner in; int idle; };\n\n"
               "static int one(void) { return 1; }\n\n"
               "static int (*const calls[])(void) = { one };\n"
               "static struct outer o;\nint f(void) { return TWICE(o.idle) + calls[0](); }\n");
    check_text("a local variable does not need another file's private function of its name", "",
               "int f(void) { int start = 1; return start; }\n",
               "int f(void) { int start = 1; return start; }\n");
    check_text("a static assertion stays with the types that it checks",
               "#define CHECK_ASSERT _Static_assert\ntypedef int a;\ntypedef int b;\n"
               "CHECK_ASSERT(sizeof(a) == 4, \"a\");\n_Static_assert(sizeof(b) == 4, \"b\");\n",
               "int f(void) { return (a)1; }\n",
               "#define CHECK_ASSERT _Static_assert\ntypedef int a;\n"
               "CHECK_ASSERT(sizeof(a) == 4, \"a\");\n\nint f(void) { return (a)1; }\n");
    check_text("conditions vanish with what they hold, and so do headings", "",
               "#ifdef A\nint idle(void);\n#else\nint idler(void);\n#endif\n"
               "/* ---- idle ---- */\n\ntypedef int idlest;\n\n/* ---- used ---- */\n\n"
               "/* About all below. */\n\ntypedef int used;\nint f(void) { return (used)1; }\n",
               "/* ---- used ---- */\n\n/* About all below. */\n\ntypedef int used;\n"
               "int f(void) { return (used)1; }\n");
    check_text("empty branches vanish, except before others",
               "#ifdef A\n#define IDLE\n#elif defined(B)\n#define USED 1\n#else\n#define IDLER\n"
               "#endif\n",
               "int f(void)\n{\n#ifdef USED\n    return USED;\n#endif\n    return 0;\n}\n",
               "#ifdef A\n#elif defined(B)\n#define USED 1\n#endif\n\n"
               "int f(void)\n{\n#ifdef USED\n    return USED;\n#endif\n    return 0;\n}\n");
    check_text("the opening and the headings of a header that is mostly dropped vanish",
               "/* a.h: many things. */\n\n/* ---- things ---- */\n\ntypedef int a;\n"
               "typedef int b;\ntypedef int c;\n",
               "int f(void) { return (a)1; }\n",
               "typedef int a;\n\nint f(void) { return (a)1; }\n");
    check_text("macros that are invoked at file scope stay, with what they need",
               "#define DEFINE(type) int f_##type(type x) { return (int)x; }\n"
               "#define DEFINE_ALL(T) T(int)\n",
               "DEFINE(int)\nDEFINE(char)\n\nint f(void) { return f_int(1); }\n",
               "#define DEFINE(type) int f_##type(type x) { return (int)x; }\n\n"
               "DEFINE(int)\nDEFINE(char)\n\nint f(void) { return f_int(1); }\n");
}

/* Files that include each other in part. */
static void test_private(void)
{
    sandbox s = sandbox_create();

    add(&s, "k.h", "int f(void);\n");
    add(&s, "a.c", "static int start(void) { return 1; }\nint a(void) { return 1; }\n"
                   "static int given(void) { return a(); }\n");
    add(&s, "b.c", "#ifdef A\n#include \"t.h\"\n#include <math.h>\ntypedef t u;\n#endif\n"
                   "int b(int start) { return start + sizeof(u); }\n");
    add(&s, "t.h", "typedef int t;\n");
    add(&s, "k.c", "#include \"k.h\"\n#include \"a.c\"\n#include \"b.c\"\n"
                   "int f(void) { return b(2) + given() + sizeof(t); }\n");
    expand(&s);
    if (!s.passed)
        show(&s.f);
    ok(s.passed && is(s.code.text,
                      "static int a(void) { return 1; }\n\n"
                      "static int given(void) { return a(); }\n\ntypedef int t;\n\n"
                      "#ifdef A\n#include <math.h>\ntypedef t u;\n#endif\n"
                      "static int b(int start) { return start + sizeof(u); }\n\n"
                      "int f(void) { return b(2) + given() + sizeof(t); }\n"),
       "private names are seen by their file and by those that include it; an include within a "
       "condition comes before it");
    sandbox_destroy(&s);
}

static void test_modules(void)
{
    static const char k_c[] = "#include \"k.h\"\n#include \"a.h\"\n"
                              "#include SPMV_BUNDLE_MODULES\n"
                              "int f(void) { return 1; }\n";
    sandbox s = sandbox_create();

    s.modules = "int g(void) { return used; }\n\n\nint last;\n";
    add(&s, "k.h", "int f(void);\n");
    add(&s, "a.h", "enum { used };\nenum { unused };\n");
    add(&s, "k.c", k_c);
    expand(&s);
    ok(s.passed && is(s.code.text, "enum { used };\n\nint g(void) { return used; }\n\n"
                                   "int last;\n\nint f(void) { return 1; }\n"),
       "modules replace their include, and need what they use");
    sandbox_destroy(&s);
}

static bool has_name(const sg_expanded *all, const char *name, sg_macro_use macro)
{
    for (size_t i = 0; i < all->name_count; i++)
        if (!strcmp(all->names[i].name, name))
            return all->names[i].macro == macro;
    return false;
}

static void test_names(void)
{
    sandbox s = sandbox_create();

    s.modules = "int g(void) { return 1; }\n";
    add(&s, "k.h", "int f(void);\n");
    add(&s, "a.h", "enum { unused };\n");
    add(&s, "k.c", "#include \"k.h\"\n#include \"a.h\"\n"
                   "#define PLAIN 1\n#define CALLED(x) (x)\n#define GONE 2\n"
                   "enum { e = PLAIN + CALLED(1) + GONE };\n#undef GONE\n"
                   "#include SPMV_BUNDLE_MODULES\n#define LATER 3\n"
                   "int f(void) { return e + LATER; }\n");
    expand(&s);
    ok(s.passed && has_name(&s.all, "f", SG_NO_MACRO) &&
       has_name(&s.all, "e", SG_NO_MACRO) &&
       !has_name(&s.all, "unused", SG_NO_MACRO),
       "an expanded text lists its names, the header's too");
    ok(has_name(&s.all, "PLAIN", SG_PLAIN_MACRO) &&
       has_name(&s.all, "CALLED", SG_CALLED_MACRO) &&
       !has_name(&s.all, "GONE", SG_PLAIN_MACRO) && !has_name(&s.all, "LATER", SG_PLAIN_MACRO),
       "and of its macros those that are defined where the modules stand");
    sandbox_destroy(&s);
}

static void test_linkage(void)
{
    check_text("what the public header does not declare becomes static, in one column",
               "extern const int table[2];\nint g(int first,\n      int second);\n",
               "const int table[2] = { 1, 2 };\nint level = 3;\n_Thread_local int own;\n"
               "inline int h(void) { return own; }\n"
               "int g(int first,\n      int second)\n{\n    return first + second;\n}\n"
               "int f(void) { return g(table[0], level) + h(); }\n",
               "static const int table[2] = { 1, 2 };\nstatic int level = 3;\n"
               "static _Thread_local int own;\nstatic inline int h(void) { return own; }\n\n"
               "static int g(int first, int second)\n{\n    return first + second;\n}\n\n"
               "int f(void) { return g(table[0], level) + h(); }\n");
    check_text("a prototype goes if the definition comes before the first use; its comment stays",
               "/* What g does. */\nint g(void);\nint h(void);   /* what h does */\n"
               "/* What i is for. */\nint i(void);\n",
               "int g(void) { return 1; }\nint h(void) { return g(); }\n"
               "/* How i does it. */\nint i(void) { return h(); }\nint f(void) { return i(); }\n",
               "/* What g does. */\nstatic int g(void) { return 1; }\n\n/* what h does */\n"
               "static int h(void) { return g(); }\n\n/* How i does it. */\n"
               "static int i(void) { return h(); }\n\nint f(void) { return i(); }\n");
    check_text("otherwise the prototype stays",
               "/* What g does. */\nint g(void);\n",
               "int f(void) { return g(); }\nint g(void) { return 1; }\n",
               "/* What g does. */\nstatic int g(void);\n\nint f(void) { return g(); }\n\n"
               "static int g(void) { return 1; }\n");
    check_text("a prototype with attributes stays before its definition",
               "int g(const char *text, ...) __attribute__((format(printf, 1, 2)));\n",
               "int g(const char *text, ...) { return *text; }\nint f(void) { return g(\"\"); }\n",
               "static int g(const char *text, ...) __attribute__((format(printf, 1, 2)));\n\n"
               "static int g(const char *text, ...) { return *text; }\n\n"
               "int f(void) { return g(\"\"); }\n");
    check_text("so does one with a macro for attributes, before or behind it",
               "#define PRINTF(a, b)\nPRINTF(1, 2)\nint g(const char *text, ...);\n"
               "int h(const char *text, ...) PRINTF(1, 2);\n",
               "int g(const char *text, ...) { return *text; }\n"
               "int h(const char *text, ...) { return *text; }\n"
               "int f(void) { return g(\"\") + h(\"\"); }\n",
               "#define PRINTF(a, b)\nstatic PRINTF(1, 2)\nint g(const char *text, ...);\n"
               "static int h(const char *text, ...) PRINTF(1, 2);\n\n"
               "static int g(const char *text, ...) { return *text; }\n\n"
               "static int h(const char *text, ...) { return *text; }\n\n"
               "int f(void) { return g(\"\") + h(\"\"); }\n");
    check_text("declarators with brackets are read", "",
               "static int one(int a) { return a; }\n"
               "static int (*pick(int which))(int) { return which ? one : one; }\n"
               "struct pair { int a; } first, *second;\n"
               "int f(void) { return pick(1)(2) + first.a + (second == 0); }\n",
               "static int one(int a) { return a; }\n\n"
               "static int (*pick(int which))(int) { return which ? one : one; }\n\n"
               "static struct pair { int a; } first, *second;\n"
               "int f(void) { return pick(1)(2) + first.a + (second == 0); }\n");
    check_text("a prototype that says extern is of a function of another program, and stays",
               "extern int g(void);\n",
               "int f(void) { return g(); }\n",
               "extern int g(void);\n\nint f(void) { return g(); }\n");
    check_fault("a function that is used and defined nowhere is an error",
                "#include \"k.h\"\nint g(void);\nint f(void) { return g(); }\n",
                "k.c:2:1: error: g is declared and used, but no file that k.c includes defines it");
    check_fault("a variable that is used before its definition is an error",
                "#include \"k.h\"\nextern int v;\nint f(void) { return v; }\nint v = 1;\n",
                "k.c:3:1: error: v is used here before its definition");
}

static void test_comments(void)
{
    check_text("opening comments lose the file's name; short ones of .c files become headings",
               "/* a.h: things to count.\n *\n *     one\n */\n#ifndef A_H\n#define A_H\n\n"
               "typedef int a;\n\n#endif\n",
               "/* a.c: counting. Slow. */\n#include \"a.h\"\n\nint f(void) { return (a)1; }\n",
               "/* Things to count.\n *\n *     one */\n\ntypedef int a;\n\n"
               "/* ---- counting -----------------------------------------------------------------"
               "--------------- */\n\n/* Slow. */\n\nint f(void) { return (a)1; }\n");
    check_text("\"see a.h\" gives a heading of the first sentence of a.h",
               "/* a.h: things to count. */\n#define IDLE\n",
               "/* a.c: see a.h. Thread-safe. */\nint f(void) { return 1; }\n",
               "/* ---- things to count ----------------------------------------------------------"
               "--------------- */\n\nint f(void) { return 1; }\n");
    check_text("openings may name the folder of their file, and what else a file has",
               "/* a.h: things to count. */\n#define IDLE\n",
               "/* a.c: see a.h; also f. */\nint f(void) { return 1; }\n",
               "/* ---- things to count ----------------------------------------------------------"
               "--------------- */\n\nint f(void) { return 1; }\n");
    check_text("wrappers for C++ and for visibility vanish, and so do blanks at ends of lines",
               "#ifdef __cplusplus\nextern \"C\" {\n#endif\n#if defined(__GNUC__)\n"
               "#pragma GCC visibility push(default) /* why */\n#endif\ntypedef int a;   \n\n\n\n"
               "#ifdef __cplusplus\n}\n#endif\n",
               "int f(void)\n{\n    a b = 1;\t\n\n\n    return b;\n}\n",
               "typedef int a;\n\nint f(void)\n{\n    a b = 1;\n\n    return b;\n}\n");
}

static void test_blocks(void)
{
    sandbox s = sandbox_create();

    mkdir(sg_path_join(s.f.arena, s.root, "blocks"), 0700);
    add(&s, "blocks/b.h", "/* blocks/b.h: a block. */\nint g(void);\n");
    add(&s, "other.h", "/* other.h: types. */\ntypedef int other;\n");
    add(&s, "k.h", "/* k.h: numbers. */\n#include \"blocks/b.h\"\n#include \"other.h\"\n"
                   "int f(void);\n");
    add(&s, "k.c", "#include \"k.h\"\nint f(void) { return 1; }\nint g(void) { return 1; }\n");
    expand(&s);
    ok(s.passed && strstr(s.header.text, "int g(void);") && !strstr(s.header.text, "other"),
       "a public header has all of its blocks, and of other headers what it needs");
    ok(s.passed && !strstr(s.header.text, "A block"), "but not the opening comments of its blocks");
    sandbox_destroy(&s);
}

static void test_header(void)
{
    sandbox s = sandbox_create();

    add(&s, "t.h", "/* t.h: types. */\n#ifndef T_H\n#define T_H\n#include <stdint.h>\n"
                   "#ifdef __cplusplus\nextern \"C\" {\n#endif\ntypedef int32_t number;\n"
                   "typedef int32_t other;\nnumber idle(void);\n#ifdef __cplusplus\n}\n#endif\n"
                   "#endif\n");
    add(&s, "k.h", "/* k.h: numbers.\n *\n *     f();\n */\n#ifndef K_H\n#define K_H\n\n"
                   "#include \"t.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                   "#if SPMV_BUNDLE_F32\nnumber g(void);\n#endif\n/* All. */\nnumber f(void);\n\n"
                   "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    add(&s, "k.c", "#define _GNU_SOURCE   /* for all */\n#if defined(X) && !defined(__Y)\n"
                   "#define __Y 1\n#endif\n#include \"k.h\"\n#include <stdint.h>\n"
                   "#ifdef __linux__\n#define _DEFAULT_SOURCE\n#endif\n#include <string.h>\n"
                   "#ifdef __linux__\n#include <sys/mman.h>\n#endif\n"
                   "#define IDLE 1\n#define _POSIX_C_SOURCE 200809L\n"
                   "#define _POSIX_C_SOURCE 200809L\n\n"
                   "number f(void) { return (other)1; }\n");
    expand(&s);
    if (!s.passed)
        show(&s.f);
    ok(s.passed && s.header.opening && is(s.header.opening, "/* Numbers.\n *\n *     f(); */"),
       "the header's opening comment is told apart");
    ok(s.passed && is(s.header.text, "typedef int32_t number;\n\n#ifdef __cplusplus\n"
                      "extern \"C\" {\n#endif\n\n/* All. */\nnumber f(void);\n\n"
                      "#ifdef __cplusplus\n}\n#endif\n"),
       "the header has all of its file, and what that needs");
    ok(s.passed && is(s.header.includes[0], "<stdint.h>") && !s.header.includes[1],
       "the header's includes");
    ok(s.passed && is(s.code.text, "typedef int32_t other;\n\n#ifdef __linux__\n"
                      "#include <sys/mman.h>\n#endif\n\nnumber f(void) { return (other)1; }\n"),
       "the code repeats nothing of the header; includes within conditions stay there");
    ok(s.passed && is(s.code.includes[0], "<string.h>") && !s.code.includes[1],
       "the code's includes are unique, and not those of the header");
    ok(s.passed && is(s.code.features, "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n"
                      "#if defined(X) && !defined(__Y)\n#define __Y 1\n#endif\n"
                      "#ifdef __linux__\n#ifndef _DEFAULT_SOURCE\n#define _DEFAULT_SOURCE\n#endif\n"
                      "#endif\n#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n"),
       "features come first, each once");
    ok(s.passed && s.all.input_count == 3 && is(s.all.inputs[0].file, "k.c") &&
       is(s.all.inputs[2].file, "t.h"), "the files that were read are listed by name");
    sandbox_destroy(&s);
}

static void test_faults(void)
{
    check_fault("a missing file is an error at its include", "\n\n#include \"none.h\"\n",
                "k.c:3:1: error: none.h cannot be read: no such file");
    check_fault("a circle of includes is an error", "#include \"a.h\"\n",
                "b.h:1:1: error: the includes form a circle: a.h, b.h, a.h");
    check_fault("an #if without #endif", "int a;\n#ifdef A\n#if B\n#endif\n",
                "k.c:2:1: error: the #ifdef that begins here has no #endif");
    check_fault("an #endif without #if", "\n#endif\n", "k.c:2:1: error: no #if belongs to");
    check_fault("an #else behind an #else", "#ifdef A\n#else\n#else\n#endif\n",
                "k.c:3:1: error: no #if belongs to");
    check_fault("a comment that does not end", "int a; /* b\n",
                "k.c:1:8: error: the comment that begins here does not end");
    check_fault("a string that does not end", "\nconst char *a = \"b;\n",
                "k.c:2:17: error: the literal that begins here does not end");
    check_fault("a letter that C has not", "int a@;\n", "k.c:1:6: error: expected C, found '@'");
    check_fault("a function that does not end", "int a;\nint g(void)\n{\n    if (a) {\n}\n",
                "k.c:2:1: error: the definition that begins here does not end");
    check_fault("a declaration that does not end", "int a;\n\nint b\n",
                "k.c:3:1: error: the definition that begins here does not end");
    check_fault("a bracket too many", "int a;\n}\n",
                "k.c:2:1: error: '}' without a bracket that it closes");
    check_fault("a bracket of another kind, behind a branch that opens the same",
                "#if SPMV_BUNDLE_F32\n#endif\nint g(void)\n{\n#ifdef A\n    if (b) {\n#else\n"
                "    if (a) {\n#endif\n    }]\n",
                "k.c:10:6: error: expected '}' for the '{' of line 4, found ']'");
    check_fault("an include by another macro", "#include OTHER\n",
                "k.c:1:1: error: expected #include");
}

/* Files of the runtime, with a team of one thread. */
static void test_runtime(const char *runtime)
{
    sandbox s = sandbox_create();

    if (system("cc --version >/dev/null 2>&1") != 0) {
        skip("needs cc");
        sandbox_destroy(&s);
        return;
    }
    if (symlink(runtime, sg_path_join(s.f.arena, s.root, "runtime")))
        perror(runtime);
    add(&s, "k.h", "#include <stddef.h>\n#include <stdint.h>\n\n"
                   "void copy(void *target, const void *source, size_t bytes);\n"
                   "uint64_t hash(const void *data, size_t bytes);\n");
    add(&s, "k.c", "#include \"k.h\"\n#include \"runtime/core/threads/team.h\"\n"
                   "void spmv_team_run(const spmv_threads *threads, int32_t parts,\n"
                   "                   spmv_run_part *run, void *argument)\n{\n"
                   "    (void)threads;\n    for (int32_t i = 0; i < parts; i++)\n"
                   "        run(argument, i);\n}\n"
                   "#include \"runtime/core/threads/parallel.c\"\n"
                   "#include \"runtime/file/hash.c\"\n"
                   "void copy(void *target, const void *source, size_t bytes)\n{\n"
                   "    spmv_parallel_copy(NULL, target, source, bytes);\n}\n"
                   "uint64_t hash(const void *data, size_t bytes)\n{\n"
                   "    return spmv_hash(NULL, data, bytes);\n}\n");
    expand(&s);
    if (!s.passed)
        show(&s.f);
    ok(s.passed && strstr(s.code.text,
                          "\nstatic void spmv_parallel_run(const spmv_threads *threads, "
                          "int64_t grid, spmv_range_run *run,\n"
                          "                              const void *context)\n") &&
       !strstr(s.code.text, "spmv_parallel_zero"),
       "of the runtime's files, the functions that are needed become static");

    sg_text text = sg_text_in(s.f.arena);
    sg_text_append(&text, s.code.features);
    sg_text_append(&text, "#include <stddef.h>\n#include <stdint.h>\n");
    for (size_t i = 0; s.passed && s.code.includes[i]; i++)
        sg_text_printf(&text, "#include %s\n", s.code.includes[i]);
    sg_text_printf(&text, "%s%s", s.passed ? s.header.text : "#error\n", s.code.text);
    add(&s, "all.c", text.data);
    ok(system(sg_arena_printf(s.f.arena, "cc -std=c11 -Wall -Wextra %s -c -o '%s/all.o' "
                                         "'%s/all.c'", tap_werror(), s.root, s.root)) == 0,
       "the text of the runtime's files compiles without a warning");
    sandbox_destroy(&s);
}

int main(int argc, char **argv)
{
    test_conditions();
    test_needs();
    test_private();
    test_modules();
    test_names();
    test_linkage();
    test_comments();
    test_blocks();
    test_header();
    test_faults();
    if (argc < 2)
        return 2;
    sg_arena *arena = sg_arena_create();
    test_runtime(sg_arena_printf(arena, "%s/../../runtime", argv[1]));
    sg_arena_destroy(arena);
    return tap_done();
}
