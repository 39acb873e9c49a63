-- facts.lua: a few facts, for the goldens. Shipped facts may change without changing these.

fact "description" { type = "string", default = "", meaning = "the device in a line" }
fact "abstract" { type = "boolean", default = false, inherited = false, meaning = "others inherit it" }
fact "rank" { type = "integer", min = 0, max = 1000, default = 0, meaning = "the highest is preferred" }
fact "host_candidate" {
    type = "boolean", default = false, inherited = false,
    meaning = "may `--target host` choose this page?",
}
fact "backend" { type = "string", meaning = "the language that the device takes" }
fact "isa" { type = "string", default = "", meaning = "the instruction set" }
fact "cpu_flags" { type = "string", default = "", meaning = "words that the page asks for" }
fact "f64" { type = "boolean", default = true, meaning = "can the device compute with 64-bit values?" }
fact "vector_bits" {
    type = "integer", min = 32, max = 8192, unit = "bits",
    meaning = "of a vector register",
}
fact "memory" {
    type = "string", choices = { "host", "shared", "apart" }, default = "host",
    meaning = "how the device and the CPU share memory; a text that is long enough to be broken into lines, which only few of them are",
}
