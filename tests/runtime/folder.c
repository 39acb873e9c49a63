/* folder.c: see folder.h. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64     /* otherwise readdir may fail on 32-bit machines */
#include "folder.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[4096];

static void require(int condition, const char *what)
{
    if (!condition) {
        printf("Bail out! %s\n", what);
        exit(1);
    }
}

void folder_enter(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(path, sizeof path, "%s/spmv-test-XXXXXX", parent != NULL ? parent : "/tmp");
    require(mkdtemp(path) != NULL && chdir(path) == 0, "no folder for the test's files");
}

int folder_count(void)
{
    DIR *folder = opendir(path);
    int count = 0;

    require(folder != NULL, "the test's folder cannot be read");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static int remove_one(const char *name, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(name);
}

void folder_leave(void)
{
    require(chdir("/") == 0 && nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0,
            "the test's folder cannot be removed");
}

unsigned char *folder_get(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    unsigned char *bytes;
    long length = 0;

    *size = 0;
    if (file == NULL)
        return NULL;
    require(fseek(file, 0, SEEK_END) == 0, "a file has no end");
    length = ftell(file);
    require(length >= 0, "a file has no length");
    rewind(file);
    bytes = malloc((size_t)length + 1);
    require(bytes != NULL, "no memory");
    *size = fread(bytes, 1, (size_t)length, file);
    fclose(file);
    return bytes;
}

void folder_put(const char *name, const void *bytes, size_t size)
{
    FILE *file;

    remove(name);                /* some file systems wait for the disk when a file is replaced */
    file = fopen(name, "wb");
    require(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0,
            "a file cannot be written");
}
