/* test_plan_file.c: a plan's file that is truncated, changed or forged gives a status and a text,
 * never a plan. */
#include "folder.h"
#include "runtime/file/hash.h"
#include "runtime/library/saved/plan_file.h"
#include "sample.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static spmv_device *device;
static sample *s;
static unsigned char *good;      /* the file's bytes */
static size_t good_size;

/* Whether a file of these bytes is refused, with a text. */
static int is_refused(const unsigned char *bytes, size_t size, spmv_error *err)
{
    spmv_plan *plan = (spmv_plan *)&size;        /* anything but NULL */
    spmv_status status;

    folder_put("plan", bytes, size);
    *err = (spmv_error){SPMV_OK, ""};
    status = spmv_plan_load(device, &s->csr, NULL, "plan", &plan, err);
    if (status == SPMV_OK)
        spmv_plan_destroy(plan);
    return (status == SPMV_FILE_ERROR || status == SPMV_STALE) && err->status == status &&
           plan == NULL && strncmp(err->text, "spmv_plan_load: 'plan': ", 24) == 0 &&
           strlen(err->text) > 30;
}

static void make_file(const char *method)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .savable = 1};
    spmv_plan *plan = NULL;

    spmv_plan_create(device, &s->csr, &options, &plan, NULL);
    ok(spmv_plan_save(plan, "plan", NULL) == SPMV_OK, "%s: a small plan is saved", method);
    spmv_plan_destroy(plan);
    free(good);
    good = folder_get("plan", &good_size);
}

static void test_every_byte(const char *method)
{
    static const unsigned char flips[] = {0x01, 0x80, 0xff};
    spmv_error err;
    size_t wrong = 0;
    spmv_plan *plan = NULL;

    make_file(method);
    for (size_t at = 0; at < good_size; at++) {
        const unsigned char flip = flips[at % sizeof flips];

        good[at] ^= flip;
        if (!is_refused(good, good_size, &err)) {
            wrong++;
            diag("byte %zu: %s", at, err.text);
        }
        good[at] ^= flip;
    }
    ok(wrong == 0, "%s: a file of %zu bytes is refused whichever byte is wrong", method, good_size);
    wrong = 0;
    for (size_t size = 0; size < good_size; size++)
        wrong += !is_refused(good, size, &err);
    ok(wrong == 0, "%s: and wherever it is cut", method);
    good = realloc(good, good_size + 1);
    good[good_size] = 0;
    ok(is_refused(good, good_size + 1, &err) && strstr(err.text, "expected"),
       "%s: and if anything follows it", method);
    folder_put("plan", good, good_size);
    ok(spmv_plan_load(device, &s->csr, NULL, "plan", &plan, NULL) == SPMV_OK,
       "%s: the unchanged file is accepted", method);
    spmv_plan_destroy(plan);
}

/* ---- right checksums, wrong contents --------------------------------------------------------- */

static void refuse(const char *what, const spmv_file_header *header, const char *text)
{
    const size_t begin = offsetof(spmv_file_header, abi);
    unsigned char *bytes = malloc(good_size);
    spmv_file_header forged = *header;
    spmv_error err;

    if (bytes == NULL)
        return;
    forged.checksum = spmv_hash(NULL, (const char *)&forged + begin, sizeof forged - begin);
    memcpy(bytes, good, good_size);
    memcpy(bytes, &forged, sizeof forged);
    ok(is_refused(bytes, good_size, &err), "refused: %s", what);
    if (!ok(strstr(err.text, text) != NULL, "and the text says '%s'", text))
        diag("%s", err.text);
    free(bytes);
}

static void test_forged(void)
{
    spmv_file_header header;

    make_file("toy_sorted");
#define FORGE(what, change, text)                                                                  \
    do {                                                                                           \
        memcpy(&header, good, sizeof header);                                                      \
        change;                                                                                    \
        refuse(what, &header, text);                                                               \
    } while (0)
    FORGE("another kind of file", header.magic[0] = 'S', "none that spmv_plan_save wrote");
    FORGE("another byte order", header.byte_order = 0x04030201, "another byte order");
    FORGE("a later version", header.version++, "; libspmv " SPMV_VERSION " reads version");
    FORGE("another ABI", header.abi++, "module ABI");
    FORGE("another size_t", header.size_bits = 16, "size_t has 16 bits");
    FORGE("a name without an end", memset(header.module, 'x', sizeof header.module), "has no end");
    FORGE("another name", strcpy(header.module, "toy"), "'toy', which the device has not");
    FORGE("too many arrays", header.array_count = 17, "impossible number of arrays");
    FORGE("less than no arrays", header.array_count = -1, "impossible number of arrays");
    FORGE("less arrays", header.array_count = 3, "bytes; expected");
    FORGE("a huge array", header.array[2].bytes = UINT64_MAX - 100, "bytes; expected");
    FORGE("a small array", header.array[2].bytes = 0, "bytes; expected");
    /* The same with a right sum of all lengths; in the second case by an overflow. */
    FORGE("less arrays of the same length", (header.array_count = 3,
          header.array[2].bytes += header.array[3].bytes), "array_count is 4, it was 3");
    FORGE("a huge array beside another", (header.array[3].bytes += header.array[2].bytes + 101,
          header.array[2].bytes = UINT64_MAX - 100), "array 2 has");
    FORGE("a small array beside a large one", (header.array[3].bytes += header.array[2].bytes,
          header.array[2].bytes = 0), "array 2 has");
    FORGE("an array of another name", strcpy(header.array[0].name, "disorder"), "array 0 has");
    FORGE("an array of other contents", header.array[1].hash++,
          "array 'row_ptr' has another checksum");
    FORGE("a setting out of range", header.setting[1] = 65, "stripe=65 is out of range");
    FORGE("an unknown setting", header.setting[2] = 1, "has not=1 is out of range");
    FORGE("another setting", header.setting[0] = 1, "permutes_y is 1, it was 0");
    FORGE("a negative number of rows", header.rows = INT64_MIN, "csr.rows is 9");
    FORGE("another workspace", header.workspace_bytes = UINT64_MAX, "workspace_bytes is 0");
    FORGE("another product", header.transposed = 1, "multiplies by the transpose of the matrix");
    FORGE("another structure", header.col_idx_hash++, "csr.col_idx has other contents");
}

int main(void)
{
    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    s = sample_create(9, 6, 1, SPMV_F64, SPMV_I32);
    folder_enter();
    test_every_byte("toy_sorted");
    test_forged();
    folder_leave();
    free(good);
    sample_destroy(s);
    spmv_device_close(device);
    return tap_done();
}
