/* backend_tests.h: tests that every backend passes in the same way, on the mock of its driver. */
#ifndef BACKEND_TESTS_H
#define BACKEND_TESTS_H

#include "toy_client.h"

typedef struct tested_backend {
    const char *name;            /* the word of options.device */
    void (*reset)(void);         /* a good device, whatever the last test asked for */
    int (*is_clean)(void);       /* were all objects released, and was nothing misused? */
    int (*has_no_context)(void); /* of the calling thread; NULL: the backend has no such thing */
    /* Lets call `at` of the function return the code; NULL: every call works again. */
    void (*fail)(const char *function, int at, int code);
    int (*calls)(void);          /* of the function that fails */
} tested_backend;

/* Each of these resets the mock first. */
void backend_test_results(const tested_backend *b, const char *driver);
void backend_test_profile(const tested_backend *b);
void backend_test_host_step(const tested_backend *b);
void backend_test_update(const tested_backend *b);
void backend_test_at_once(const tested_backend *b);

/* The backend_expect_ functions take the mock as it is set. */

/* Opening `device`, as options.device names it. An error must begin with the function's name. */
void backend_expect_open(const tested_backend *b, const char *device, spmv_status status,
                         const char *expected, const char *name);
/* The device opens, and no module is for it. */
void backend_expect_refusal(const tested_backend *b, const char *name, const char *expected);
/* The device opens, and no plan can be made. */
void backend_expect_no_plan(const tested_backend *b, const char *name, spmv_status status,
                            const char *expected);

/* These two take the mock as it is set. */

/* `copies`: what a multiplication makes with vectors of spmv_alloc, 0 where memory is shared. */
void backend_test_copies(const tested_backend *b, const char *name, int copies);
/* An array of the matrix in shared memory is not copied. `allocate` is the function that allocates
 * memory of the device, `code` an error of that function. */
void backend_test_shared_matrix(const tested_backend *b, const char *allocate, int code);

/* From opening a device to closing it; 1 if all of it works, 0 where an error is told, -1 where a
 * wrong result or a missing message shows that an error was not noticed. */
int backend_lifecycle(const tested_backend *b);

typedef struct failing_function {
    const char *name;
    int is_harmless;             /* what it tells is not needed */
    int may_leave;               /* objects that it should release go with their context */
} failing_function;

/* Each function fails at each of its calls in turn, with codes that take turns. */
void backend_test_failures(const tested_backend *b, const failing_function *functions, size_t count,
                           const int codes[2]);

#endif
