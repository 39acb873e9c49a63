/* spmv_module.h: the contract between an emitted module and the program that runs it.
 *
 * A module is one method for one value type, one row-pointer type and one target, with fixed
 * parameters. It exports one constant table, spmv_module, whose functions list the arrays of the
 * method's layout, the steps that fill them, and the steps of one multiplication. A module never
 * allocates, starts threads or prints. The program that runs the module does: libspmv, or fifty
 * lines of your own, as in examples/vendored.c.
 *
 *     layout_size(layout)   in: csr (columns are read, too), settings, scratch; all else zero.
 *                           out: arrays (name, bytes), numbers, size of the workspace
 *     ... the caller allocates layout->array[i].data and scratch, aligned to SPMV_ALIGNMENT ...
 *     build_steps(layout)   steps that fill the arrays
 *     launches(job)         steps that compute y = alpha*A*x + beta*y. In a module without a
 *                           program they depend on the layout and on whether alpha is 0, so a
 *                           caller may keep them
 *     launches_columns(job) the same for several vectors at once
 *     update_steps(layout)  steps that read new values from layout->csr.val; same structure
 *     restore_steps(job)    steps that write the layout back as CSR
 *     figures(layout)       statistics of the layout
 *
 * A step is `grid` independent chunks of work. The steps of a list run one after another. The
 * chunks of a step may run in any order and concurrently: run(job, first, last) does chunks
 * [first, last). The distribution of chunks over threads changes no bit of the result.
 *
 * All of these functions run on threads with small stacks: large temporaries are in scratch, which
 * the caller allocates.
 *
 * A module for a device other than the CPU has a program: text in the device's language. Steps that
 * build, update and restore the layout still run on the CPU. launches lists kernels of the program
 * and, for some methods, steps for the CPU between them (host steps). The caller copies the arrays
 * to the device, or puts them into shared memory.
 *
 * spmvgen copies this file beside the emitted sources, so that they compile in any folder.
 */
#ifndef SPMV_MODULE_H
#define SPMV_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The hash of this contract. A module carries the hash at its emission; a runtime refuses modules
 * with another hash. After a change, tests/cli/test_abi.py --print gives the new value. */
#define SPMV_MODULE_ABI UINT64_C(0x7e6aa92065d2607d)

/* What calls return. Values are part of the contract: new errors are added at the end. Errors that
 * say "libspmv:" come from libspmv alone, not from modules and bundles. */
typedef enum spmv_status {
    SPMV_OK = 0,
    SPMV_INVALID_ARGUMENT = 1,   /* a null pointer, an unknown option, a misaligned workspace */
    SPMV_INVALID_MATRIX = 2,     /* sizes, row_ptr or columns are not those of a CSR matrix */
    SPMV_UNSUPPORTED = 3,        /* no usable module for this method, type or CPU, or the method
                                    declines the matrix */
    SPMV_OUT_OF_MEMORY = 4,
    SPMV_ABI_MISMATCH = 5,       /* the module was emitted for another contract */
    SPMV_ALIASING = 6,           /* an area that is written overlaps another area */
    SPMV_BUSY = 7,               /* more multiplications at a time than have workspaces */
    SPMV_LOAD_FAILED = 8,        /* libspmv: a file of modules could not be opened */
    SPMV_OVERFLOW = 9,           /* a size does not fit the machine's size_t */
    SPMV_FILE_ERROR = 10,        /* libspmv: a plan's file cannot be read or written, or is
                                    damaged */
    SPMV_STALE = 11,             /* libspmv: saved data belongs to another matrix, module or
                                    library */
    SPMV_DEVICE_FAILED = 12      /* the device or its driver: a program fails to build or to run */
} spmv_status;

/* A module's values, vectors and sums are SPMV_F32 or SPMV_F64. libspmv also takes matrices with
 * values of 16 bits, which it widens: no module sees them. */
typedef enum spmv_value_type {
    SPMV_F16 = 16,               /* IEEE binary16: 11 bits of precision, up to 65504 */
    SPMV_BF16 = 17,              /* bfloat16: 8 bits of precision, the range of f32 */
    SPMV_F32 = 32,
    SPMV_F64 = 64
} spmv_value_type;

/* The type of row_ptr. Columns are always int32_t. */
typedef enum spmv_offset_type { SPMV_I32 = 32, SPMV_I64 = 64 } spmv_offset_type;

/* Whether equal input gives equal bits, for any number of threads, schedule and repetition. */
typedef enum spmv_determinism {
    SPMV_SAME_BITS = 0,
    SPMV_BENCHMARK_ONLY = 1      /* bits may differ; for comparisons, chosen only by name */
} spmv_determinism;

/* Keywords that C and C++ spell differently. */
#ifdef __cplusplus
#define SPMV_RESTRICT __restrict
#define SPMV_STATIC_ASSERT static_assert
#else
#define SPMV_RESTRICT restrict
#define SPMV_STATIC_ASSERT _Static_assert
#endif

/* Of functions that compilers must inline, so that their constant arguments become constants. */
#if defined(__GNUC__)
#define SPMV_INLINED static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define SPMV_INLINED static __forceinline
#else
#define SPMV_INLINED static inline
#endif

/* The structs below hold these enums: -fshort-enums would change their layout. */
SPMV_STATIC_ASSERT(sizeof(spmv_status) == 4 && sizeof(spmv_value_type) == 4 &&
                   sizeof(spmv_offset_type) == 4 && sizeof(spmv_determinism) == 4,
                   "spmv_module.h needs enums of 4 bytes: compile without -fshort-enums");

enum {
    SPMV_ALIGNMENT = 64,         /* bytes, of layout arrays, scratch and workspace */
    SPMV_MAX_ARRAYS = 16,
    SPMV_MAX_NUMBERS = 16,
    SPMV_MAX_STEPS = 12,
    SPMV_MAX_SETTINGS = 4,
    SPMV_MAX_FIGURES = 16,
    SPMV_MAX_PARTS = 8,
    SPMV_MAX_KERNELS = 12,
    SPMV_MAX_ARGUMENTS = 24,
    SPMV_MAX_COLUMNS = 16        /* vectors that one launches_columns multiplies */
};

/* A matrix in compressed sparse row (CSR) format, owned by the caller. Columns within a row need
 * not be sorted and may repeat; repeated entries add up. */
typedef struct spmv_csr {
    int64_t rows, cols;          /* 0 <= rows, cols < 2^31 */
    int64_t nnz;                 /* stored entries: row_ptr[rows] - base */
    const void *row_ptr;         /* rows + 1 offsets of offset_type, row_ptr[0] == base */
    const int32_t *col_idx;      /* nnz columns in [base, base + cols) */
    const void *val;             /* nnz values of value_type */
    int32_t base;                /* 0 or 1 */
    spmv_offset_type offset_type;
    spmv_value_type value_type;
} spmv_csr;

typedef struct spmv_array {
    const char *name;            /* the paper's name of the array */
    size_t bytes;                /* 0: not needed for this matrix */
    void *data;                  /* the caller's allocation; NULL where bytes == 0 */
} spmv_array;

/* How host steps use a part or y, as bits. */
enum { SPMV_HOST_READS = 1, SPMV_HOST_WRITES = 2 };

/* A part of the workspace that kernels get as an argument by its name. */
typedef struct spmv_part {
    const char *name;
    size_t offset;               /* in the workspace, a multiple of SPMV_PART_ALIGNMENT */
    size_t bytes;
    int32_t host;                /* SPMV_HOST_...: how host steps use the part; 0: not at all */
    int32_t reserved;
} spmv_part;

/* Bytes. On every device, a part of a buffer may begin at a multiple of this number. */
enum { SPMV_PART_ALIGNMENT = 512 };

/* The arrays of the caller's CSR that later steps read. They must outlive the plan. */
enum { SPMV_BORROWS_ROW_PTR = 1, SPMV_BORROWS_COL_IDX = 2, SPMV_BORROWS_VAL = 4 };

/* The arrays that a method builds from CSR. Each method defines its array[] and number[]; its
 * folder draws them. A layout is constant after the build, except that update_steps read a new
 * csr.val and write value_arrays. */
typedef struct spmv_layout {
    spmv_csr csr;
    int64_t setting[SPMV_MAX_SETTINGS];  /* in: a value for each of the method's settings */
    int32_t array_count;
    int32_t borrows;             /* SPMV_BORROWS_... */
    int32_t permutes_y;          /* 0: y is in the order of the rows; i + 1: array[i], i32[rows], is
                                    a permutation: y[k] belongs to row array[i][k] */
    int32_t permutes_x;          /* 0: x is in the order of the columns; i + 1: array[i], i32[cols],
                                    is a permutation: x[k] belongs to column array[i][k], counted
                                    from 0 */
    spmv_array array[SPMV_MAX_ARRAYS];
    int64_t number[SPMV_MAX_NUMBERS];
    size_t workspace_bytes;      /* scratch of one multiplication, aligned to SPMV_ALIGNMENT */
    int32_t value_arrays;        /* bit i is set: update_steps write array[i] */
    int32_t part_count;          /* of the workspace, which is then for kernels; 0: no parts */
    int32_t host_y;              /* SPMV_HOST_...: how host steps use y */
    int32_t val_type;            /* in: SPMV_F32: csr.val has values of f32, which the module is to
                                    widen to csr.value_type; 0: of csr.value_type */
    spmv_part part[SPMV_MAX_PARTS];
    size_t columns_bytes;        /* scratch of launches_columns, behind that of the vectors */
    size_t build_bytes;          /* scratch of build_steps; may be freed afterwards */
    double cost;                 /* estimate of one multiplication, in bytes moved */
    double build_cost;           /* estimate of building the layout, same unit; 0: negligible */
    void *scratch;               /* in, for layout_size: ops->sizing_bytes bytes aligned to
                                    SPMV_ALIGNMENT; NULL for all other functions */
} spmv_layout;

/* The data of a step. Build steps use layout and workspace; update steps use layout alone. */
typedef struct spmv_job {
    const spmv_layout *layout;
    double alpha, beta;          /* rounded to the value type */
    const void *x;               /* cols values */
    void *y;                     /* rows values; not read when beta == 0 */
    void *workspace;             /* layout->workspace_bytes; for build_steps layout->build_bytes */
    void *row_ptr_out;           /* restore_steps: rows + 1 offsets in the matrix's base, or NULL;
                                    always NULL if the layout borrows row_ptr */
    int32_t *col_idx_out;        /* restore_steps: nnz columns in the matrix's base, or NULL */
    void *val_out;               /* restore_steps: nnz values, or NULL */
    int32_t columns;             /* launches_columns: number of vectors, 1 to SPMV_MAX_COLUMNS; 0
                                    for all other functions */
    int32_t reserved;
    int64_t x_stride;            /* launches_columns: x[j*x_stride + c] is x_j of vector c */
    int64_t y_row_stride;        /* launches_columns: y[i*y_row_stride + c*y_column_stride] is y_i
                                    of vector c */
    int64_t y_column_stride;     /* 1 if y is row-major */
} spmv_job;

typedef struct spmv_step {
    const char *name;
    void (*run)(const spmv_job *job, int64_t first, int64_t last);   /* NULL: the kernel `name` */
    int64_t grid;                /* number of chunks; of a kernel: work-groups. 0: nothing to do */
} spmv_step;

/* A parameter that is set for each plan, not when the module is emitted: a whole number. It may
 * change the plan's arrays, its costs and the order of x and y, but not the bits of a row's
 * result. */
typedef struct spmv_setting {
    const char *name;
    const char *meaning;
    int64_t least, most, initial;
} spmv_setting;

/* A statistic of a layout, such as its share of padding. */
typedef struct spmv_figure {
    const char *name;
    const char *unit;
    double value;
} spmv_figure;

/* A method's functions. Functions that list steps write at most SPMV_MAX_STEPS entries and return
 * their number. restore_steps returns 0 if the layout lacks an array that the job requests. figures
 * writes at most SPMV_MAX_FIGURES entries about a built layout and returns their number; figures
 * may be NULL. */
typedef struct spmv_method_ops {
    spmv_status (*layout_size)(spmv_layout *layout);
                                 /* SPMV_UNSUPPORTED: declines the matrix. csr.val may be NULL: the
                                    costs alone may depend on values */
    int32_t (*build_steps)(const spmv_layout *layout, spmv_step *step);
    int32_t (*update_steps)(const spmv_layout *layout, spmv_step *step);
    int32_t (*restore_steps)(const spmv_job *job, spmv_step *step);
    int32_t (*launches)(const spmv_job *job, spmv_step *step);
    int32_t (*figures)(const spmv_layout *layout, spmv_figure *figure);
    const spmv_setting *settings;
    int32_t setting_count;       /* 0 to SPMV_MAX_SETTINGS */
    int32_t number_count;        /* 0 to SPMV_MAX_NUMBERS */
    const char *const *number_names;     /* of layout->number, for arguments of kernels; may be
                                            NULL in modules without a program */
    int32_t converts;            /* nonzero: building rearranges the matrix. A few multiplications
                                    do not amortise that, so a runtime may skip the module without
                                    calling layout_size */
    int32_t transposes;          /* nonzero: the module multiplies by the transpose of layout->csr:
                                    x has rows values, y has cols values */
    size_t sizing_bytes;         /* scratch of layout_size; may be freed afterwards */
    int32_t (*launches_columns)(const spmv_job *job, spmv_step *step);
                                 /* steps that compute y = alpha*A*x + beta*y for job->columns
                                    vectors; the bits of one do not depend on the others and their
                                    number. workspace has job->columns * layout->workspace_bytes
                                    bytes, rounded up to SPMV_ALIGNMENT, then
                                    layout->columns_bytes. NULL: the caller multiplies one vector
                                    at a time */
    int32_t symmetric;           /* nonzero: the module only takes a matrix that equals its
                                    transpose, with columns that ascend in each row without
                                    repetition; the caller checks that. Either layout->csr has both
                                    triangles, or no entry below the main diagonal; y is that of the
                                    whole matrix. The layout borrows row_ptr and col_idx, by which
                                    the caller checks new values, too */
    int32_t widens;              /* nonzero: layout_size, build_steps and update_steps widen values
                                    of f32 themselves, see val_type. The layout does not borrow
                                    val */
} spmv_method_ops;

/* ---- programs for other devices ------------------------------------------------------------- */

typedef enum spmv_argument_kind {
    SPMV_ARGUMENT_READ = 0,      /* a pointer to device memory that the kernel only reads */
    SPMV_ARGUMENT_READ_WRITE = 1,
    SPMV_ARGUMENT_I32 = 2,       /* scalars from here on */
    SPMV_ARGUMENT_I64 = 3,
    SPMV_ARGUMENT_F32 = 4,
    SPMV_ARGUMENT_F64 = 5
} spmv_argument_kind;

/* An argument of a kernel. Its name selects the value, in this order:
 *     an array of the layout, a part of the workspace, a number (ops->number_names)
 *     row_ptr col_idx val   rows cols nnz base      of layout->csr
 *     x y   alpha beta                              of the job */
typedef struct spmv_argument {
    const char *name;
    spmv_argument_kind kind;
} spmv_argument;

typedef struct spmv_kernel {
    const char *name;            /* the name that steps use */
    const char *symbol;          /* its name in the program's text */
    int32_t work_group_size;     /* work-items, as the text requires */
    int32_t local_bytes;         /* local memory of a work-group, as declared in the text */
    int32_t argument_count;      /* 0 to SPMV_MAX_ARGUMENTS */
    const spmv_argument *arguments;
    int32_t dynamic_bytes;       /* cuda: local memory of a work-group beside local_bytes, which the
                                    launch allots to the text's `extern __shared__` array. The sum
                                    may be all that the device gives on request, where declared
                                    local memory is limited to 48 KiB. Other languages: 0 */
} spmv_kernel;

/* How device and CPU share memory, according to the target's page. */
typedef enum spmv_memory {
    SPMV_MEMORY_DISCRETE = 0,    /* separate memories */
    SPMV_MEMORY_UNIFIED = 1,     /* one memory, with managed pages */
    SPMV_MEMORY_SVM = 2          /* shared virtual memory */
} spmv_memory;

/* Lines of a program's text, with their line ends. */
typedef struct spmv_program_part {
    const char *const *lines;
    int32_t line_count;
} spmv_program_part;

typedef struct spmv_program {
    const char *language;        /* "opencl" or "cuda": selects the backend of the runtime */
    const char *file;            /* name of the file that the text is emitted to */
    const spmv_program_part *parts;  /* the text in order; modules may share parts */
    int32_t part_count;          /* 0: the text is only in the file */
    int32_t kernel_count;        /* 1 to SPMV_MAX_KERNELS */
    const spmv_kernel *kernels;
    const char *options;         /* of the language's compiler */
    const char *match;           /* parts, separated by "|": a name of the target's devices has one;
                                  * "": any device */
    spmv_memory memory;
    int32_t subgroup_size;       /* work-items of a subgroup that the text needs; 1: any */
    const char *extensions;      /* that the device must list, separated by spaces; "": none */
    int32_t capability;          /* cuda: minimum compute capability, 10 * major + minor; 0: any */
} spmv_program;

typedef struct spmv_param {
    const char *name;
    int64_t value;
    const char *origin;          /* file:line of the page or declaration that fixed it */
} spmv_param;

typedef struct spmv_module {
    uint64_t abi;                /* SPMV_MODULE_ABI at emission */
    uint64_t source_hash;        /* of the emitted text */
    const char *name;            /* this table's symbol */
    const char *method;
    const char *target;
    const char *generator;       /* version that emitted it */
    spmv_value_type value_type;
    spmv_offset_type offset_type;
    spmv_determinism determinism;
    int32_t rank;                /* of the usable modules of a method, the highest rank wins */
    int32_t param_count;
    const spmv_param *params;
    int32_t (*usable)(void);     /* whether this CPU has the instructions */
    const spmv_method_ops *ops;
    const spmv_program *program; /* NULL: all of the module runs on the CPU */
} spmv_module;

#ifdef __cplusplus
}
#endif
#endif
