/* test_target.c: inheritance, facts and their origins, the list of targets, the page of "host". */
#define _GNU_SOURCE 1
#include "fixture.h"
#include "generator/page/target_load.h"

static bool is_at(sg_loc loc, const char *file, int line)
{
    return loc.file && !strcmp(loc.file, file) && loc.line == line;
}

static const sg_assignment *assignment(const sg_target *target, size_t at)
{
    return at < target->assignment_count ? &target->assignments[at] : NULL;
}

static void test_inheritance(const char *root)
{
    fixture f = fixture_create(root);
    const sg_target *t = sg_target_load(f.arena, f.diags, root, "heir");

    ok(t && !*messages(&f), "a page that inherits loads");
    if (!t)
        return;
    ok(!strcmp(t->name, "heir") && t->page_count == 2 &&
           !strcmp(t->pages[0].file, "targets/heir.lua") &&
           !strcmp(t->pages[1].file, "targets/ancestor.lua") && t->pages[0].hash &&
           t->pages[0].hash != t->pages[1].hash,
       "pages are listed from the heir up, with hashes");
    ok(sg_target_integer(t, "rank") == 9 &&
           is_at(sg_target_fact(t, "rank")->origin, "targets/ancestor.lua", 3),
       "an inherited fact keeps its place");
    ok(!sg_target_integer(t, "abstract") && !sg_target_fact(t, "abstract")->from_page &&
           !sg_target_integer(t, "host_candidate"),
       "facts of one page alone are not inherited");
    ok(sg_target_integer(t, "local_memory") == 1033,
       "facts above, inherited ones among them, can be read");
    ok(!sg_target_fact(t, "simd_width") && sg_target_integer(t, "simd_width") == 0,
       "a fact without a value is absent");
    ok(!strcmp(sg_target_string(t, "memory"), "host") &&
           is_at(sg_target_fact(t, "memory")->origin, "targets/facts.lua", 18),
       "a default comes from the declaration");
    ok(t->decl_count == 14 && !strcmp(t->decls[0].name, "description"),
       "all declarations are there, in their order");
    const sg_assignment *own = assignment(t, 0), *base = assignment(t, 1);
    ok(own && base && own->depth == 0 && !own->type && own->value.integer == 2 &&
           is_at(own->origin, "targets/heir.lua", 4) && base->depth == 1 &&
           !strcmp(base->type, "f32") && !strcmp(base->method, "tiles") &&
           !strcmp(base->param, "width") && t->assignment_count == 2,
       "assignments of all pages are kept, the heir's first");
    fixture_destroy(&f);
}

static void test_own_folder(const char *root)
{
    fixture f = fixture_create(root);
    const char *folder = folder_create(f.arena);

    file_write(f.arena, folder, "mine.lua", "backend = \"own\"\n", 16);
    const char *path = file_write(f.arena, folder, "a.b-c.lua", "inherit \"mine\"\n", 15);
    const sg_target *t = sg_target_load(f.arena, f.diags, root, path);
    ok(t && !strcmp(sg_target_string(t, "backend"), "own"), "a page beside the page is inherited");
    ok(t && !strcmp(t->c_name, "a_b_c") && !strcmp(t->name, "a.b-c"), "a name becomes a C name");
    ok(t && !strcmp(t->pages[0].file, path) && t->page_count == 2 &&
           !strcmp(t->pages[1].file, sg_path_join(f.arena, folder, "mine.lua")),
       "messages name a page as the user did");

    path = file_write(f.arena, folder, "base.lua", "inherit \"base\"\nrank = 7\n", 24);
    t = sg_target_load(f.arena, f.diags, root, path);
    ok(t && sg_target_integer(t, "simd_bits") == 256 && sg_target_integer(t, "rank") == 7,
       "a page may extend the one of targets/ that has its name");
    folder_destroy(f.arena, folder);
    fixture_destroy(&f);
}

static void test_names(const char *root)
{
    fixture f = fixture_create(root);
    size_t count = 0;
    const char *const *names = sg_target_list(f.arena, f.diags, root, &count);
    sg_text all = sg_text_in(f.arena);

    for (size_t i = 0; i < count; i++)
        sg_text_printf(&all, "%s ", names[i]);
    ok(!strcmp(all.data, "base extra heir narrow particular small wide "),
       "the list is sorted and has neither abstract pages nor facts.lua: %s", all.data);
    ok(!sg_target_load(f.arena, f.diags, root, "narow") &&
           says(&f, "error: unknown target 'narow'; did you mean 'narrow'?"),
       "an unknown target is answered with the nearest");
    ok(!sg_target_load(f.arena, f.diags, root, "zzzzzz") &&
           says(&f, "error: unknown target 'zzzzzz'; spmvgen --list-targets shows the names"),
       "a target that is like no other is answered with the list");
    ok(!sg_target_load(f.arena, f.diags, root, "facts") && says(&f, "unknown target 'facts'"),
       "facts.lua is no target");
    ok(!sg_target_load(f.arena, f.diags, root, "../root/targets/base") &&
           says(&f, "unknown target '../root/targets/base'"),
       "a name is no path");
    ok(!sg_target_load(f.arena, f.diags, root, "ancestor") &&
           says(&f, "targets/ancestor.lua:1:1: error: 'ancestor' stands for no device"),
       "an abstract page is no target");
    ok(!sg_target_load(f.arena, f.diags, "/nonexistent", "base") &&
           says(&f, "targets/facts.lua: error: cannot read the list of facts here: no such file"),
       "a root without targets is reported");
    fixture_destroy(&f);
}

static const char *host_name(const char *root, const char *cpuinfo)
{
    static char name[100];
    fixture f = fixture_create(root);
    const char *folder = folder_create(f.arena);
    const char *path = cpuinfo ? file_write(f.arena, folder, "cpuinfo", cpuinfo, strlen(cpuinfo))
                               : "/nonexistent/cpuinfo";
    const sg_target *t = sg_target_load_host(f.arena, f.diags, root, path);

    snprintf(name, sizeof name, "%s", t ? t->name : messages(&f));
    folder_destroy(f.arena, folder);
    fixture_destroy(&f);
    return name;
}

static void test_host(const char *root)
{
    ok(!strcmp(host_name(root, NULL), "small"),
       "without /proc/cpuinfo: the page that asks for nothing");
    ok(!strcmp(host_name(root, ""), "small"), "with an empty /proc/cpuinfo as well");
    ok(!strcmp(host_name(root, "model name\t: x\nflags\t\t: fpu nar row sse\n"), "narrow"),
       "the page whose flags are all there");
    ok(!strcmp(host_name(root, "flags\t\t: nar row wide\n\nflags\t\t: nar row wide\n"), "wide"),
       "the highest rank of those that fit; not a page that is no candidate");
    ok(!strcmp(host_name(root, "Features\t: wide row nar\n"), "wide"), "Arm's word for flags");
    ok(!strcmp(host_name(root, "flags : nar2 rows xnar row\n"), "small"), "flags are whole words");
    ok(!strcmp(host_name(root, "flags : nar row more extra"), "extra"),
       "a page's own cpu_flags count");
    ok(!strcmp(host_name(root, "flags : nar row more"), "narrow"),
       "all of a page's cpu_flags must be there");
    ok(!strcmp(host_name(root, "vmx flags : extra more nar row\nflags: nar row\n"), "narrow"),
       "a line of another name is not read");

    fixture f = fixture_create(root);
    const sg_target *t = sg_target_load(f.arena, f.diags, root, "host");
    ok(t && !strcmp(t->name, "small"), "host is the page's own name in the end");
    fixture_destroy(&f);
}

static const sg_target *load_with(fixture *f, const char *name, const char *const *texts)
{
    sg_name_set values = { texts, 0 };

    while (texts[values.count])
        values.count++;
    return sg_target_load_with(f->arena, f->diags, f->root, name, &values);
}

static void test_overrides(const char *root)
{
    fixture f = fixture_create(root);
    const char *const texts[] = {
        "tiles.width=9", " simd_bits = 0x40 ", "tiles.f64.depth=-3", "tiles.width=12",
        "tiles.kind='24'", "tiles.sort=false", "description=\"'x\"", "usable=\"\"", NULL
    };
    const sg_target *t = load_with(&f, "heir", texts);

    ok(t && !*messages(&f), "values of the command line load");
    if (!t)
        return;
    const sg_fact *bits = sg_target_fact(t, "simd_bits");
    ok(bits->value.integer == 64 && bits->from_page &&
           is_at(bits->origin, "the command line: --set  simd_bits = 0x40 ", SG_COMMAND_LINE),
       "a fact is the command line's");
    ok(sg_target_integer(t, "local_memory") == 1033, "lines of the page read the page's value");
    ok(!strcmp(sg_target_string(t, "description"), "'x"), "quotes around a string are removed");
    const sg_assignment *first = assignment(t, 0), *last = assignment(t, 4);
    ok(t->assignment_count == 6 && first->depth == -1 && !strcmp(first->param, "depth") &&
           !strcmp(first->type, "f64") && first->value.integer == -3 && last && last->depth == 0,
       "assignments stand above the page's");
    const char *const canonical[] = { "description=\"'x\"", "simd_bits=64", "tiles.f64.depth=-3",
                                      "tiles.kind=\"24\"", "tiles.sort=false", "tiles.width=12",
                                      "usable=\"\"" };
    bool same = t->overrides.count == sizeof canonical / sizeof canonical[0];
    for (size_t i = 0; same && i < t->overrides.count; i++)
        same = !strcmp(t->overrides.name[i], canonical[i]);
    ok(same, "each key stands once, with its last value, in its shortest form");
    const sg_target *again = sg_target_load_with(f.arena, f.diags, root, "heir", &t->overrides);
    same = again && again->overrides.count == t->overrides.count;
    for (size_t i = 0; same && i < t->overrides.count; i++)
        same = !strcmp(t->overrides.name[i], again->overrides.name[i]);
    ok(same, "the shortest forms give themselves again");

    const char *const host[] = { "cpu_flags=none", "rank=0", NULL };
    const sg_target *chosen = sg_target_load(f.arena, f.diags, root, "host");
    t = load_with(&f, "host", host);
    ok(chosen && t && !strcmp(t->name, chosen->name) &&
           !strcmp(sg_target_string(t, "cpu_flags"), "none"),
       "host is the same page with them as without them");
    fixture_destroy(&f);
}

/* Writes targets/facts.lua below a folder and loads a page from there. */
static void expect_bad_facts(const char *facts, const char *expected, const char *name)
{
    fixture f = fixture_create("");
    const char *folder = folder_create(f.arena);
    const char *targets = sg_path_join(f.arena, folder, "targets");

    mkdir(targets, 0700);
    file_write(f.arena, targets, "facts.lua", facts, strlen(facts));
    file_write(f.arena, targets, "x.lua", "", 0);
    ok(!sg_target_load(f.arena, f.diags, folder, "x") && says(&f, expected), "%s", name);
    folder_destroy(f.arena, folder);
    fixture_destroy(&f);
}

static void test_facts(void)
{
#define LINE1 "targets/facts.lua:1:1: error: "
    expect_bad_facts("fact \"a\" { type = \"integer\", meening = \"x\" }",
                     LINE1 "fact 'a' has an unknown field 'meening'; did you mean 'meaning'?",
                     "an unknown field of a fact");
    expect_bad_facts("fact \"a\" { type = \"int\", meaning = \"x\" }",
                     LINE1 "fact 'a': 'type' must be integer, boolean or string, found \"int\"",
                     "an unknown type of a fact");
    expect_bad_facts("fact \"a\" { type = \"integer\" }",
                     LINE1 "fact 'a' lacks its 'meaning', a string", "a fact without a meaning");
    expect_bad_facts("fact \"a b\" { }", LINE1 "a fact's name consists of",
                     "an odd name of a fact");
    expect_bad_facts("fact \"a\" { type = \"integer\", meaning = \"x\", default = true }",
                     LINE1 "fact 'a': 'default' must be an integer", "a default of another type");
    expect_bad_facts("fact \"a\" { type = \"integer\", meaning = \"x\", max = 3, default = 4 }",
                     LINE1 "a must be from", "a default out of range");
    expect_bad_facts(
        "local f = { type = \"boolean\", meaning = \"x\" }\nfact \"a\" (f)\nfact \"a\" (f)",
        "targets/facts.lua:3:1: error: fact 'a' is declared twice", "a fact twice");
    expect_bad_facts("fact \"a\" { type = \"string\", meaning = \"x\", choices = { \"b\", 3 } }",
                     LINE1 "fact 'a': 'choices' must be a string, found the number 3",
                     "a choice that is no word");
    expect_bad_facts("fact(3)", LINE1 "a fact's name consists of", "a fact without a name");
    expect_bad_facts("fact \"a\" (3)", LINE1 "bad argument #1", "a fact without a table");
    expect_bad_facts("facd \"a\" {}", LINE1 "unknown name 'facd'; did you mean 'fact'?",
                     "an unknown word in facts.lua");
    expect_bad_facts("x = 3", LINE1 "'x' cannot be assigned here; use 'local x'",
                     "a global in facts.lua");
    expect_bad_facts("while true do end", LINE1 "the list of facts may run 200000 Lua instructions",
                     "an endless facts.lua");
}

/* The error on a name that no page has suggests the page that lists the name. */
static void test_aliases(void)
{
    static const struct {
        const char *name, *text;
    } pages[] = {
        { "facts.lua", "fact \"backend\" { type = \"string\", meaning = \"x\" }\n"
                       "fact \"aliases\" {\n"
                       "    type = \"string\", inherited = false, meaning = \"x\" }\n" },
        { "one.lua", "backend = \"b\"\naliases = \" uno  ein \"\n" },
        { "two.lua", "inherit \"one\"\naliases = \"zwei\"\n" },
        { "broken.lua", "inherit \"burst\"\n" },
        { "cracked.lua", "inherit \"splintered\"\n" },
        { "heir.lua", "inherit \"zwei\"\n" },
    };
    static const struct {
        const char *target, *expected;
    } cases[] = {
        { "UNO", "error: unknown target 'UNO'; the page for it is 'one'\n" },
        { "ein", "error: unknown target 'ein'; the page for it is 'one'\n" },
        { "zwei", "error: unknown target 'zwei'; the page for it is 'two'\n" },
        { "zwie", "error: unknown target 'zwie'; did you mean 'two', the page for zwei?\n" },
        { "tow", "error: unknown target 'tow'; did you mean 'two'?\n" },
        { "eim", "error: unknown target 'eim'; spmvgen --list-targets shows the names" },
        { "heir", "neither in targets/ nor beside this page; the page for it is 'two'\n" },
    };
    fixture f = fixture_create("");
    const char *folder = folder_create(f.arena);
    const char *targets = sg_path_join(f.arena, folder, "targets");

    mkdir(targets, 0700);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        file_write(f.arena, targets, pages[i].name, pages[i].text, strlen(pages[i].text));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture one = fixture_create(folder);
        ok(!sg_target_load(one.arena, one.diags, folder, cases[i].target) &&
               says(&one, cases[i].expected) && sg_diags_error_count(one.diags) == 1,
           "%s: %.*s", cases[i].target, (int)strcspn(cases[i].expected, "\n"), cases[i].expected);
        fixture_destroy(&one);
    }
    folder_destroy(f.arena, folder);
    fixture_destroy(&f);
}

int main(int argc, char **argv)
{
    sg_arena *arena = sg_arena_create();
    const char *root = sg_path_join(arena, argc > 1 ? argv[1] : ".", "root");

    test_inheritance(root);
    test_own_folder(root);
    test_names(root);
    test_host(root);
    test_overrides(root);
    test_facts();
    test_aliases();
    sg_arena_destroy(arena);
    return tap_done();
}
