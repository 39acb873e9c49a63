/* test_save_failures.c: whichever system call fails, a save leaves the folder unchanged, and a load
 * gives no plan. Interrupted and partial calls are continued.
 *
 * The linker routes the library's calls to the functions below (-Wl,--wrap), which make one of them
 * fail. */
#define _XOPEN_SOURCE 700
#include "folder.h"
#include "sample.h"
#include "toy.h"

#include "../tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#ifdef WITHOUT_WRAP

int main(void)
{
    skip("the linker has no --wrap, which makes system calls fail");
    return tap_done();
}

#else

static int is_counting;
static int calls;                /* so far */
static int failing = -1;         /* the number of the call that fails; negative: none */
static int is_halting;           /* calls are interrupted or partial */

static int is_turn(void)
{
    return is_counting && calls++ == failing;
}

#define WRAP_INT(name, parameters, arguments, error)                                               \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        const int result = __real_##name arguments;                                                \
        if (!is_turn())                                                                            \
            return result;                                                                         \
        errno = error;                                                                             \
        return -1;                                                                                 \
    }

/* A close that fails has closed the file; a rename that fails has no effect. */
WRAP_INT(close, (int fd), (fd), EDQUOT)
WRAP_INT(fsync, (int fd), (fd), ENOSPC)

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
ssize_t __real_write(int fd, const void *bytes, size_t count);
ssize_t __wrap_write(int fd, const void *bytes, size_t count);

int __wrap_rename(const char *from, const char *to)
{
    if (!is_turn())
        return __real_rename(from, to);
    errno = EACCES;
    return -1;
}

/* Interrupts every second call; the others transfer at most 700 bytes. */
static int is_interrupted(size_t *count)
{
    static int call;

    if (!is_counting || !is_halting)
        return 0;
    *count = *count > 700 ? 700 : *count;
    errno = EINTR;
    return ++call % 2;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t count)
{
    if (is_interrupted(&count))
        return -1;
    if (!is_turn())
        return __real_write(fd, bytes, count);
    errno = ENOSPC;
    return -1;
}

/* A C library may have another name for pread with 64-bit offsets. */
#define WRAP_PREAD(name)                                                                           \
    ssize_t __real_##name(int fd, void *bytes, size_t count, int64_t offset);                      \
    ssize_t __wrap_##name(int fd, void *bytes, size_t count, int64_t offset);                      \
    ssize_t __wrap_##name(int fd, void *bytes, size_t count, int64_t offset)                       \
    {                                                                                              \
        if (is_interrupted(&count))                                                                \
            return -1;                                                                             \
        if (!is_turn())                                                                            \
            return __real_##name(fd, bytes, count, offset);                                        \
        errno = EIO;                                                                               \
        return -1;                                                                                 \
    }

#ifdef PREAD64
WRAP_PREAD(pread64)
#else
WRAP_PREAD(pread)
#endif

/* ---- saving ---------------------------------------------------------------------------------- */

static spmv_device *device;
static sample *s;

static spmv_status save(const spmv_plan *plan, spmv_error *err)
{
    spmv_status status;

    *err = (spmv_error){SPMV_OK, ""};
    calls = 0;
    is_counting = 1;
    status = spmv_plan_save(plan, "plan", err);
    is_counting = 0;
    return status;
}

static spmv_status load(spmv_plan **plan, spmv_error *err)
{
    spmv_status status;

    *err = (spmv_error){SPMV_OK, ""};
    calls = 0;
    is_counting = 1;
    status = spmv_plan_load(device, &s->csr, NULL, "plan", plan, err);
    is_counting = 0;
    return status;
}

static int is_there(const char *expected)
{
    size_t size;
    unsigned char *bytes = folder_get("plan", &size);
    const int same = expected == NULL ? bytes == NULL
                                      : bytes != NULL && size == strlen(expected) &&
                                            memcmp(bytes, expected, size) == 0;

    free(bytes);
    return same;
}

/* Whichever call fails, the folder keeps the old file and no other. */
static void test_save(const spmv_plan *plan, const char *before)
{
    spmv_error err;
    spmv_status status = SPMV_FILE_ERROR;
    int reached = 0;

    for (failing = 0; status != SPMV_OK && failing < 100; failing++) {
        status = save(plan, &err);
        if (status == SPMV_OK)
            break;
        reached++;
        ok(status == SPMV_FILE_ERROR && err.status == status && is_there(before) &&
           folder_count() == (before != NULL) &&
           strncmp(err.text, "spmv_plan_save: 'plan': cannot write it: ", 41) == 0,
           "call %d fails: %s", failing, err.text);
    }
    failing = -1;
    ok(status == SPMV_OK && reached >= 7 && folder_count() == 1, "none of %d calls fails: saved",
       reached);
}

static void test_load(void)
{
    spmv_error err;
    spmv_status status = SPMV_FILE_ERROR;
    int reached = 0;
    spmv_plan *plan = NULL;

    for (failing = 0; status != SPMV_OK && failing < 100; failing++) {
        status = load(&plan, &err);
        if (status == SPMV_OK)
            break;
        reached++;
        ok(status == SPMV_FILE_ERROR && plan == NULL && strstr(err.text, "cannot read it: "),
           "call %d fails: %s", failing, err.text);
    }
    failing = -1;
    ok(status == SPMV_OK && reached >= 4, "none of %d calls fails: loaded", reached);
    spmv_plan_destroy(plan);
}

static void test_halting(const spmv_plan *plan)
{
    double *y = sample_vector(s, s->csr.rows, 7);
    spmv_plan *loaded = NULL;
    spmv_error err;

    is_halting = 1;
    ok(save(plan, &err) == SPMV_OK, "interrupted calls and small pieces: saved");
    ok(load(&loaded, &err) == SPMV_OK, "and loaded");
    is_halting = 0;
    ok(spmv_execute(loaded, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "and right");
    spmv_plan_destroy(loaded);
    free(y);
}

int main(void)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_parts",
                                       .savable = 1};
    spmv_plan *plan = NULL;

    device = sample_device();
    s = sample_create(500, 60, 0, SPMV_F64, SPMV_I32);
    folder_enter();
    spmv_plan_create(device, &s->csr, &options, &plan, NULL);
    test_save(plan, NULL);
    folder_put("plan", "before", 6);
    test_save(plan, "before");
    test_load();
    test_halting(plan);
    folder_leave();
    spmv_plan_destroy(plan);
    sample_destroy(s);
    spmv_device_close(device);
    return tap_done();
}

#endif
