/* inputs.c: see inputs.h. */
#define _GNU_SOURCE              /* strdup */
#include "bench/inputs/inputs.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/inputs/folder.h"
#include "bench/inputs/suites.h"
#include "bench/race/input.h"
#include "common/fail.h"
#include "runtime/spmv.h"

/* 18 matrices: look-alikes of the papers' matrices, and hard shapes: dense, finite elements,
 * stencils, circuits, webs, graphs, linear programs, and rows that are half the matrix. */
static const char *const series[] = {
    "lookalike:dense2",          "lookalike:pdb1HYS",         "lookalike:cant",
    "lookalike:pwtk",            "lookalike:conf5_4-8x8-05",  "shape:stencil-27:250000",
    "lookalike:mc2depi",         "lookalike:mac_econ_fwd500", "lookalike:scircuit",
    "lookalike:webbase-1M",      "shape:half-empty:1000000",  "shape:power-law:1048576",
    "lookalike:ins2",            "lookalike:FullChip",        "lookalike:ASIC_680k",
    "lookalike:dc2",             "lookalike:mip1",            "lookalike:rail4284",
};

static const char all[] = "lookalike:all";

typedef struct listing {
    const bench_options *options;
    bench_texts texts;
    spmv_error *error;
} listing;

static bool out_of_memory(const listing *l)
{
    return sg_fail(l->error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
}

/* ---- one text ------------------------------------------------------------------------------ */

/* Adds lookalike:CLASS:TEXT if the options have a class, else the text. */
static bool add_text(listing *l, const char *text)
{
    const char *kind = l->options->operand_count > 0 ? l->options->lookalike : NULL;

    if (!kind)
        return bench_texts_add(&l->texts, text) || out_of_memory(l);
    const size_t bytes = strlen("lookalike::") + strlen(kind) + strlen(text) + 1;
    char *whole = malloc(bytes);
    if (!whole)
        return out_of_memory(l);
    snprintf(whole, bytes, "lookalike:%s:%s", kind, text);
    bench_input input;
    const bool good = bench_input_parse(whole, &input, l->error) &&
                      (bench_texts_add(&l->texts, whole) || out_of_memory(l));
    free(whole);
    return good;
}

/* Adds a path; "./" keeps one that begins as another kind of input apart from it. */
static bool add_path(listing *l, const char *path)
{
    if (!bench_input_is_made(path) && !bench_is_suite(path))
        return add_text(l, path);
    const size_t bytes = strlen(path) + 3;
    char *whole = malloc(bytes);
    if (!whole)
        return out_of_memory(l);
    snprintf(whole, bytes, "./%s", path);
    const bool good = add_text(l, whole);
    free(whole);
    return good;
}

static bool add_suite(listing *l, const char *text)
{
    bench_texts matrices = { .text = NULL };
    bool good = bench_suite_list(text, &matrices, l->error);

    if (good && matrices.count == 0)
        good = sg_fail(l->error, "'%s': all matrices of the suite have more nonzeros", text);
    for (size_t i = 0; i < matrices.count && good; i++)
        good = add_text(l, matrices.text[i]);
    bench_texts_destroy(&matrices);
    return good;
}

/* Adds a text that names no file. */
static bool add_made(listing *l, const char *text)
{
    bench_input input;
    char whole[BENCH_INPUT_BYTES];

    if (strcmp(text, all) == 0) {
        for (size_t i = 0; i < sizeof series / sizeof series[0]; i++)
            if (!add_text(l, series[i]))
                return false;
        return true;
    }
    if (!bench_input_parse(text, &input, l->error))
        return false;
    return add_text(l, input.generator || input.shape ? bench_input_text(&input, whole) : text);
}

/* ---- files, folders, patterns -------------------------------------------------------------- */

static bool add_folder(listing *l, const char *folder)
{
    bench_texts files = { .text = NULL };
    bool good = bench_folder_list(folder, &files, l->error);

    if (good && files.count == 0)
        good = sg_fail(l->error, "%s: the folder has no .mtx or .mtx.gz file, nor a folder that "
                       "has one", folder);
    for (size_t i = 0; i < files.count && good; i++)
        good = add_path(l, files.text[i]);
    bench_texts_destroy(&files);
    return good;
}

static bool add_file_or_folder(listing *l, const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? add_folder(l, path)
                                                           : add_path(l, path);
}

static bool is_pipe(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISFIFO(info.st_mode);
}

/* A pattern that the shell did not expand. Pipes are left out, as in folders. */
static bool add_pattern(listing *l, const char *pattern)
{
    glob_t found = { .gl_pathc = 0 };
    const int status = glob(pattern, 0, NULL, &found);
    bool good = status == 0 ||
                (status == GLOB_NOSPACE ? out_of_memory(l)
                                        : sg_fail(l->error, "the pattern '%s' matches no file",
                                                  pattern));

    for (size_t i = 0; i < found.gl_pathc && good; i++)
        good = is_pipe(found.gl_pathv[i]) || add_file_or_folder(l, found.gl_pathv[i]);
    globfree(&found);
    return good;
}

/* Whether a word that names no file is the name of a model, shape or look-alike without its
 * beginning; if so, error has a hint. */
static bool lacks_kind(listing *l, const char *word)
{
    static const char *const kinds[] = { "model:", "lookalike:" };
    char text[128];
    bench_input input;
    spmv_error unused;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        snprintf(text, sizeof text, "%s%s", kinds[i], word);
        if (strlen(word) < 100 && bench_input_parse(text, &input, &unused) && !input.original)
            return !sg_fail(l->error, "no file is called '%s'; did you mean '%s'?", word, text);
    }
    return false;
}

static bool add_operand(listing *l, const bench_operand *operand)
{
    const char *word = operand->word;
    struct stat info;

    if (strcmp(word, "-") == 0)
        return add_text(l, word);
    if (operand->is_path)
        return add_file_or_folder(l, word);
    if (bench_is_suite(word))
        return add_suite(l, word);
    if (bench_input_is_made(word))
        return add_made(l, word);
    if (strpbrk(word, "*?[") && stat(word, &info) != 0)
        return add_pattern(l, word);
    if (stat(word, &info) != 0 && lacks_kind(l, word))
        return false;
    return add_file_or_folder(l, word);
}

/* ---- the list ------------------------------------------------------------------------------ */

/* --poisson, --shape and --lookalike */
static bool add_options(listing *l)
{
    const bench_options *o = l->options;
    char text[512];

    if (o->poisson > 0 || (o->operand_count == 0 && !o->shape && !o->lookalike)) {
        snprintf(text, sizeof text, "model:poisson7:%lld",
                 (long long)(o->poisson > 0 ? o->poisson : 100));
        if (!add_made(l, text))
            return false;
    }
    if (o->shape) {
        snprintf(text, sizeof text, "shape:%s", o->shape);
        if (o->size >= 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), ":%lld",
                     (long long)o->size);
        if (!add_made(l, text))
            return false;
    }
    if (o->lookalike && o->operand_count == 0) {
        snprintf(text, sizeof text, "lookalike:%s", o->lookalike);
        return add_made(l, text);
    }
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(**(char **const *)a, **(char **const *)b);
}

/* Frees all but the first of equal texts. */
static bool remove_equal(bench_texts *texts)
{
    char ***order = malloc((texts->count + 1) * sizeof *order);
    size_t kept = 0;

    if (!order)
        return false;
    for (size_t i = 0; i < texts->count; i++)
        order[i] = &texts->text[i];
    qsort(order, texts->count, sizeof *order, by_text);
    for (size_t i = 0, next; i < texts->count; i = next) {
        char **first = order[i];
        for (next = i + 1; next < texts->count && strcmp(*order[next], *order[i]) == 0; next++)
            first = order[next] < first ? order[next] : first;
        for (size_t k = i; k < next; k++)
            if (order[k] != first) {
                free(*order[k]);
                *order[k] = NULL;
            }
    }
    for (size_t i = 0; i < texts->count; i++)
        if (texts->text[i])
            texts->text[kept++] = texts->text[i];
    texts->count = kept;
    free(order);
    return true;
}

bool bench_inputs_create(const bench_options *options, bench_inputs *out, spmv_error *error)
{
    listing l = { options, { .text = NULL }, error };
    bool good = true;

    for (size_t i = 0; i < options->operand_count && good; i++)
        good = add_operand(&l, &options->operand[i]);
    good = good && add_options(&l) && (remove_equal(&l.texts) || out_of_memory(&l));
    *out = (bench_inputs){ .text = NULL };
    if (good)
        *out = (bench_inputs){ l.texts.text, l.texts.count };
    else
        bench_texts_destroy(&l.texts);
    return good;
}

void bench_inputs_destroy(bench_inputs *inputs)
{
    bench_texts_destroy(&(bench_texts){ inputs->text, inputs->count, inputs->count });
    *inputs = (bench_inputs){ .text = NULL };
}

bench_options bench_inputs_options(const bench_options *options, const bench_inputs *inputs,
                                   size_t index)
{
    bench_options one = *options;

    one.input = inputs->text[index];
    return one;
}
