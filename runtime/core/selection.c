/* selection.c: see selection.h. One table holds the filters; an error names the first filter that
 * no module passes. Thread-safe: no shared state. */
#include "runtime/core/selection.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/base/types.h"
#include "runtime/core/shell.h"

#include <string.h>

/* ---- filters ------------------------------------------------------------------------------- */

typedef struct filter {
    const char *phrase;          /* continues "no module"; %s is the wanted value */
    /* The value that the request wants. NULL: any. */
    const char *(*wanted)(const spmv_request *request);
    /* Whether a module has the wanted value, which is not NULL. */
    int (*has)(const spmv_module_entry *entry, const char *wanted);
    /* The value of a module that lacks the wanted one. */
    const char *(*instead)(const spmv_module_entry *entry);
    const char *separator;       /* before the first alternative in the error text */
    int is_name;                 /* values are names: the one nearest to the wanted name is
                                    suggested */
} filter;

static const char *wanted_method(const spmv_request *request)
{
    return request->method;
}

static const char *wanted_target(const spmv_request *request)
{
    return request->target;
}

static const char *wanted_value(const spmv_request *request)
{
    return spmv_value_name(request->csr->value_type);
}

static const char *wanted_offset(const spmv_request *request)
{
    return spmv_offset_name(request->csr->offset_type);
}

static const char *wanted_device(const spmv_request *request)
{
    (void)request;
    return "this device runs";
}

static const char *wanted_cpu(const spmv_request *request)
{
    (void)request;
    return "this CPU can";
}

static const char *wanted_bits(const spmv_request *request)
{
    return request->method == NULL ? "the same bits every time" : NULL;
}

static const char *wanted_product(const spmv_request *request)
{
    return request->allows & SPMV_CAN_TRANSPOSE ? NULL : "A*x";
}

/* NULL: the matrix is symmetric. */
static const char *wanted_matrix(const spmv_request *request)
{
    return request->allows & SPMV_CAN_MIRROR ? NULL : "any matrix";
}

static const char *method_of(const spmv_module_entry *entry)
{
    return entry->module->method;
}

static const char *target_of(const spmv_module_entry *entry)
{
    return entry->module->target;
}

static const char *value_of(const spmv_module_entry *entry)
{
    return spmv_value_name(entry->module->value_type);
}

static const char *offset_of(const spmv_module_entry *entry)
{
    return spmv_offset_name(entry->module->offset_type);
}

static const char *refusal_of(const spmv_module_entry *entry)
{
    return entry->why;
}

static const char *other_cpus(const spmv_module_entry *entry)
{
    (void)entry;
    return "it is for other CPUs";
}

static const char *other_bits(const spmv_module_entry *entry)
{
    (void)entry;
    return "benchmark only, to be asked for by name";
}

static const char *other_product(const spmv_module_entry *entry)
{
    (void)entry;
    return "it is for y = A^T*x" SPMV_WITH_OPTION("transposed");
}

static const char *other_matrix(const spmv_module_entry *entry)
{
    (void)entry;
    return "it is for symmetric matrices" SPMV_WITH_OPTION("symmetric");
}

static int has_method(const spmv_module_entry *entry, const char *wanted)
{
    return strcmp(entry->module->method, wanted) == 0;
}

static int has_target(const spmv_module_entry *entry, const char *wanted)
{
    return strcmp(entry->module->target, wanted) == 0;
}

static int has_value(const spmv_module_entry *entry, const char *wanted)
{
    return strcmp(value_of(entry), wanted) == 0;
}

static int has_offset(const spmv_module_entry *entry, const char *wanted)
{
    return strcmp(offset_of(entry), wanted) == 0;
}

static int has_device(const spmv_module_entry *entry, const char *wanted)
{
    (void)wanted;
    return entry->state != SPMV_MODULE_OTHER_DEVICE;
}

static int has_cpu(const spmv_module_entry *entry, const char *wanted)
{
    (void)wanted;
    return entry->state != SPMV_MODULE_LACKS_CPU;
}

static int has_same_bits(const spmv_module_entry *entry, const char *wanted)
{
    (void)wanted;
    return entry->module->determinism == SPMV_SAME_BITS;
}

static int has_product(const spmv_module_entry *entry, const char *wanted)
{
    (void)wanted;
    return !entry->module->ops->transposes;
}

static int has_any_matrix(const spmv_module_entry *entry, const char *wanted)
{
    (void)wanted;
    return !entry->module->ops->symmetric;
}

#define THERE_IS "; there is "

static const filter filters[] = {
    {"of method '%.64s'", wanted_method, has_method, method_of, THERE_IS, 1},
    {"of target '%.64s'", wanted_target, has_target, target_of, THERE_IS, 1},
    {"for %s values", wanted_value, has_value, value_of, THERE_IS, 1},
    {"with %s row pointers", wanted_offset, has_offset, offset_of, THERE_IS, 1},
    {"that %s", wanted_device, has_device, refusal_of, ": ", 0},
    {"and %s run", wanted_cpu, has_cpu, other_cpus, "; ", 0},
    {"that gives %s", wanted_bits, has_same_bits, other_bits, THERE_IS, 0},
    {"for y = %s", wanted_product, has_product, other_product, "; ", 0},
    {"for %s", wanted_matrix, has_any_matrix, other_matrix, "; ", 0},
};

enum { FILTER_COUNT = sizeof filters / sizeof filters[0] };

/* Whether the module passes the first `count` filters. */
static int passes_first(const spmv_request *request, const spmv_module_entry *entry, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *wanted = filters[i].wanted(request);
        if (wanted != NULL && !filters[i].has(entry, wanted))
            return 0;
    }
    return 1;
}

int spmv_is_selected(const spmv_request *request, const spmv_module_entry *entry)
{
    return passes_first(request, entry, FILTER_COUNT);
}

/* ---- the error of an empty selection ------------------------------------------------------- */

/* Modules that pass the first `count` filters have alternatives to the value that the next filter
 * wants. Returns the first alternative that sorts after `after` (NULL: the first of all). NULL: no
 * more. */
static const char *next_instead(const spmv_request *request, size_t count, const char *after)
{
    const char *least = NULL;

    for (size_t i = 0; i < request->modules->count; i++) {
        const spmv_module_entry *entry = &request->modules->entry[i];
        const char *key = filters[count].instead(entry);

        if (passes_first(request, entry, count) &&
            (after == NULL || strcmp(key, after) > 0) && (least == NULL || strcmp(key, least) < 0))
            least = key;
    }
    return least;
}

/* Appends the nearest name, if one is near enough, and all alternatives. */
static void add_alternatives(spmv_text *text, const spmv_request *request, size_t index)
{
    const char *wanted = filters[index].wanted(request);
    const char *separator = filters[index].separator, *nearest = NULL, *name = NULL;
    int least = 0;

    while (filters[index].is_name && (name = next_instead(request, index, name)) != NULL) {
        const int distance = spmv_name_distance(wanted, name);

        if (distance >= 0 && (nearest == NULL || distance < least)) {
            nearest = name;
            least = distance;
        }
    }
    if (nearest != NULL) {
        spmv_text_add(text, "; did you mean '%s'?", nearest);
        separator = " There is ";
    }
    for (name = NULL; (name = next_instead(request, index, name)) != NULL; separator = ", ")
        spmv_text_add(text, "%s%.64s", separator, name);
}

spmv_status spmv_selection_is_empty(const spmv_request *request, spmv_error *err)
{
    char words[sizeof err->text];
    spmv_text text = spmv_text_begin(words, sizeof words);

    spmv_text_add(&text, "no module");
    for (size_t i = 0; i < FILTER_COUNT; i++) {
        const char *wanted = filters[i].wanted(request);
        int left = 0;

        if (wanted == NULL)
            continue;
        spmv_text_add(&text, " ");
        spmv_text_add(&text, filters[i].phrase, wanted);
        for (size_t j = 0; j < request->modules->count && !left; j++)
            left = passes_first(request, &request->modules->entry[j], i + 1);
        if (!left) {
            if (filters[i].wanted == wanted_target && request->target_by != NULL)
                spmv_text_add(&text, " (by %s)", request->target_by);
            add_alternatives(&text, request, i);
            break;
        }
    }
    return spmv_error_set(err, SPMV_UNSUPPORTED, "%s", words);
}
