-- ocloc.lua: OpenCL C for Intel's GPUs, by the compiler of Intel's own driver, which chooses the
-- SIMD width of a thread by the registers that a kernel needs.

return {
    name = "ocloc",
    title = "Intel's ocloc",
    language = "opencl",

    -- The binary has the newer format on all devices, since its metadata is text (zeinfo).
    command = {
        "ocloc", "compile", "-q", "-file", "$FILE", "-device", "$DEVICE",
        "-options", "$OPTIONS", "-internal_options", "-cl-intel-allow-zebin",
        "-out_dir", "$DIR", "-output", "binary", "-output_no_suffix",
    },
    output = "binary",
    install = "install it (Debian: intel-opencl-icd)",

    kernel = "- name: $",
    figures = {
        registers = { "GRFs", "grf_count: $" },
        local_bytes = { "SLM bytes", "slm_size: $", "0" },
        scratch_bytes = { "scratch bytes", "type: scratch usage: $ size: $", "0" },
        simd_width = { "SIMD", "simd_size: $" },
    },
}
