inherit "small"
cpu_flags = "extra more"
rank = 4
host_candidate = true
