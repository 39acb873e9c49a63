return { name = "none", usable = "1", words = {} }
