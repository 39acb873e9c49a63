-- facts.lua: every fact that a page may state, with its type, range, unit and meaning.
--
-- A fact without a default has no value where no page of the chain states it: a derivation in a
-- method's params.lua then sees nil. `inherited = false` marks what a page keeps to itself.
-- `expression = true` marks what is written into emitted C: one C expression.
-- Sizes of memory are bytes; 1 KiB is written 1024.

-- The page ----------------------------------------------------------------------------------------

fact "description" {
    type = "string", default = "",
    meaning = "the device in a line, for lists and for the banner of emitted files",
}

fact "source" {
    type = "string", default = "",
    meaning = "what the page's values are taken from: paper and table",
}

fact "aliases" {
    type = "string", default = "", inherited = false,
    meaning = "other names of its devices, separated by spaces, for messages about unknown targets",
}

fact "abstract" {
    type = "boolean", default = false, inherited = false,
    meaning = "the page stands for no device: others inherit it",
}

fact "rank" {
    type = "integer", min = 0, max = 1000, default = 0,
    meaning = "among modules and pages that fit a device, the highest is preferred",
}

fact "host_candidate" {
    type = "boolean", default = false, inherited = false,
    meaning = "may `--target host` choose this page?",
}

fact "match" {
    type = "string",
    meaning = "text that the names of such devices contain, as their driver reports them",
}

-- The language ------------------------------------------------------------------------------------

fact "backend" {
    type = "string",
    meaning = "the device's language: a file of targets/dialects/, which need not exist yet",
}

fact "isa" {
    type = "string", default = "",
    meaning = "the instruction set: a file of targets/isa/; empty where the language has none",
}

fact "cpu_flags" {
    type = "string", default = "",
    meaning = "words of /proc/cpuinfo that the page needs besides its isa's, separated by spaces",
}

fact "usable" {
    type = "string", expression = true, default = "",
    meaning = "a C expression of __builtin_cpu_is and __builtin_cpu_supports that is true on " ..
              "the CPUs that the page is for; its isa's own condition is added",
}

fact "host_bits" {
    type = "integer", min = 32, max = 64, unit = "bits", default = 64,
    meaning = "size of a pointer of the CPU that builds layouts and runs host steps: 32 or 64",
}

fact "opencl_version" {
    type = "integer", min = 100, max = 999,
    meaning = "as CL_TARGET_OPENCL_VERSION has it: 120 is OpenCL 1.2",
}

fact "compute_capability" {
    type = "integer", min = 10, max = 999,
    meaning = "of an NVIDIA device, times ten: 32 is sm_32",
}

fact "compiler" {
    type = "string",
    meaning = "how `--verify` compiles programs for the device: a file of targets/compilers/",
}

fact "compiler_device" {
    type = "string",
    meaning = "what that compiler calls the device, such as gfx90a",
}

-- Arithmetic --------------------------------------------------------------------------------------

fact "f64" {
    type = "boolean", default = true,
    meaning = "can the device compute with 64-bit values?",
}

fact "simd_bits" {
    type = "integer", min = 32, max = 8192, unit = "bits",
    meaning = "of a CPU's vector register; a GPU's page states simd_width instead",
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
    meaning = "of a subgroup, where it is not simd_width",
}

fact "work_group_size" {
    type = "integer", min = 1, max = 65536, unit = "work-items",
    meaning = "the most that a work-group may have",
}

fact "work_groups" {
    type = "integer", min = 1, max = 1024, unit = "work-groups",
    meaning = "the most that a compute unit holds at once",
}

fact "resident_work_items" {
    type = "integer", min = 1, max = 65536, unit = "work-items",
    meaning = "work-items that a compute unit should hold at once; compilers limit registers " ..
              "accordingly where they can",
}

fact "simds" {
    type = "integer", min = 1, max = 64, unit = "SIMD units",
    meaning = "of a compute unit, each with waves (wavefronts, warps) and registers of its own",
}

fact "waves_per_simd" {
    type = "integer", min = 1, max = 128, unit = "waves",
    meaning = "the most that a SIMD unit holds at once",
}

fact "registers" {
    type = "integer", min = 1, max = 65536, unit = "registers",
    meaning = "vector registers of a lane of a SIMD unit, which the waves that it holds share",
}

fact "register_step" {
    type = "integer", min = 1, max = 1024, unit = "registers",
    meaning = "a wave gets so many of them, or a multiple",
}

fact "scalar_registers" {
    type = "integer", min = 1, max = 65536, unit = "registers",
    meaning = "registers of a SIMD unit that hold one value per wave, shared by its waves",
}

fact "scalar_register_step" {
    type = "integer", min = 1, max = 1024, unit = "registers",
    meaning = "a wave gets so many scalar registers, or a multiple",
}

fact "compute_units" {
    type = "integer", min = 1, max = 65536, unit = "compute units",
    meaning = "multiprocessors (SM, SMX), compute units (CU) or subslices, each with a local " ..
              "memory",
}

fact "cores" {
    type = "integer", min = 1, max = 65536, unit = "cores",
    meaning = "of the CPU, over all sockets, without hardware threads",
}

fact "load_bits" {
    type = "integer", min = 32, max = 256, unit = "bits",
    meaning = "the widest load of a GPU's work-item, for layouts that keep several of its " ..
              "nonzeros side by side",
}

fact "fast_gather" {
    type = "boolean", default = false,
    meaning = "is the gather instruction faster than a load and an insert a lane?",
}

fact "fetch_ahead" {
    type = "integer", min = 64, max = 1 << 20, unit = "bytes", default = 4096,
    meaning = "how far ahead a CPU prefetches the matrix: about what a core reads during one " ..
              "access to memory (25 GB/s * 160 ns)",
}

fact "x_ahead" {
    type = "integer", min = 0, max = 4096, unit = "columns", default = 0,
    meaning = "how many columns ahead a CPU prefetches values of a large x into L2; 0: not at " ..
              "all, unless a measurement shows a gain",
}

-- Memory ------------------------------------------------------------------------------------------

fact "local_memory" {
    type = "integer", min = 0, max = 1 << 30, unit = "bytes",
    meaning = "local memory (shared memory, LDS, scratchpad) of one compute unit",
}

fact "local_memory_max" {
    type = "integer", min = 0, max = 1 << 30, unit = "bytes",
    meaning = "the most local memory of one work-group, where it is less than local_memory",
}

fact "scratch_max" {
    type = "integer", min = 0, max = 1 << 20, unit = "bytes",
    meaning = "memory of a work-item that a kernel may use in place of registers for `--verify`" ..
              " to accept it; 0 by default, and a page that allows some says why",
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
    meaning = "memory of the device, where it is its own",
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
