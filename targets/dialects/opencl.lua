-- opencl.lua: OpenCL C 1.2, which every OpenCL driver compiles. Tables of targets/isa/ add words of
-- newer devices.

return {
    name = "opencl",
    form = "simt",
    extension = "cl",
    parse = {
        language = "cl",
        args = { "-triple", "spir64-unknown-unknown", "-cl-std=CL1.2", "-fdeclare-opencl-builtins",
                 "-finclude-default-header" },
    },
    host = { dialect = "c", isa = "host" },
    build_options = "-cl-std=CL1.2",
    prelude_bodies = true,
    bundle = {
        header = "runtime/bundle/opencl/kernels.h",
        implementation = "runtime/bundle/opencl/kernels.c",
        extension = "c",
        readme = "runtime/bundle/opencl/README.md",
    },

    preamble = [[
#if __OPENCL_C_VERSION__ < 120
#error "compile this text as OpenCL C 1.2 or later"
#endif

/* The order of additions below is part of the contract (same bits in every run, and an Inf
 * or NaN stays in its row), and this option lets a compiler change it. */
#ifdef __FAST_RELAXED_MATH__
#error "compile this text without -cl-fast-relaxed-math"
#endif

/* a*b + c is rounded once where the text calls fma, twice elsewhere. */
#pragma OPENCL FP_CONTRACT OFF

/* Values and columns of A are read once, so their loads should not displace x in the
 * caches: on GPUs, where the compiler is Clang. On CPUs such loads would not be joined
 * into vectors. */
#define STREAM(from) (*(from))
#if defined(__has_builtin) && !defined(__x86_64__) && !defined(__aarch64__)
#if __has_builtin(__builtin_nontemporal_load)
#undef STREAM
#define STREAM(from) __builtin_nontemporal_load(from)
#endif
#endif
]],

    rounds_once = true,
    fixed = { SUBGROUP_SIZE = 1 },  -- words of subgroups need an isa, such as khr_subgroups
    source = "opencl.cl",
    words = {
        KERNEL = "__kernel __attribute__((reqd_work_group_size($WORK_GROUP_SIZE, 1, 1)))\n",
        DEVICE = "static inline",
        GLOBAL = "__global",
        LOCAL = "__local",
        LOCAL_MEMORY = "__local",
        RESTRICT = "restrict",

        u8 = "uchar",
        u16 = "ushort",
        i32 = "int",
        u32 = "uint",
        i64 = "long",
        u64 = "ulong",
        uptr = "uintptr_t",
        f32 = "float",
        f64 = "double",

        r_fma = "fma($1, $2, $3)",
        r_mul = "$1 * $2",           -- FP_CONTRACT is off
        r_stream = "STREAM(&$1[$2])",
        i32_stream = "STREAM(&$1[$2])",
        u16_stream = "convert_int(STREAM(&$1[$2]))",
        x_read = "$1[$2]",

        group_index = "convert_long(get_group_id(0))",
        item_index = "convert_int(get_local_id(0))",
        group_barrier = "barrier(CLK_LOCAL_MEM_FENCE)",
        i32_atomic_add = "atomic_add($1, $2)",
    },
}
