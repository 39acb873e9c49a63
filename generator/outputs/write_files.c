/* write_files.c: see write_files.h. For one thread. Signals that would end the program are blocked
 * until the folders are consistent again. */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "generator/outputs/write_files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/destination.h"
#include "generator/base/text.h"

enum { NAME_TRIES = 1000 };

/* A file to write or remove: path is file->path with links followed, but for a removal. fresh and
 * backup are private names beside it. */
typedef struct item {
    sg_write *file;
    const char *path;
    char *fresh, *backup;
    bool has_fresh, has_backup, replaced;
    bool is_stuck;               /* could not be restored */
} item;

typedef struct writer {
    sg_arena *arena;
    sg_diags *diags;
    item *items;
    size_t count;
    const char **made;           /* folders that this run made, outermost first */
    size_t made_count;
    const char *path, *what, *why;   /* the failure, reported after undo() */
} writer;

/* The end of a sentence on an errno value of a failed write: "the disk is full". */
static const char *write_error(int error)
{
    static const struct {
        int error;
        const char *text;
    } texts[] = {
        { ENOSPC, "the disk is full" },
        { EDQUOT, "the disk quota is used up" },
        { EFBIG, "the file would be larger than is allowed" },
        { EACCES, "writing there is not permitted" },
        { EPERM, "writing there is not permitted" },
        { EROFS, "the file system is read-only" },
        { ENOENT, "its folder is gone" },
        { ENOTDIR, "a part of its path is not a folder" },
        { EISDIR, "a folder of that name is in the way" },
        { EEXIST, "something else of that name is in the way" },
        { ENAMETOOLONG, "its name is too long" },
        { EIO, "the disk reports an error" },
        { ELOOP, "it is a link to itself" },
        { ESTALE, "it is a link to a file that was removed" },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].error == error)
            return texts[i].text;
    return "the system refuses it";
}

static bool fail_because(writer *w, const char *path, const char *what, const char *why)
{
    w->path = path;
    w->what = what;
    w->why = why;
    return false;
}

static bool fail(writer *w, const char *path, const char *what, int error)
{
    return fail_because(w, path, what, write_error(error));
}

/* ---- folders ------------------------------------------------------------------------------- */

static bool make_folder(writer *w, const char *path)
{
    if (sg_is_dir(path) || !*path)
        return true;
    if (strchr(path, '/') && !make_folder(w, sg_path_dir(w->arena, path)))
        return false;
    w->made = sg_arena_more(w->arena, w->made, w->made_count, sizeof *w->made);
    if (mkdir(path, 0777)) {
        const int error = errno;
        /* "a/../b" exists by now, and so does a folder that another run just made. */
        if (sg_is_dir(path))
            return true;
        /* The parent folder exists: /proc and the like report ENOENT for a new name in them. */
        if (error == ENOENT)
            return fail_because(w, path, "made", "that file system takes no new folders");
        return fail(w, path, "made", error);
    }
    w->made[w->made_count++] = path;
    return true;
}

/* ---- private files of killed runs ----------------------------------------------------------- */

#define PRIVATE ".spmvgen-"

/* True for a private file whose process has ended. A file with our own process id is another
 * process's, since this run has made none yet. */
static bool is_left_over(const char *name)
{
    char *end = NULL;

    if (strncmp(name, PRIVATE, strlen(PRIVATE)))
        return false;
    const long maker = strtol(name + strlen(PRIVATE), &end, 10);
    return maker > 0 && *end == '-' && (sg_ends_with(name, ".new") || sg_ends_with(name, ".old")) &&
           (maker == (long)getpid() || (kill((pid_t)maker, 0) && errno == ESRCH));
}

static void remove_left_over(const char *dir)
{
    sg_arena *scratch = sg_arena_create();
    const char *const *names;
    size_t count;

    if (!sg_list_dir(scratch, dir, &names, &count))
        for (size_t i = 0; i < count; i++)
            if (is_left_over(names[i]))
                unlink(sg_path_join(scratch, dir, names[i]));
    sg_arena_destroy(scratch);
}

/* Removes private files of killed runs, once per folder. */
static void remove_all_left_over(writer *w, const char *const *paths, size_t count)
{
    const char *last = "";

    for (size_t i = 0; i < count; i++) {
        const char *dir = sg_path_dir(w->arena, paths[i]);
        bool is_done = !strcmp(dir, last);
        for (size_t k = 0; k < i && !is_done; k++)
            is_done = !strcmp(dir, sg_path_dir(w->arena, paths[k]));
        if (!is_done)
            remove_left_over(dir);
        last = dir;
    }
}

/* ---- one file ------------------------------------------------------------------------------ */

/* True if a message of this run would go to the file. */
static bool is_standard_stream(const struct stat *there)
{
    struct stat stream;

    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (!fstat(fd, &stream) && stream.st_dev == there->st_dev &&
            stream.st_ino == there->st_ino)
            return true;
    return false;
}

/* Sets *path to where the file goes, and *exists. A rename would replace a device or a pipe. */
static bool find_path(writer *w, const sg_write *file, const char **path, bool *exists)
{
    char found[SPMV_DESTINATION_BYTES];
    const char *what = file->text ? "written" : "removed";
    struct stat there;
    const int error = spmv_destination_find(file->path, found, &there);
    const char *kind = error ? NULL : spmv_destination_kind(there.st_mode);

    if (error)
        return fail(w, file->path, "looked at", error);
    if (kind)
        return fail_because(w, file->path, what,
                            sg_arena_printf(w->arena, "a %s of that name is in the way", kind));
    if (there.st_mode && is_standard_stream(&there))
        return fail_because(w, file->path, what, "this run's own messages go to that file");
    /* Removing a link leaves the file that it leads to. */
    *path = file->text ? sg_arena_strdup(w->arena, found) : file->path;
    *exists = there.st_mode != 0;
    return true;
}

/* Decides the action for a file. All are decided before the first one is done. */
static bool choose_action(writer *w, sg_write *file, const char **path)
{
    bool exists;

    file->action = SG_WRITE_UNCHANGED;
    if (!find_path(w, file, path, &exists))
        return false;
    if (file->text && !(exists && sg_file_is(file->path, file->text, file->length)))
        file->action = SG_WRITE_DONE;
    if (!file->text && exists)
        file->action = SG_WRITE_REMOVED;
    return true;
}

/* A private name beside the file. Other runs may be at work in the same folder. */
static char *private_name(writer *w, const char *path, const char *kind, size_t index)
{
    return sg_arena_printf(w->arena, "%s/" PRIVATE "%ld-%zu-%03d.%s", sg_path_dir(w->arena, path),
                           (long)getpid(), index, 0, kind);
}

/* Counts up the number in a private name, for a name that no file has; false at the last one. */
static bool next_name(char *name)
{
    char *digits = strrchr(name, '.') - 3;
    int number = (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0') + 1;

    if (number >= NAME_TRIES)
        return false;
    for (int i = 2; i >= 0; i--, number /= 10)
        digits[i] = (char)('0' + number % 10);
    return true;
}

static bool write_bytes(int fd, const char *text, size_t length)
{
    while (length) {
        const ssize_t done = write(fd, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            errno = done < 0 ? errno : ENOSPC;
            return false;
        }
        text += done;
        length -= (size_t)done;
    }
    return true;
}

static bool write_fresh(writer *w, item *it)
{
    int fd;

    do
        fd = open(it->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EEXIST && next_name(it->fresh));
    if (fd < 0)
        return fail(w, it->file->path, "written", errno);
    it->has_fresh = true;
    bool good = write_bytes(fd, it->file->text, it->file->length);
    int error = errno;
    if (close(fd) && good) {
        good = false;
        error = errno;
    }
    return good || fail(w, it->file->path, "written", error);
}

/* Gives the old file, if there is one, a private name until the whole run has succeeded: a second
 * name if the file system has hard links. */
static bool keep_backup(writer *w, item *it)
{
    const char *path = it->path;
    int result;

    do
        result = link(path, it->backup);
    while (result && errno == EEXIST && next_name(it->backup));
    if (result && errno != ENOENT)
        result = rename(path, it->backup);
    it->has_backup = !result;
    return !result || errno == ENOENT || fail(w, it->file->path, "replaced", errno);
}

static bool replace(writer *w, item *it)
{
    const char *path = it->path;
    const bool removes = it->file->action == SG_WRITE_REMOVED;

    if (!keep_backup(w, it))
        return false;
    if (removes ? unlink(path) && errno != ENOENT : rename(it->fresh, path))
        return fail(w, it->file->path, removes ? "removed" : "written", errno);
    it->has_fresh = false;
    it->replaced = true;
    return true;
}

/* ---- all of them --------------------------------------------------------------------------- */

static void undo(writer *w)
{
    for (size_t i = w->count; i-- > 0;) {
        item *it = &w->items[i];
        if (it->has_fresh)
            unlink(it->fresh);
        if (it->has_backup) {
            it->is_stuck = rename(it->backup, it->path) != 0;
            /* If the file was not replaced yet, the rename is between two names of one file: it
             * succeeds and leaves both. A backup that could not be renamed is the only copy. */
            if (!it->is_stuck)
                unlink(it->backup);
        } else if (it->replaced) {
            it->is_stuck = unlink(it->path) && errno != ENOENT;
        }
    }
    while (w->made_count)
        rmdir(w->made[--w->made_count]);
}

static void report(const writer *w)
{
    size_t stuck = 0;

    for (size_t i = 0; i < w->count; i++)
        stuck += w->items[i].is_stuck;
    sg_diag(w->diags, SG_ERROR, (sg_loc){ w->path, 0, 0 }, "cannot be %s: %s; %s", w->what, w->why,
            stuck ? "what was done before could not all be undone" : "nothing was changed");
    for (size_t i = 0; i < w->count; i++) {
        const item *it = &w->items[i];
        const sg_loc loc = { it->file->path, 0, 0 };
        if (it->is_stuck && it->has_backup)
            sg_diag(w->diags, SG_NOTE, loc, "what it was before is in %s; rename that", it->backup);
        else if (it->is_stuck)
            sg_diag(w->diags, SG_NOTE, loc, "is new and could not be removed");
    }
}

static bool commit(writer *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->items[i].file->text &&
            !make_folder(w, sg_path_dir(w->arena, w->items[i].path)))
            return false;
    for (size_t i = 0; i < w->count; i++)
        if (w->items[i].file->text && !write_fresh(w, &w->items[i]))
            return false;
    for (size_t i = 0; i < w->count; i++)
        if (!replace(w, &w->items[i]))
            return false;
    for (size_t i = 0; i < w->count; i++)
        if (w->items[i].has_backup)
            unlink(w->items[i].backup);
    return true;
}

bool sg_write_files(sg_diags *diags, sg_write *files, size_t count)
{
    writer w = { .arena = sg_arena_create(), .diags = diags };
    const char **paths = sg_arena_alloc(w.arena, (count + 1) * sizeof *paths);
    sigset_t all, before;
    bool good = true;

    /* Allocate all memory before the first file is made: running out of memory ends the program. */
    w.items = sg_arena_alloc(w.arena, (count + 1) * sizeof *w.items);
    for (size_t i = 0; i < count && good; i++) {
        good = choose_action(&w, &files[i], &paths[i]);
        if (!good || files[i].action == SG_WRITE_UNCHANGED)
            continue;
        item *it = &w.items[w.count++];
        it->file = &files[i];
        it->path = paths[i];
        it->fresh = private_name(&w, paths[i], "new", i);
        it->backup = private_name(&w, paths[i], "old", i);
    }
    if (good)
        remove_all_left_over(&w, paths, count);
    if (good && w.count) {
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, &before);
        good = commit(&w);
        if (!good)
            undo(&w);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    if (!good) {
        report(&w);
        for (size_t i = 0; i < count; i++)
            files[i].action = SG_WRITE_UNCHANGED;
    }
    sg_arena_destroy(w.arena);
    return good;
}
