/* selection.c: see selection.h. One table holds the filters; an error names the first filter that
 * no module passes. Thread-safe: no shared state. */
#include "runtime/core/selection.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/base/types.h"

#if !SPMV_BUNDLE
#include "common/base/edit_distance.h"
#endif

#include <string.h>

/* ---- filters ------------------------------------------------------------------------------- */

typedef struct filter {
    const char *phrase;          /* continues "no module"; %s is the wanted value */
    /* The value that the request wants. NULL: any. */
    const char *(*wanted)(const spmv_device *device, const spmv_request *request);
    /* Whether a module has the wanted value, which is not NULL. */
    int (*has)(const spmv_module_entry *entry, const char *wanted);
    /* The value of a module that lacks the wanted one. */
    const char *(*instead)(const spmv_module_entry *entry);
    const char *separator;       /* before the first alternative in the error text */
    int is_name;                 /* values are names: the one nearest to the wanted name is
                                    suggested, but not by a bundle, which has few */
} filter;

static const char *wanted_method(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return request->method;
}

static const char *wanted_target(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return request->target;
}

#if !SPMV_BUNDLE
static const char *wanted_device_target(const spmv_device *device, const spmv_request *request)
{
    (void)request;
    return device->target;
}
#endif

static const char *wanted_value(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return spmv_value_name(request->csr->value_type);
}

static const char *wanted_offset(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return spmv_offset_name(request->csr->offset_type);
}

#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
static const char *wanted_device(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    (void)request;
    return "this device runs";
}
#endif

static const char *wanted_cpu(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    (void)request;
    return "this CPU can";
}

static const char *wanted_bits(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return request->method == NULL ? "the same bits every time" : NULL;
}

static const char *wanted_product(const spmv_device *device, const spmv_request *request)
{
    (void)device;
#if SPMV_BUNDLE
    (void)request;
    return "A*x";
#else
    return request->transposed ? NULL : "A*x";
#endif
}

/* NULL: the matrix is symmetric. */
static const char *wanted_matrix(const spmv_device *device, const spmv_request *request)
{
    (void)device;
#if SPMV_BUNDLE
    (void)request;
    return "any matrix";
#else
    return request->symmetric ? NULL : "any matrix";
#endif
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

#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
static const char *refusal_of(const spmv_module_entry *entry)
{
    return entry->why;
}
#endif

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
#if SPMV_BUNDLE
    return "it is for y = A^T*x";
#else
    return "it is for y = A^T*x, with options.transposed";
#endif
}

static const char *other_matrix(const spmv_module_entry *entry)
{
    (void)entry;
#if SPMV_BUNDLE
    return "it is for symmetric matrices";
#else
    return "it is for symmetric matrices, with options.symmetric";
#endif
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

#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
static int has_device(const spmv_module_entry *entry, const char *wanted)
{
    (void)wanted;
    return entry->state != SPMV_MODULE_OTHER_DEVICE;
}
#endif

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
#if !SPMV_BUNDLE
    {"of the device's only target '%.64s'", wanted_device_target, has_target, target_of, THERE_IS,
     1},
#endif
    {"of target '%.64s'", wanted_target, has_target, target_of, THERE_IS, 1},
    {"for %s values", wanted_value, has_value, value_of, THERE_IS, 1},
    {"with %s row pointers", wanted_offset, has_offset, offset_of, THERE_IS, 1},
#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
    {"that %s", wanted_device, has_device, refusal_of, ": ", 0},
#endif
    {"and %s run", wanted_cpu, has_cpu, other_cpus, "; ", 0},
    {"that gives %s", wanted_bits, has_same_bits, other_bits, THERE_IS, 0},
    {"for y = %s", wanted_product, has_product, other_product, "; ", 0},
    {"for %s", wanted_matrix, has_any_matrix, other_matrix, "; ", 0},
};

enum { FILTER_COUNT = sizeof filters / sizeof filters[0] };

/* Whether the module passes the first `count` filters. */
static int passes_first(const spmv_device *device, const spmv_request *request,
                        const spmv_module_entry *entry, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *wanted = filters[i].wanted(device, request);
        if (wanted != NULL && !filters[i].has(entry, wanted))
            return 0;
    }
    return 1;
}

int spmv_is_selected(const spmv_device *device, const spmv_request *request,
                     const spmv_module_entry *entry)
{
    return passes_first(device, request, entry, FILTER_COUNT);
}

/* ---- the error of an empty selection ------------------------------------------------------- */

/* Modules that pass the first `count` filters have alternatives to the value that the next filter
 * wants. Returns the first alternative that sorts after `after` (NULL: the first of all). NULL: no
 * more. */
static const char *next_instead(const spmv_device *device, const spmv_request *request,
                                size_t count, const char *after)
{
    const char *least = NULL;

    for (size_t i = 0; i < device->modules.count; i++) {
        const spmv_module_entry *entry = &device->modules.entry[i];
        const char *key = filters[count].instead(entry);

        if (passes_first(device, request, entry, count) &&
            (after == NULL || strcmp(key, after) > 0) && (least == NULL || strcmp(key, least) < 0))
            least = key;
    }
    return least;
}

#if !SPMV_BUNDLE
/* The nearest of the alternatives that are names. NULL: none is near enough. */
static const char *nearest_name(const spmv_device *device, const spmv_request *request,
                                size_t index)
{
    const char *wanted = filters[index].wanted(device, request);
    const char *nearest = NULL;
    int least = 0;

    for (const char *name = NULL; filters[index].is_name &&
                                  (name = next_instead(device, request, index, name)) != NULL;) {
        const int distance = spmv_edit_distance(wanted, name);

        if (distance >= 0 && (nearest == NULL || distance < least)) {
            nearest = name;
            least = distance;
        }
    }
    return nearest;
}
#endif

/* Appends the nearest name, if one is near enough, and all alternatives. */
static void add_alternatives(spmv_text *text, const spmv_device *device,
                             const spmv_request *request, size_t index)
{
    const char *separator = filters[index].separator;
#if !SPMV_BUNDLE
    const char *nearest = nearest_name(device, request, index);

    if (nearest != NULL) {
        spmv_text_add(text, "; did you mean '%s'?", nearest);
        separator = " There is ";
    }
#endif
    for (const char *name = NULL; (name = next_instead(device, request, index, name)) != NULL;) {
        spmv_text_add(text, "%s%.64s", separator, name);
        separator = ", ";
    }
}

spmv_status spmv_selection_is_empty(const spmv_device *device, const spmv_request *request,
                                    spmv_error *err)
{
    char words[sizeof err->text];
    spmv_text text = spmv_text_begin(words, sizeof words);

#if !SPMV_BUNDLE
    if (device->modules.count == 0)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "the device has no modules; link emitted ones in, or add them with "
                              "spmv_device_add_modules or spmv_device_load_modules");
#endif
    spmv_text_add(&text, "no module");
    for (size_t i = 0; i < FILTER_COUNT; i++) {
        const char *wanted = filters[i].wanted(device, request);
        int left = 0;

        if (wanted == NULL)
            continue;
        spmv_text_add(&text, " ");
        spmv_text_add(&text, filters[i].phrase, wanted);
        for (size_t j = 0; j < device->modules.count && !left; j++)
            left = passes_first(device, request, &device->modules.entry[j], i + 1);
        if (!left) {
#if !SPMV_BUNDLE
            if (filters[i].wanted == wanted_device_target)
                spmv_text_add(&text, " (by %s)", device->target_origin);
#endif
            add_alternatives(&text, device, request, i);
            break;
        }
    }
    return spmv_error_set(err, SPMV_UNSUPPORTED, "%s", words);
}
