/* text.c: growable strings, whole files, paths. Strings belong to one thread; the rest is pure. */
#define _POSIX_C_SOURCE 200809L
#include "generator/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/utf8.h"
#include "generator/base/name_set.h"

/* ---- growable strings ------------------------------------------------------------------------ */

static void reserve(sg_text *text, size_t more)
{
    const size_t needed = text->length + more + 1;

    if (needed <= text->capacity)
        return;
    const size_t capacity = needed < 128 ? 256 : needed * 2;
    text->data = sg_arena_grow(text->arena, text->data, text->length, capacity, 1);
    text->capacity = capacity;
}

sg_text sg_text_in(sg_arena *arena)
{
    sg_text text = { .arena = arena };
    reserve(&text, 0);
    return text;
}

void sg_text_append_bytes(sg_text *text, const char *more, size_t length)
{
    reserve(text, length);
    if (length)
        memcpy(text->data + text->length, more, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void sg_text_append(sg_text *text, const char *more)
{
    sg_text_append_bytes(text, more, strlen(more));
}

void sg_text_printf(sg_text *text, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length > 0) {
        reserve(text, (size_t)length);
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

/* ---- files and folders ----------------------------------------------------------------------- */

static int read_all(sg_arena *arena, int fd, size_t limit, const char **text, size_t *size)
{
    struct stat info;

    if (fstat(fd, &info))
        return errno;
    if (S_ISDIR(info.st_mode))
        return EISDIR;
    if (!S_ISREG(info.st_mode))
        return EINVAL;
    if (info.st_size < 0 || (size_t)info.st_size > limit)
        return EFBIG;

    /* Files of /proc report a size of 0, so the size is only a hint. */
    size_t capacity = (size_t)info.st_size + 1, length = 0;
    char *data = sg_arena_alloc(arena, capacity + 1);
    for (;;) {
        const ssize_t got = read(fd, data + length, capacity - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            break;
        length += (size_t)got;
        if (length > limit)
            return EFBIG;
        if (length == capacity) {
            data = sg_arena_grow(arena, data, length, capacity * 2 + 4096 + 1, 1);
            capacity = capacity * 2 + 4096;
        }
    }
    data[length] = '\0';
    *text = data;
    *size = length;
    return 0;
}

int sg_read_file(sg_arena *arena, const char *path, size_t limit, const char **text, size_t *size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0)
        return errno;
    const int error = read_all(arena, fd, limit, text, size);
    close(fd);
    return error;
}

bool sg_file_is(const char *path, const char *text, size_t length)
{
    sg_arena *scratch = sg_arena_create();
    const char *found;
    size_t size;
    const bool is = !sg_read_file(scratch, path, length, &found, &size) && size == length &&
                    !memcmp(found, text, length);

    sg_arena_destroy(scratch);
    return is;
}

const char *sg_read_error(int error)
{
    static const struct {
        int error;
        const char *text;
    } texts[] = {
        { ENOENT, "no such file" },
        { ENOTDIR, "no such file" },
        { EISDIR, "it is a folder" },
        { EINVAL, "it is not a regular file" },
        { EFBIG, "it is too large" },
        { EACCES, "reading it is not permitted" },
        { ENAMETOOLONG, "its name is too long" },
        { ELOOP, "its symbolic links form a loop" },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].error == error)
            return texts[i].text;
    return "the system could not read it";
}

int sg_list_dir(sg_arena *arena, const char *path, const char *const **names, size_t *count)
{
    DIR *dir = opendir(path);
    const char **found = NULL;
    size_t used = 0;

    if (!dir)
        return errno;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (!entry)
            break;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        found = sg_arena_more(arena, found, used, sizeof *found);
        found[used++] = sg_arena_strdup(arena, entry->d_name);
    }
    const int error = errno;
    closedir(dir);
    if (error)
        return error;
    if (used)
        qsort(found, used, sizeof *found, sg_compare_names);
    *names = found;
    *count = used;
    return 0;
}

bool sg_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool sg_is_dir(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* ---- paths ----------------------------------------------------------------------------------- */

const char *sg_path_join(sg_arena *arena, const char *a, const char *b)
{
    if (!*a || *b == '/')
        return sg_arena_strdup(arena, b);
    return sg_arena_printf(arena, sg_ends_with(a, "/") ? "%s%s" : "%s/%s", a, b);
}

const char *sg_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *sg_path_dir(sg_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return ".";
    return sg_arena_strndup(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

bool sg_ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

/* ---- untrusted text -------------------------------------------------------------------------- */

const char *sg_printable(sg_arena *arena, const char *text)
{
    const size_t size = sg_make_printable(NULL, 0, text) + 1;
    char *copy = sg_arena_alloc(arena, size);

    sg_make_printable(copy, size, text);
    return copy;
}

const char *sg_unprintable(sg_arena *arena, const char *text, size_t length, size_t *at)
{
    size_t bytes;

    for (*at = 0; *at < length; *at += bytes) {
        bytes = sg_utf8_length(text + *at);
        const uint32_t letter = bytes ? sg_utf8_letter(text + *at, bytes) : 0;
        if (bytes && (sg_is_printable(letter) || letter == '\n' || letter == '\t'))
            continue;
        return sg_arena_printf(arena, bytes > 1 ? "expected printable text, found U+%04" PRIX32
                                                : "expected printable text, found a byte 0x%02"
                                                  PRIx32,
                               bytes > 1 ? letter : (uint32_t)(unsigned char)text[*at]);
    }
    return NULL;
}

/* Names a token that spells "{", "#", "\\" or a comment in another way, or changes a variable. */
static const char *operator_fault(const char *at)
{
    static const struct {
        const char *start, *fault;
    } faults[] = {
        { "//", "a comment" }, { "/*", "a comment" }, { "??", "a trigraph" },
        { "<%", "a digraph" }, { "%>", "a digraph" }, { "<:", "a digraph" },
        { ":>", "a digraph" }, { "%:", "a digraph" }, { "++", "an assignment" },
        { "--", "an assignment" }, { "<<=", "an assignment" }, { ">>=", "an assignment" },
    };

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (!strncmp(at, faults[i].start, strlen(faults[i].start)))
            return faults[i].fault;
    return NULL;
}

/* Returns the place behind the closing quote; NULL if the string is not closed, or has a backslash,
 * a trigraph or a letter beyond ASCII. */
static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++)
        if (!*at || *at == '\\' || (at[0] == '?' && at[1] == '?') || (unsigned char)*at >= 0x7f)
            return NULL;
    return at + 1;
}

const char *sg_expression_fault(sg_arena *arena, const char *text)
{
    enum { DEEPEST = 64 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_. !~+-*/%<>=&|^?:";
    char open[DEEPEST];
    int depth = 0;

    if (!text[strspn(text, " ")])
        return "nothing";
    for (const char *at = text; *at;) {
        const char *fault = operator_fault(at);
        if (fault)
            return fault;
        if (*at == '"') {
            at = skip_string(at);
            if (!at)
                return "a string that is not closed, or has '\\', '\?\?' or letters beyond ASCII";
            continue;
        }
        if (*at == '(' || *at == '[') {
            if (depth == DEEPEST)
                return "brackets that stand too deep in each other";
            open[depth++] = *at == '(' ? ')' : ']';
        } else if (*at == ')' || *at == ']') {
            if (!depth || open[--depth] != *at)
                return sg_arena_printf(arena, "a '%c' that closes nothing", *at);
        } else if (*at == ',' ? !depth : !strchr(letters, *at)) {
            return *at > 0x20 && *at < 0x7f ? sg_arena_printf(arena, "a '%c'", *at)
                                            : "a letter that is not ASCII";
        } else if (*at == '=') {
            if (at[1] == '=')
                at++;
            else if (at == text || !strchr("!<>", at[-1]))
                return "an assignment";
        }
        at++;
    }
    return depth ? sg_arena_printf(arena, "a bracket that no '%c' closes", open[depth - 1]) : NULL;
}
