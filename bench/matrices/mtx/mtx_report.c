/* mtx_report.c: messages with file and line. See mtx_report.h. */
#define _GNU_SOURCE
#include "bench/matrices/mtx/mtx_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Only the end of a long path is kept, so that the message fits. */
enum { NAME_LENGTH = 160 };

static int name_write(const mtx_report *report, int64_t line, char *out, size_t size)
{
    const char *name = report->name;
    const char *cut = "";
    size_t length = strlen(name);
    if (length > NAME_LENGTH) {
        name += length - NAME_LENGTH;
        cut = "...";
    }
    return line > 0 ? snprintf(out, size, "%s%s:%lld: ", cut, name, (long long)line)
                    : snprintf(out, size, "%s%s: ", cut, name);
}

mtx_status mtx_report_fail(const mtx_report *report, mtx_status status, int64_t line,
                           const char *format, ...)
{
    mtx_error *err = report->err;
    if (!err)
        return status;
    err->status = status;
    err->line = line;
    /* Writing the name does not change errno, which the format may use. */
    int used = name_write(report, line, err->text, sizeof err->text);
    if (used < 0 || (size_t)used >= sizeof err->text)
        used = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text + used, sizeof err->text - (size_t)used, format, args);
    va_end(args);
    return status;
}

const char *mtx_report_quote(char out[MTX_QUOTE_SIZE], const char *begin, const char *end)
{
    static const char ellipsis[] = "...'";
    size_t used = 0;
    out[used++] = '\'';
    for (const char *p = begin; p < end; p++) {
        bool printable = *p >= ' ' && *p <= '~';
        size_t width = printable ? 1 : 4;
        if (used + width + sizeof ellipsis > MTX_QUOTE_SIZE) {
            memcpy(out + used, ellipsis, sizeof ellipsis);
            return out;
        }
        if (printable)
            out[used] = *p;
        else
            snprintf(out + used, width + 1, "\\x%02x", (unsigned)(unsigned char)*p);
        used += width;
    }
    out[used++] = '\'';
    out[used] = '\0';
    return out;
}
