-- facts.lua: every fact that a page may state, with its type, range, unit and meaning.
--
-- A fact without a default is nil to the derivations in params.lua if no page of the chain of
-- inheritance states it. `inherited = false`: a page does not pass the fact on to its heirs.
-- `expression = true`: the fact is a C expression, which is written into emitted C. Sizes of memory
-- are in bytes; 1 KiB is written 1024.

-- The page ----------------------------------------------------------------------------------------

fact "description" {
    type = "string", default = "",
    meaning = "one-line name of the device, for lists and for the banner of emitted files",
}

fact "source" {
    type = "string", default = "",
    meaning = "source of the page's values: paper and table",
}

fact "aliases" {
    type = "string", default = "", inherited = false,
    meaning = "other names of the page's devices, separated by spaces, for messages about " ..
              "unknown targets",
}

fact "abstract" {
    type = "boolean", default = false, inherited = false,
    meaning = "the page stands for no device: others inherit it",
}

fact "rank" {
    type = "integer", min = 0, max = 1000, default = 0,
    meaning = "of the modules and pages that fit a device, one with the highest rank is preferred",
}

fact "host_candidate" {
    type = "boolean", default = false, inherited = false,
    meaning = "may `--target host` choose this page?",
}

fact "match" {
    type = "string",
    meaning = "text in the names that drivers report for the page's devices; `|` separates " ..
              "alternatives",
}

-- The language ------------------------------------------------------------------------------------

fact "backend" {
    type = "string",
    meaning = "the device's language: a file of targets/dialects/, which need not exist yet",
}

fact "isa" {
    type = "string", default = "",
    meaning = "the instruction set: a file of targets/isa/; empty if the language has none",
}

fact "cpu_flags" {
    type = "string", default = "",
    meaning = "flags of /proc/cpuinfo that the page needs besides its isa's, separated by spaces",
}

fact "usable" {
    type = "string", expression = true, default = "",
    meaning = "a C expression that is true on the CPUs that the page is for, such as " ..
              "x86_has(X86_CLWB), see targets/isa/x86_cpu.h; its isa's own condition is added",
}

fact "host_bits" {
    type = "integer", min = 32, max = 64, unit = "bits", default = 64,
    meaning = "size of a pointer of the CPU that builds layouts and runs host steps: 32 or 64",
}

fact "opencl_version" {
    type = "integer", min = 100, max = 999,
    meaning = "version of OpenCL, as in CL_TARGET_OPENCL_VERSION: 120 is OpenCL 1.2",
}

fact "compute_capability" {
    type = "integer", min = 10, max = 999,
    meaning = "compute capability of an NVIDIA device, times ten: 32 is sm_32",
}

fact "compiler" {
    type = "string",
    meaning = "the compiler with which `--verify` compiles programs for the device: a file of " ..
              "targets/compilers/",
}

fact "compiler_device" {
    type = "string",
    meaning = "that compiler's name of the device, such as gfx90a",
}

-- Arithmetic --------------------------------------------------------------------------------------

fact "f64" {
    type = "boolean", default = true,
    meaning = "can the device compute with 64-bit values?",
}

fact "simd_bits" {
    type = "integer", min = 32, max = 8192, unit = "bits",
    meaning = "size of a CPU's vector register; a GPU's page states simd_width instead",
}

fact "simd_width" {
    type = "integer", min = 1, max = 128, unit = "work-items",
    meaning = "work-items of a GPU that run in lock step: warp, wavefront, thread-bunch",
}

fact "subgroups" {
    type = "boolean", default = false,
    meaning = "do kernels exchange values within a subgroup? The language or `isa` must have " ..
              "the words",
}

fact "subgroup_size" {
    type = "integer", min = 1, max = 128, unit = "work-items",
    meaning = "size of a subgroup, if it is not simd_width",
}

fact "work_group_size" {
    type = "integer", min = 1, max = 65536, unit = "work-items",
    meaning = "most work-items of a work-group",
}

fact "work_groups" {
    type = "integer", min = 1, max = 1024, unit = "work-groups",
    meaning = "most work-groups that a compute unit holds at once",
}

fact "resident_work_items" {
    type = "integer", min = 1, max = 65536, unit = "work-items",
    meaning = "work-items that a compute unit should hold at once; compilers limit registers " ..
              "accordingly where they can",
}

fact "simds" {
    type = "integer", min = 1, max = 64, unit = "SIMD units",
    meaning = "SIMD units of a compute unit, each with waves (wavefronts, warps) and registers " ..
              "of its own",
}

fact "waves_per_simd" {
    type = "integer", min = 1, max = 128, unit = "waves",
    meaning = "most waves that a SIMD unit holds at once",
}

fact "registers" {
    type = "integer", min = 1, max = 65536, unit = "registers",
    meaning = "vector registers of a lane of a SIMD unit, shared by its waves",
}

fact "register_step" {
    type = "integer", min = 1, max = 1024, unit = "registers",
    meaning = "granularity in which a wave gets vector registers",
}

fact "scalar_registers" {
    type = "integer", min = 1, max = 65536, unit = "registers",
    meaning = "registers of a SIMD unit that hold one value per wave, shared by its waves",
}

fact "scalar_register_step" {
    type = "integer", min = 1, max = 1024, unit = "registers",
    meaning = "granularity in which a wave gets scalar registers",
}

fact "compute_units" {
    type = "integer", min = 1, max = 65536, unit = "compute units",
    meaning = "multiprocessors (SM, SMX), compute units (CU) or subslices, each with a local " ..
              "memory",
}

fact "cores" {
    type = "integer", min = 1, max = 65536, unit = "cores",
    meaning = "cores of the CPU, over all sockets, without hardware threads",
}

fact "load_bits" {
    type = "integer", min = 32, max = 256, unit = "bits",
    meaning = "the widest load of a GPU's work-item, for layouts that store several of its " ..
              "nonzeros contiguously",
}

fact "fast_gather" {
    type = "boolean", default = false,
    meaning = "is the gather instruction faster than a load and an insert per lane?",
}

fact "fetch_ahead" {
    type = "integer", min = 64, max = 1 << 20, unit = "bytes", default = 4096,
    meaning = "distance at which a CPU prefetches the matrix: about the bytes that a core reads " ..
              "during one access to memory (25 GB/s * 160 ns)",
}

fact "x_ahead" {
    type = "integer", min = 0, max = 4096, unit = "columns", default = 0,
    meaning = "number of columns ahead at which a CPU prefetches a large x into L2; 0 (no " ..
              "prefetches) unless a measurement shows a gain",
}

-- Memory ------------------------------------------------------------------------------------------

fact "local_memory" {
    type = "integer", min = 0, max = 1 << 30, unit = "bytes",
    meaning = "local memory (shared memory, LDS, scratchpad) of one compute unit",
}

fact "local_memory_max" {
    type = "integer", min = 0, max = 1 << 30, unit = "bytes",
    meaning = "most local memory of one work-group, if it is less than local_memory",
}

fact "scratch_max" {
    type = "integer", min = 0, max = 1 << 20, unit = "bytes",
    meaning = "memory that a work-item may use in place of registers for `--verify` to accept a " ..
              "kernel; 0 by default, and a page that allows more says why",
}

fact "l2_cache" {
    type = "integer", min = 0, max = 1 << 40, unit = "bytes",
    meaning = "second-level cache: of one core of a CPU, of the whole GPU",
}

fact "l3_cache" {
    type = "integer", min = 0, max = 1 << 40, unit = "bytes",
    meaning = "third-level cache of one socket",
}

fact "device_memory" {
    type = "integer", min = 0, max = 1 << 50, unit = "bytes",
    meaning = "size of the device's memory, also where it is the CPU's",
}

fact "bandwidth" {
    type = "integer", min = 1, max = 1 << 30, unit = "MB/s",
    meaning = "theoretical bandwidth of the device's memory, over all sockets: 10^6 bytes a second",
}

fact "copy_bandwidth" {
    type = "integer", min = 1, max = 1 << 30, unit = "MB/s",
    meaning = "measured bandwidth of a copy in the device's memory: bytes read and written, as " ..
              "STREAM's Copy counts them; 10^6 bytes a second",
}

fact "memory" {
    type = "string", choices = { "svm", "unified", "discrete", "host" }, default = "host",
    meaning = "how the device and the CPU share memory: OpenCL shared virtual memory, managed " ..
              "memory, separate memories, or the device is the CPU",
}

fact "cache_sharing" {
    type = "string", choices = { "shared", "snooped", "separate", "host" }, default = "host",
    meaning = "the device's and the CPU's caches: one cache, the device snoops the CPU's, " ..
              "separate caches, or the device is the CPU",
}
