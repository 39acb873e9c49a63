description = "a device of a language that has no table"
backend = "fortran"
