/* test_text.c: the arena, texts, files, paths, letters, hashes, near names, and how messages are
 * printed. */
#define _GNU_SOURCE 1
#include "fixture.h"
#include "generator/base/hash.h"
#include "common/utf8.h"
#include "common/did_you_mean.h"

#include <errno.h>
#include <stdint.h>

static void test_arena(void)
{
    sg_arena *arena = sg_arena_create();
    bool zeroed = true, aligned = true;

    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        unsigned char *memory = sg_arena_alloc(arena, size);
        for (size_t i = 0; i < size; i++)
            zeroed = zeroed && memory[i] == 0;
        aligned = aligned && (uintptr_t)memory % _Alignof(max_align_t) == 0;
        memset(memory, 0xff, size);
    }
    ok(zeroed, "the arena's memory is zero");
    ok(aligned, "the arena's memory is aligned for anything");

    const int old[3] = { 1, 2, 3 };
    const int *grown = sg_arena_grow(arena, old, 3, 5, sizeof *old);
    ok(grown[0] == 1 && grown[2] == 3 && grown[3] == 0 && grown[4] == 0,
       "growing keeps the old elements and zeroes the new ones");
    const int *first = sg_arena_grow(arena, NULL, 0, 2, sizeof *first);
    ok(first[0] == 0, "growing from nothing is allowed");
    ok(!strcmp(sg_arena_printf(arena, "%s-%d", "a", 7), "a-7"), "the arena formats text");
    sg_arena_destroy(arena);
    sg_arena_destroy(NULL);
}

static void test_texts(void)
{
    sg_arena *arena = sg_arena_create();
    sg_text text = sg_text_in(arena);

    ok(text.data && !*text.data && text.length == 0, "a new text is empty");
    for (int i = 0; i < 1000; i++)
        sg_text_printf(&text, "%d,", i);
    ok(text.length == 3890 && !strcmp(text.data + 3886, "999,"),
       "a text grows as it is printed to");
    sg_text zero = sg_text_in(arena);
    sg_text_append_bytes(&zero, "a\0b", 3);
    sg_text_append(&zero, "c");
    ok(zero.length == 4 && !memcmp(zero.data, "a\0bc", 5), "a text holds bytes 0");
    sg_arena_destroy(arena);
}

static void test_files(void)
{
    sg_arena *arena = sg_arena_create();
    const char *folder = folder_create(arena);
    const char *path = file_write(arena, folder, "b", "one\0two", 7);
    const char *text = "untouched";
    const char *const *names = NULL;
    size_t size = 99, count = 0;

    ok(sg_read_file(arena, path, 6, &text, &size) == EFBIG && size == 99 &&
           !strcmp(text, "untouched"),
       "a file beyond the limit is refused, and nothing is set");
    ok(sg_read_file(arena, path, 7, &text, &size) == 0 && size == 7 && !memcmp(text, "one\0two", 8),
       "a file is read with its bytes 0 and ends in one");
    ok(sg_read_file(arena, folder, 100, &text, &size) == EISDIR, "a folder is no file");
    ok(sg_read_file(arena, "/nonexistent/x", 100, &text, &size) == ENOENT &&
           !strcmp(sg_read_error(ENOENT), "no such file"),
       "an absent file has its own error");
    ok(sg_read_file(arena, "/proc/self/status", 1 << 20, &text, &size) == 0 && size > 100 &&
           strlen(text) == size,
       "a file whose size the system does not know is read whole");

    file_write(arena, folder, "a.lua", "", 0);
    file_write(arena, folder, "C", "", 0);
    ok(sg_list_dir(arena, folder, &names, &count) == 0 && count == 3 && !strcmp(names[0], "C") &&
           !strcmp(names[1], "a.lua") && !strcmp(names[2], "b"),
       "a folder is listed by byte");
    ok(sg_list_dir(arena, "/nonexistent", &names, &count) == ENOENT,
       "an absent folder is reported");
    ok(sg_is_file(path) && !sg_is_dir(path) && sg_is_dir(folder) && !sg_is_file(folder),
       "files and folders are distinguished");
    folder_destroy(arena, folder);
    sg_arena_destroy(arena);
}

static void test_paths(void)
{
    sg_arena *arena = sg_arena_create();

    ok(!strcmp(sg_path_join(arena, "a", "b/c"), "a/b/c") &&
           !strcmp(sg_path_join(arena, "a/", "b"), "a/b") &&
           !strcmp(sg_path_join(arena, "", "b"), "b") &&
           !strcmp(sg_path_join(arena, "a", "/b"), "/b"),
       "paths are joined");
    ok(!strcmp(sg_path_base("a/b.lua"), "b.lua") && !strcmp(sg_path_base("b"), "b"),
       "a path has a last part");
    ok(!strcmp(sg_path_dir(arena, "a/b/c"), "a/b") && !strcmp(sg_path_dir(arena, "c"), ".") &&
           !strcmp(sg_path_dir(arena, "/c"), "/"),
       "a path has a folder");
    ok(sg_ends_with("x.lua", ".lua") && !sg_ends_with("lua", ".lua"), "ends are compared");
    sg_arena_destroy(arena);
}

static void test_letters(void)
{
    ok(sg_utf8_length("a") == 1 && sg_utf8_length("\xc3\xa4") == 2 &&
           sg_utf8_length("\xe2\x82\xac") == 3 && sg_utf8_length("\xf0\x9f\x98\x80") == 4,
       "letters of one to four bytes are measured");
    ok(!sg_utf8_length("\x80") && !sg_utf8_length("\xc3") && !sg_utf8_length("\xc0\xaf") &&
           !sg_utf8_length("\xe0\x80\xaf") && !sg_utf8_length("\xed\xa0\x80") &&
           !sg_utf8_length("\xf4\x90\x80\x80") && !sg_utf8_length("\xff"),
       "bytes that are not UTF-8 have no length");
    ok(sg_utf8_letter("a", 1) == 'a' && sg_utf8_letter("\xc3\xa4", 2) == 0xe4 &&
           sg_utf8_letter("\xe2\x82\xac", 3) == 0x20ac &&
           sg_utf8_letter("\xf4\x8f\xbf\xbf", 4) == 0x10ffff,
       "letters have their code points");

    /* From the code charts: independent of the C library and of the locale. */
    static const uint32_t hidden[] = { 0, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0x2028, 0x2029,
                                       0x202a, 0x202e, 0x2066, 0x2069 };
    static const uint32_t shown[] = { 0x20, 0x7e, 0xa0, 0xe4, 0x2027, 0x202f, 0x2065, 0x206a,
                                      0x4e2d, 0x1f600 };
    bool right = true;
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        right = right && !sg_is_printable(hidden[i]);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        right = right && sg_is_printable(shown[i]);
    ok(right, "controls, separators of lines and overrides of directions are not printable");
    ok(sg_is_printable_text("na\xc3\xafve") && !sg_is_printable_text("a\nb") &&
           !sg_is_printable_text("a\xc2\x85") && !sg_is_printable_text("\xe2\x80\xae") &&
           !sg_is_printable_text("a\xff"),
       "a text is printable if every letter is");

    static const char odd[] = "\xc3\xa4\n\xc2\x9b\xe2\x80\xae\xff\\";
    static const char copy[] = "\xc3\xa4\\x0a\\u{009b}\\u{202e}\\xff\\";
    char buffer[64];
    ok(sg_make_printable(buffer, sizeof buffer, odd) == sizeof copy - 1 && !strcmp(buffer, copy),
       "unprintable letters are copied as escapes");
    ok(sg_make_printable(buffer, 6, odd) == sizeof copy - 1 && !strcmp(buffer, "\xc3\xa4") &&
           sg_make_printable(buffer, 7, odd) == sizeof copy - 1 &&
           !strcmp(buffer, "\xc3\xa4\\x0a") && sg_make_printable(NULL, 0, odd) == sizeof copy - 1,
       "a copy that does not fit ends behind a whole letter");
}

static void test_hashes(void)
{
    ok(sg_hash_bytes("a", 1) == sg_hash_string("a") && sg_hash_bytes("", 0) == sg_hash_string(""),
       "equal bytes have equal hashes");
    ok(sg_hash_string("ab") != sg_hash_string("ba") &&
           sg_hash_bytes("a\0", 2) != sg_hash_string("a"),
       "other bytes, another order and another length give another hash");
    ok(sg_hash_combine(1, 2) != sg_hash_combine(2, 1) && sg_hash_combine(0, 0) != 0,
       "combining depends on the order");

    uint64_t any = 0, all = ~UINT64_C(0);
    for (int i = 0; i < 256; i++) {
        const uint64_t difference =
            sg_hash_bytes(&(unsigned char){ (unsigned char)i }, 1) ^ sg_hash_bytes("", 0);
        any |= difference;
        all &= difference;
    }
    ok(any == ~UINT64_C(0) && all == 0, "one byte reaches every bit of the hash");
    ok(sg_hash_string("spmvgen") == UINT64_C(0xd3e95dccdf486b8a),
       "the hash is the same on every machine");
}

static void test_near(void)
{
    static const char *const names[] = { "simd_bits", "simd_width", "T", "W", "rank" };
    char buffer[100], small[8];

    ok(sg_nearest("simd_widht", names, 5) == names[1], "two swapped letters are one mistake");
    ok(sg_nearest("SIMD_WIDTH", names, 5) == names[1], "case is ignored");
    ok(sg_nearest("w", names, 5) == names[3], "a single letter is found by its case");
    ok(!sg_nearest("Q", names, 5) && !sg_nearest("colour", names, 5) && !sg_nearest("", names, 5) &&
           !sg_nearest("x", names, 0),
       "a name that is too different is not suggested");
    ok(!strcmp(sg_did_you_mean(buffer, sizeof buffer, "rnk", names, 5), "; did you mean 'rank'?"),
       "the suggestion is worded");
    ok(strlen(sg_did_you_mean(small, sizeof small, "rnk", names, 5)) < sizeof small,
       "the suggestion is cut to its buffer");
    char longest[200];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ok(!sg_nearest(longest, names, 5), "a very long name is not corrected");
}

static void test_messages(void)
{
    fixture f = fixture_create("/nonexistent");

    sg_diags_add_source(f.diags, "page.lua", "one\n\ttwo = \xc3\xa4 + x\nthree");
    sg_diag(f.diags, SG_ERROR, (sg_loc){ "page.lua", 2, 2 }, "wrong %s", "word");
    sg_diag(f.diags, SG_NOTE, (sg_loc){ "page.lua", 3, 0 }, "note");
    sg_diag(f.diags, SG_WARNING, (sg_loc){ NULL, 0, 0 }, "no place");
    sg_diag(f.diags, SG_WARNING, (sg_loc){ "gone.lua", 4, 1 }, "no text");
    sg_diag(f.diags, SG_WARNING, (sg_loc){ "gone.lua", 0, 0 }, "no line");
    ok(!strcmp(messages(&f), "page.lua:2:2: error: wrong word\n"
                             "    2 |  two = \xc3\xa4 + x\n"
                             "      |  ^\n"
                             "page.lua:3: note: note\n"
                             "    3 | three\n"
                             "warning: no place\n"
                             "gone.lua:4:1: warning: no text\n"
                             "gone.lua: warning: no line\n"),
       "messages show their line, with a mark at the column");
    show(&f);
    ok(sg_diags_error_count(f.diags) == 1, "errors are counted, warnings and notes are not");
    fixture_destroy(&f);

    f = fixture_create("");
    sg_diags_add_source(f.diags, "p", "a = \xc3\xa4\xc3\xa4 x");
    sg_diag(f.diags, SG_ERROR, (sg_loc){ "p", 1, 10 },
            "bell \a escape \033[2J \xc2\x9b \xe2\x80\xae \xff end");
    ok(says(&f, "bell ? escape ?[2J ?? ??? ? end"),
       "control characters, overrides of directions and broken letters are not printed");
    ok(says(&f, "      |        ^\n"), "a letter of two bytes takes one place before the mark");
    fixture_destroy(&f);

    f = fixture_create("");
    for (int i = 0; i < 2; i++) {
        sg_diag(f.diags, SG_ERROR, (sg_loc){ "p", 1, 1 }, "same");
        sg_diag(f.diags, SG_NOTE, (sg_loc){ "p", 2, 1 }, "its note");
    }
    sg_diag(f.diags, SG_ERROR, (sg_loc){ "p", 2, 1 }, "same");
    ok(!strcmp(messages(&f), "p:1:1: error: same\np:2:1: note: its note\np:2:1: error: same\n"),
       "a message that is repeated is kept once, with its notes");
    ok(sg_diags_error_count(f.diags) == 2, "a repeated error counts once");
    fixture_destroy(&f);

    f = fixture_create("");
    char line[2000];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    line[1500] = 'Y';
    sg_diags_add_source(f.diags, "p", line);
    sg_diag(f.diags, SG_ERROR, (sg_loc){ "p", 1, 1501 }, "far");
    const char *shown = strchr(messages(&f), 'Y'), *mark = strchr(messages(&f), '^');
    ok(strlen(messages(&f)) < 400 && shown && mark,
       "of a long line, the part around the column is shown");
    const char *all = messages(&f);
    const char *second = strchr(all, '\n') + 1, *third = strchr(second, '\n') + 1;
    ok(strcspn(second, "Y") == strcspn(third, "^"), "the mark stands below its letter");
    fixture_destroy(&f);
    sg_diags_destroy(NULL);
}

int main(void)
{
    test_arena();
    test_texts();
    test_files();
    test_paths();
    test_letters();
    test_hashes();
    test_near();
    test_messages();
    return tap_done();
}
