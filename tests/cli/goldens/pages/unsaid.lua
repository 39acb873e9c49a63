-- unsaid.lua: a size of subgroups on a page that has none.
inherit "pocl"
csr_vector.subgroup_size = 2
