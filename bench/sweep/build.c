/* build.c: see build.h. One thread starts programs, and waits for whichever ends first. */
#define _POSIX_C_SOURCE 200809L
#include "bench/sweep/build.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/output/message.h"
#include "bench/process/interrupt.h"
#include "bench/sweep/build_progress.h"
#include "bench/sweep/compiler.h"
#include "bench/sweep/grid.h"
#include "bench/sweep/probe.h"
#include "bench/sweep/temporary.h"
#include "common/base/usable_cpus.h"
#include "common/fail.h"
#include "common/subprocess.h"

/* Failures of the compiler without any success, after which a target is given up. */
enum { MOST_FAILURES = 3 };

typedef struct builder {
    const bench_spmvgen *spmvgen;
    const char *offset;
    bench_sweep *sweep;
    bench_module_cache cache;
    bench_compiler compiler;
    bench_build_progress progress;
    size_t running, limit;
    char note[512];              /* the last warning of spmvgen */
} builder;

/* ---- names ----------------------------------------------------------------------------------- */

/* A path in the temporary folder; `kind` ends it. */
static void name_temporary(const builder *b, const bench_variant *v, const char *kind,
                           char path[BENCH_CACHE_PATH])
{
    snprintf(path, BENCH_CACHE_PATH, "%s/%zu%s", b->sweep->temporary,
             (size_t)(v - b->sweep->variant), kind);
}

/* Where the compiler writes: beside the entry of the cache, which it becomes by rename. */
static void name_output(const builder *b, const bench_variant *v, char path[BENCH_CACHE_PATH])
{
    if (!b->cache.can_write) {
        name_temporary(b, v, ".so", path);
        return;
    }
    bench_cache_key_path(v->key, b->cache.folder, path);
    const size_t length = strlen(path);
    snprintf(path + length, BENCH_CACHE_PATH - length, ".%ld", (long)getpid());
}

/* ---- results --------------------------------------------------------------------------------- */

static void reject(bench_variant *v, bench_variant_state state, char *reason)
{
    v->state = state;
    v->reason = reason ? reason : strdup("out of memory");
}

/* The emitted files are removed at once, since hundreds of them fill a small /tmp. */
static void remove_emitted(const builder *b, const bench_variant *v)
{
    char path[BENCH_CACHE_PATH];

    name_temporary(b, v, "", path);
    bench_temporary_remove(path);
}

/* Gives up a target: no variant of it that is waiting is compiled. */
static void give_up(builder *b, bench_sweep_target *target, bench_variant_state state,
                    const char *reason)
{
    target->given_up = state;
    target->reason = strdup(reason);
    for (size_t i = 0; i < b->sweep->count; i++) {
        bench_variant *v = &b->sweep->variant[i];
        if (v->target != target ||
            (v->state != BENCH_VARIANT_WAITING && v->state != BENCH_VARIANT_EMITTED))
            continue;
        reject(v, state, strdup(reason));
        remove_emitted(b, v);
    }
}

/* Takes a shared object, after it is known that this machine can run it. */
static void take_file(builder *b, bench_variant *v, const char *path)
{
    spmv_error reason;

    v->file = strdup(path);
    v->state = BENCH_VARIANT_BUILT;
    remove_emitted(b, v);
    if (v->target->has_built)
        return;
    if (bench_sweep_can_run(v, &reason)) {
        v->target->has_built = true;
        return;
    }
    reject(v, BENCH_VARIANT_UNUSABLE, strdup(reason.text));
    give_up(b, v->target, BENCH_VARIANT_UNUSABLE, reason.text);
}

/* Shows warnings, such as of a parameter without effect, once. */
static void show_warnings(builder *b, const char *output)
{
    static const char mark[] = ": warning: ";

    for (const char *at = strstr(output, mark); at; at = strstr(at + 1, mark)) {
        const char *text = at + strlen(mark);
        const size_t length = strcspn(text, "\n");
        if (strlen(b->note) == length && strncmp(b->note, text, length) == 0)
            continue;
        snprintf(b->note, sizeof b->note, "%.*s", (int)length, text);
        bench_build_progress_hide(&b->progress);
        bench_message("note: %s", b->note);
    }
}

/* The variant's emission ended: its shared object may be in the cache already. */
static void finish_emission(builder *b, bench_variant *v, int status)
{
    char path[BENCH_CACHE_PATH];

    name_temporary(b, v, ".txt", path);
    char *output = sg_subprocess_output(path);
    unlink(path);
    if (status != 0) {
        remove_emitted(b, v);
        /* An error without a place, such as a full disk, is none of the combination. */
        const bool is_located = output && strncmp(output, "error: ", strlen("error: ")) != 0;
        reject(v, status == 1 && is_located ? BENCH_VARIANT_ILLEGAL : BENCH_VARIANT_FAILED,
               output ? bench_spmvgen_reason(output) : NULL);
        free(output);
        return;
    }
    show_warnings(b, output ? output : "");
    free(output);
    if (v->target->reason) {
        remove_emitted(b, v);
        reject(v, v->target->given_up, strdup(v->target->reason));
        return;
    }
    v->state = BENCH_VARIANT_EMITTED;
    v->key = b->compiler.key;
    name_temporary(b, v, "", path);
    if (!bench_cache_key_add_sources(&v->key, path)) {
        reject(v, BENCH_VARIANT_FAILED, strdup("its emitted files cannot be read"));
        return;
    }
    bench_cache_key_path(v->key, b->cache.folder, path);
    if (b->cache.can_read && access(path, R_OK) == 0) {
        b->progress.cached++;
        take_file(b, v, path);
    }
}

static void finish_compilation(builder *b, bench_variant *v, int status)
{
    char printed[BENCH_CACHE_PATH], output[BENCH_CACHE_PATH], path[BENCH_CACHE_PATH];

    name_temporary(b, v, ".txt", printed);
    name_output(b, v, output);
    if (status == 0) {
        snprintf(path, sizeof path, "%s", output);
        if (b->cache.can_write)
            bench_cache_key_path(v->key, b->cache.folder, path);
        if (strcmp(path, output) != 0 && rename(output, path) != 0)
            status = 1;
    }
    if (status == 0) {
        b->progress.compiled++;
        take_file(b, v, path);
    } else {
        char *log = sg_subprocess_output(printed);
        bool is_other_cpu = false;
        char *reason = bench_compiler_reason(&b->compiler, log ? log : "", status, &is_other_cpu);
        const bench_variant_state state = is_other_cpu ? BENCH_VARIANT_UNUSABLE
                                                       : BENCH_VARIANT_FAILED;
        unlink(output);
        remove_emitted(b, v);
        free(log);
        reject(v, state, reason);
        if (!v->target->has_built &&
            (state == BENCH_VARIANT_UNUSABLE || ++v->target->failures == MOST_FAILURES))
            give_up(b, v->target, state, v->reason);
    }
    unlink(printed);
}

/* ---- programs -------------------------------------------------------------------------------- */

static bool start_emission(builder *b, bench_variant *v)
{
    char folder[BENCH_CACHE_PATH], printed[BENCH_CACHE_PATH];
    char *words[16 + 2 * BENCH_MAX_AXES] = {
        (char *)b->spmvgen->path, "--target", v->target->word, "--method", (char *)v->method,
        "--type", (char *)v->type, "--jobs", "1", "--figures", "-o", folder,
    };
    size_t count = 12;
    char *set = strdup(v->set);

    if (!set)
        return false;
    name_temporary(b, v, "", folder);
    name_temporary(b, v, ".txt", printed);
    if (b->offset) {
        words[count++] = "--offsets";
        words[count++] = (char *)b->offset;
    }
    for (char *word = strtok(set, " "); word; word = strtok(NULL, " ")) {
        words[count++] = "--set";
        words[count++] = word;
    }
    v->program = sg_subprocess_start(words, printed);
    free(set);
    v->state = BENCH_VARIANT_EMITTING;
    return v->program > 0;
}

static bool start_compilation(builder *b, bench_variant *v)
{
    char folder[BENCH_CACHE_PATH], printed[BENCH_CACHE_PATH], output[BENCH_CACHE_PATH];

    name_temporary(b, v, "", folder);
    name_temporary(b, v, ".txt", printed);
    name_output(b, v, output);
    v->program = bench_compiler_start(&b->compiler, folder, output, printed);
    v->state = BENCH_VARIANT_COMPILING;
    return v->program > 0;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Whether a kernel of the target is being compiled. Until one of them has run here, the others
 * wait: this machine may be none that can run them. */
static bool is_tried(const builder *b, const bench_sweep_target *target)
{
    for (size_t i = 0; i < b->sweep->count; i++)
        if (b->sweep->variant[i].target == target &&
            b->sweep->variant[i].state == BENCH_VARIANT_COMPILING)
            return true;
    return false;
}

/* The next variant that a program can be started for; those that are emitted come first. */
static bench_variant *find_next(const builder *b)
{
    bench_variant *waiting = NULL;

    for (size_t i = 0; i < b->sweep->count; i++) {
        bench_variant *v = &b->sweep->variant[i];
        if (v->state == BENCH_VARIANT_EMITTED &&
            (v->target->has_built || !is_tried(b, v->target)))
            return v;
        if (v->state == BENCH_VARIANT_WAITING && !waiting)
            waiting = v;
    }
    return waiting;
}

static void finish(builder *b, pid_t program, int status)
{
    for (size_t i = 0; i < b->sweep->count; i++) {
        bench_variant *v = &b->sweep->variant[i];
        if (v->program != program)
            continue;
        v->program = 0;
        b->running--;
        if (v->state == BENCH_VARIANT_EMITTING)
            finish_emission(b, v, status);
        else
            finish_compilation(b, v, status);
        return;
    }
}

/* Forgets a program that ended after an interruption, and what a compiler left in the cache. */
static void drop(builder *b, pid_t program)
{
    char path[BENCH_CACHE_PATH];

    for (size_t i = 0; i < b->sweep->count; i++) {
        bench_variant *v = &b->sweep->variant[i];
        if (v->program != program)
            continue;
        if (v->state == BENCH_VARIANT_COMPILING) {
            name_output(b, v, path);
            unlink(path);
        }
        v->program = 0;
        v->state = BENCH_VARIANT_WAITING;
        b->running--;
    }
}

/* Ends all programs. */
static void stop(builder *b)
{
    for (size_t i = 0; i < b->sweep->count; i++)
        if (b->sweep->variant[i].program > 0)
            kill(b->sweep->variant[i].program, SIGTERM);
    while (b->running > 0) {
        int status;
        const pid_t program = sg_subprocess_wait(-1, &status);
        if (program > 0)
            drop(b, program);
        else if (errno != EINTR)
            break;
    }
}

static size_t count_finished(const bench_sweep *sweep)
{
    size_t count = 0;

    for (size_t i = 0; i < sweep->count; i++)
        count += sweep->variant[i].state >= BENCH_VARIANT_BUILT;
    return count;
}

static bool start(builder *b, bench_variant *v)
{
    const bool good = v->state == BENCH_VARIANT_WAITING ? start_emission(b, v)
                                                        : start_compilation(b, v);
    b->running += good;
    return good;
}

static bench_sweep_status run_programs(builder *b, spmv_error *error)
{
    while (!bench_interrupted()) {
        bench_variant *v = NULL;
        int status;

        while (b->running < b->limit && (v = find_next(b)) != NULL) {
            if (start(b, v))
                continue;
            sg_fail(error, "%s cannot be run: %s",
                    v->state == BENCH_VARIANT_EMITTING ? b->spmvgen->path : b->compiler.word[0],
                    strerror(errno));
            v->program = 0;
            stop(b);
            return BENCH_SWEEP_FAILED;
        }
        bench_build_progress_show(&b->progress, count_finished(b->sweep));
        if (b->running == 0)
            return BENCH_SWEEP_DONE;
        const pid_t program = sg_subprocess_wait(-1, &status);
        if (program > 0 && bench_interrupted())
            drop(b, program);
        else if (program > 0)
            finish(b, program, status);
        else if (errno != EINTR)
            break;
    }
    stop(b);
    sg_fail(error, "interrupted: %zu of %zu sets of kernels are ready%s",
            b->progress.compiled + b->progress.cached, b->sweep->count, b->cache.can_write ? "; "
            "the same command goes on from there" : "");
    return BENCH_SWEEP_INTERRUPTED;
}

/* ---- all of it -------------------------------------------------------------- */

bench_sweep_status bench_sweep_build(const bench_spmvgen *spmvgen, const char *offset,
                                     bench_sweep *sweep, spmv_error *error)
{
    builder b = { .spmvgen = spmvgen, .offset = offset, .sweep = sweep,
                  .limit = (size_t)spmv_usable_cpus() };
    bench_sweep_status status = BENCH_SWEEP_FAILED;

    bench_module_cache_open(&b.cache);
    if (bench_compiler_find(&b.compiler, error)) {
        if (!b.cache.can_write && !b.cache.is_off)
            bench_message("note: compiled kernels are not kept for the next run: '%s': %s; "
                          "SPMV_CACHE names another folder", b.cache.folder, b.cache.fault);
        bench_build_progress_begin(&b.progress, sweep->count);
        status = run_programs(&b, error);
        bench_build_progress_end(&b.progress, b.cache.can_read ? b.cache.folder : NULL);
    }
    bench_compiler_forget(&b.compiler);
    return status;
}
