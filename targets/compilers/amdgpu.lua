-- amdgpu.lua: OpenCL C for AMD's GPUs, by the LLVM that spmvgen is linked with. ROCm's driver has
-- the same compiler, perhaps in another version; drivers of GCN cards had a compiler of AMD's own.

return {
    name = "amdgpu",
    title = "the AMDGPU backend",
    language = "opencl",

    -- The options that clang's driver makes of --target=amdgcn-amd-amdhsa -O3.
    clang = {
        "-triple", "amdgcn-amd-amdhsa", "-target-cpu", "$DEVICE", "$OPTIONS", "-O3",
        "-vectorize-loops", "-vectorize-slp", "-mframe-pointer=none", "-fvisibility=hidden",
        "-fapply-global-visibility-to-externs", "-finclude-default-header",
        "-fdeclare-opencl-builtins", "-Rpass-analysis=kernel-resource-usage",
    },

    -- The OpenCL functions that programs call, which ROCm has in a library of its own. Calls of
    -- them would change the number of registers.
    prefix = [[
#define get_group_id(dimension) ((size_t)__builtin_amdgcn_workgroup_id_x())
#define get_local_id(dimension) ((size_t)__builtin_amdgcn_workitem_id_x())
#define convert_int(value) ((int)(value))
#define convert_long(value) ((long)(value))
#define fma(a, b, c) spmv_fma(a, b, c)
#define barrier(flags) spmv_barrier()
#define atomic_add(address, value) __atomic_fetch_add(address, value, __ATOMIC_RELAXED)

static inline __attribute__((overloadable)) float spmv_fma(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

#ifdef cl_khr_fp64
static inline __attribute__((overloadable)) double spmv_fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
#endif

/* A wavefront is a subgroup. In a wavefront of 32 the second count adds 0. */
#define get_sub_group_local_id() spmv_lane()
#define sub_group_barrier(flags) spmv_wave_barrier()

static inline uint spmv_lane(void)
{
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

static inline __attribute__((convergent)) void spmv_wave_barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

static inline __attribute__((convergent)) void spmv_barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
]],

    kernel = "Function Name: $",
    figures = {
        registers = { "VGPRs", " VGPRs: $" },
        scalar_registers = { "SGPRs", " SGPRs: $" },
        spills = { "VGPR spills", " VGPRs Spill: $" },
        scalar_spills = { "SGPR spills", " SGPRs Spill: $" },
        local_bytes = { "LDS bytes", " LDS Size [bytes/block]: $" },
        scratch_bytes = { "scratch bytes", " ScratchSize [bytes/lane]: $" },
        waves = { "waves", " Occupancy [waves/SIMD]: $" },
    },

    -- A SIMD unit holds waves until one of these resources is used up.
    occupancy = {
        { resource = "registers", figure = "registers", total = "registers",
          step = "register_step", per = "wave" },
        { resource = "scalar registers", figure = "scalar_registers",
          total = "scalar_registers", step = "scalar_register_step", per = "wave" },
        { resource = "local memory", figure = "local_bytes", total = "local_memory",
          per = "group" },
        { resource = "work-groups", total = "work_groups", per = "group" },
    },
}
