/* tap.h: tests in the Test Anything Protocol, version 12, as Meson reads it.
 *
 *     ok(sum == 3, "adds");                 one line, with file:line when it fails
 *     diag("x was %d", x);                  a comment for readers of the log
 *     diag_lines(text);                     a comment of several lines
 *     skip("needs nvcc");                   one skipped case, with its reason
 *     return tap_done();                    prints the plan; the exit code says whether all passed
 */
#ifndef TEST_TAP_H
#define TEST_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weak: the files of one program count together. */
__attribute__((weak)) int tap_run, tap_failed;

#define ok(condition, ...) tap_ok((condition), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 1, 2), unused)) static void diag(const char *format, ...)
{
    va_list args;
    printf("# ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

/* Makes warnings of compilers errors where those of the build are (./check --werror). */
__attribute__((unused)) static const char *tap_werror(void)
{
    const char *option = getenv("SPMV_WERROR");

    return option ? option : "-Werror";
}

/* A comment of several lines. */
__attribute__((unused)) static void diag_lines(const char *text)
{
    while (*text) {
        const int length = (int)strcspn(text, "\n");

        diag("%.*s", length, text);
        text += length + (text[length] == '\n');
    }
}

__attribute__((format(printf, 4, 5), unused)) static bool tap_ok(bool passed, const char *file,
                                                                 int line, const char *format, ...)
{
    va_list args;
    printf("%s %d - ", passed ? "ok" : "not ok", ++tap_run);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    if (!passed) {
        tap_failed++;
        diag("failed at %s:%d", file, line);
    }
    fflush(stdout);
    return passed;
}

__attribute__((format(printf, 1, 2), unused)) static void skip(const char *format, ...)
{
    va_list args;
    printf("ok %d # SKIP ", ++tap_run);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

__attribute__((unused)) static int tap_done(void)
{
    printf("1..%d\n", tap_run);
    return tap_failed ? 1 : 0;
}

#endif
