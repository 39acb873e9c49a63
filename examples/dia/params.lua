-- params.lua: the parameters of DIA, a method outside of templates/. With the data folder of links
-- that docs/how-to/add-a-method.md makes:
--
--     spmvgen --data my-data --target host --method dia -o dia

method { title = "DIA", source = "an example; diagonal storage is in any text on sparse matrices" }

param "chunk_rows" {
    min = 16, max = 1024, unit = "rows",
    meaning = "rows of a chunk, the unit that threads share out; their sums lie on the stack",
    source = "chosen here",
    derivation = "512",
    default = function(t) return 512 end,
}

bits(function(p, t) return "each row by diagonals, in the order in which they are found" end)
