/* settings.c: options.settings, "name=value,...", which adjusts a method for one plan, and misspelt
 * names, for core/shell.h. Thread-safe: no shared state. */
#include "runtime/core/shell.h"

#include "common/base/edit_distance.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One "name=value" of the text. */
typedef struct entry {
    char name[64];
    char value[32];
} entry;

/* Copies [begin, end) without the spaces around it. Returns 0 if it does not fit. */
static int copy_trimmed(char *to, size_t size, const char *begin, const char *end)
{
    while (begin < end && *begin == ' ')
        begin++;
    while (begin < end && end[-1] == ' ')
        end--;
    if ((size_t)(end - begin) >= size)
        return 0;
    memcpy(to, begin, (size_t)(end - begin));
    to[end - begin] = '\0';
    return 1;
}

/* Reads the entry at *text and moves *text to the next one. */
static spmv_status read_entry(const char **text, entry *e, spmv_error *err)
{
    const char *end = *text + strcspn(*text, ",");
    const char *equals = memchr(*text, '=', (size_t)(end - *text));

    if (equals == NULL || equals == *text + strspn(*text, " "))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.settings: '%.64s' is no \"name=value\"", *text);
    if (!copy_trimmed(e->name, sizeof e->name, *text, equals))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.settings: the name '%.64s...' is longer than %zu letters",
                              *text, sizeof e->name - 1);
    if (!copy_trimmed(e->value, sizeof e->value, equals + 1, end))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.settings: the value of '%s' is longer than %zu letters",
                              e->name, sizeof e->value - 1);
    *text = *end == ',' ? end + 1 : end;
    return SPMV_OK;
}

static spmv_status unknown_name(const spmv_module *module, const char *name, spmv_error *err)
{
    const spmv_method_ops *ops = module->ops;
    const char *known[SPMV_MAX_SETTINGS], *nearest;
    char words[256];
    spmv_text text = spmv_text_begin(words, sizeof words);

    for (int32_t i = 0; i < ops->setting_count; i++) {
        known[i] = ops->settings[i].name;
        spmv_text_add(&text, "%s'%.64s'", i > 0 ? ", " : "", known[i]);
    }
    nearest = spmv_nearest_name(name, known, (size_t)ops->setting_count);
    if (nearest != NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.settings: method '%.64s' has no setting '%s'; did you "
                              "mean '%.64s'?", module->method, name, nearest);
    return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                          "options.settings: method '%.64s' has no setting '%s'; it has %s",
                          module->method, name, ops->setting_count > 0 ? words : "none");
}

static spmv_status read_value(const spmv_setting *setting, const char *text, int64_t *value,
                              spmv_error *err)
{
    char *end;
    long long number;

    errno = 0;
    number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE || number < setting->least ||
        number > setting->most)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.settings: %.64s is '%s'; expected a whole number from "
                              "%" PRId64 " to %" PRId64 ": %.128s", setting->name, text,
                              setting->least, setting->most, setting->meaning);
    *value = number;
    return SPMV_OK;
}

spmv_status spmv_settings_read(const spmv_module *module, const char *text,
                               int64_t value[SPMV_MAX_SETTINGS], spmv_error *err)
{
    const spmv_method_ops *ops = module->ops;
    uint32_t seen = 0;           /* bit i: settings[i] */

    spmv_initial_settings(module, value);
    while (text != NULL && *text != '\0') {
        entry e;
        const spmv_status malformed = read_entry(&text, &e, err);
        spmv_status status;
        int32_t i = 0;

        if (malformed != SPMV_OK)
            return malformed;
        while (i < ops->setting_count && strcmp(e.name, ops->settings[i].name) != 0)
            i++;
        if (i == ops->setting_count)
            return unknown_name(module, e.name, err);
        if ((seen >> i & 1u) != 0)
            return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                                  "options.settings: '%s' is given twice", e.name);
        seen |= 1u << i;
        status = read_value(&ops->settings[i], e.value, &value[i], err);
        if (status != SPMV_OK)
            return status;
    }
    return SPMV_OK;
}

int spmv_name_distance(const char *typed, const char *name)
{
    return spmv_edit_distance(typed, name);
}
