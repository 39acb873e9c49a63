/* test_diff.c: a unified diff turns one text into the other, and no shorter one does. */
#include <stdlib.h>
#include <string.h>

#include "generator/base/diff.h"
#include "../tap.h"

enum { MOST_LINES = 60, CASES = 3000 };

/* A text of one-letter lines: line i is letter[i]. */
typedef struct sample {
    char letter[MOST_LINES];
    int count;
} sample;

static unsigned state = 12345;

static int pick(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)below);
}

static sample random_sample(int letters)
{
    sample s = { .count = pick(MOST_LINES + 1) };
    for (int i = 0; i < s.count; i++)
        s.letter[i] = (char)('a' + pick(letters));
    return s;
}

/* Drops some lines and adds others, like an edit. */
static sample edited(const sample *from, int letters)
{
    sample s = { .count = 0 };
    for (int i = 0; i < from->count; i++) {
        if (pick(8) == 0 && s.count < MOST_LINES)
            s.letter[s.count++] = (char)('a' + pick(letters));
        if (pick(8) && s.count < MOST_LINES)
            s.letter[s.count++] = from->letter[i];
    }
    return s;
}

static size_t write_text(const sample *s, char *text)
{
    for (int i = 0; i < s->count; i++) {
        text[2 * i] = s->letter[i];
        text[2 * i + 1] = '\n';
    }
    return (size_t)(2 * s->count);
}

static int longest_common(const sample *a, const sample *b)
{
    int length[MOST_LINES + 1][MOST_LINES + 1] = { { 0 } };
    for (int i = 1; i <= a->count; i++)
        for (int j = 1; j <= b->count; j++) {
            const int up = length[i - 1][j], left = length[i][j - 1];
            length[i][j] = a->letter[i - 1] == b->letter[j - 1] ? length[i - 1][j - 1] + 1
                           : up > left                          ? up
                                                                : left;
        }
    return length[a->count][b->count];
}

/* Applies the diff to `from`; false if it does not fit. *changes: number of lines with a sign. */
static bool apply(const char *diff, const sample *from, sample *to, int *changes)
{
    int at = 0;

    *to = (sample){ .count = 0 };
    *changes = 0;
    for (const char *line = diff; *line; line = strchr(line, '\n') + 1) {
        int old_first, old_count = 1;
        if (!strncmp(line, "--- ", 4) || !strncmp(line, "+++ ", 4))
            continue;
        if (sscanf(line, "@@ -%d,%d", &old_first, &old_count) >= 1) {
            const int start = old_count ? old_first - 1 : old_first;
            if (start < at || start > from->count)
                return false;
            while (at < start)
                to->letter[to->count++] = from->letter[at++];
            continue;
        }
        if (*line != '+' && (at >= from->count || from->letter[at++] != line[1]))
            return false;
        if (*line != '-' && to->count < MOST_LINES)
            to->letter[to->count++] = line[1];
        *changes += *line != ' ';
    }
    while (at < from->count && to->count < MOST_LINES)
        to->letter[to->count++] = from->letter[at++];
    return true;
}

static void check_random(void)
{
    int wrong = 0, longer = 0;

    for (int i = 0; i < CASES; i++) {
        const int letters = 1 + pick(12);
        const sample a = random_sample(letters);
        const sample b = i % 2 ? random_sample(letters) : edited(&a, letters);
        char from[2 * MOST_LINES + 1], to[2 * MOST_LINES + 1];
        const size_t from_length = write_text(&a, from), to_length = write_text(&b, to);
        sg_arena *arena = sg_arena_create();
        sg_text diff = sg_text_in(arena);
        sample got;
        int changes;

        sg_diff(&diff, "old", from, from_length, "new", to, to_length);
        if (!apply(diff.data, &a, &got, &changes) || got.count != b.count ||
            memcmp(got.letter, b.letter, (size_t)b.count))
            wrong++;
        else if (changes != a.count + b.count - 2 * longest_common(&a, &b))
            longer++;
        sg_arena_destroy(arena);
    }
    ok(wrong == 0, "the diff of %d pairs of texts turns one into the other", CASES);
    ok(longer == 0, "the diffs change as few lines as possible");
}

static void check_text(const char *from, const char *to, const char *expected, const char *name)
{
    sg_arena *arena = sg_arena_create();
    sg_text diff = sg_text_in(arena);

    sg_diff(&diff, "old", from, strlen(from), "new", to, strlen(to));
    if (!ok(!strcmp(diff.data, expected), "%s", name))
        diag("got %s", diff.data);
    sg_arena_destroy(arena);
}

int main(void)
{
    check_random();
    check_text("a\n", "a\n", "", "equal texts have no diff");
    check_text("", "a\n", "--- old\n+++ new\n@@ -0,0 +1 @@\n+a\n", "from nothing");
    check_text("a\n", "", "--- old\n+++ new\n@@ -1 +0,0 @@\n-a\n", "to nothing");
    check_text("a\nb", "a\nb\n",
               "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
               "a missing newline at the end is a difference");
    check_text("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\nx\n3\n4\n5\n6\n7\ny\n9\n",
               "--- old\n+++ new\n@@ -1,9 +1,9 @@\n 1\n-2\n+x\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n 9\n",
               "changes that are near share a hunk");
    check_text("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "x\n2\n3\n4\n5\n6\n7\n8\n9\ny\n",
               "--- old\n+++ new\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n"
               "@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-10\n+y\n",
               "changes that are far apart have a hunk each");
    return tap_done();
}
