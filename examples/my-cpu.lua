-- my-cpu.lua: a target of one's own, in plain C for a CPU with vectors of 512 bits.
--
--     spmvgen --target my-cpu.lua -o my-cpu
--
-- docs/how-to/add-a-target.md explains the lines, and says how to check and time the kernels.

inherit "generic-c"
description = "the nodes in the basement"
simd_bits = 512                         -- the CPU's manual
csr5.sigma = 24                         -- measured on node 3
rank = 10                               -- above the linked-in pages, 0 to 4
