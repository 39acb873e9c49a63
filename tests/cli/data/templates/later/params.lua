method { title = "Later", source = "whoever writes it" }

param "size" {
    min = 1, max = 8, unit = "items",
    meaning = "of whatever it will be",
    source = "its paper",
    derivation = "4",
    default = function(t) return 4 end,
}
