/* speculation_test.c: tests what the steps before the repair of the method speculative leave in y
 * and in the workspace. Tiles are cut here from row_ptr and the module's parameters alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { REPAIR_HOST, REPAIR_DEVICE, REPAIR_RECORDS };     /* the parameter repair */

typedef struct tiling {
    int64_t tile, bunch;         /* nonzeros of a tile and of a bunch */
    int64_t repair;
} tiling;

static int64_t parameter(const spmv_module *module, const char *name)
{
    for (int32_t i = 0; i < module->param_count; i++)
        if (strcmp(module->params[i].name, name) == 0)
            return module->params[i].value;
    return 0;
}

static tiling tiling_of(const spmv_module *module)
{
    tiling t = { parameter(module, "T") * parameter(module, "W"), 0, parameter(module, "repair") };

    t.bunch = t.tile * parameter(module, "S");
    if (!module->program && t.repair == REPAIR_RECORDS)
        t.repair = REPAIR_HOST;
    return t;
}

/* The tile that owns a row: the one in which it ends. */
static int64_t owner_of(const tiling *t, const spmv_csr *csr, int64_t row)
{
    const int64_t end = bench_csr_offset(csr, row + 1);

    return end > 0 ? (end - 1) / t->tile : 0;
}

static bool is_empty(const spmv_csr *csr, int64_t row)
{
    return bench_csr_offset(csr, row) == bench_csr_offset(csr, row + 1);
}

/* Whether the synchronizer adds the row's parts. */
static bool spans_bunches(const tiling *t, const spmv_csr *csr, int64_t row)
{
    return !is_empty(csr, row) && bench_csr_offset(csr, row) / t->bunch !=
                                      (bench_csr_offset(csr, row + 1) - 1) / t->bunch;
}

/* What to compare y with: the finished y, and what was found. */
typedef struct comparison {
    const tiling *t;
    const spmv_csr *csr;
    const char *finished, *early;
    bool is_compact;             /* dirty tiles have left their compact sums in y */
    int64_t dirty;               /* dirty tiles */
    int64_t moved;               /* compact sums that are not in their own rows */
    int64_t wrong;               /* the first place in y that differs; -1: none */
} comparison;

/* Compares the rows [first, next) of a tile. */
static void compare_tile(comparison *c, int64_t first, int64_t next)
{
    const size_t bytes = bench_value_bytes(c->csr->value_type);
    int64_t empty = 0;
    int64_t at = first;

    for (int64_t r = first; r < next; r++)
        empty += is_empty(c->csr, r);
    c->dirty += empty > 0;
    if (empty > 0 && c->t->repair == REPAIR_RECORDS)
        return;
    for (int64_t r = first; r < next; r++) {
        const bool is_left_out = c->is_compact && empty > 0 && is_empty(c->csr, r);
        const int64_t place = c->is_compact && empty > 0 ? at : r;

        at += !is_empty(c->csr, r);
        if (is_left_out || spans_bunches(c->t, c->csr, r))
            continue;
        c->moved += place != r;
        if (memcmp(c->early + (size_t)place * bytes, c->finished + (size_t)r * bytes, bytes) != 0 &&
            c->wrong < 0)
            c->wrong = place;
    }
}

static void compare_tiles(comparison *c)
{
    int64_t first = 0;

    for (int64_t r = 1; r <= c->csr->rows; r++)
        if (r == c->csr->rows || owner_of(c->t, c->csr, r) != owner_of(c->t, c->csr, first)) {
            compare_tile(c, first, r);
            first = r;
        }
}

/* The dirty counter; -1: there is none. */
static int64_t counter_of(const bare *b)
{
    const spmv_layout *layout = bare_layout(b);

    for (int32_t i = 0; i < layout->part_count; i++)
        if (strcmp(layout->part[i].name, "dirty_counter") == 0 && layout->part[i].bytes > 0) {
            int32_t count;
            memcpy(&count, (const char *)bare_workspace(b) + layout->part[i].offset, sizeof count);
            return count;
        }
    return -1;
}

/* The synchronizer has two values and a row for each bunch; a word marks its dirty tiles, and there
 * is a row for each tile. Nothing is kept for a row or for a nonzero. */
static void check_workspace(suite *s, const tiling *t, const test_input *input)
{
    const spmv_csr *csr = &input->matrix->csr;
    const size_t bunches = (size_t)((csr->nnz + t->bunch - 1) / t->bunch);
    const size_t tiles = (size_t)((csr->nnz + t->tile - 1) / t->tile);
    const size_t most = bunches * (2 * bench_value_bytes(csr->value_type) + 4 + 8) + tiles * 4 +
                        SPMV_MAX_PARTS * SPMV_PART_ALIGNMENT;
    const size_t found = bare_layout(s->bare)->workspace_bytes;

    if (t->repair != REPAIR_RECORDS)
        suite_check(s, P_SPECULATES, found <= most, "%s: a workspace of %zu bytes, at most %zu",
                    input->name, found, most);
}

/* Returns the number of sums that the first steps left in other rows. */
static int64_t check_early_y(suite *s, const test_input *input, double alpha, double beta,
                             void *early)
{
    const tiling t = tiling_of(s->module);
    comparison c = { .t = &t, .csr = &input->matrix->csr, .finished = input->y, .early = early,
                     .is_compact = t.repair == REPAIR_HOST && beta == 0, .wrong = -1 };

    if (!suite_accept(s, P_SPECULATES, bare_execute(s->bare, alpha, input->x, beta, input->before,
                                                    BARE_FORWARD, input->y), input->name) ||
        !suite_accept(s, P_SPECULATES,
                      bare_execute_until(s->bare, "speculative_repair", alpha, input->x, beta,
                                         input->before, early), input->name))
        return 0;
    const int64_t counter = counter_of(s->bare);

    compare_tiles(&c);
    suite_check(s, P_SPECULATES, c.wrong < 0, "%s, beta %g: y[%lld] is not as expected",
                input->name, beta, (long long)c.wrong);
    suite_check(s, P_SPECULATES, counter < 0 || counter == (c.is_compact ? c.dirty : 0),
                "%s, beta %g: the dirty counter is %lld, with %lld dirty tiles", input->name, beta,
                (long long)counter, (long long)c.dirty);
    check_workspace(s, &t, input);
    return c.moved;
}

bool test_speculation_applies(const spmv_module *module)
{
    return strcmp(module->method, "speculative") == 0 && parameter(module, "T") > 0;
}

void test_speculation(suite *s)
{
    static const char *const shapes[] = { "comb", "leading-empty", "bordered" };
    int64_t moved = 0;

    if (!test_speculation_applies(s->module))
        return;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const test_case one = { bench_shape_find(shapes[i]), 600, i + 5 };
        test_input input;
        if (!suite_check(s, P_SPECULATES,
                         test_input_create(s->module, &one, 0, BENCH_MIXED, &input),
                         "the test itself has no memory"))
            continue;
        void *early = malloc(input.y_bytes + 1);
        if (suite_check(s, P_SPECULATES, early != NULL, "the test itself has no memory") &&
            suite_build(s, P_SPECULATES, &input.matrix->csr, GUARD_AT_END, BARE_FORWARD,
                        input.name)) {
            moved += check_early_y(s, &input, 1, 0, early);
            moved += check_early_y(s, &input, 0.7, 0.5, early);
        }
        free(early);
        test_input_destroy(&input);
    }
    if (tiling_of(s->module).repair == REPAIR_HOST)
        suite_check(s, P_SPECULATES, moved > 0, "no sum was in another row before the repair");
}
