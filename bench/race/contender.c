/* contender.c: see contender.h. */
#include "bench/race/contender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/permutation.h"

enum {
    UPDATES = 5,                 /* updates, and matrices given back, to time one */
    PEER_ALIGNMENT = 64          /* of a peer's y */
};

static const double prepare_budget = 1.0;  /* seconds, after which no further plan is made */

#define fail(contender, ...) \
    snprintf((contender)->failure, sizeof(contender)->failure, __VA_ARGS__)

static const spmv_csr *csr_of(const bench_contender *c)
{
    return &c->problem->csr;
}

static size_t y_bytes(const bench_contender *c)
{
    return bench_product_y_bytes(&c->problem->product, csr_of(c));
}

/* Values of x and of y. */
static int64_t inputs_of(const bench_contender *c)
{
    return bench_product_inputs(&c->problem->product, csr_of(c));
}

static int64_t outputs_of(const bench_contender *c)
{
    return bench_product_outputs(&c->problem->product, csr_of(c));
}

/* Times several plans, and keeps the last. */
static bool make_plan(bench_contender *c, int threads, size_t plans)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = c->module->method, .target = c->module->target,
        .threads = threads, .settings = c->settings,
        .transposed = c->problem->product.transposed,
        .vector_type = csr_of(c)->value_type,
        .symmetric = c->module->ops->symmetric ? SPMV_SYMMETRIC_FULL : SPMV_SYMMETRIC_NONE,
    };
    double seconds[BENCH_MOST_PLANS];
    const double begin = bench_seconds();
    size_t count = 0;

    while (count < plans && (count == 0 || bench_seconds() - begin < prepare_budget)) {
        spmv_error err = { SPMV_OK, "" };
        spmv_plan_destroy(c->plan);
        const double before = bench_seconds();
        const spmv_status status =
            spmv_plan_create(c->device, &c->problem->given, &options, &c->plan, &err);
        seconds[count++] = bench_seconds() - before;
        if (status) {
            c->is_left_out = status == SPMV_UNSUPPORTED ||
                             (c->module->ops->symmetric && status == SPMV_INVALID_MATRIX);
            fail(c, "%s", err.text[0] ? err.text : spmv_status_text(status));
            return false;
        }
    }
    c->prepare_seconds = bench_median(seconds, count);
    c->info.struct_size = sizeof c->info;
    if (spmv_plan_query(c->plan, &c->info) || c->info.module != c->module) {
        fail(c, "the plan uses another module than the one asked for");
        return false;
    }
    return true;
}

/* Times updates of values, by the plan's current values. */
static bool update_values(bench_contender *c, size_t updates)
{
    double seconds[UPDATES];
    spmv_error err = { SPMV_OK, "" };

    for (size_t i = 0; i < updates; i++) {
        const double before = bench_seconds();
        if (spmv_plan_update_values(c->plan, c->problem->given.val, &err)) {
            fail(c, "%s", err.text);
            return false;
        }
        seconds[i] = bench_seconds() - before;
    }
    c->update_seconds = bench_median(seconds, updates);
    return true;
}

const void *bench_contender_x(const bench_contender *contender)
{
    return contender->x ? contender->x : contender->problem->x;
}

/* Returns 0 or the status of the contender's library. */
static int run_once(const bench_contender *c)
{
    const bench_problem *p = c->problem;

    if (c->peer)
        return (int)c->peer->run(c->peer_state, p->alpha, p->x, p->beta, c->y);
    if (p->product.columns > 1)
        return (int)spmv_execute_columns(c->plan, p->product.order, p->product.columns, p->alpha,
                                         bench_contender_x(c), c->ldx, p->beta, c->y, c->ldy,
                                         NULL);
    return (int)spmv_execute(c->plan, p->alpha, bench_contender_x(c), p->beta, c->y, NULL);
}

int bench_contender_run(void *contender)
{
    bench_contender *c = contender;
    const int status = run_once(c);

    if (!c->peer || !status)
        return status;
    c->correct = false;
    fail(c, "its run failed while it was timed");
    return 0;
}

/* Makes a copy of x if the plan permutes x, or if the plan's device needs memory of spmv_alloc.
 * False: out of memory. */
static bool order_x(bench_contender *c)
{
    const size_t bytes = bench_value_bytes(csr_of(c)->value_type);

    if (!c->info.x_permutation && !c->module->program)
        return true;
    const size_t count = (size_t)inputs_of(c) * (size_t)c->problem->product.columns;
    if (spmv_alloc(c->device, count * bytes + 1, &c->x))
        return false;
    bench_product_permute(&c->problem->product, c->info.x_permutation, inputs_of(c), bytes,
                          c->problem->x, c->x);
    return true;
}

/* Multiplies from the problem's initial y. The result is in the order of rows, even if the plan
 * permutes y. */
static bool multiply(bench_contender *c, void *result)
{
    const bench_product *product = &c->problem->product;
    const size_t bytes = bench_value_bytes(csr_of(c)->value_type);

    bench_product_permute(product, c->info.y_permutation, outputs_of(c), bytes,
                          c->problem->before, c->y);
    const int status = run_once(c);
    if (status && c->peer) {
        c->is_left_out = status == SPMV_PEER_NOT_APPLICABLE;
        fail(c, c->is_left_out ? "not with this alpha and beta" : "its run failed");
    } else if (status) {
        fail(c, "execute: %s", spmv_status_text((spmv_status)status));
    } else {
        bench_product_unpermute(product, c->info.y_permutation, outputs_of(c), bytes, c->y, result);
    }
    return !status;
}

/* Adds the verdict on a column. Returns whether it is the first with a wrong row. */
static bool add_verdict(bench_verdict *sum, const bench_verdict *column, bool is_first)
{
    const bool is_wrong = column->wrong > 0 && sum->wrong == 0;
    const bench_verdict before = *sum;

    if (is_first || is_wrong || (sum->wrong == 0 && column->worst > sum->worst))
        *sum = *column;
    sum->wrong = before.wrong + column->wrong;
    sum->unjudged = before.unjudged + column->unjudged;
    sum->worst = before.worst > column->worst ? before.worst : column->worst;
    return is_wrong;
}

/* Compares the columns of a result with their references. */
static void check_result(bench_contender *c, const void *result)
{
    const bench_problem *p = c->problem;
    const size_t bytes = bench_value_bytes(csr_of(c)->value_type);
    const int64_t outputs = outputs_of(c);
    char *column = malloc(2 * (size_t)outputs * bytes + 1);
    char where[40] = "";

    c->verdict = (bench_verdict){ .row = -1 };
    c->correct = column != NULL;
    if (!column)
        fail(c, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    for (int32_t k = 0; k < p->product.columns && column; k++) {
        char *before = column + (size_t)outputs * bytes;
        bench_product_get(&p->product, outputs, bytes, k, result, column);
        bench_product_get(&p->product, outputs, bytes, k, p->before, before);
        const bench_verdict verdict = bench_reference_check(p->reference[k], p->alpha, p->beta,
                                                            before, column, false);
        if (add_verdict(&c->verdict, &verdict, k == 0) && p->product.columns > 1)
            snprintf(where, sizeof where, "column %d, ", (int)k);
    }
    free(column);
    if (c->verdict.wrong) {
        fail(c, "%lld rows are wrong; %srow %lld: expected %.17g within %.3g, found %.17g",
             (long long)c->verdict.wrong, where, (long long)c->verdict.row, c->verdict.expected,
             c->verdict.bound, c->verdict.found);
        c->correct = false;
    }
}

/* Sets the leading dimensions, and the members that the caller gives. */
static void begin(bench_contender *c, bench_contender given)
{
    *c = given;
    c->ldx = bench_product_ld(&c->problem->product, inputs_of(c));
    c->ldy = bench_product_ld(&c->problem->product, outputs_of(c));
}

void bench_contender_prepare(bench_contender *contender, const bench_candidate *candidate,
                             const bench_problem *problem, int threads, size_t plans)
{
    bench_contender *c = contender;

    begin(c, (bench_contender){ .module = candidate->module, .problem = problem,
                                .device = candidate->device, .variant = candidate->variant });
    memcpy(c->settings, candidate->settings, sizeof c->settings);
    if (!make_plan(c, threads, plans) || !update_values(c, plans < UPDATES ? plans : UPDATES))
        return;
    c->result = malloc(y_bytes(c) + 1);
    if (!c->result || spmv_alloc(c->device, y_bytes(c) + 1, &c->y) || !order_x(c)) {
        fail(c, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
        return;
    }
    if (multiply(c, c->result))
        check_result(c, c->result);
}

/* ---- peers --------------------------------------------------------------------------------- */

static spmv_peer_matrix matrix_for_peers(const bench_problem *problem, int threads,
                                         int expected_runs)
{
    const spmv_csr *csr = &problem->csr;

    return (spmv_peer_matrix){
        .transposed = problem->product.transposed, .columns = problem->product.columns,
        .column_major = problem->product.order == SPMV_COLUMN_MAJOR,
        .ldx = bench_product_ld(&problem->product, bench_product_inputs(&problem->product, csr)),
        .ldy = bench_product_ld(&problem->product, bench_product_outputs(&problem->product, csr)),
        .rows = csr->rows, .cols = csr->cols, .nnz = csr->nnz, .row_ptr = csr->row_ptr,
        .col_idx = csr->col_idx, .val = csr->val, .offset_bits = (int32_t)csr->offset_type,
        .value_bits = (int32_t)csr->value_type, .threads = threads, .expected_runs = expected_runs,
    };
}

/* What a product needs that the peer does not declare; NULL: nothing. */
static const char *lacking(const spmv_peer *peer, const bench_product *product)
{
    const uint32_t operations = peer->version >= 2 ? peer->operations : 0;

    return product->transposed && !(operations & SPMV_PEER_TRANSPOSED)
               ? "it has no product with the transpose"
           : product->columns > 1 && !(operations & SPMV_PEER_COLUMNS)
               ? "it has no product with several vectors" : NULL;
}

/* As make_plan, for a peer. */
static bool prepare_peer(bench_contender *c, size_t plans)
{
    double seconds[BENCH_MOST_PLANS];
    const double begin = bench_seconds();
    const char *lacks = lacking(c->peer, &c->problem->product);
    size_t count = 0;

    if (lacks) {
        c->is_left_out = true;
        fail(c, "%s", lacks);
        return false;
    }
    while (count < plans && (count == 0 || bench_seconds() - begin < prepare_budget)) {
        char words[400] = "";
        if (c->peer_state)
            c->peer->destroy(c->peer_state);
        c->peer_state = NULL;
        const double before = bench_seconds();
        const spmv_peer_status status =
            c->peer->prepare(&c->peer_matrix, &c->peer_state, words, sizeof words);
        seconds[count++] = bench_seconds() - before;
        if (status != SPMV_PEER_OK) {
            c->peer_state = NULL;
            c->is_left_out = status == SPMV_PEER_NOT_APPLICABLE;
            fail(c, "%s", words);
            return false;
        }
    }
    c->prepare_seconds = bench_median(seconds, count);
    if (c->peer->layout_bytes)
        c->info.layout_bytes = c->peer->layout_bytes(c->peer_state);
    if (c->peer->order_of_y)
        c->info.y_permutation = c->peer->order_of_y(c->peer_state);
    if (c->info.y_permutation &&
        !bench_is_permutation(c->info.y_permutation, outputs_of(c))) {
        c->info.y_permutation = NULL;
        fail(c, "its order of y is no permutation of the rows");
        return false;
    }
    return true;
}

void bench_contender_prepare_peer(bench_contender *contender, const spmv_peer *peer,
                                  const bench_problem *problem, int threads, int expected_runs,
                                  size_t plans)
{
    bench_contender *c = contender;

    begin(c, (bench_contender){ .peer = peer, .problem = problem });
    c->peer_matrix = matrix_for_peers(problem, threads, expected_runs);
    if (!prepare_peer(c, plans))
        return;
    c->result = malloc(y_bytes(c) + 1);
    c->y = aligned_alloc(PEER_ALIGNMENT, (y_bytes(c) / PEER_ALIGNMENT + 1) * PEER_ALIGNMENT);
    if (!c->result || !c->y)
        fail(c, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    else if (multiply(c, c->result))
        check_result(c, c->result);
}

/* ---- modules and peers --------------------------------------------------------------------- */

const char *bench_contender_name(const bench_contender *contender)
{
    return contender->module ? contender->module->method : contender->peer->name;
}

const char *bench_contender_target(const bench_contender *contender)
{
    return contender->module ? contender->module->target : "peer";
}

const char *bench_contender_set(const bench_contender *contender)
{
    return contender->variant ? contender->variant->set : "";
}

bool bench_contender_has_kernels(const bench_contender *contender)
{
    return contender->module && contender->module->program;
}

/* Times how long the plan takes to give its columns and values back, and compares them. Plans that
 * borrow either have nothing to give. */
static void restore_matrix(bench_contender *c)
{
    const spmv_csr *csr = &c->problem->given;
    const size_t bytes = bench_value_bytes(csr->value_type);
    int32_t *col_idx = malloc((size_t)csr->nnz * sizeof *col_idx + 1);
    char *val = malloc((size_t)csr->nnz * bytes + 1);
    double seconds[UPDATES];
    size_t count = 0;

    while (count < UPDATES && col_idx && val) {
        const double before = bench_seconds();
        if (spmv_plan_restore_csr(c->plan, NULL, col_idx, val, NULL))
            break;
        seconds[count++] = bench_seconds() - before;
    }
    c->restore_seconds = bench_median(seconds, count);
    if (count > 0 && (memcmp(col_idx, csr->col_idx, (size_t)csr->nnz * sizeof *col_idx) != 0 ||
                      memcmp(val, csr->val, (size_t)csr->nnz * bytes) != 0)) {
        fail(c, "the plan gives another matrix back than it was made from");
        c->correct = false;
    }
    free(col_idx);
    free(val);
}

void bench_contender_finish(bench_contender *contender, bool restores)
{
    bench_contender *c = contender;
    const bench_problem *p = c->problem;
    void *again = c->correct ? malloc(y_bytes(c) + 1) : NULL;

    if (!again)
        return;
    if (c->module)
        bench_time_breakdown_measure(c->plan, p->alpha, bench_contender_x(c), p->beta, c->y,
                                     &c->breakdown);
    /* Devices multiply one vector after another. */
    c->breakdown.kernels *= p->product.columns;
    c->breakdown.host *= p->product.columns;
    c->breakdown.copies *= p->product.columns;
    c->correct = multiply(c, again);
    if (c->peer && c->correct) {     /* peers need not give the same bits each time */
        check_result(c, again);
    } else if (c->correct && memcmp(again, c->result, y_bytes(c)) != 0) {
        fail(c, "the same multiplication gave other bits after the timed ones");
        c->correct = false;
    }
    free(again);
    if (restores && c->plan && c->correct && !p->product.values &&
        !(c->info.borrows & (SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL)))
        restore_matrix(c);
}

void bench_contender_destroy(bench_contender *contender)
{
    if (contender->peer_state)
        contender->peer->destroy(contender->peer_state);
    if (contender->peer)
        free(contender->y);
    spmv_plan_destroy(contender->plan);
    if (contender->module) {
        spmv_free(contender->device, contender->x);
        spmv_free(contender->device, contender->y);
    }
    free(contender->result);
    *contender = (bench_contender){ .module = NULL };
}
