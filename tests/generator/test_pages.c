/* test_pages.c: every page of pages.txt gets the messages listed behind it, and files that are not
 * pages are refused. A page that is not stopped ends in Meson's timeout. */
#define _GNU_SOURCE 1
#include "fixture.h"
#include "generator/page/target_load.h"

enum { MOST_EXPECTED = 16 };

typedef struct page_case {
    const char *name, *why, *body;
    const char *expected[MOST_EXPECTED];
    size_t expected_count;
} page_case;

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static bool starts(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static const char *line_text(sg_arena *arena, const char *line)
{
    return sg_arena_strndup(arena, line, strcspn(line, "\n"));
}

/* Reads the case at *at, which begins with "=== "; false at the end. */
static bool read_case(sg_arena *arena, const char **at, page_case *c)
{
    const char *line = *at;

    if (!starts(line, "=== "))
        return false;
    const char *head = line_text(arena, line + 4);
    const char *colon = strstr(head, ": ");
    *c = (page_case){ .name = sg_arena_strndup(arena, head, (size_t)(colon - head)),
                      .why = colon + 2 };
    const char *body = line = next_line(line);
    while (*line && !starts(line, "--- ") && !starts(line, "=== "))
        line = next_line(line);
    c->body = sg_arena_strndup(arena, body, (size_t)(line - body));
    for (; starts(line, "--- ") && c->expected_count < MOST_EXPECTED; line = next_line(line))
        c->expected[c->expected_count++] = line_text(arena, line + 4);
    *at = line;
    return true;
}

/* "7: text" becomes FILE:7:1: error: text, and "@" the folder. */
static const char *full_text(sg_arena *arena, const char *file, const char *folder,
                             const char *expected)
{
    char *rest = NULL;
    const long line = strtol(expected, &rest, 10);
    sg_text text = sg_text_in(arena);

    if (rest > expected && starts(rest, ": ")) {
        sg_text_printf(&text, "%s:%ld:1: error: ", file, line);
        expected = rest + 2;
    }
    for (; *expected; expected++)
        if (*expected == '@')
            sg_text_append(&text, folder);
        else
            sg_text_append_bytes(&text, expected, 1);
    return text.data;
}

static void run_case(const char *root, const char *folder, const page_case *c)
{
    fixture f = fixture_create(root);
    const char *file = sg_arena_printf(f.arena, "%s/%s.lua", folder, c->name);
    const sg_target *target = sg_target_load(f.arena, f.diags, root, file);

    if (c->expected_count == 1 && !strcmp(c->expected[0], "ok")) {
        ok(target && *messages(&f) == '\0', "%s loads: %s", c->name, c->why);
        show(&f);
    } else {
        bool all = c->expected_count > 0;
        for (size_t i = 0; i < c->expected_count; i++)
            all = says(&f, full_text(f.arena, file, folder, c->expected[i])) && all;
        ok(all && !target && sg_diags_error_count(f.diags) > 0, "%s is refused: %s", c->name,
           c->why);
    }
    fixture_destroy(&f);
}

/* ---- files that are no pages ----------------------------------------------------------------- */

typedef struct file_case {
    const char *name, *bytes;
    size_t size;
    const char *expected; /* behind the path */
} file_case;

#define BYTES(text) text, sizeof text - 1

static void run_files(const char *root, const char *folder)
{
    static const file_case cases[] = {
        { "compiled.lua", BYTES("\033Lua\x54\0\x19\x93\r\n\x1a\n"),
          ":1: error: expected UTF-8 text, found a byte 0x1b; a page is written in plain Lua, and "
          "compiled Lua is refused" },
        { "zero.lua", BYTES("rank = 3\nrank\0= 4\n"),
          ":2: error: expected UTF-8 text, found a byte 0x00" },
        { "latin1.lua", BYTES("-- caf\xe9\n"),
          ":1: error: expected UTF-8 text, found a byte 0xe9" },
        { "surrogate.lua", BYTES("-- \xed\xa0\x80\n"),
          ":1: error: expected UTF-8 text, found a byte 0xed" },
        { "garbage.lua",
          BYTES("\x8f\xf3\x01\x02\xfe\xff\0\0\x7f"
                "ELF"),
          ":1: error: expected UTF-8 text, found a byte 0x8f" },
        /* Line ends of other systems: Lua counts both kinds, messages count line feeds. */
        { "old_mac.lua", BYTES("backend = \"c\"\rbogus = 1\n"),
          ":1: error: found a carriage return that no line feed follows" },
        { "last_byte.lua", BYTES("backend = \"c\"\n\r"),
          ":2: error: found a carriage return that no line feed follows" },
        { "crlf.lua", BYTES("backend = \"c\"\r\n\r\nbogus = 1\r\n"), ":3:1: error: " },
        { "bad name.lua", BYTES("rank = 3\n"), ": error: a page's file name consists of letters" },
        { ".lua", BYTES("rank = 3\n"), ": error: a page's file name consists of letters" },
        { "empty.lua", BYTES(""), ": error: this page does not say which language" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f = fixture_create(root);
        const char *path =
            file_write(f.arena, folder, cases[i].name, cases[i].bytes, cases[i].size);
        const sg_target *target = sg_target_load(f.arena, f.diags, root, path);
        ok(!target && says(&f, sg_arena_printf(f.arena, "%s%s", path, cases[i].expected)),
           "the file '%s' is refused", cases[i].name);
        fixture_destroy(&f);
    }
}

static void expect_refusal(const char *root, const char *path, const char *expected,
                           const char *name)
{
    fixture f = fixture_create(root);
    const sg_target *target = sg_target_load(f.arena, f.diags, root, path);

    ok(!target && says(&f, sg_arena_printf(f.arena, "%s: error: %s", path, expected)), "%s", name);
    fixture_destroy(&f);
}

static void run_odd_files(sg_arena *arena, const char *root, const char *folder)
{
    const char *path = sg_path_join(arena, folder, "folder.lua");

    mkdir(path, 0700);
    expect_refusal(root, path, "cannot read a page here: it is a folder", "a folder is refused");

    expect_refusal(root, sg_path_join(arena, folder, "absent.lua"),
                   "cannot read a page here: no such file", "an absent file is refused");

    path = sg_path_join(arena, folder, "pipe.lua");
    mkfifo(path, 0600);
    expect_refusal(root, path, "cannot read a page here: it is not a regular file",
                   "a pipe is refused without waiting for it");

    path = sg_path_join(arena, folder, "endless.lua");
    if (symlink("/dev/zero", path))
        perror(path);
    expect_refusal(root, path, "cannot read a page here: it is not a regular file",
                   "a device is refused");

    path = file_write(arena, folder, "huge.lua", "", 0);
    if (truncate(path, (off_t)100 << 20))
        perror(path);
    expect_refusal(root, path, "a page may have 256 KiB and this file is larger",
                   "a page of 100 MB is refused");

    path = file_write(arena, folder, "secret.lua", "rank = 3\n", 9);
    chmod(path, 0);
    if (access(path, R_OK) == 0)
        skip("an unreadable file is refused: this user may read every file");
    else
        expect_refusal(root, path, "cannot read a page here: reading it is not permitted",
                       "an unreadable file is refused");

    path = sg_path_join(arena, folder, "knot.lua");
    if (symlink("knot.lua", path))
        perror(path);
    expect_refusal(root, path, "cannot read a page here: its symbolic links form a loop",
                   "a loop of links is refused");
}

/* Pages of the largest size that is read, full of text that costs most for its size. */
static void run_large(sg_arena *arena, const char *root, const char *folder)
{
    const size_t size = 256 * 1024;
    sg_text names = sg_text_in(arena), brackets = sg_text_in(arena), strings = sg_text_in(arena);

    for (int i = 0; names.length + 20 < size; i++)
        sg_text_printf(&names, "local_memory%x=1\n", i);
    while (brackets.length + 20 < size)
        sg_text_append(&brackets, "x={{{{{{{{}}}}}}}}\n");
    sg_text_append(&strings, "description = \"");
    while (strings.length + 20 < size)
        sg_text_append(&strings, "xxxxxxxx");
    sg_text_append(&strings, "\"\n");

    const sg_text *const texts[] = { &names, &brackets, &strings };
    static const char *const files[] = { "names.lua", "brackets.lua", "strings.lua" };
    for (size_t i = 0; i < 3; i++) {
        fixture f = fixture_create(root);
        const char *path = file_write(f.arena, folder, files[i], texts[i]->data, texts[i]->length);
        ok(!sg_target_load(f.arena, f.diags, root, path) && says(&f, ": error: "),
           "a page of 256 KiB full of %.*s is refused", (int)strlen(files[i]) - 4, files[i]);
        fixture_destroy(&f);
    }
}

int main(int argc, char **argv)
{
    sg_arena *arena = sg_arena_create();
    const char *source = argc > 1 ? argv[1] : ".";
    const char *root = sg_path_join(arena, source, "root");
    const char *folder = folder_create(arena);
    const char *text = "";
    size_t size = 0;
    page_case c;

    if (sg_read_file(arena, sg_path_join(arena, source, "pages.txt"), 1 << 20, &text, &size))
        text = "";
    const char *first = strstr(text, "\n=== ");
    ok(first != NULL, "pages.txt can be read");
    const char *at = first ? first + 1 : text;
    while (read_case(arena, &at, &c))
        file_write(arena, folder, sg_arena_printf(arena, "%s.lua", c.name), c.body, strlen(c.body));
    at = first ? first + 1 : text;
    while (read_case(arena, &at, &c))
        run_case(root, folder, &c);
    ok(*at == '\0', "pages.txt is understood to its end");
    run_files(root, folder);
    run_odd_files(arena, root, folder);
    run_large(arena, root, folder);
    folder_destroy(arena, folder);
    sg_arena_destroy(arena);
    return tap_done();
}
