-- params.lua: DIA, a method outside of templates/, has no parameters. With the data folder of links
-- that docs/how-to/add-a-method.md makes:
--
--     spmvgen --data my-data --target host --method dia -o dia

method { title = "DIA", source = "an example; diagonal storage is in any text on sparse matrices" }

bits(function(p, t) return "each row by diagonals, in the order in which rows first use them" end)
