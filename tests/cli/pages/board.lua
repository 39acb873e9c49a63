-- A page of a user's own, for the tests: plain C, few parameters changed.
inherit "generic-c"
description = "a board of the tests"
csr_scalar.chunk_weight = 4096
