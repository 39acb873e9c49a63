inherit "generic-c"
description = "a device without 64-bit arithmetic"
f64 = false
