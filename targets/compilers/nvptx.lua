-- nvptx.lua: CUDA to PTX for NVIDIA's GPUs that nvcc no longer supports, by the LLVM that spmvgen
-- is linked with. It needs no CUDA Toolkit: the prefix of dialects/cuda.lua defines the functions
-- that programs call. ptxas allocates registers after PTX, so their number is not known.

return {
    name = "nvptx",
    title = "the NVPTX backend",
    language = "cuda",

    -- PTX 6.0 is the first version with shuffles that take a mask, and still has shuffles without.
    clang = {
        "-triple", "nvptx64-nvidia-cuda", "-aux-triple", "x86_64-unknown-linux-gnu",
        "-fcuda-is-device", "-target-cpu", "$DEVICE", "-target-feature", "+ptx60", "-std=c++98",
        "-O3", "-ffp-contract=off",
    },
}
