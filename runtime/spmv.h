/* spmv.h: y = alpha*A*x + beta*y with kernels that spmvgen emitted.
 *
 *     spmv_device *device;  spmv_plan *plan;  spmv_error err;
 *     if (spmv_device_open(NULL, &device, &err)) ...err.text...
 *     if (spmv_plan_create(device, &csr, NULL, &plan, &err)) ...err.text...
 *     spmv_execute(plan, 1.0, x, 0.0, y, NULL);
 *     spmv_plan_destroy(plan);
 *     spmv_device_close(device);
 *
 * Every call returns a status. No call exits or aborts, and none prints unless SPMV_DEBUG is set.
 * Calls that open, create, load, save or update also take an spmv_error, which may be NULL; its
 * text says where, what was expected, what was found and what to do. Calls that run often, and
 * queries, list their few reasons here.
 *
 * Ownership. A plan borrows the arrays of the caller's CSR that its method does not convert
 * (spmv_plan_info.borrows) until spmv_plan_destroy, unless options.copy is set. The caller's
 * arrays are never changed.
 *
 * Threads. A plan is constant after creation: many executes may run at once, from any threads,
 * each with its own workspace. spmv_plan_update_values and spmv_plan_destroy must not run beside
 * an execute of the same plan. Plans of one device may be created at once; adding modules and
 * closing must not run beside any other call with the device. The threads that help are OpenMP's,
 * libspmv's or the program's: the build and options.parallel_for decide. Where the system starts
 * fewer than a plan asks for, fewer do the work. A child of fork() may use its parent's plans for
 * the CPU, on one thread where threads are OpenMP's. docs/background/threads.md describes each
 * way.
 *
 * Same bits. The result depends only on module, options and input: not on thread count, schedule
 * or repetition.
 *
 * Environment. SPMV_TARGET, SPMV_DEVICE, SPMV_MEMORY and SPMV_DEBUG are read when a device is
 * opened: docs/reference/environment.md.
 *
 * OpenCL and CUDA. Comments here state what all devices have in common; what each adds is in
 * docs/reference/devices.md.
 */
#ifndef SPMV_H
#define SPMV_H

#include "spmv_module.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)     /* the shared library exports what is declared here */
#endif

#define SPMV_VERSION "0.1.0"

/* Why a call failed. Untouched on success. */
typedef struct spmv_error {
    spmv_status status;
    char text[2048];             /* for a program that does not build, with the compiler's log */
} spmv_error;

/* A sentence for a status, without a trailing full stop; never NULL. */
const char *spmv_status_text(spmv_status status);

/* ---- devices ------------------------------------------------------------------------------ */

typedef struct spmv_device spmv_device;

/* Zero-initialise, then set struct_size and what you want; fields are added at the end. */
typedef struct spmv_device_options {
    size_t struct_size;          /* sizeof(spmv_device_options); 0 with all fields zero: defaults */
    const char *target;          /* only modules of this target; NULL: SPMV_TARGET's, else all */
    int32_t no_builtin_modules;  /* nonzero: start empty, use spmv_device_add_modules */
    const char *device;          /* "cpu"; "opencl", or "opencl:TEXT" where TEXT is part of the
                                    device's name; "cuda" and "cuda:TEXT", likewise; NULL:
                                    SPMV_DEVICE's, else the device of the target's page, else the
                                    CPU */
    void *queue;                 /* NULL: libspmv makes its own. Of the caller's:
                                    opencl: a cl_command_queue, whose context and device are used;
                                    cuda: a CUstream, whose context is used */
} spmv_device_options;

spmv_status spmv_device_open(const spmv_device_options *options, spmv_device **out,
                             spmv_error *err);
void spmv_device_close(spmv_device *device);                     /* NULL is fine; plans go first */

/* Adds the modules of a NULL-terminated table, such as the spmv_modules__<target> that is emitted
 * beside the kernels. Modules that this CPU cannot run are skipped. A module of another ABI is
 * refused (SPMV_ABI_MISMATCH), and none of its table is added. A module that the device already has
 * (same name and source hash) is skipped; another module of that name is refused. Tables must
 * outlive the device. */
spmv_status spmv_device_add_modules(spmv_device *device, const spmv_module *const *table,
                                    spmv_error *err);

/* Opens a shared object and adds the table that it exports as `spmv_module_table`. path is as
 * dlopen takes it: with a slash a file, without one a name to look for in the system's library
 * folders. The object is closed with the device. */
spmv_status spmv_device_load_modules(spmv_device *device, const char *path, spmv_error *err);

/* The usable modules, best rank first, then by name. NULL past the end. */
size_t spmv_device_module_count(const spmv_device *device);
const spmv_module *spmv_device_module(const spmv_device *device, size_t index);

/* Memory that the device shares with the host, aligned to SPMV_ALIGNMENT: a matrix or vectors in
 * it are used in place, other memory is copied to a device that does not see it. Where device and
 * host share none, and for a CPU, it is the host's. The host may use an allocation unless an
 * execute uses any part of it: executes that run at once write to y in allocations of their own.
 * cuda: managed memory, which Tegra and cards before Pascal restrict further. */
spmv_status spmv_alloc(spmv_device *device, size_t bytes, void **out);
void spmv_free(spmv_device *device, void *memory);

/* ---- plans -------------------------------------------------------------------------------- */

typedef struct spmv_plan spmv_plan;

/* A function of the program's that shares out the work of a plan: it calls run(argument, i) once
 * for each i from 0 to count - 1, in any order and on any threads, and returns when all calls have.
 * It is called from several threads at once where they use plans at once. context is
 * options.parallel_for_context. */
typedef void spmv_run_part(void *argument, int32_t index);
typedef void spmv_parallel_for(void *context, int32_t count, spmv_run_part *run, void *argument);

/* Zero-initialise, then set struct_size and what you want; fields are added at the end. */
typedef struct spmv_plan_options {
    size_t struct_size;          /* sizeof(spmv_plan_options); 0 with all fields zero: defaults */
    const char *method;          /* NULL: the cheapest by the modules' own estimate, of those that
                                    memory suffices for */
    const char *target;          /* NULL: the highest rank */
    int32_t threads;             /* parts that work is cut into, each for one thread, to 4096; 0: as
                                    many as OpenMP gives threads (without OpenMP, and with
                                    parallel_for: as many as CPUs), at most one for each 4096 rows
                                    and nonzeros; never changes the result */
    int32_t copy;                /* nonzero: copy what would be borrowed */
    int32_t full_check;          /* nonzero: also check every column index */
    int32_t savable;             /* nonzero: spmv_plan_save may be used; costs a read of row_ptr and
                                    col_idx, and zeros in the layout before it is built */
    const char *settings;        /* "name=value,...": settings of the method, which must be named
                                    (spmv_method_ops.settings says what there is); NULL: as is */
    const char *choice;          /* what spmv_plan_choice wrote: exactly that module and settings */
    int32_t expected_runs;       /* multiplications that the plan will serve, 0: SPMV_EXPECTED_RUNS.
                                    Below 8 only methods without conversion are considered */
    int32_t measure;             /* nonzero: the cheapest candidates are built and run a few times
                                    each, and the quickest, building included, is taken. It may be
                                    another one the next time; spmv_plan_choice says which it was,
                                    for options.choice */
    spmv_parallel_for *parallel_for;     /* shares out the plan's work, building included; NULL:
                                            libspmv does */
    void *parallel_for_context;
} spmv_plan_options;

/* The value of options.expected_runs that 0 stands for: that of an iterative solver. */
enum { SPMV_EXPECTED_RUNS = 1000 };

/* Makes a plan from a matrix in memory of the host, whichever device multiplies it. Checks the
 * matrix (sizes, row_ptr monotone; columns with full_check), chooses a module and builds its
 * layout. Arrays that the plan borrows must stay unchanged until the plan is destroyed, also where
 * the device has a copy of them. On failure *out is NULL and nothing is leaked. */
spmv_status spmv_plan_create(spmv_device *device, const spmv_csr *csr,
                             const spmv_plan_options *options, spmv_plan **out, spmv_error *err);
void spmv_plan_destroy(spmv_plan *plan);                         /* NULL is fine */

/* Bytes that one execute needs as scratch; may be 0. */
size_t spmv_plan_workspace_size(const spmv_plan *plan);

/* y = alpha*A*x + beta*y. x has cols values, y rows values, of the plan's value type; alpha and
 * beta are rounded to it. beta == 0 never reads y; alpha == 0 reads neither A nor x, which may be
 * NULL then. workspace: spmv_plan_workspace_size bytes aligned to SPMV_ALIGNMENT, or NULL to use
 * the plan's own, which serves one execute at a time (SPMV_BUSY otherwise). y and workspace must
 * overlap nothing else: not each other, not x, not arrays of the matrix that the plan borrows
 * (SPMV_ALIASING). SPMV_INVALID_ARGUMENT: plan is NULL; x or y is NULL where it has entries, or
 * not aligned to its type; workspace is not aligned. On a CPU libspmv allocates nothing here
 * except threads, where too few run yet. Other devices: up to 15 executes with a workspace may run
 * at once; SPMV_DEVICE_FAILED, SPMV_OUT_OF_MEMORY: reported by the device, and nothing is known of
 * y.
 * cuda: x and y may also be memory of the device or managed memory, used in place. */
spmv_status spmv_execute(const spmv_plan *plan, double alpha, const void *x, double beta, void *y,
                         void *workspace);

/* Zero-initialise, then set struct_size and what you want; fields are added at the end. */
typedef struct spmv_enqueue_options {
    size_t struct_size;          /* sizeof(spmv_enqueue_options) */
    void *queue;                 /* cl_command_queue or CUstream; NULL: the device's */
    uint32_t wait_count;
    const void *wait;            /* const cl_event[wait_count] or const CUevent[wait_count], after
                                    which the multiplication may begin */
    void *event;                 /* cl_event * or CUevent *, to which an event of the end is
                                    written, the caller's to release or destroy; NULL: not wanted */
    spmv_error *err;             /* why it failed; NULL: not wanted */
} spmv_enqueue_options;

/* Starts y = alpha*A*x + beta*y and returns. x and y are memory of the device, with at least cols
 * and rows values. They and the plan must live until the multiplication has ended, and the plan's
 * values may not be updated before. Enqueues of one plan may overlap, from any threads and queues.
 * A method with host steps (spmv_execute_profile shows them) waits for its kernels here. options
 * may be NULL. A command that fails later shows in its event alone, and in enqueues that were
 * already waiting for it. docs/reference/devices.md has the rules of each language.
 * opencl: x and y are cl_mem of the device's context, and no pointers.
 * cuda: x and y are pointers; a stream that is being captured takes the multiplication into its
 * graph.
 *
 * SPMV_BUSY: 15 threads are within this call or an execute with a workspace, or graphs hold the
 * workspaces. SPMV_UNSUPPORTED: the plan is for the CPU, or a method with host steps is captured.
 * SPMV_INVALID_ARGUMENT: a vector is NULL, of another context or too short, or the queue is of
 * another context. SPMV_ALIASING: x and y overlap. SPMV_DEVICE_FAILED, SPMV_OUT_OF_MEMORY:
 * reported by the device; nothing is known of y then. */
spmv_status spmv_enqueue(const spmv_plan *plan, double alpha, void *x, double beta, void *y,
                         const spmv_enqueue_options *options);

/* How long a step of one multiplication took, such as a method's repair by the host. */
typedef struct spmv_step_time {
    const char *name;            /* lives as long as the module */
    double seconds;              /* wall clock */
} spmv_step_time;

/* spmv_execute that also writes the times of its steps, in their order: at most SPMV_MAX_STEPS, and
 * their number to *count. On other devices a kernel's time is by the device's clock, where it has
 * one, and copies count as steps, "to the device" and "from the device". */
spmv_status spmv_execute_profile(const spmv_plan *plan, double alpha, const void *x, double beta,
                                 void *y, void *workspace, spmv_step_time *time, int32_t *count);

/* Takes new values for the same structure, nnz of them in the order of the original CSR, in memory
 * of the host. A plan that borrows its values borrows these from now on. SPMV_DEVICE_FAILED:
 * nothing is known of the plan's values until an update succeeds.
 * cuda: graphs that captured the plan multiply by the new values; none may run meanwhile.
 * SPMV_UNSUPPORTED: graphs read the caller's managed memory and val is another array (nothing
 * changes), or the device's stream is being captured (as SPMV_DEVICE_FAILED). */
spmv_status spmv_plan_update_values(spmv_plan *plan, const void *val, spmv_error *err);

/* Writes the matrix back as CSR in the original base and order: rows + 1 offsets, nnz columns, nnz
 * values. Any pointer may be NULL. SPMV_UNSUPPORTED: the plan's method does not keep an array that
 * is asked for (methods need not keep row_ptr: the offsets are those that the plan was created
 * with). */
spmv_status spmv_plan_restore_csr(const spmv_plan *plan, void *row_ptr, int32_t *col_idx, void *val,
                                  spmv_error *err);

/* The chosen module and its costs. Pointers are valid as long as the plan. Set struct_size before
 * the query; fields are added at the end. */
typedef struct spmv_plan_info {
    size_t struct_size;          /* sizeof(spmv_plan_info) */
    const spmv_module *module;
    const char *reason;          /* why this module */
    int32_t threads;             /* parts that work is cut into; fewer threads may do them */
    int32_t borrows;             /* SPMV_BORROWS_...: arrays of the caller's that the plan reads */
    int64_t rows, cols, nnz;
    size_t layout_bytes;         /* allocated by the plan, without the workspace */
    size_t workspace_bytes;
    double build_seconds;        /* wall clock of spmv_plan_create */
    const int32_t *y_permutation;   /* NULL: y is in the order of rows. Else, because of a setting,
                                       y[k] belongs to row y_permutation[k] */
    const int32_t *x_permutation;   /* NULL: x is in the order of columns. Else x[k] belongs to
                                       column x_permutation[k], from 0 */
} spmv_plan_info;

spmv_status spmv_plan_query(const spmv_plan *plan, spmv_plan_info *info);

/* A candidate of the choice: a method that has a module for the matrix's types. Pointers are valid
 * as long as the plan. Set struct_size before the call; fields are added at the end. */
typedef struct spmv_candidate {
    size_t struct_size;          /* sizeof(spmv_candidate) */
    const spmv_module *module;   /* of the highest rank that takes the matrix */
    const char *why_not;         /* why no module of the method could be chosen; NULL: one could,
                                    and all fields below are set */
    double cost;                 /* bytes that one multiplication moves, computing included as
                                    bytes, by the module's own estimate */
    size_t layout_bytes;         /* the plan would allocate, without copies by options.copy */
    size_t workspace_bytes;
    int32_t borrows;             /* SPMV_BORROWS_... */
    double build_cost;           /* of building the plan, in such bytes; the least
                                    build_cost + runs * cost was chosen */
    double seconds;              /* of a multiplication, if options.measure had it run; else 0 */
    double build_seconds;        /* of building, if measured; the least
                                    build_seconds + runs * seconds was taken */
} spmv_candidate;

/* The candidates: index 0 was chosen; then by rising cost; then those that could not be chosen.
 * One, where options name a method or a choice; none for a plan that was loaded.
 * SPMV_INVALID_ARGUMENT: a pointer is NULL, index too large, or struct_size wrong. */
size_t spmv_plan_candidate_count(const spmv_plan *plan);
spmv_status spmv_plan_explain(const spmv_plan *plan, size_t index, spmv_candidate *candidate);

/* Figures of the method about its layout, such as its share of padding: writes at most
 * SPMV_MAX_FIGURES entries, and their number to *count. Strings live as long as the module. */
spmv_status spmv_plan_figures(const spmv_plan *plan, spmv_figure *figure, int32_t *count);

/* ---- saving and loading ------------------------------------------------------------------- */

enum { SPMV_CHOICE_SIZE = 512 };         /* room for any choice of a module that spmvgen emits */

/* Writes the choice as one line of text without a line end, for options.choice of a later plan on
 * this or another matrix. A plan made from it gives the same bits as one that names method, target
 * and settings. Where its module is missing or was emitted from other sources in the meantime,
 * spmv_plan_create returns SPMV_STALE. */
spmv_status spmv_plan_choice(const spmv_plan *plan, char *text, size_t size, spmv_error *err);

/* Writes the plan to a file that spmv_plan_load takes instead of building the layout again. The
 * plan must have been created with options.savable, or loaded. The file is written under another
 * name in the same folder and renamed: path holds the whole plan or, on error (SPMV_FILE_ERROR),
 * what it held before. Symbolic links are followed, and a file that is replaced leaves its mode to
 * the new one; a folder, device, pipe or socket of that name is an error (SPMV_FILE_ERROR).
 * Borrowed arrays are not written. */
spmv_status spmv_plan_save(const spmv_plan *plan, const char *path, spmv_error *err);

/* Makes a plan for csr from a file, with csr's values: values in the file are never used. csr must
 * have the structure that was saved, the device must have the module, of the same sources, and
 * options that are set must agree with the file: otherwise SPMV_STALE, and err says what differs. A
 * file that cannot be read, is cut or has a wrong bit is SPMV_FILE_ERROR. After either, create the
 * plan by spmv_plan_create. Checks find accidents, not malice: load files only from sources whose
 * programs you would run. */
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
