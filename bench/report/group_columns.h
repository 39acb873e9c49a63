/* group_columns.h: the columns of a group's table. */
#ifndef BENCH_GROUP_COLUMNS_H
#define BENCH_GROUP_COLUMNS_H

#include "bench/output/table.h"
#include "bench/records/record.h"

/* What the cells of a table have in common. */
typedef struct bench_group_frame {
    const bench_record_matrix *matrix;
    const bench_record_result *peer;     /* the best; NULL: none */
    double unit;                         /* seconds of a unit of time */
    const char *unit_name;
    double shortest;                     /* seconds */
    bool by_ratio;                       /* as in bench_group_time_by */
} bench_group_frame;

/* When a column is shown. */
enum {
    ALWAYS = 0, WITH_SETS = 1, WITH_PEERS = 2, WITH_DETAILS = 4, WITH_KERNELS = 8,
    WITH_TARGETS = 16,           /* kernels of several targets race: the target tells rows apart */
    WITH_ONE_TARGET = 32,
    WITH_OF_A = 64,              /* products with the transpose are compared with A x */
    WITH_PREPARE = 128,
    WITH_OF_ONE = 256,           /* several vectors are compared with one */
    WITH_OF_TYPE = 512           /* rounded values are compared with the values as they are */
};

typedef struct bench_group_column {
    const char *head;            /* NULL: the time, with its unit */
    unsigned needs;
    void (*cell)(bench_table *table, const bench_group_frame *f, const bench_record_result *r);
} bench_group_column;

extern const bench_group_column bench_group_columns[];
extern const size_t bench_group_column_count;

bool bench_group_is_timed(const bench_record_result *result);
bool bench_group_has_kernels(const bench_record_result *result);

/* See bench_group_time. */
double bench_group_time_by(const bench_record_result *result, bool by_ratio);

/* Writes the values of --set without the method's name, and the settings: "omega=4 sigma=8"; or
 * "". */
void bench_group_parameters(const bench_record_result *result, char *text, size_t bytes);

/* Adds half the width of the interval of a time, in percent of the time, at most ">999%"; NULL:
 * "-". */
void bench_add_half_width(bench_table *table, const bench_record_result *result);

#endif
