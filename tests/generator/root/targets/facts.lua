-- The facts of the tests, in a root without the shipped pages.

fact "description" { type = "string", default = "", meaning = "the device in a line" }
fact "abstract" { type = "boolean", default = false, inherited = false, meaning = "no device" }
fact "backend" { type = "string", meaning = "the language" }
fact "simd_bits" { type = "integer", min = 32, max = 8192, unit = "bits", meaning = "of a register" }
fact "simd_width" {
    type = "integer", min = 1, max = 128, unit = "work-items",
    meaning = "work-items in lock step",
}
fact "rank" { type = "integer", min = 0, max = 1000, default = 0, meaning = "preference" }
fact "isa" { type = "string", default = "", meaning = "the instruction set" }
fact "cpu_flags" { type = "string", default = "", meaning = "words of the CPU" }
fact "host_candidate" { type = "boolean", default = false, inherited = false, meaning = "for host" }
fact "f64" { type = "boolean", default = true, meaning = "has 64-bit values" }
fact "local_memory" { type = "integer", min = 0, max = 1 << 30, unit = "bytes", meaning = "local" }
fact "local_memory_max" { type = "integer", min = 0, max = 1 << 30, unit = "bytes", meaning = "of a group" }
fact "memory" {
    type = "string", choices = { "svm", "unified", "host" }, default = "host",
    meaning = "how memory is shared",
}
fact "usable" { type = "string", expression = true, default = "", meaning = "for which CPUs" }
