/* test_dialect.c: tables of words are read, merged, and refused with a place. */
#define _GNU_SOURCE 1
#include "generator/words/dialect.h"
#include "fixture.h"
#include "generator/lua/keys.h"

static bool is_word(const sg_lowering *l, const char *name, sg_word_form form, const char *text,
                    const char *file, int line, int column)
{
    const sg_word *w = sg_lowering_find(l, name);

    if (w && w->form == form && !strcmp(w->text, text) && !strcmp(w->loc.file, file) &&
        w->loc.line == line && w->loc.column == column)
        return true;
    if (w)
        diag("%s: \"%s\" at %s:%d:%d", name, w->text, w->loc.file, w->loc.line, w->loc.column);
    return false;
}

#define NARROW "targets/isa/narrow.lua"
#define WORDS "targets/dialects/words.lua"

static void test_loading(const char *root)
{
    fixture f = fixture_create(root);
    const sg_lowering *l = sg_lowering_load(f.arena, f.diags, root, "words", "narrow", "f32");

    ok(l && !*messages(&f), "a dialect and an instruction set load");
    show(&f);
    if (!l)
        return;
    ok(!strcmp(l->dialect, "words") && !strcmp(l->isa, "narrow") && !strcmp(l->form, "simd") &&
           !strcmp(l->extension, "txt") && !strcmp(l->parse_language, "c") &&
           !strcmp(l->parse_args[1], "-Wall") && !strcmp(l->parse_prefix, "prefix\n") &&
           l->prelude_bodies,
       "the dialect says form, extension and parse");
    ok(!strcmp(l->parse_args[2], "-mnarrow") && !l->parse_args[3],
       "the isa's arguments of the parse follow the dialect's");
    ok(!strcmp(l->preamble, "dialect preamble\nisa preamble\nbegin\n") &&
           !strcmp(l->postamble, "end\ndialect postamble\n"),
       "the isa's preamble follows the dialect's, and its functions have a beginning and an end");
    ok(!strcmp(l->isa_preamble, "isa preamble\n") && !strcmp(l->begin_functions, "begin\n") &&
           !strcmp(l->end_functions, "end\n") && !strcmp(l->condition, "IS_NARROW"),
       "the isa's own texts are there, too");
    ok(!strcmp(l->usable, "is_narrow()") && !strcmp(l->cpu_flags[0], "nar") && !l->cpu_flags[2],
       "the isa says when it is usable");
    ok(!strcmp(l->extensions[0], "ext_narrow") && !strcmp(l->extensions[1], "ext_row") &&
           !l->extensions[2],
       "the isa names the extensions that a device must list");
    ok(l->fixed_count == 2 && !strcmp(l->fixed[0].name, "LANES") && l->fixed[0].value[0] == 8 &&
           l->fixed[0].loc.line == 6 && !strcmp(l->fixed[1].name, "STEPS") &&
           l->fixed[1].value[0] == 3,
       "the isa fixes parameters, by type or for all, and frees what the dialect fixes");
    ok(l->file_count == 2 && !strcmp(l->files[0].file, WORDS) &&
           !strcmp(l->files[1].file, NARROW) && l->files[0].hash && l->files[1].hash,
       "both files are listed with their hashes");

    ok(is_word(l, "v_add", SG_WORD_TEXT, "add_ps($1, $2)", NARROW, 10, 19), "a word of one type");
    ok(is_word(l, "KERNEL", SG_WORD_TEXT, "narrow static", NARROW, 19, 9),
       "the isa's word wins over the dialect's");
    ok(is_word(l, "i32", SG_WORD_TEXT, "int32_t", WORDS, 11, 9), "a word of the dialect alone");
    ok(is_word(l, "alpha", SG_WORD_TEXT, "ab", NARROW, 20, 9), "a word that Lua concatenates");
    ok(is_word(l, "v_sum", SG_WORD_HELPER,
               "a helper with \"words = { v_zero = 1 }\" and x[y[0]] in it\n", NARROW, 12, 13) &&
           !strcmp(sg_lowering_find(l, "v_sum")->needs[1], "v_zero"),
       "a helper with what it needs");
    ok(!sg_lowering_find(l, "v_zero") && !sg_lowering_find(l, "") && !sg_lowering_find(l, "zzz"),
       "an absent word is not found");
    bool sorted = true;
    for (size_t i = 1; i < l->word_count; i++)
        sorted = sorted && strcmp(l->words[i - 1].name, l->words[i].name) < 0;
    ok(sorted && l->word_count == 6, "words are sorted and there once");

    l = sg_lowering_load(f.arena, f.diags, root, "words", "narrow", "f64");
    ok(l && is_word(l, "v_sum", SG_WORD_HELPER, "dialect's v_sum\n", WORDS, 12, 19) &&
           l->fixed[0].value[0] == 4,
       "a word that the isa has for the other type only comes from the dialect");
    ok(l && l->fixed_count == 3 && l->fixed[0].of_isa && !strcmp(l->fixed[1].name, "ROWS") &&
           l->fixed[1].value[0] == 5 && !l->fixed[1].of_isa && !strcmp(l->fixed[1].loc.file, WORDS),
       "the dialect fixes parameters that the isa does not name");
    l = sg_lowering_load(f.arena, f.diags, root, "words", "", "f64");
    ok(l && !*l->isa && !*l->usable && l->file_count == 1 && !l->cpu_flags[0] && !*l->extensions &&
           !l->parse_args[2] && is_word(l, "KERNEL", SG_WORD_TEXT, "static", WORDS, 10, 9),
       "a dialect stands alone if there is no isa");
    ok(l && l->fixed_count == 3 && !strcmp(l->fixed[0].name, "ANY") && l->fixed[0].value[0] == 1 &&
           l->fixed[1].count == 2 && l->fixed[1].value[0] == 2 && l->fixed[1].value[1] == 6,
       "a dialect alone fixes parameters to one value or to a few");
    ok(!*messages(&f), "loading reports nothing");
    fixture_destroy(&f);
}

static void test_absent(const char *root)
{
    fixture f = fixture_create(root);

    ok(sg_dialect_exists(root, "words") && !sg_dialect_exists(root, "word") &&
           !sg_dialect_exists(root, "") && !sg_dialect_exists(root, "../isa/narrow"),
       "a dialect exists as a file of its folder");
    ok(!sg_lowering_load(f.arena, f.diags, root, "word", "", "f32") &&
           says(&f,
                "error: there is no dialect 'word' in targets/dialects/, which has words; did you "
                "mean 'words'?"),
       "an absent dialect is answered with the nearest");
    ok(!sg_lowering_load(f.arena, f.diags, root, "words", "../../base", "f32") &&
           says(&f, "error: there is no instruction set '../../base' in targets/isa/"),
       "a path is no instruction set");
    const char *const *flags = sg_isa_cpu_flags(f.arena, f.diags, root, "wide");
    ok(flags && !strcmp(flags[2], "wide") && !flags[3], "flags can be read alone");
    flags = sg_isa_cpu_flags(f.arena, f.diags, root, "none");
    ok(flags && !flags[0], "an isa without flags has an empty list");
    fixture_destroy(&f);
}

/* ---- tables that are wrong ------------------------------------------------------------------- */

static void expect_odd(const char *folder_name, const char *table, const char *const *expected,
                       const char *name)
{
    fixture f = fixture_create("");
    const char *folder = folder_create(f.arena);
    const char *targets = sg_path_join(f.arena, folder, "targets");
    const char *good = "return { name = \"d\", form = \"simd\", extension = \"c\", "
                       "parse = { language = \"c\" }, words = {} }";

    mkdir(targets, 0700);
    mkdir(sg_path_join(f.arena, targets, "dialects"), 0700);
    mkdir(sg_path_join(f.arena, targets, "isa"), 0700);
    file_write(f.arena, sg_path_join(f.arena, targets, "dialects"), "d.lua", good, strlen(good));
    file_write(f.arena, sg_path_join(f.arena, targets, folder_name), "x.lua", table, strlen(table));
    const bool is_isa = !strcmp(folder_name, "isa");
    bool all =
        !sg_lowering_load(f.arena, f.diags, folder, is_isa ? "d" : "x", is_isa ? "x" : "", "f32");
    for (; *expected; expected++)
        all = says(&f, *expected) && all;
    ok(all, "%s", name);
    folder_destroy(f.arena, folder);
    fixture_destroy(&f);
}

#define EXPECT(...)       \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }
#define ISA(rest) "return {\nname = \"x\", usable = \"1\",\n" rest "\n}"

static void test_odd(void)
{
    expect_odd("isa", "return 3",
               EXPECT("targets/isa/x.lua: error: expected the file to return a table"), "no table");
    expect_odd("isa", "", EXPECT("expected the file to return a table, found nil"), "nothing");
    expect_odd("isa", "return {}",
               EXPECT("x.lua: error: the table lacks 'name'", "the table lacks 'usable'",
                      "the table lacks 'words'"),
               "an empty table: all that it lacks");
    expect_odd(
        "dialects", "return { name = \"x\", words = {}, cpu_flags = {} }",
        EXPECT("x.lua:1:34: error: unknown key 'cpu_flags'", "lacks 'form'", "lacks 'parse'"),
        "a dialect has no cpu_flags");
    expect_odd("isa", ISA("words = {}, wrods = {}"),
               EXPECT("x.lua:3:13: error: unknown key 'wrods'; did you mean 'words'?"),
               "an unknown key, at its place");
    expect_odd(
        "isa", "return { name = \"y\", usable = \"1\", words = {} }",
        EXPECT("x.lua:1:10: error: expected name = \"x\", as the file is called, found \"y\""),
        "another name than the file's");
    expect_odd("isa", ISA("words = { a = 3 }"),
               EXPECT("x.lua:3:11: error: expected a string, found the number 3"),
               "a word that is a number");
    expect_odd("isa", ISA("words = { a = { f23 = \"x\" } }"),
               EXPECT("x.lua:3:17: error: unknown key 'f23'; did you mean 'f32'?"),
               "an unknown type");
    expect_odd("isa", ISA("words = { a = { f64 = { text = \"x\" } } }"),
               EXPECT("x.lua:3:25: error: unknown key 'text'",
                      "x.lua:3:17: error: expected a string or { helper = TEXT } for the word a"),
               "mistakes of the other type show as well");
    expect_odd("isa", ISA("words = { a = { helper = \"x\", needs = \"b\" } }"),
               EXPECT("x.lua:3:31: error: expected a list of strings, found the string \"b\""),
               "needs that is no list");
    expect_odd("isa", ISA("words = { a = { needs = {} } }"),
               EXPECT("x.lua:3:11: error: expected a string or { helper = TEXT } for the word a"),
               "needs without a helper");
    expect_odd("isa", ISA("words = { \"a\" }"),
               EXPECT("x.lua:3:1: error: expected KEY = VALUE only"), "a list instead of words");
    expect_odd("isa", ISA("words = { [\"a b\"] = \"x\" }"),
               EXPECT("x.lua:3:11: error: 'a b' cannot be a word of the prelude"), "an odd word");
    expect_odd("isa", ISA("words = { [\"a\\0\"] = \"x\" }"),
               EXPECT("x.lua: error: '?' cannot be a word of the prelude"),
               "a byte 0 in a word");
    expect_odd("isa", ISA("words = { a = \"x\\u{202e}\" }"),
               EXPECT("x.lua:3:11: error: expected printable text, found U+202E"),
               "an override of directions");
    expect_odd("isa", "return { name = \"x\", usable = \"1; evil()\", words = {} }",
               EXPECT("x.lua:1:22: error: expected one C expression, found a ';'"),
               "usable that is more than an expression");
    expect_odd("isa", ISA("words = { a = \"x\\0\" }"),
               EXPECT("x.lua:3:11: error: expected printable text, found a byte 0x00"), "a byte 0");
    expect_odd("isa", ISA("words = {}, fixed = { LANES = \"8\" }"),
               EXPECT("x.lua:3:23: error: expected an integer, or false for any that the "
                      "dialect has, found the string \"8\""),
               "a fixed value that is no integer");
    expect_odd("isa", ISA("words = {}, fixed = { LANES = { f32 = 8, f64 = true } }"),
               EXPECT("x.lua:3:42: error: expected an integer, or false for any that the "
                      "dialect has, found true"),
               "a fixed value of the other type");
    expect_odd("isa", ISA("words = {}, fixed = { LANES = { 1, 2.5 } }"),
               EXPECT("x.lua:3:23: error: expected integers, found the number 2.5"),
               "a list with a number that is no integer");
    expect_odd("isa", ISA("words = {}, fixed = { LANES = { 1, 2, 3, 4, 5 } }"),
               EXPECT("x.lua:3:23: error: expected at most 4 values, found 5"),
               "a list that is too long");
    expect_odd("isa", ISA("words = {}, fixed = { LANES = true }"),
               EXPECT("x.lua:3:23: error: expected an integer, or false for any that the "
                      "dialect has, found true"), "nothing is fixed to true");
    expect_odd("dialects",
               "return { name = \"x\", form = \"simd\", extension = \"c\",\n"
               "fixed = { LANES = false }, parse = { language = \"c\" }, words = {} }",
               EXPECT("x.lua:2:11: error: expected an integer, found false"),
               "a dialect cannot free a parameter");
    expect_odd("isa", ISA("words = {}, cpu_flags = { \"a\", b = \"c\" }"),
               EXPECT("x.lua:3:13: error: expected a plain list of strings"), "a list with keys");
    expect_odd("dialects",
               "return {\nname = \"x\", form = \"a b\", extension = 3,\n"
               "parse = { args = 3, x = 1 },\nprelude_bodies = 1, words = {} }",
               EXPECT("x.lua:2:13: error: expected letters, digits and '_', found \"a b\"",
                      "x.lua:2:27: error: expected a string, found the number 3",
                      "x.lua:3:21: error: unknown key 'x'",
                      "x.lua:3:1: error: expected language = \"...\" in parse, found none",
                      "x.lua:3:11: error: expected a list of strings, found the number 3",
                      "x.lua:4:1: error: expected true or false, found the number 1"),
               "every field of a dialect is checked");
    expect_odd("isa", ISA("words = {}, parse = { language = \"c\", args = {}, x = 1 }"),
               EXPECT("x.lua:3:23: error: the language is the dialect's; an instruction set has "
                      "args alone",
                      "x.lua:3:50: error: unknown key 'x'"),
               "a language of an isa");
    expect_odd("isa", ISA("words = {}, parse = \"-m\""),
               EXPECT("x.lua:3:13: error: expected { args = { ... } }, found the string \"-m\""),
               "arguments of an isa that are no table");
    expect_odd("isa", "return {", EXPECT("x.lua:1:1: error: unexpected symbol near <eof>"),
               "an unfinished table");
    expect_odd("isa", "while true do end", EXPECT("x.lua:1:1: error: a table may run 200000"),
               "an endless table");
    expect_odd("isa", "return { name = string.rep(\"x\", 9) }",
               EXPECT("x.lua:1:1: error: unknown name 'string'"), "a table that calls");
}

/* ---- C files of tables ----------------------------------------------------------------------- */

/* A root with the instruction set x, whose helpers are in x.c and y.c; messages are in f. */
static const sg_lowering *load_source(fixture *f, const char *words, const char *x, const char *y,
                                      const char *type)
{
    static const char *const folders[] = { "targets", "targets/dialects", "targets/isa",
                                           "templates", "templates/prelude" };
    const char *prelude = "#define REAL real     /* of two\n lines */\n"
                          "typedef struct vreal { REAL lane[4]; } vreal;\n"
                          "static real v_sum(vreal a) { return a.lane[0]; }\n"
                          "real r_shuffle(real value);\n";
    const char *dialect = "return { name = \"d\", form = \"simd\", extension = \"c\", "
                          "parse = { language = \"c\" }, words = {} }";
    const char *root = folder_create(f->arena);
    const char *table =
        sg_arena_printf(f->arena, "return {\nname = \"x\", usable = \"1\", %s\n}", words);

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        mkdir(sg_path_join(f->arena, root, folders[i]), 0700);
    file_write(f->arena, root, "templates/prelude/base.h", prelude, strlen(prelude));
    file_write(f->arena, root, "targets/dialects/d.lua", dialect, strlen(dialect));
    file_write(f->arena, root, "targets/isa/x.lua", table, strlen(table));
    if (x)
        file_write(f->arena, root, "targets/isa/x.c", x, strlen(x));
    if (y)
        file_write(f->arena, root, "targets/isa/y.c", y, strlen(y));
    const sg_lowering *lowering = sg_lowering_load(f->arena, f->diags, root, "d", "x", type);
    folder_destroy(f->arena, root);
    return lowering;
}

#define SOURCE "source = \"x.c\", words = {}"

static void test_source(void)
{
    const char *x = "/* x.c: helpers. */\n#include \"helpers.h\"\n#include \"y.c\"\n\n"
                    "#ifdef REAL_IS_F32\n\n"
                    "/* Not emitted. */\n\n"
                    "/* Its sum, \"{\" and '('. */\n"
                    "__attribute__((pure)) static inline float v_sum(vreal a)\n"
                    "{\n    return half(a) + TABLE[1];      /* not v_sums */\n}\n"
                    "#endif\n#ifdef REAL_IS_F64\n"
                    "static double v_sum(vreal a) { return half(a); }\n#endif\n";
    const char *y = "typedef struct vreal {\n    float low, high;\n} vreal;\n"
                    "static const int TABLE[2] = { 1,\n    2 };\n"
                    "static float half(vreal a) "
                    "{ return a.low * '}' / '\\'' / sizeof \"\\\"}\"; }\n";
    fixture f = fixture_create("");
    const sg_lowering *l = load_source(&f, SOURCE, x, y, "f32");
    const sg_word *sum = l ? sg_lowering_find(l, "v_sum") : NULL;

    show(&f);
    ok(l && is_word(l, "v_sum", SG_WORD_HELPER,
                    "/* Its sum, \"{\" and '('. */\n"
                    "__attribute__((pure)) static inline float v_sum(vreal a)\n"
                    "{\n    return half(a) + TABLE[1];      /* not v_sums */\n}\n",
                    "targets/isa/x.c", 9, 1),
       "a helper of the C file with the comment before it, for its value type");
    ok(sum && !strcmp(sum->needs[0], "vreal") && !strcmp(sum->needs[1], "TABLE") &&
           !strcmp(sum->needs[2], "half") && !sum->needs[3],
       "it needs the helpers above it that its text names");
    ok(l && is_word(l, "TABLE", SG_WORD_HELPER, "static const int TABLE[2] = { 1,\n    2 };\n",
                    "targets/isa/y.c", 4, 1) && sg_lowering_find(l, "vreal"),
       "objects and types of an included file are helpers, too");
    ok(l && l->file_count == 4 && !strcmp(l->files[2].file, "targets/isa/x.c") &&
           !strcmp(l->files[3].file, "targets/isa/y.c") && l->files[3].hash,
       "both C files are inputs with their hashes");
    l = load_source(&f, SOURCE, x, y, "f64");
    ok(l && is_word(l, "v_sum", SG_WORD_HELPER,
                    "static double v_sum(vreal a) { return half(a); }\n", "targets/isa/x.c", 16, 1),
       "the other value type has its own");
    fixture_destroy(&f);
}

/* ---- inheritance ----------------------------------------------------------------------------- */

static void test_inheritance(const char *root)
{
    fixture f = fixture_create(root);
    const sg_lowering *l = sg_lowering_load(f.arena, f.diags, root, "words", "heir", "f32");

    show(&f);
    ok(l && !strcmp(l->isa, "heir") && !strcmp(l->usable, "is_narrow()") &&
           !strcmp(l->cpu_flags[0], "heir") && !l->cpu_flags[1],
       "a table has the fields of the one that it inherits, unless it states them");
    ok(l && is_word(l, "v_add", SG_WORD_TEXT, "add_ps($1, $2)", NARROW, 10, 19) &&
           is_word(l, "KERNEL", SG_WORD_TEXT, "heir static", "targets/isa/heir.lua", 9, 9) &&
           is_word(l, "i32", SG_WORD_TEXT, "int32_t", WORDS, 11, 9),
       "a table has the words of the one that it inherits");
    ok(l && !strcmp(l->preamble, "dialect preamble\nisa preamble\nheir preamble\nbegin\n") &&
           !strcmp(l->postamble, "end\ndialect postamble\n"),
       "the heir's preamble follows the inherited one");
    ok(l && !strcmp(l->fixed[0].name, "LANES") && l->fixed[0].value[0] == 2 &&
           !strcmp(l->fixed[1].name, "STEPS") && l->fixed[1].value[0] == 3,
       "the heir fixes other values");
    ok(l && l->file_count == 3 && !strcmp(l->files[1].file, "targets/isa/heir.lua") &&
           !strcmp(l->files[2].file, NARROW),
       "the inherited table is an input");
    fixture_destroy(&f);
    expect_odd("isa", "return { name = \"x\",\ninherits = \"y\" }",
               EXPECT("x.lua:2:1: error: there is no instruction set 'y' in targets/isa/"),
               "an inherited table that is not there");
    expect_odd("isa", "return { name = \"x\",\ninherits = \"x\" }",
               EXPECT("x.lua:2:1: error: 'x' inherits itself"), "a table that inherits itself");
}

static void expect_source(const char *words, const char *x, const char *const *expected,
                          const char *name)
{
    fixture f = fixture_create("");
    bool all = !load_source(&f, words, x, NULL, "f32");

    for (; *expected; expected++)
        all = says(&f, *expected) && all;
    ok(all, "%s", name);
    fixture_destroy(&f);
}

#define HEADER "preamble = \"a\", preamble_header = \"x.c\", words = {}"

static void test_header(void)
{
    const char *x = "/* x */\n#ifndef X\n#define X\n\nint x;\n#if 1\n#endif\n\n#endif\n";
    fixture f = fixture_create("");
    const sg_lowering *l = load_source(&f, HEADER, x, NULL, "f32");

    show(&f);
    ok(l && !strcmp(l->preamble, "a\nint x;\n#if 1\n#endif\n") &&
       sg_inputs_have(l->files, l->file_count, "targets/isa/x.c"),
       "the text of a header, without its guard, follows the preamble");
    fixture_destroy(&f);
    expect_source(HEADER, NULL,
                  EXPECT("isa/x.lua:2:43: error: cannot read targets/isa/x.c: no such file"),
                  "a header that is not there");
    expect_source(HEADER, "int x;\n",
                  EXPECT("isa/x.lua:2:43: error: expected a header in an include guard; "
                         "targets/isa/x.c has none"), "a header without a guard");
}

static void test_odd_source(void)
{
    expect_source(SOURCE, NULL,
                  EXPECT("isa/x.lua:2:27: error: cannot read targets/isa/x.c: no such file"),
                  "a C file that is not there");
    expect_source("source = \"../x.c\", words = {}", "",
                  EXPECT("x.lua:2:27: error: expected the name of a C file beside the table, found "
                         "\"../x.c\""),
                  "a C file of another folder");
    expect_source(SOURCE, "#include \"z.c\"\n",
                  EXPECT("isa/x.c:1:1: error: cannot read targets/isa/z.c: no such file"),
                  "an included file that is not there");
    expect_source(SOURCE, "/* A sum. */\nstatic float v_smu(vreal a)\n{\n}\n",
                  EXPECT("isa/x.c:2:1: error: 'v_smu' is no word of templates/prelude/, and no "
                         "helper below uses it; did you mean 'v_sum'?"),
                  "a misspelt word");
    expect_source(SOURCE, "static float v_sum(int a) { }\nstatic float v_sum(int a) { }\n",
                  EXPECT("x.c:2:1: error: 'v_sum' is defined twice for the same value type",
                         "x.c:1:1: note: the first definition is here"),
                  "a word that is defined twice");
    expect_source("source = \"x.c\", words = { v_sum = \"sum($1)\" }",
                  "static float v_sum(int a) { }\n",
                  EXPECT("x.lua:2:53: error: 'v_sum' has a text here and a helper in "
                         "targets/isa/x.c", "targets/isa/x.c:1:1: note: the helper is here"),
                  "a word that the table and the C file have");
    expect_source(SOURCE, "#ifdef REAL_IS_F16\nstatic float v_sum(int a) { }\n#endif\n",
                  EXPECT("x.c:1:1: error: expected #ifdef REAL_IS_F32 or REAL_IS_F64, found #ifdef "
                         "REAL_IS_F16"), "an unknown value type");
    expect_source(SOURCE, "#ifdef REAL_IS_F32\n",
                  EXPECT("x.c:1:1: error: the #ifdef that begins here has no #endif"),
                  "an #ifdef that does not end");
    expect_source(SOURCE, "#define A 1\n",
                  EXPECT("x.c:1:1: error: expected #include, #ifdef or its #endif"),
                  "a macro, which would not be emitted");
    expect_source(SOURCE, "static float v_sum(int a)\n{\n    return (a];\n}\n",
                  EXPECT("x.c:3:14: error: expected ')' for the '(' of line 3, found ']'"),
                  "brackets that do not match");
    expect_source(SOURCE, "static float v_sum(int a)\n{\n#if A\n#endif\n}\n",
                  EXPECT("x.c:3:1: error: a directive within a definition"),
                  "a directive within a function");
    expect_source(SOURCE, "static float v_sum(int a)\n{\n",
                  EXPECT("x.c:1:1: error: the definition that begins here does not end"),
                  "a function that does not end");
    expect_source(SOURCE, "\n/* A\n",
                  EXPECT("x.c:2:1: error: the comment that begins here does not end"),
                  "a comment that does not end");
    expect_source(SOURCE, "static char v_sum(int a)\n{\n    return 'a;\n}\n",
                  EXPECT("x.c:3:12: error: the literal that begins here does not end in its line"),
                  "a literal that does not end");
    expect_source(SOURCE, "static float v_sum(int a);\n",
                  EXPECT("x.c:1:1: error: expected the definition of a function, a type or an "
                         "object"), "a prototype");
    expect_source(SOURCE, "/* \xe2\x80\xae */\n",
                  EXPECT("x.c:1:4: error: expected printable text, found U+202E"),
                  "an override of directions in a C file");
}

/* ---- places of keys -------------------------------------------------------------------------- */

static void test_keys(void)
{
    sg_arena *arena = sg_arena_create();
    const char *text = "-- x = { y = 1 }\n"
                       "--[[ z = {\n w = 1 ]] local q = \"{ v = 1\"\n"
                       "return { a = 1, b = { c = [==[ d = 2 ]] ]==],\n"
                       "  ['e'] = { f = '}\\'{', } , g == h },\n"
                       "  { i = 1 }, j\n=\n2 }";
    const sg_key_lines lines = sg_lua_keys_scan(arena, text);
    sg_text all = sg_text_in(arena);

    for (size_t i = 0; i < lines.count; i++)
        sg_text_printf(&all, "%s:%d:%d ", lines.keys[i].path, lines.keys[i].line,
                       lines.keys[i].column);
    ok(!strcmp(all.data, "a:4:10 b:4:17 b.c:4:23 b.e:5:3 b.e.f:5:13 [].i:6:5 j:6:14 "),
       "keys are found past comments, strings and nested tables: %s", all.data);
    ok(!sg_lua_keys_find(&lines, "z") && sg_lua_keys_find(&lines, "b.e.f")->line == 5,
       "a key is found by its path");

    static const char *const broken[] = { "",
                                          "{",
                                          "}",
                                          "}}}{ a = ",
                                          "{ [\"a",
                                          "{ ['a'] ",
                                          "[[",
                                          "[=",
                                          "--[==[ x",
                                          "\"",
                                          "'\\",
                                          "{{{{{{{{{{{{{{{{{{{{{{ a = 1",
                                          "{ a = \"\n b = 1" };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        sg_lua_keys_scan(arena, broken[i]);
    ok(true, "unfinished text ends the scan");
    sg_arena_destroy(arena);
}

int main(int argc, char **argv)
{
    sg_arena *arena = sg_arena_create();
    const char *root = sg_path_join(arena, argc > 1 ? argv[1] : ".", "root");

    test_loading(root);
    test_absent(root);
    test_odd();
    test_inheritance(root);
    test_source();
    test_header();
    test_odd_source();
    test_keys();
    sg_arena_destroy(arena);
    return tap_done();
}
