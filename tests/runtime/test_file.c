/* test_file.c: files of more than 4 GB, read by any number of threads, and written completely or
 * not at all. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include "runtime/file/file.h"
#include "folder.h"
#include "runtime/file/hash.h"

#include "../tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file with a hole, and data behind the hole, beyond 32-bit offsets. */
static void test_large(void)
{
    enum { BYTES = 3 * SPMV_HASH_CHUNK / 2 };
    const uint64_t begin = UINT64_C(4400000000);
    unsigned char *data = malloc(BYTES), *back = malloc(BYTES);
    const int fd = open("large", O_WRONLY | O_CREAT, 0600);
    spmv_old_file file;
    spmv_error err = {SPMV_OK, ""};
    uint64_t hash = 0;

    for (size_t i = 0; data != NULL && i < BYTES; i++)
        data[i] = (unsigned char)(i * i / 7);
    if (data == NULL || back == NULL || fd < 0 ||
        pwrite(fd, data, BYTES, (off_t)begin) != BYTES) {
        skip("no file of more than 4 GB with a hole in it can be made here");
    } else {
        ok(spmv_old_file_open(&file, "large", &err) == SPMV_OK && file.bytes == begin + BYTES,
           "a file of more than 4 GB has its length");
        for (int threads = 1; threads <= 3; threads++) {
            memset(back, 0, BYTES);
            ok(spmv_old_file_read(&file, &(spmv_threads){.count = threads}, begin, back, BYTES,
                                  &hash, &err) == SPMV_OK &&
               memcmp(data, back, BYTES) == 0 && hash == spmv_hash(NULL, data, BYTES),
               "%d threads read data beyond 4 GB, and its hash", threads);
        }
        ok(spmv_old_file_read(&file, &(spmv_threads){.count = 2}, begin + 1, back, BYTES, &hash,
                              &err) == SPMV_FILE_ERROR &&
           strstr(err.text, "it ends too early"), "there is nothing behind the end");
        spmv_old_file_close(&file);
    }
    if (fd >= 0)
        close(fd);
    free(data);
    free(back);
}

static void test_new(void)
{
    spmv_new_file one, two;
    spmv_error err = {SPMV_OK, ""};
    size_t size = 0;
    unsigned char *bytes;

    ok(spmv_new_file_create(&one, "new", &err) == SPMV_OK &&
       spmv_new_file_create(&two, "new", &err) == SPMV_OK && strcmp(one.fresh, two.fresh) != 0,
       "two new files for one path have different names");
    ok(spmv_new_file_write(&one, "one", 3, &err) == SPMV_OK &&
       spmv_new_file_write(&two, "two", 3, &err) == SPMV_OK && access("new", F_OK) != 0,
       "the path does not exist before a file is complete");
    ok(spmv_new_file_complete(&one, &err) == SPMV_OK, "one file is completed");
    spmv_new_file_discard(&two);
    spmv_new_file_discard(&two);
    bytes = folder_get("new", &size);
    ok(size == 3 && memcmp(bytes, "one", 3) == 0 && folder_count() == 1,
       "and the other one is gone");
    free(bytes);
}

/* Writes a file of 3 bytes to `path`. */
static spmv_status put(const char *path, const char *text, spmv_error *err)
{
    spmv_new_file file;
    spmv_status status = spmv_new_file_create(&file, path, err);

    if (status == SPMV_OK)
        status = spmv_new_file_write(&file, text, 3, err);
    return status == SPMV_OK ? spmv_new_file_complete(&file, err) : status;
}

static int holds(const char *path, const char *text)
{
    size_t size = 0;
    unsigned char *bytes = folder_get(path, &size);
    const int same = size == 3 && memcmp(bytes, text, 3) == 0;

    free(bytes);
    return same;
}

static mode_t mode_of(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 ? status.st_mode : 0;
}

static void test_mode(void)
{
    static const mode_t modes[] = {0600, 0640, 0666, 0400};

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        folder_put("old", "old", 3);
        ok(chmod("old", modes[i]) == 0 && put("old", "new", NULL) == SPMV_OK &&
           holds("old", "new") && mode_of("old") == (S_IFREG | modes[i]),
           "a file of mode %03o keeps it", (unsigned)modes[i]);
        unlink("old");
    }
}

static void test_links(void)
{
    spmv_error err = {SPMV_OK, ""};

    ok(mkdir("there", 0700) == 0 && symlink("there/second", "first") == 0 &&
       symlink("file", "there/second") == 0, "a link to a link to a missing file is made");
    ok(put("first", "one", &err) == SPMV_OK && holds("there/file", "one"),
       "the file that the last link names is written");
    ok(put("first", "two", &err) == SPMV_OK && holds("there/file", "two"), "and replaced");
    ok(S_ISLNK(mode_of("first")) && S_ISLNK(mode_of("there/second")), "and the links are left");
    ok(symlink("round", "round") == 0 && put("round", "new", &err) == SPMV_FILE_ERROR &&
       strstr(err.text, "cannot write it: "), "a link to itself is an error: %s", err.text);
    unlink("round");
    unlink("first");
    unlink("there/second");
    unlink("there/file");
    rmdir("there");
}

/* A rename would replace these, which are not regular files. */
static void test_kept(void)
{
    const struct {
        const char *kind;
        int made;
    } there[] = {
        {"folder", mkdir("folder", 0700) == 0},
        {"pipe", mkfifo("pipe", 0600) == 0},
        /* Needs root; the device numbers of /dev/null on Linux. */
        {"device", mknod("device", S_IFCHR | 0600, (dev_t)0x103) == 0},
    };
    spmv_error err = {SPMV_OK, ""};

    for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
        const char *kind = there[i].kind;
        const mode_t before = mode_of(kind);

        if (!there[i].made) {
            skip("no %s can be made here", kind);
            continue;
        }
        ok(put(kind, "new", &err) == SPMV_FILE_ERROR && strstr(err.text, kind) &&
           mode_of(kind) == before, "a %s is unchanged: %s", kind, err.text);
        ok(symlink(kind, "link") == 0 && put("link", "new", &err) == SPMV_FILE_ERROR &&
           mode_of(kind) == before, "and through a link, too");
        unlink("link");
    }
    rmdir("folder");
    unlink("pipe");
    unlink("device");
}

/* /proc/self/fd/N, to which /dev/stdout leads, names what has no other name. */
static void test_unnamed(void)
{
    spmv_error err = {SPMV_OK, ""};
    char path[64];
    int ends[2], file = open("gone", O_WRONLY | O_CREAT, 0600);

    if (pipe(ends) != 0 || access("/proc/self/fd", F_OK) != 0) {
        skip("no pipe or no /proc");
        return;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
    ok(symlink(path, "stdout") == 0 && put("stdout", "new", &err) == SPMV_FILE_ERROR &&
       strstr(err.text, "there is a pipe") && S_ISLNK(mode_of("stdout")),
       "a link to an open pipe is unchanged: %s", err.text);
    unlink("stdout");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ok(unlink("gone") == 0 && put(path, "new", &err) == SPMV_FILE_ERROR && folder_count() == 0,
       "an open file that was removed is not made anew under another name: %s", err.text);
    close(ends[0]);
    close(ends[1]);
    close(file);
}

/* A pipe is created at the path while the file is written. */
static void test_late(void)
{
    spmv_new_file file;
    spmv_error err = {SPMV_OK, ""};

    ok(spmv_new_file_create(&file, "late", &err) == SPMV_OK && mkfifo("late", 0600) == 0 &&
       spmv_new_file_complete(&file, &err) == SPMV_FILE_ERROR && S_ISFIFO(mode_of("late")),
       "a pipe that appears meanwhile is unchanged: %s", err.text);
    unlink("late");
    ok(folder_count() == 0, "nothing is left over");
}

int main(void)
{
    folder_enter();
    test_mode();
    test_links();
    test_kept();
    test_unnamed();
    test_late();
    test_new();
    test_large();
    folder_leave();
    return tap_done();
}
