-- unworded.lua: subgroups in a language that has no words of them without an instruction set.
inherit "generic-opencl"
subgroups = true
simd_width = 8
