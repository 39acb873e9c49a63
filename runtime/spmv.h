/* spmv.h: y = alpha*A*x + beta*y with kernels that spmvgen emitted.
 *
 *     spmv_device *device;  spmv_plan *plan;  spmv_error err;
 *     if (spmv_device_open(NULL, &device, &err)) ...err.text...
 *     if (spmv_plan_create(device, &csr, NULL, &plan, &err)) ...
 *     spmv_execute(plan, 1.0, x, 0.0, y, NULL);
 *     spmv_plan_destroy(plan);  spmv_device_close(device);
 *
 * Every call returns a status; none exits or aborts, and none prints unless SPMV_DEBUG asks. Calls
 * that open, create, load, save or update also take an spmv_error, which may be NULL; its text says
 * where, what was expected, what was found and what to do. Those that run often, and queries, have
 * their few reasons in the comment here.
 *
 * Ownership. A plan copies nothing that its method leaves unconverted: it borrows those arrays of
 * the caller's CSR (spmv_plan_info.borrows) until spmv_plan_destroy, unless options.copy is set.
 * The caller's arrays are never changed.
 *
 * Threads. A plan is constant after creation: many executes may run at once, from any threads, each
 * with its own workspace. spmv_plan_update_values and spmv_plan_destroy must not run beside an
 * execute of the same plan. Plans of one device may be created at once; adding modules and closing
 * must not run beside anything else of the device. Threads that help are those of OpenMP, of
 * libspmv or of the program, as libspmv was built and options.parallel_for has it. Where the system
 * does not start as many as a plan asks for, fewer do the work. A child of fork() may use its
 * parent's plans for the CPU, on one thread where threads are OpenMP's. docs/runtime.md says what
 * holds for each way.
 *
 * Same bits. The result depends only on module, options and input: not on thread count, schedule or
 * repetition.
 *
 * Environment, read when a device is opened. SPMV_TARGET: the only target whose modules may be
 * chosen, unless the program names one itself. SPMV_DEVICE: the device, as spmv_device_options.device
 * has it, likewise. SPMV_MEMORY: how memory is shared with a device. SPMV_DEBUG=1: on stderr, which
 * modules there are and why one was chosen. docs/runtime.md says more.
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

/* What a failed call has to say. Untouched on success. */
typedef struct spmv_error {
    spmv_status status;
    char text[2048];             /* a program that does not build tells what its compiler said */
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
                                    device's name; "cuda" and "cuda:TEXT", likewise; NULL: SPMV_DEVICE's,
                                    else what the target's page is for, else the CPU */
    void *queue;                 /* NULL: libspmv makes its own.
                                    opencl: a cl_command_queue of the caller's, whose context and device
                                    are then the device's; it is retained until spmv_device_close and
                                    may be out of order.
                                    cuda: a CUstream (cudaStream_t) of the caller's, likewise; it must
                                    live until spmv_device_close. The default stream is NULL itself: pass
                                    CU_STREAM_LEGACY or CU_STREAM_PER_THREAD for it. Without one, the
                                    calling thread's current context is used if there is one of a device
                                    that fits, else the device's primary context, which is that of the
                                    CUDA runtime; libspmv's own stream and the default stream wait for
                                    each other. Calls leave the thread's current context as it was */
} spmv_device_options;

spmv_status spmv_device_open(const spmv_device_options *options, spmv_device **out,
                             spmv_error *err);
void spmv_device_close(spmv_device *device);                     /* NULL is fine; plans go first */

/* Adds the modules of a NULL-terminated table, such as the spmv_modules__<target> that is emitted
 * beside the kernels. Modules this CPU cannot run are skipped; one with another ABI is refused
 * (SPMV_ABI_MISMATCH) and none of its table is added. A module that the device has already (same
 * name and source hash) is passed over, another one of its name refused. Tables must outlive the
 * device. */
spmv_status spmv_device_add_modules(spmv_device *device, const spmv_module *const *table,
                                    spmv_error *err);

/* Opens a shared object and adds the table that it exports as `spmv_module_table`. path is as
 * dlopen takes it: with a slash a file, without one a name to look for in the system's library
 * folders. The object is closed with the device. */
spmv_status spmv_device_load_modules(spmv_device *device, const char *path, spmv_error *err);

/* The usable modules, best rank first, then by name. NULL past the end. */
size_t spmv_device_module_count(const spmv_device *device);
const spmv_module *spmv_device_module(const spmv_device *device, size_t index);

/* Memory that the device shares with the host, aligned to SPMV_ALIGNMENT: a matrix or vectors there
 * are used where they are, anything else is copied to a device that does not see it. Where they share
 * none, and for a CPU, it is the host's. The host may use it unless an execute does, any part of it:
 * executes that run at once write to y in allocations of their own.
 * cuda: managed memory, where the device has one memory with the host or SPMV_MEMORY asks for it. On
 * devices without concurrent access to it (Tegra; cards before Pascal) the host may use none of it
 * while anything runs on the device: no execute in another thread, no enqueue that has not ended. */
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
    const char *method;          /* NULL: the cheapest, by the modules' own estimate, of those that there is
                                    memory for */
    const char *target;          /* NULL: the highest rank */
    int32_t threads;             /* parts that work is cut into, each for one thread; 0: as many as
                                    OpenMP gives threads (without OpenMP, and with parallel_for:
                                    as there are CPUs), but one for each 4096 rows and nonzeros
                                    at most; to 4096; never changes the result */
    int32_t copy;                /* nonzero: copy what would be borrowed */
    int32_t full_check;          /* nonzero: also check every column index */
    int32_t savable;             /* nonzero: spmv_plan_save may be used; costs a read of row_ptr and
                                    col_idx, and zeros in the layout before it is built */
    const char *settings;        /* "name=value,...": settings of the method, which must be named
                                    (spmv_method_ops.settings says what there is); NULL: as is */
    const char *choice;          /* what spmv_plan_choice wrote: exactly that module and settings */
    int32_t expected_runs;       /* multiplications that the plan will serve, 0: SPMV_EXPECTED_RUNS. Where
                                    they are fewer than 8 a method that converts nothing is chosen */
    int32_t measure;             /* nonzero: the cheapest candidates are built and run a few times each, and
                                    the quickest, building included, is taken. Another time it may be
                                    another one; spmv_plan_choice tells which, for options.choice */
    spmv_parallel_for *parallel_for;     /* shares out the plan's work, building included; NULL:
                                            libspmv does */
    void *parallel_for_context;
} spmv_plan_options;

/* What options.expected_runs is where it is 0: those of an iterative solver. */
enum { SPMV_EXPECTED_RUNS = 1000 };

/* Makes a plan from a matrix in memory of the host, whichever device multiplies it (SPMV_INVALID_ARGUMENT
 * for memory that CUDA has on the device). Checks the matrix (sizes, row_ptr monotone; columns with
 * full_check), chooses a module and builds its layout. What the plan borrows must stay as it is until the
 * plan is destroyed, also where the device has a copy of it. On failure *out is NULL and nothing is
 * leaked. */
spmv_status spmv_plan_create(spmv_device *device, const spmv_csr *csr,
                             const spmv_plan_options *options, spmv_plan **out, spmv_error *err);
void spmv_plan_destroy(spmv_plan *plan);                         /* NULL is fine */

/* Bytes that one execute needs as scratch; may be 0. */
size_t spmv_plan_workspace_size(const spmv_plan *plan);

/* y = alpha*A*x + beta*y. x has cols values, y rows values, of the plan's value type; alpha and
 * beta are rounded to it. beta == 0 never reads y; alpha == 0 reads neither A nor x, which may be
 * NULL then. workspace: spmv_plan_workspace_size bytes aligned to SPMV_ALIGNMENT, or NULL to use the
 * plan's own, which serves one execute at a time (SPMV_BUSY otherwise). y and workspace must overlap
 * nothing else: not each other, not x, not arrays of the matrix that the plan borrows
 * (SPMV_ALIASING). SPMV_INVALID_ARGUMENT: plan is NULL; x or y is NULL where it has entries, or not
 * aligned to its type; workspace is not aligned. On a CPU libspmv allocates nothing here but
 * threads that help, where there are too few yet; for another device a workspace also stands for
 * buffers there, of which up to 15 are made when first needed;
 * SPMV_DEVICE_FAILED and SPMV_OUT_OF_MEMORY are then what it says, in words where SPMV_DEBUG is set,
 * and nothing is known of y. cuda: x and y may also be memory of the device or managed memory, used where
 * they are; SPMV_INVALID_ARGUMENT: such memory is of another context or too short; SPMV_UNSUPPORTED: the
 * device's stream is being captured. After a kernel has failed as it ran, CUDA refuses everything else
 * in that context: SPMV_DEVICE_FAILED until the context has been destroyed. */
spmv_status spmv_execute(const spmv_plan *plan, double alpha, const void *x, double beta, void *y,
                         void *workspace);

/* Zero-initialise, then set struct_size and what you want; fields are added at the end. */
typedef struct spmv_enqueue_options {
    size_t struct_size;          /* sizeof(spmv_enqueue_options) */
    void *queue;                 /* opencl: a cl_command_queue of the device's context and device, in order
                                    or not; cuda: a CUstream of the device's context; NULL: the device's */
    uint32_t wait_count;
    const void *wait;            /* opencl: const cl_event[wait_count], after which it may begin; cuda:
                                    const CUevent[wait_count] */
    void *event;                 /* opencl: a cl_event *, to which the event of its end is written, the
                                    caller's to release; cuda: a CUevent *, to which a new event without
                                    timing is written, recorded at the end, the caller's to destroy;
                                    NULL: not wanted */
    spmv_error *err;             /* what was wrong, in words; NULL: not wanted */
} spmv_enqueue_options;

/* Starts y = alpha*A*x + beta*y and returns: x and y are memory of the device, with at least cols and
 * rows values. opencl: cl_mem, and nothing else (a pointer of the host's crashes in the driver), of the
 * device's context; y must not overlap x, by sub-buffers for one. They, and the plan, must live until
 * it has ended, and the plan's values may not be updated before. Enqueues of one plan may overlap, from any
 * threads and queues; SPMV_BUSY: 15 threads are within this call or an execute with a workspace. A
 * method whose host takes part (spmv_execute_profile shows its step) waits for its kernels here.
 * options may be NULL. SPMV_UNSUPPORTED: the plan is for the CPU. SPMV_INVALID_ARGUMENT: a vector is
 * NULL, of another context or too short, the queue of another context. SPMV_ALIASING: x is y.
 * SPMV_DEVICE_FAILED, SPMV_OUT_OF_MEMORY: so the device says; nothing is known of y then. A command
 * that fails later shows in its event alone, and in enqueues that were already waiting for it.
 *
 * cuda: x and y are device memory of the device's context, or managed memory, as pointers. Memory of
 * another place, context or length is SPMV_INVALID_ARGUMENT, areas that overlap are SPMV_ALIASING, as far
 * as the driver tells. A stream that is being captured takes the multiplication into its graph; nothing
 * is waited for then, and no other call of libspmv is needed before but spmv_plan_create. The graph may
 * be launched at any time, beside other multiplications of the plan, but not beside itself, until the
 * plan is destroyed, with the alpha and beta that it was captured with and the values that the plan has
 * by then (spmv_plan_update_values): one of the plan's 15 workspaces on the device is the graph's until then (SPMV_BUSY:
 * all are taken). A method whose host takes part cannot be captured: SPMV_UNSUPPORTED. A graph of which
 * an enqueue failed must not be launched. */
spmv_status spmv_enqueue(const spmv_plan *plan, double alpha, void *x, double beta, void *y,
                         const spmv_enqueue_options *options);

/* How long a step of one multiplication took, such as a method's repair by the host. */
typedef struct spmv_step_time {
    const char *name;            /* lives as long as the module */
    double seconds;              /* wall clock */
} spmv_step_time;

/* spmv_execute, which also writes the times of its steps, in their order: at most SPMV_MAX_STEPS,
 * and how many to *count. On another device than the CPU a kernel's time is what the device says where
 * it says any, and copies count as steps, "to the device" and "from the device". */
spmv_status spmv_execute_profile(const spmv_plan *plan, double alpha, const void *x, double beta,
                                 void *y, void *workspace, spmv_step_time *time, int32_t *count);

/* Takes new values for the same structure, nnz of them in the order of the original CSR, in memory of the
 * host. A plan that borrows its values borrows these from now on. Graphs that captured the plan multiply
 * by them when they are launched next; none may run meanwhile. SPMV_DEVICE_FAILED: nothing is known of the
 * plan's values until an update succeeds. SPMV_UNSUPPORTED: the plan borrowed values in managed
 * memory, which its graphs read, and val is another array (nothing changes); or the device's stream is
 * being captured (as SPMV_DEVICE_FAILED). */
spmv_status spmv_plan_update_values(spmv_plan *plan, const void *val, spmv_error *err);

/* Writes the matrix back as CSR in the original base and order: rows + 1 offsets, nnz columns, nnz
 * values. Any pointer may be NULL. SPMV_UNSUPPORTED for what the plan's method does not keep (for
 * row_ptr it need not: the offsets are those that the plan was created with). */
spmv_status spmv_plan_restore_csr(const spmv_plan *plan, void *row_ptr, int32_t *col_idx, void *val,
                                  spmv_error *err);

/* What was chosen, and what it costs. Pointers are valid as long as the plan. Set struct_size
 * before the query; fields are added at the end. */
typedef struct spmv_plan_info {
    size_t struct_size;          /* sizeof(spmv_plan_info) */
    const spmv_module *module;
    const char *reason;          /* why this module */
    int32_t threads;             /* parts that work is cut into; fewer threads do them where not
                                    as many can be started */
    int32_t borrows;             /* SPMV_BORROWS_...; 0 when nothing of the caller's is kept */
    int64_t rows, cols, nnz;
    size_t layout_bytes;         /* what the plan allocated, without the workspace */
    size_t workspace_bytes;
    double build_seconds;        /* wall clock of spmv_plan_create */
    const int32_t *y_permutation;   /* NULL: y is in the order of rows. Else, by a setting that asks
                                       for it, y[k] belongs to row y_permutation[k] */
    const int32_t *x_permutation;   /* the same of x: NULL: in the order of columns. Else x[k] belongs
                                       to column x_permutation[k], from 0 */
} spmv_plan_info;

spmv_status spmv_plan_query(const spmv_plan *plan, spmv_plan_info *info);

/* What the choice was made from: a method with a module for the matrix's types. Pointers are valid as
 * long as the plan. Set struct_size before the call; fields are added at the end. */
typedef struct spmv_candidate {
    size_t struct_size;          /* sizeof(spmv_candidate) */
    const spmv_module *module;   /* of the highest rank that takes the matrix */
    const char *why_not;         /* why no module of the method could be chosen; NULL: it could, and all
                                    below is known */
    double cost;                 /* bytes that one multiplication moves, or is worth, by the module's own
                                    estimate */
    size_t layout_bytes;         /* what the plan would allocate, without what options.copy adds */
    size_t workspace_bytes;
    int32_t borrows;             /* SPMV_BORROWS_... */
    double build_cost;           /* of building the plan, likewise; the least build_cost + runs * cost was
                                    chosen */
    double seconds;              /* of a multiplication, where options.measure had it run; else 0 */
    double build_seconds;        /* of building, likewise; the least build_seconds + runs * seconds was taken */
} spmv_candidate;

/* The candidates: index 0 was chosen, then the cheaper before the dearer, then those that could not be
 * chosen. One, where options name a method or a choice; none for a plan that was loaded.
 * SPMV_INVALID_ARGUMENT: a pointer is NULL, index too large, or struct_size wrong. */
size_t spmv_plan_candidate_count(const spmv_plan *plan);
spmv_status spmv_plan_explain(const spmv_plan *plan, size_t index, spmv_candidate *candidate);

/* What the method has to tell about its layout, such as its share of padding: writes at most
 * SPMV_MAX_FIGURES entries, and how many to *count. Strings live as long as the module. */
spmv_status spmv_plan_figures(const spmv_plan *plan, spmv_figure *figure, int32_t *count);

/* ---- saving and loading ------------------------------------------------------------------- */

enum { SPMV_CHOICE_SIZE = 512 };         /* room for any choice of a module that spmvgen emits */

/* Writes what was chosen as one line of text without a line end, for options.choice of a later
 * plan on this or another matrix. A plan made from it gives the same bits as one that was made
 * with the method, target and settings by name. Where its module is missing or was emitted from
 * other sources in the meantime, spmv_plan_create returns SPMV_STALE. */
spmv_status spmv_plan_choice(const spmv_plan *plan, char *text, size_t size, spmv_error *err);

/* Writes the plan to a file that spmv_plan_load takes instead of building the layout again. The
 * plan must have been created with options.savable, or loaded. The file is written under another
 * name in the same folder and renamed: path holds the whole plan or, on error (SPMV_FILE_ERROR),
 * what it held before. Symbolic links are followed, and a file that is replaced leaves its mode to
 * the new one; a folder, device, pipe or socket of that name is an error (SPMV_FILE_ERROR). Borrowed
 * arrays are not written. */
spmv_status spmv_plan_save(const spmv_plan *plan, const char *path, spmv_error *err);

/* Makes a plan for csr from a file, with csr's values: those in the file are never used. csr must
 * have the structure that was saved, and the device the module, of the same sources; options that
 * are set must agree with the file: SPMV_STALE otherwise, with what differs. A file that cannot be
 * read, is cut or has a wrong bit is SPMV_FILE_ERROR. After both, spmv_plan_create is what to do.
 * Checks find accidents, not malice: load no file from anybody whose program you would not run. */
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
