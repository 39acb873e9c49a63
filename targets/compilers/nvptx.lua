-- nvptx.lua: CUDA for NVIDIA's GPUs that nvcc no longer serves, to PTX, by the LLVM that spmvgen is linked
-- with. It needs nothing of CUDA: the functions that programs call are in the language's prefix
-- (dialects/cuda.lua). Registers are given out by ptxas, which comes after PTX: it is not said how many.

return {
    name = "nvptx",
    title = "the NVPTX backend",
    language = "cuda",

    -- PTX 6.0 is the first with shuffles that name who takes part, and has those that do not.
    clang = {
        "-triple", "nvptx64-nvidia-cuda", "-aux-triple", "x86_64-unknown-linux-gnu",
        "-fcuda-is-device", "-target-cpu", "$DEVICE", "-target-feature", "+ptx60", "-std=c++98", "-O3",
        "-ffp-contract=off",
    },
}
