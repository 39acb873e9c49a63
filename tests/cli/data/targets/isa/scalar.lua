return { name = "scalar", usable = "1", cpu_flags = {}, words = {} }
