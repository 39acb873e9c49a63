-- A comment with words = { v_add = "no" } in it.
return {
    name = "narrow",
    usable = "is_narrow()",
    cpu_flags = { "nar", "row" },
    fixed = { LANES = { f32 = 8, f64 = 4 }, STEPS = 3, ANY = false },
    preamble = "isa preamble\n",
    condition = "IS_NARROW", begin_functions = "begin\n", end_functions = "end\n",
    words = {
        v_add = { f32 = "add_ps($1, $2)", f64 = "add_pd($1, $2)" },
        v_sum = {
            f32 = {
                needs = { "v_add", "v_zero" },
                helper = [=[
a helper with "words = { v_zero = 1 }" and x[y[0]] in it
]=],
            },
        },
        ["KERNEL"] = "narrow static",
        alpha = "a" .. "b",
    },
    parse = { args = { "-mnarrow" } },
    extensions = { "ext_narrow", "ext_row" },
}
