return { name = "wide", usable = "is_wide()", cpu_flags = { "nar", "row", "wide" }, words = {} }
