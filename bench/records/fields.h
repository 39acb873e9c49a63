/* fields.h: the members of records, in the order of the file: one table for all who read, write or
 * copy them. */
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include <stddef.h>

typedef enum bench_field_kind {
    BENCH_TEXT,                  /* const char * */
    BENCH_REAL,                  /* double; NaN: unknown */
    BENCH_COUNT,                 /* int64_t; -1: unknown */
    BENCH_BOOLEAN,               /* bool */
    BENCH_JSON,                  /* const char *, an object or array in JSON; "": none */
    BENCH_SET,                   /* const char *, "a=1 b=2"; in the file {"a": "1", "b": "2"} */
    BENCH_RATE, BENCH_SHARE      /* no field: bytes of CSR over the time, that over reading */
} bench_field_kind;

/* When a member is written. The reader insists on those that are required. */
typedef enum bench_field_when {
    BENCH_ALWAYS, BENCH_REQUIRED, BENCH_IF_TRANSPOSED, BENCH_IF_COLUMNS, BENCH_IF_VALUES,
    BENCH_IF_DEVICE
} bench_field_when;

typedef struct bench_field {
    const char *name;
    bench_field_kind kind;
    size_t offset;               /* in the struct of the record */
    bench_field_when when;
} bench_field;

typedef struct bench_fields {
    const bench_field *field;
    size_t count;
} bench_fields;

extern const bench_fields bench_run_fields, bench_matrix_fields, bench_result_fields,
    bench_illegal_fields;
extern const bench_fields bench_key_fields;      /* the first of a matrix; each result has them */

/* The field of the name; NULL: none. */
const bench_field *bench_fields_find(const bench_fields *fields, const char *name, size_t length);

/* Sets all fields of a record to what stands for unknown. */
void bench_fields_clear(const bench_fields *fields, void *record);

#endif
