-- amdgpu_hip.lua: HIP for AMD's GPUs, by the LLVM that spmvgen is linked with, which ROCm's hipcc is too,
-- perhaps in another version.

return {
    name = "amdgpu_hip",
    title = "the AMDGPU backend",
    language = "hip",

    -- What clang's driver says for -x hip --cuda-device-only --offload-arch=$DEVICE -O3.
    clang = {
        "-triple", "amdgcn-amd-amdhsa", "-aux-triple", "x86_64-unknown-linux-gnu",
        "-fcuda-is-device", "-target-cpu", "$DEVICE", "-std=c++11", "-O3", "-vectorize-loops",
        "-vectorize-slp", "-mframe-pointer=none", "-fvisibility=hidden",
        "-fapply-global-visibility-to-externs", "-Rpass-analysis=kernel-resource-usage",
    },

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
}
