/* spmv.h: y = alpha*A*x + beta*y for sparse A, with kernels that spmvgen emitted.
 *
 *     spmv_device *device;  spmv_plan *plan;  spmv_error err;
 *     if (spmv_device_open(NULL, &device, &err)) ...err.text...
 *     if (spmv_plan_create(device, &csr, NULL, &plan, &err)) ...err.text...
 *     spmv_execute(plan, 1.0, x, 0.0, y, NULL);
 *     spmv_plan_destroy(plan);
 *     spmv_device_close(device);
 *
 * A device holds modules: kernels for one method, target and value type. A plan is one matrix,
 * converted to the layout of the module that was chosen for it. Create a plan once, execute it
 * often.
 *
 * Errors. Every call that can fail returns a status. No call exits or aborts, and none prints
 * unless SPMV_DEBUG is set. In a build with OpenMP, a call makes sure that there are threads and
 * memory for a team before it asks OpenMP, which would end the program; docs/background/threads.md
 * says what it cannot see. Calls that open, create, load, save or update also take an spmv_error,
 * which may be NULL. Its text says where the error is, what was expected, what was found and what
 * to do. Calls without an spmv_error list their statuses below.
 *
 * Ownership. The caller's arrays are never changed. A plan reads some of the matrix's arrays in
 * place (spmv_plan_info.borrows); keep those unchanged until spmv_plan_destroy, or set
 * options.copy.
 *
 * Concurrency. A plan is constant after creation. Any number of threads may execute one plan at
 * the same time, each with its own workspace. spmv_plan_update_values and spmv_plan_destroy must
 * not run concurrently with other calls on the same plan. Plans of one device may be created
 * concurrently. Adding modules and closing must not run concurrently with other calls on the same
 * device.
 *
 * Threads. The threads that share the work come from OpenMP, from libspmv or from the program; the
 * build and options.parallel_for decide. A plan wakes threads only where that pays, which its first
 * multiplications show. If the system cannot start as many as a plan needs, fewer do the same work.
 * A child of fork() may use its parent's plans for the CPU, whatever other threads of the parent
 * were executing when it was forked; with OpenMP they run on one thread there. See
 * docs/background/threads.md.
 *
 * Reproducibility. Module, options and input determine every bit of the result. The number of
 * threads, their schedule and repetition do not change it.
 *
 * Environment. spmv_device_open reads SPMV_TARGET, SPMV_DEVICE, SPMV_MEMORY and SPMV_DEBUG. See
 * docs/reference/environment.md.
 *
 * OpenCL and CUDA. The comments below hold for all devices, except behind "opencl:" and "cuda:".
 * See docs/reference/devices.md.
 */
#ifndef SPMV_H
#define SPMV_H

#include "spmv_module.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)     /* the shared library exports these declarations */
#endif

#define SPMV_VERSION "0.2.0"

/* Why a call failed. Not written on success. */
typedef struct spmv_error {
    spmv_status status;
    char text[2048];             /* includes the compiler's log if a program does not build */
} spmv_error;

/* A sentence for a status, without a full stop; never NULL. */
const char *spmv_status_text(spmv_status status);

/* Limits the threads that share the work of one call to `threads`, in the whole process and for
 * existing plans, too. 0 or less: no limit, as at the beginning. No bit of a result depends on the
 * limit. Plans keep their number of parts, so the limit can be raised again. Any thread may call
 * this at any time; multiplications that are running may finish with the old limit. */
void spmv_set_thread_limit(int32_t threads);

/* The limit; 0: none. */
int32_t spmv_thread_limit(void);

/* ---- devices ------------------------------------------------------------------------------ */

typedef struct spmv_device spmv_device;

/* Zero-initialise, then set struct_size and the fields you need. New versions add fields at the
 * end. */
typedef struct spmv_device_options {
    size_t struct_size;          /* sizeof(spmv_device_options); 0 with all fields zero: defaults */
    const char *target;          /* use only modules of this target; NULL: SPMV_TARGET, else all */
    int32_t no_builtin_modules;  /* nonzero: start empty, for spmv_device_add_modules */
    const char *device;          /* "cpu", "opencl" or "cuda"; "opencl:TEXT" or "cuda:TEXT" for a
                                    device with TEXT in its name. NULL: SPMV_DEVICE (ignored if
                                    queue is set), else the device of the target's page, else the
                                    CPU */
    void *queue;                 /* the caller's queue; NULL: libspmv creates one.
                                    opencl: a cl_command_queue; its context and device are used.
                                    cuda: a CUstream; its context is used */
} spmv_device_options;

/* Opens a device and adds the built-in modules. options may be NULL: all defaults. */
spmv_status spmv_device_open(const spmv_device_options *options, spmv_device **out,
                             spmv_error *err);

/* Destroy the device's plans first. device may be NULL. */
void spmv_device_close(spmv_device *device);

/* Adds the modules of a NULL-terminated table, such as the spmv_modules__<target> that is emitted
 * beside the kernels. The table must outlive the device. Skipped: modules that this CPU cannot
 * run, and modules that the device already has (same name and source hash). Errors: a module of
 * another ABI (SPMV_ABI_MISMATCH), or another module of a known name (SPMV_INVALID_ARGUMENT); then
 * none of the table is added. */
spmv_status spmv_device_add_modules(spmv_device *device, const spmv_module *const *table,
                                    spmv_error *err);

/* Opens a shared object and adds the table that it exports as `spmv_module_table`. dlopen
 * interprets path: with a slash it is a file, without one a name in the system's library folders.
 * spmv_device_close closes the object. */
spmv_status spmv_device_load_modules(spmv_device *device, const char *path, spmv_error *err);

/* The usable modules, sorted by rank (highest first), then by name. NULL past the end. */
size_t spmv_device_module_count(const spmv_device *device);
const spmv_module *spmv_device_module(const spmv_device *device, size_t index);

/* Allocates memory that the device shares with the host, aligned to SPMV_ALIGNMENT. A matrix or
 * vectors in shared memory are used in place; other memory is copied to devices that cannot read
 * it. For a CPU, and for a device that shares no memory, this is ordinary host memory. The host
 * must not use an allocation while an execute uses any part of it, so give concurrent executes
 * separate allocations for y. SPMV_OUT_OF_MEMORY; SPMV_INVALID_ARGUMENT: device or out is NULL.
 * cuda: managed memory, which Tegra and cards before Pascal restrict further. */
spmv_status spmv_alloc(spmv_device *device, size_t bytes, void **out);
void spmv_free(spmv_device *device, void *memory);               /* memory may be NULL */

/* ---- plans -------------------------------------------------------------------------------- */

typedef struct spmv_plan spmv_plan;

/* A function of the program that distributes work over threads: it calls run(argument, i) once for
 * each i from 0 to count - 1, in any order and on any threads, and returns after the last call has
 * returned. Threads that multiply concurrently call it concurrently. It must not leave by an
 * exception or longjmp: the call would not free its memory and would keep its workspace for ever.
 * context is options.parallel_for_context. */
typedef void spmv_run_part(void *argument, int32_t index);
typedef void spmv_parallel_for(void *context, int32_t count, spmv_run_part *run, void *argument);

/* Zero-initialise, then set struct_size and the fields you need. New versions add fields at the
 * end. */
typedef struct spmv_plan_options {
    size_t struct_size;          /* sizeof(spmv_plan_options); 0 with all fields zero: defaults */
    const char *method;          /* NULL: the cheapest that fits into memory, as the modules
                                    estimate their costs */
    const char *target;          /* NULL: the target of highest rank */
    int32_t threads;             /* threads that may share the work, at most 4096; never changes
                                    the result. 0: as many as OpenMP has (one for each CPU without
                                    OpenMP or with parallel_for), within the quota of CPUs of the
                                    process's control groups, but at most one for each 4096 rows
                                    and nonzeros. A multiplication wakes only as many as pay. See
                                    spmv_set_thread_limit */
    int32_t copy;                /* nonzero: copy the arrays that would be borrowed */
    int32_t full_check;          /* nonzero: also check every column index */
    int32_t savable;             /* nonzero: allow spmv_plan_save. Costs one read of row_ptr and
                                    col_idx, and zeroing the layout before it is built */
    const char *settings;        /* "name=value,...": settings of the method
                                    (spmv_method_ops.settings); needs options.method. NULL: the
                                    initial values */
    const char *choice;          /* text from spmv_plan_choice: use exactly that module and its
                                    settings */
    int32_t expected_runs;       /* multiplications that the plan will serve; 0:
                                    SPMV_EXPECTED_RUNS. Below 8, only methods without conversion
                                    are considered */
    int32_t measure;             /* nonzero: build and time the cheapest candidates, and keep the
                                    fastest, building included. The next plan may get another
                                    one; to repeat a choice, save it by spmv_plan_choice */
    spmv_parallel_for *parallel_for;     /* distributes the plan's work, building included; NULL:
                                            libspmv does */
    void *parallel_for_context;
    int32_t transposed;          /* nonzero: the plan multiplies by the transpose of the matrix: x
                                    has rows values, y has cols values. Columns are checked, as with
                                    full_check. For 8 or more expected multiplications the matrix is
                                    mostly transposed first, which counts as building */
    spmv_value_type vector_type; /* of x, y and sums: SPMV_F32 or SPMV_F64, as wide as
                                    csr.value_type or wider. 0: the narrowest of these */
    spmv_value_type round_to;    /* a type narrower than csr.value_type: the plan's values are
                                    rounded to it. 0: they are not rounded */
    int32_t symmetric;           /* SPMV_SYMMETRIC_...: the matrix equals its transpose, so methods
                                    that read half of it may be chosen. Columns are checked, as with
                                    full_check, and must ascend in each row without repetition.
                                    options.transposed then changes nothing */
} spmv_plan_options;

/* options.symmetric: the entries of a symmetric matrix that the csr has. */
enum {
    SPMV_SYMMETRIC_NONE = 0,     /* the matrix need not be symmetric */
    SPMV_SYMMETRIC_FULL = 1,     /* all. Each entry is compared with its mirror */
    SPMV_SYMMETRIC_LOWER = 2,    /* those on and below the main diagonal, and no others */
    SPMV_SYMMETRIC_UPPER = 3     /* those on and above the main diagonal, and no others */
};

/* The default of options.expected_runs, typical of an iterative solver. */
enum { SPMV_EXPECTED_RUNS = 1000 };

/* Creates a plan: checks the matrix (sizes, monotone row_ptr; columns with full_check), chooses a
 * module and builds its layout. The host builds the layout, whichever device multiplies.
 * Borrowed arrays must stay unchanged until the plan is destroyed, even if the device has a copy.
 * On failure *out is NULL and nothing is leaked.
 *
 * cuda: arrays of the matrix may also be in device memory. They are copied to the host for the
 * duration of the call, in the device's queue and so behind earlier commands there, and the plan
 * borrows nothing (as with options.copy). spmv_plan_build_profile lists the copies as "from the
 * device".
 *
 * Products of A, from A in CSR or in CSC. The arrays of A in CSC (column pointers, row indices,
 * values) are those of its transpose in CSR:
 *
 *     product   arrays of A   csr.rows, csr.cols             options.transposed
 *     A x       CSR           rows and columns of A          0
 *     A^T x     CSR           rows and columns of A          1
 *     A x       CSC           columns and rows of A          1
 *     A^T x     CSC           columns and rows of A          0
 *
 * rows, cols, x and y of all functions below are those of the product. The matrix of
 * spmv_plan_update_values, spmv_plan_restore_csr and spmv_plan_load is the csr that the plan was
 * created with.
 *
 * With options.transposed, methods that multiply by the transpose itself borrow the caller's
 * arrays. For all other methods the plan makes the transpose, builds the layout from it, and frees
 * what the layout does not borrow; it borrows nothing of the caller's. It keeps the transpose's row
 * pointers. If the columns of some row do not ascend, or once values have been updated, it also
 * keeps the order of the entries: 4 bytes an entry, 8 for 2^32 entries or more.
 *
 * With SPMV_SYMMETRIC_LOWER or _UPPER the matrix of the functions below is the triangle, but
 * spmv_plan_info.nnz counts both triangles. Method `symmetric` borrows an upper triangle. In all
 * other cases the plan makes the whole matrix, and handles it like a transpose: it borrows nothing
 * of the caller's.
 *
 * Mixed precision. Values of SPMV_F32, SPMV_F16 or SPMV_BF16 are widened, exactly, to the type of
 * the vectors while the plan is built: it multiplies as a plan of the widened values. Methods that
 * borrow val read a widened copy, which the plan owns; strips makes no copy of SPMV_F32. Restored
 * values are as they were, but NaNs become quiet.
 *
 * options.round_to rounds the values first, each to the nearest of the narrower type. That adds at
 * most |alpha| * sum over j of (u*|a_ij| + s) * |x_j| to the error of y_i:
 *
 *     SPMV_F32     u = 2^-24; s = 2^-150 for values below 2^-126, else 0
 *     SPMV_F16     u = 2^-11; s = 2^-25 for values below 2^-14, else 0; 65504 is the largest value
 *     SPMV_BF16    u = 2^-8; s = 2^-134 for values below 2^-126, else 0
 *
 * A finite value that would become infinite is SPMV_INVALID_ARGUMENT; the text names it. */
spmv_status spmv_plan_create(spmv_device *device, const spmv_csr *csr,
                             const spmv_plan_options *options, spmv_plan **out, spmv_error *err);
void spmv_plan_destroy(spmv_plan *plan);                         /* plan may be NULL */

/* Bytes of scratch memory that one execute needs; may be 0. */
size_t spmv_plan_workspace_size(const spmv_plan *plan);

/* Computes y = alpha*A*x + beta*y.
 *
 *     x, y          cols and rows values of the vectors' type, that of the plan's module
 *     alpha, beta   rounded to that type. alpha == 0: neither A nor x is read, and x may be
 *                   NULL. beta == 0: y is not read
 *     workspace     spmv_plan_workspace_size bytes aligned to SPMV_ALIGNMENT; NULL: the plan's
 *                   own workspace, which serves one execute at a time
 *
 * On a CPU libspmv allocates nothing here, except to start threads if too few are running. Other
 * devices run up to 15 executes with a workspace at a time.
 * cuda: x and y may also be device memory or managed memory, which is used in place.
 *
 *     SPMV_INVALID_ARGUMENT   plan is NULL; x or y is NULL although it has entries, or is not
 *                             aligned to its type; workspace is misaligned
 *     SPMV_ALIASING           y or workspace overlaps the other, x, or an array of the plan
 *     SPMV_BUSY               the plan's own workspace is in use; on a device, all workspaces are
 *     SPMV_UNSUPPORTED        cuda: the device's stream is being captured, or the matrix needs more
 *                             work-groups than the device can launch
 *     SPMV_DEVICE_FAILED, SPMV_OUT_OF_MEMORY   from the device; the contents of y are undefined */
spmv_status spmv_execute(const spmv_plan *plan, double alpha, const void *x, double beta, void *y,
                         void *workspace);

/* The order of a dense matrix whose columns are vectors, with leading dimension ld. */
typedef enum spmv_order {
    SPMV_ROW_MAJOR = 0,          /* element (i, c) is [i*ld + c]; ld >= columns */
    SPMV_COLUMN_MAJOR = 1        /* element (i, c) is [i + c*ld]; ld >= rows */
} spmv_order;

/* Bytes of scratch memory that spmv_execute_columns needs; may be 0. */
size_t spmv_plan_columns_workspace_size(const spmv_plan *plan, spmv_order order, int32_t columns);

/* Computes Y = alpha*A*X + beta*Y for several vectors, the columns of X and Y. The bits of a column
 * of Y depend on the plan, alpha, beta and that column alone: not on the number of columns, which
 * may be 1, on order, ldx and ldy, or on threads. The error bound is that of spmv_execute, but the
 * bits may be others, as entries of a row may be added in another order.
 *
 *     order         of X and Y
 *     columns       number of vectors, 0 or more
 *     x, ldx        X, of cols x columns values, and its leading dimension
 *     y, ldy        Y, of rows x columns values, and its leading dimension. Memory between rows
 *                   (row-major) or columns (column-major) is neither read nor written
 *     alpha, beta   as in spmv_execute
 *     workspace     spmv_plan_columns_workspace_size bytes aligned to SPMV_ALIGNMENT; NULL: the
 *                   plan's own, which is allocated when a call needs more than calls before, and
 *                   serves one execute at a time
 *
 * On a CPU strips, csr_vector and csr_scalar multiply up to 16 vectors at once, so the matrix is
 * read once for them. All of the plan's threads take part, also for a small matrix. Row-major
 * vectors are faster: a column-major X is copied first. Other methods and devices multiply one
 * vector at a time.
 * cuda: column-major X and Y may also be in device memory. Row-major ones are copied by the host.
 *
 *     SPMV_INVALID_ARGUMENT   as spmv_execute; columns is negative; order is unknown; ldx or ldy is
 *                             too small; the host cannot read row-major X or Y
 *     SPMV_OUT_OF_MEMORY      there is no memory for the plan's own workspace; Y is unchanged
 *     others                  as spmv_execute. SPMV_ALIASING: X and Y share an element, or their
 *                             memory overlaps and ldx and ldy differ */
spmv_status spmv_execute_columns(const spmv_plan *plan, spmv_order order, int32_t columns,
                                 double alpha, const void *x, int64_t ldx, double beta, void *y,
                                 int64_t ldy, void *workspace);

/* Zero-initialise, then set struct_size and the fields you need. New versions add fields at the
 * end. */
typedef struct spmv_enqueue_options {
    size_t struct_size;          /* sizeof(spmv_enqueue_options) */
    void *queue;                 /* cl_command_queue or CUstream; NULL: the device's queue */
    uint32_t wait_count;
    const void *wait;            /* const cl_event[wait_count] or const CUevent[wait_count]: the
                                    multiplication begins after these events */
    void *event;                 /* cl_event * or CUevent *: receives an event of the end, which
                                    the caller releases or destroys; NULL: no event */
    spmv_error *err;             /* receives the error; may be NULL */
} spmv_enqueue_options;

/* Starts y = alpha*A*x + beta*y and returns. x and y are device memory with at least cols and rows
 * values. Vectors and plan must live, and the plan's values must not be updated, until the
 * multiplication has ended. Enqueues of one plan may overlap, from any threads and queues. A
 * method with host steps (spmv_execute_profile lists them) waits here for its kernels. A command
 * that fails later shows only in its event, and in enqueues that were already waiting for it.
 * options may be NULL.
 * opencl: x and y are cl_mem objects of the device's context, not pointers.
 * cuda: x and y are pointers. While a stream is being captured, the multiplication becomes part
 * of its graph, any number of times; graphs may be destroyed after the plan, but before libspmv is
 * unloaded.
 *
 *     SPMV_INVALID_ARGUMENT   a vector is NULL, too short or of another context; the queue is of
 *                             another context
 *     SPMV_ALIASING           x and y overlap
 *     SPMV_BUSY               15 calls of this function, or executes with a workspace, are in
 *                             progress; cuda: only of a method that needs a workspace on the
 *                             device, and not while a stream is being captured
 *     SPMV_UNSUPPORTED        the plan is for the CPU, or a method with host steps is captured
 *     SPMV_DEVICE_FAILED, SPMV_OUT_OF_MEMORY   from the device; the contents of y are undefined */
spmv_status spmv_enqueue(const spmv_plan *plan, double alpha, void *x, double beta, void *y,
                         const spmv_enqueue_options *options);

/* The duration of one step of a multiplication. */
typedef struct spmv_step_time {
    const char *name;            /* lives as long as the module */
    double seconds;              /* wall clock */
} spmv_step_time;

/* Like spmv_execute; also writes the times of the steps in their order, at most SPMV_MAX_STEPS, and
 * their number to *count. On other devices than the CPU a kernel is timed by the device's clock, if
 * there is one, and copies count as steps named "to the device" and "from the device". */
spmv_status spmv_execute_profile(const spmv_plan *plan, double alpha, const void *x, double beta,
                                 void *y, void *workspace, spmv_step_time *time, int32_t *count);

/* Replaces the values of the matrix; its structure stays. val: nnz values in the order and type of
 * the original CSR. A plan that borrows its values borrows val from now on.
 * Nothing changes after SPMV_INVALID_ARGUMENT (val is NULL or misaligned, or a value is too large
 * for options.round_to), SPMV_INVALID_MATRIX (with SPMV_SYMMETRIC_FULL, method `symmetric` compares
 * each value with its mirror's; other methods multiply by the values as they are) and
 * SPMV_OUT_OF_MEMORY: a plan that widens, rounds, or made the transpose or the whole matrix needs
 * memory for the values, the latter at first also for the order of the entries.
 * SPMV_DEVICE_FAILED: the plan's values are undefined until an update succeeds.
 * cuda: graphs that captured the plan multiply by the new values; none may run during the update.
 * val may be in device memory; it is copied to the host and not borrowed (SPMV_OUT_OF_MEMORY: there
 * is no memory for the copy).
 * SPMV_UNSUPPORTED: graphs read the caller's managed memory and val is another array (nothing
 * changes), or the device's stream is being captured (as SPMV_DEVICE_FAILED). */
spmv_status spmv_plan_update_values(spmv_plan *plan, const void *val, spmv_error *err);

/* Writes the matrix as CSR in the original base and order: rows + 1 offsets (of the csr's rows),
 * nnz columns and nnz values. Any pointer may be NULL. SPMV_UNSUPPORTED: the method does not keep a
 * requested array. Some methods drop row_ptr, whose offsets are those that the plan was created
 * with. A plan that made the transpose restores all arrays. SPMV_OUT_OF_MEMORY: such a plan, and
 * one that widens or rounds values, needs temporary memory; the outputs are unchanged. */
spmv_status spmv_plan_restore_csr(const spmv_plan *plan, void *row_ptr, int32_t *col_idx, void *val,
                                  spmv_error *err);

/* The chosen module and its costs. Pointers are valid as long as the plan. Set struct_size before
 * the call; new versions add fields at the end. */
typedef struct spmv_plan_info {
    size_t struct_size;          /* sizeof(spmv_plan_info) */
    const spmv_module *module;
    const char *reason;          /* why this module was chosen */
    int32_t threads;             /* parts that a multiplication is cut into; fewer threads may do
                                    them. Small matrices: the most, until the first eight
                                    multiplications have shown how many pay */
    int32_t borrows;             /* SPMV_BORROWS_...: the caller's arrays that the plan reads */
    int64_t rows, cols, nnz;     /* of the product: rows values in y, cols values in x */
    size_t layout_bytes;         /* allocated by the plan, without the workspace */
    size_t workspace_bytes;
    double build_seconds;        /* wall clock of spmv_plan_create */
    const int32_t *y_permutation;   /* NULL: y is in the order of the rows. Otherwise a setting
                                       permutes y: y[k] belongs to row y_permutation[k] */
    const int32_t *x_permutation;   /* NULL: x is in the order of the columns. Otherwise x[k]
                                       belongs to column x_permutation[k], counted from 0 */
    spmv_value_type value_type;     /* of the csr. The vectors have module->value_type */
    spmv_value_type rounded_to;     /* options.round_to, if values are rounded; else 0 */
} spmv_plan_info;

/* SPMV_INVALID_ARGUMENT: a pointer is NULL, or struct_size is wrong. */
spmv_status spmv_plan_query(const spmv_plan *plan, spmv_plan_info *info);

/* A candidate: a method with a module for the matrix's types. Pointers are valid as long as the
 * plan. Set struct_size before the call; new versions add fields at the end. */
typedef struct spmv_candidate {
    size_t struct_size;          /* sizeof(spmv_candidate) */
    const spmv_module *module;   /* the module of highest rank that accepts the matrix; if
                                    none does, that of highest rank */
    const char *why_not;         /* why the method could not be chosen; NULL: it could, and the
                                    fields below are set */
    double cost;                 /* of one multiplication, estimated by the module in bytes moved;
                                    arithmetic counts as bytes */
    size_t layout_bytes;         /* that the plan would allocate, without options.copy */
    size_t workspace_bytes;
    int32_t borrows;             /* SPMV_BORROWS_... */
    double build_cost;           /* of building the plan, in the same unit. The candidate with the
                                    least build_cost + runs * cost is chosen */
    double seconds;              /* of one multiplication; 0: not measured (options.measure) */
    double build_seconds;        /* of building; 0: not measured. Of the measured candidates, that
                                    with the least build_seconds + runs * seconds is chosen */
} spmv_candidate;

/* The candidates: index 0 is the chosen one, then the others by rising cost, then those that could
 * not be chosen. If options name a method or a choice there is one candidate; a loaded plan has
 * none. SPMV_INVALID_ARGUMENT: a pointer is NULL, index is too large, or struct_size is wrong. */
size_t spmv_plan_candidate_count(const spmv_plan *plan);
spmv_status spmv_plan_explain(const spmv_plan *plan, size_t index, spmv_candidate *candidate);

/* How long each step took that filled the layout, in their order: writes at most SPMV_MAX_STEPS
 * entries, and their number to *count. A plan that was loaded or that borrows all its arrays has
 * none. Copies to a device are no steps. SPMV_INVALID_ARGUMENT: a pointer is NULL. */
spmv_status spmv_plan_build_profile(const spmv_plan *plan, spmv_step_time *time, int32_t *count);

/* Statistics of the layout, such as its share of padding: writes at most SPMV_MAX_FIGURES entries,
 * and their number to *count. Strings live as long as the module. SPMV_INVALID_ARGUMENT: a pointer
 * is NULL. */
spmv_status spmv_plan_figures(const spmv_plan *plan, spmv_figure *figure, int32_t *count);

/* ---- saving and loading ------------------------------------------------------------------- */

enum { SPMV_CHOICE_SIZE = 512 };         /* bytes for any choice of a module that spmvgen emits */

/* Writes the choice as one line of text without a line end, for options.choice of a later plan of
 * this or another matrix. A plan made from the text gives the same bits as one whose options name
 * method, target and settings. If the module is missing later, or was emitted from other sources,
 * spmv_plan_create returns SPMV_STALE. */
spmv_status spmv_plan_choice(const spmv_plan *plan, char *text, size_t size, spmv_error *err);

/* Saves the plan to a file, from which spmv_plan_load makes a plan without building the layout
 * again. The plan must have been created with options.savable, or loaded. Borrowed arrays are not
 * written. The file is written under another name in the same folder and renamed when complete:
 * after an error (SPMV_FILE_ERROR) path holds its old contents. Symbolic links are followed. A
 * replaced file passes its mode on to the new one. A folder, device, pipe or socket is not replaced
 * (SPMV_FILE_ERROR). */
spmv_status spmv_plan_save(const spmv_plan *plan, const char *path, spmv_error *err);

/* Makes a plan for csr from a saved file. The values come from csr, never from the file.
 *
 *     SPMV_STALE        csr has another structure, the device lacks the module or has it from
 *                       other sources, or options contradict the file (transposed, symmetric,
 *                       vector_type and round_to must be those of the saved plan); err says what
 *                       differs
 *     SPMV_FILE_ERROR   the file cannot be read, is truncated or has a wrong bit
 *
 * After either, use spmv_plan_create. The checks find accidents, not malice: load files only from
 * sources whose programs you would run. */
spmv_status spmv_plan_load(spmv_device *device, const spmv_csr *csr,
                           const spmv_plan_options *options, const char *path, spmv_plan **out,
                           spmv_error *err);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
#endif
