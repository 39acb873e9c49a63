/* json.h: the two things of JSON that printf has no format for. */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include <stdio.h>

/* A string, with its quotes, as common/json.h writes it. */
void bench_json_text(FILE *out, const char *text);

/* "name": number, then end. JSON has neither Inf nor NaN: they become null. */
void bench_json_number(FILE *out, const char *name, double number, const char *end);

#endif
