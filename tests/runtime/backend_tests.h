/* backend_tests.h: tests that every backend passes in the same way, on the mock of its driver. */
#ifndef TEST_BACKEND_TESTS_H
#define TEST_BACKEND_TESTS_H

#include "toy_client.h"

typedef struct tested_backend {
    const char *name;            /* for options.device */
    void (*reset)(void);         /* sets the mock to a good device */
    int (*is_clean)(void);       /* whether all objects were released and none was misused */
    int (*has_no_context)(void); /* whether the calling thread has none; NULL: no contexts exist */
    /* Makes call number `at` of the function return the code; NULL: no call fails. */
    void (*fail)(const char *function, int at, int code);
    int (*calls)(void);          /* of the function that fails */
} tested_backend;

/* Each of these resets the mock first. */
void backend_test_results(const tested_backend *b, const char *driver);
void backend_test_profile(const tested_backend *b);
void backend_test_host_step(const tested_backend *b);
void backend_test_update(const tested_backend *b);
void backend_test_transposed(const tested_backend *b);
void backend_test_widened(const tested_backend *b);
void backend_test_at_once(const tested_backend *b);

/* The functions below do not reset the mock. */

/* Opens `device`, as named in options.device. An error must begin with the function's name. */
void backend_expect_open(const tested_backend *b, const char *device, spmv_status status,
                         const char *expected, const char *name);
/* The device opens, but can run none of the modules. */
void backend_expect_refusal(const tested_backend *b, const char *name, const char *expected);
/* The device opens, but no plan can be made. */
void backend_expect_no_plan(const tested_backend *b, const char *name, spmv_status status,
                            const char *expected);

/* copies: the expected number of copies in a multiplication of vectors from spmv_alloc; 0 if memory
 * is shared. */
void backend_test_copies(const tested_backend *b, const char *name, int copies);
/* An array of the matrix in shared memory is not copied. `allocate` is the function that allocates
 * device memory, `code` an error of that function. */
void backend_test_shared_matrix(const tested_backend *b, const char *allocate, int code);

/* Opens a device, uses and closes it. 1: everything works; 0: an error is reported; -1: a wrong
 * result or a missing message, so an error was missed. */
int backend_lifecycle(const tested_backend *b);

typedef struct failing_function {
    const char *name;
    int is_harmless;             /* the backend works without the function's result */
    int may_leave;               /* objects may stay until their context is released */
} failing_function;

/* Makes each function fail at each of its calls in turn, with alternating codes. */
void backend_test_failures(const tested_backend *b, const failing_function *functions, size_t count,
                           const int codes[2]);

#endif
