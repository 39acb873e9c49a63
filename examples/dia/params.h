/* params.h: the types, so that the template compiles as it stands. */
typedef f64 real;
typedef i32 offset;
