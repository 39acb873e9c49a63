/* listing.c: see listing.h. */
#include "bench/commands/listing.h"

#include <stdio.h>
#include <string.h>

#include "bench/commands/command.h"
#include "bench/matrices/lookalike/model.h"
#include "bench/matrices/shapes.h"
#include "bench/output/message.h"
#include "bench/output/table.h"
#include "bench/race/devices.h"
#include "bench/race/input.h"
#include "bench/sweep/name_list.h"

/* Each generator as it may be typed, with the typical values. */
static void list_models(FILE *out)
{
    size_t count;
    const bench_generator *generators = bench_generators(&count);
    char text[BENCH_INPUT_BYTES], name[96];
    bench_input input;
    spmv_error unused;

    fprintf(out, "models:\n");
    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "model:%s", generators[i].name);
        if (!bench_input_parse(name, &input, &unused))
            continue;
        for (const bench_parameter *p = generators[i].parameter; p->name; p++)
            snprintf(name + strlen(name), sizeof name - strlen(name), ":%s", p->name);
        fprintf(out, "  %-35s %s (%s)\n", name, generators[i].meaning,
                bench_input_text(&input, text));
    }
}

static void list_kernels(const bench_devices *devices, const char *target, FILE *out)
{
    bench_table *table = bench_table_create(4, 4);
    size_t count;

    fprintf(out, "kernels that this machine can run:\n");
    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const spmv_module *m = bench_devices_module(devices, i).module;
        if (target && !bench_is_listed(target, m->target))
            continue;
        bench_table_add(table, "  %s", m->method);
        bench_table_add(table, "%s", m->target);
        bench_table_add(table, "f%d", (int)m->value_type);
        bench_table_add(table, "i%d", (int)m->offset_type);
    }
    bench_table_print(table, out);
    bench_table_destroy(table);
    list_models(out);
    fprintf(out, "shapes:\n");
    for (int kind = 0; kind < 2; kind++) {
        const bench_shape *shape =
            kind ? bench_adversarial_shapes(&count) : bench_model_shapes(&count);
        for (size_t i = 0; i < count; i++)
            fprintf(out, "  %-20s %s (%lld)\n", shape[i].name, shape[i].meaning,
                    (long long)shape[i].typical);
    }
    fprintf(out, "look-alikes of the papers' matrices: --lookalike list\n");
}

/* Bytes of A in CSR with f64 values. */
static double csr_bytes(const bench_facts *facts)
{
    return (double)facts->nnz * 12 + (double)(facts->rows + 1) * (facts->nnz > INT32_MAX ? 8 : 4);
}

static void list_lookalikes(FILE *out)
{
    static const char *const heads[] = { "name", "SuiteSparse", "class", "rows", "cols", "nonzeros",
                                         "MB in CSR" };
    enum { COLUMNS = sizeof heads / sizeof heads[0], WORDS = 3 };
    bench_table *table = bench_table_create(COLUMNS, WORDS);
    size_t count;

    for (size_t i = 0; i < COLUMNS; i++)
        bench_table_add(table, "%s", heads[i]);
    const bench_facts *facts = bench_facts_all(&count);
    for (size_t i = 0; i < count; i++) {
        bench_table_add(table, "%s", facts[i].name);
        bench_table_add(table, "%s", facts[i].suitesparse);
        bench_table_add(table, "%s", facts[i].kind);
        bench_table_add(table, "%lld", (long long)facts[i].rows);
        bench_table_add(table, "%lld", (long long)facts[i].cols);
        bench_table_add(table, "%lld", (long long)facts[i].nnz);
        bench_table_add(table, "%.1f", csr_bytes(&facts[i]) * 1e-6);
    }
    bench_table_print(table, out);
    bench_table_destroy(table);

    fprintf(out, "\nclasses:\n");
    const bench_model *model = bench_models(&count);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  %-18s %s\n", model[i].kind, model[i].meaning);
}

static bool is_for_lookalikes(const bench_options *options)
{
    return options->lookalike && !options->operand_count &&
           strcmp(options->lookalike, "list") == 0;
}

bool bench_listing_is_asked(const bench_options *options)
{
    return options->list || is_for_lookalikes(options);
}

int bench_listing_print(const bench_options *options)
{
    bench_devices devices;
    spmv_error err = { SPMV_OK, "" };
    bench_sweep none = { .count = 0 };

    if (is_for_lookalikes(options)) {
        list_lookalikes(stdout);
        return BENCH_DONE;
    }
    const spmv_status status = bench_devices_open(options, &none, &devices, &err);
    if (status)
        bench_message("%s", err.text);
    else
        list_kernels(&devices, options->target, stdout);
    bench_devices_close(&devices);
    return !status ? BENCH_DONE : status == SPMV_INVALID_ARGUMENT ? BENCH_USAGE : BENCH_FAILED;
}
