/* test_file.c: files as plans need them: more than 4 GB of them, by any number of threads, whole or
 * not at all. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include "file.h"
#include "folder.h"
#include "hash.h"

#include "../tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file with a hole, and something behind it, that no 32-bit offset reaches. */
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
            ok(spmv_old_file_read(&file, threads, begin, back, BYTES, &hash, &err) == SPMV_OK &&
               memcmp(data, back, BYTES) == 0 && hash == spmv_hash(1, data, BYTES),
               "%d threads read what lies behind 4 GB, and its hash", threads);
        }
        ok(spmv_old_file_read(&file, 2, begin + 1, back, BYTES, &hash, &err) == SPMV_FILE_ERROR &&
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
       "two files in the making for one path do not meet");
    ok(spmv_new_file_write(&one, "one", 3, &err) == SPMV_OK &&
       spmv_new_file_write(&two, "two", 3, &err) == SPMV_OK && access("new", F_OK) != 0,
       "nothing is there before one is complete");
    ok(spmv_new_file_complete(&one, &err) == SPMV_OK, "one is");
    spmv_new_file_discard(&two);
    spmv_new_file_discard(&two);
    bytes = folder_get("new", &size);
    ok(size == 3 && memcmp(bytes, "one", 3) == 0 && folder_count() == 1,
       "and the other one is gone without a trace");
    free(bytes);
}

int main(void)
{
    folder_enter();
    test_new();
    test_large();
    folder_leave();
    return tap_done();
}
