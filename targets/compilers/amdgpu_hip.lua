-- amdgpu_hip.lua: HIP for AMD's GPUs, by the LLVM that spmvgen is linked with. ROCm's hipcc is the
-- same compiler, perhaps in another version.

return {
    name = "amdgpu_hip",
    inherits = "amdgpu",
    language = "hip",
    prefix = "",                 -- the prefix of dialects/hip.lua suffices

    -- The options that clang's driver makes of -x hip --cuda-device-only --offload-arch=$DEVICE
    -- -O3.
    clang = {
        "-triple", "amdgcn-amd-amdhsa", "-aux-triple", "x86_64-unknown-linux-gnu",
        "-fcuda-is-device", "-target-cpu", "$DEVICE", "-std=c++11", "-O3", "-vectorize-loops",
        "-vectorize-slp", "-mframe-pointer=none", "-fvisibility=hidden",
        "-fapply-global-visibility-to-externs", "-Rpass-analysis=kernel-resource-usage",
    },
}
