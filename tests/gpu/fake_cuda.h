/* fake_cuda.h: the parts of CUDA's runtime and of cuSPARSE that gpubench uses, on the CPU, so that
 * gpubench can run without a GPU. They are compiled against CUDA's headers, which check the
 * signatures, and are linked in place of the libraries.
 *
 * The clock of the device advances only by multiplications and copies, by fixed times (FAKE_...).
 * So results are exact, and tests need no clock. A multiplication takes its time but does nothing
 * if the host did not write its y since the last one: y has the result already.
 *
 * FAKE_CUDA in the environment is a list of faults, separated by commas:
 *
 *     no-device       there is no device
 *     old-driver      the driver is for CUDA 11.8
 *     no-memory       no array of 4 MiB or more fits the device's memory
 *     wrong-NAME      the algorithm's results are wrong, as in wrong-COO_ALG1
 *     broken-NAME     it leaves the device unusable
 *     refused-NAME    it is not supported
 *     slow-NAME       it takes FAKE_SLOW_US
 *     hangs-NAME      it never ends; a watchdog's alarm comes at once
 *     hangs-late-NAME     the same from the 2000th time, in the second mode for a small matrix
 *     no-capture      captures fail
 *
 * FAKE_US is the time of every multiplication, instead of FAKE_CUSPARSE_US and FAKE_SPMV_US.
 *
 * At exit, lines on standard error count what was not freed, and the seconds of the clock. One
 * thread.
 */
#ifndef TEST_FAKE_CUDA_H
#define TEST_FAKE_CUDA_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    FAKE_CUSPARSE_US = 1000,     /* microseconds of a multiplication by cuSPARSE */
    FAKE_SPMV_US = 500,          /* by libspmv */
    FAKE_SLOW_US = 600000,       /* by a slow algorithm */
    FAKE_COLD_US = 250,          /* in addition, if the last multiplication had another y */
    FAKE_COPY_US = 1000,         /* of a copy on the device */
    FAKE_READ_US = 625,          /* of reading the same bytes */
    FAKE_L2_BYTES = 13 << 20,
    FAKE_FREE_BYTES = 1 << 30    /* few replicas fit */
};

/* Work for the stream. It is done at once or, during a capture, at each launch of the graph. */
enum { FAKE_ARGUMENTS = 128 };
typedef void fake_work(const void *arguments);
void fake_submit(fake_work *work, const void *arguments, size_t bytes);

/* Advances the clock by a multiplication. False: y has its result already. */
bool fake_multiply(const void *y, int microseconds);

/* Whether the environment asks for this fault. name: the part after the dash, or NULL. */
bool fake_asks(const char *word, const char *name);

/* The time of one multiplication of the algorithm, which the environment may change. */
int fake_microseconds(const char *name, int usual);

bool fake_is_broken(void);
void fake_break(void);

/* Counts objects and allocations, to find leaks. */
void fake_count(int change);

#endif
