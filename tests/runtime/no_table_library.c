/* no_table_library.c: a shared object without a table of modules. */
extern const int not_a_table;
const int not_a_table = 1;
