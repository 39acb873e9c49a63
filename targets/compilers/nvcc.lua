-- nvcc.lua: CUDA for NVIDIA's GPUs from sm_75 on, by the compiler of the CUDA Toolkit.
--
-- sm_100 and sm_120 need 12.8 or later. ptxas prints the figures of a kernel.

return {
    name = "nvcc",
    title = "nvcc",
    language = "cuda",
    command = {
        "nvcc", "-cubin", "-arch=$DEVICE", "-Xptxas=-v", "-Werror=all-warnings", "$FILE",
        "-o", "$DIR/program.cubin",
    },
    install = "install NVIDIA's CUDA Toolkit, 12.8 or later, and put its nvcc into PATH",

    kernel = "Compiling entry function '$' for",
    figures = {
        registers = { "registers", "Used $ registers" },
        spills = { "spilled bytes", " $ bytes spill stores" },
        local_bytes = { "shared bytes", " $ bytes smem", "0" },
        scratch_bytes = { "stack bytes", " $ bytes stack frame" },
    },

    -- A SIMD unit holds waves until one of these resources is used up.
    occupancy = {
        { resource = "registers", figure = "registers", total = "registers",
          step = "register_step", per = "wave" },
        { resource = "local memory", figure = "local_bytes", total = "local_memory",
          per = "group" },
        { resource = "work-groups", total = "work_groups", per = "group" },
    },
}
