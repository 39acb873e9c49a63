/* terminal.c: see terminal.h. */
#define _GNU_SOURCE              /* TIOCGWINSZ, strcasestr, fileno */
#include "bench/output/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/utf8.h"

enum { USUAL = 80, LEAST = 20, MOST = 10000, INDENT = 9 };

int bench_terminal_columns(FILE *out)
{
    const char *text = getenv("COLUMNS");
    struct winsize size;
    long columns = USUAL;

    if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    else if (text && strtol(text, NULL, 10) > 0)
        columns = strtol(text, NULL, 10);
    return columns < LEAST ? LEAST : columns > MOST ? MOST : (int)columns;
}

bool bench_terminal_takes_line(void)
{
    const char *terminal = getenv("TERM");
    struct stat out;

    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0 &&
           (fstat(STDOUT_FILENO, &out) != 0 || !S_ISFIFO(out.st_mode));
}

bool bench_terminal_is_utf8(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *locale = getenv(names[i]);
        if (locale && locale[0])
            return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
    }
    return false;
}

/* Prints the letters, escapes unprintable ones, and returns what they take. */
static int put_word(const char *word, int length, FILE *out)
{
    const char *const end = word + length;
    char letter[SG_PRINTABLE_LETTER];
    int used = 0;

    while (word < end) {
        word += sg_printable_letter(word, letter);
        used += fprintf(out, "%s", letter);
    }
    return used;
}

void bench_print_wrapped(const char *label, const char *text, int columns, FILE *out)
{
    int used = fprintf(out, "%-*s", INDENT, label);
    bool begins = true;          /* no word on this line yet */

    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        const int length = (int)strcspn(text, " ");
        if (!begins && used + 1 + length > columns) {
            used = fprintf(out, "\n%*s", INDENT, "") - 1;
            begins = true;
        }
        used += fprintf(out, "%s", begins ? "" : " ");
        used += put_word(text, length, out);
        begins = false;
        text += length;
    }
    fputc('\n', out);
}
