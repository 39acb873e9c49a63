description = "a device whose language comes later"
backend = "shader"
f64 = false
