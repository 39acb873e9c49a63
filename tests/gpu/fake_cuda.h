/* fake_cuda.h: what gpubench uses of CUDA's runtime and of cuSPARSE, on the CPU, so that gpubench can be
 * run where there is no GPU. Compiled against CUDA's own headers, which hold every function to its
 * signature, and linked in place of the libraries.
 *
 * The device is slow by design and the same everywhere: its clock is moved on by multiplications and
 * copies alone (FAKE_...). So figures are exact, and tests need no clock. Multiplications whose y was not
 * written by the host since the last time take their time and do nothing: the result is there.
 *
 * The environment's FAKE_CUDA, words with commas, makes something go wrong:
 *
 *     no-device       there is none
 *     wrong-NAME      the algorithm's results are wrong, as in wrong-COO_ALG1
 *     broken-NAME     it leaves the device unusable
 *     refused-NAME    it is not supported
 *     slow-NAME       it takes FAKE_SLOW_US
 *     hangs-NAME      it never ends; an alarm that is set comes at once
 *     hangs-late-NAME     the 2000th time, which is in the second way of timing a small matrix
 *     no-capture      captures fail
 *
 * At exit, a line on standard error counts what was not freed. One thread.
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    FAKE_CUSPARSE_US = 1000,     /* microseconds of one multiplication by cuSPARSE */
    FAKE_SPMV_US = 500,          /* by libspmv */
    FAKE_SLOW_US = 600000,       /* by one that is slow */
    FAKE_COLD_US = 250,          /* on top, where the y before was another one */
    FAKE_COPY_US = 1000,         /* of any copy on the device */
    FAKE_READ_US = 625,          /* of reading as much */
    FAKE_L2_BYTES = 13 << 20,
    FAKE_FREE_BYTES = 1 << 30    /* which leaves room for few replicas */
};

/* A piece of work for the stream: done now or, while it is captured, by each launch of the graph. */
enum { FAKE_ARGUMENTS = 128 };
typedef void fake_work(const void *arguments);
void fake_submit(fake_work *work, const void *arguments, size_t bytes);

/* Lets a multiplication pass: false where its result is there already. */
bool fake_multiply(const void *y, int microseconds);

/* Does the environment ask for this? name: the part behind the dash, or NULL. */
bool fake_asks(const char *word, const char *name);

/* What one multiplication of the algorithm takes, usually or as the environment asks. */
int fake_microseconds(const char *name, int usual);

bool fake_is_broken(void);
void fake_break(void);

/* Objects and allocations that there are, so that leaks are seen. */
void fake_count(int change);

#endif
