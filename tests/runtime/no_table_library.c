/* no_table_library.c: a shared object that has nothing to do with modules. */
extern const int not_a_table;
const int not_a_table = 1;
