/* choice_text.c: see choice_text.h. Thread-safe: no shared state. */
#include "runtime/library/create/choice_text.h"

#include "runtime/base/error.h"
#include "runtime/core/shell.h"
#include "runtime/library/plan/plan.h"
#include "runtime/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MARK "spmv-choice "
enum { VERSION = 1 };

/* ---- writing ------------------------------------------------------------------------------- */

spmv_status spmv_plan_choice(const spmv_plan *plan, char *text, size_t size, spmv_error *err)
{
    char line[SPMV_CHOICE_SIZE];
    spmv_text written = spmv_text_begin(line, sizeof line);
    const spmv_module *module;

    if (plan == NULL || text == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "spmv_plan_choice: %s is NULL",
                              plan == NULL ? "plan" : "text");
    module = plan->core.module;
    spmv_text_add(&written, MARK "%d %s %016" PRIx64, VERSION, module->name, module->source_hash);
    for (int32_t i = 0; i < module->ops->setting_count; i++)
        spmv_text_add(&written, "%s%s=%" PRId64, i == 0 ? " " : ",", module->ops->settings[i].name,
                      plan->core.layout.setting[i]);
    if (written.length == sizeof line - 1)
        return spmv_error_set(err, SPMV_UNSUPPORTED, "spmv_plan_choice: the names of module "
                              "'%.64s...' and of its settings are too long for a line of %zu bytes",
                              module->name, sizeof line - 1);
    if (written.length >= size)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "spmv_plan_choice: size is %zu; expected "
                              "%zu or more, and SPMV_CHOICE_SIZE for any choice", size,
                              written.length + 1);
    memcpy(text, line, written.length + 1);
    return SPMV_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Copies the next word and skips the blanks behind it. Returns 0 if there is no word or it does not
 * fit. */
static int read_word(const char **text, char *word, size_t size)
{
    const size_t length = strcspn(*text, " \t\r\n");

    if (length == 0 || length >= size)
        return 0;
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    *text += strspn(*text, " \t\r\n");
    return 1;
}

static int read_hash(const char *word, uint64_t *hash)
{
    if (strlen(word) != 16 || strspn(word, "0123456789abcdef") != 16)
        return 0;
    *hash = strtoull(word, NULL, 16);
    return 1;
}

static spmv_status find_module(const spmv_device *device, const char *choice,
                               spmv_named_choice *named, spmv_error *err)
{
    char version[16], name[SPMV_CHOICE_SIZE], hash_word[32];
    uint64_t hash = 0;
    const char *text = choice;

    if (strncmp(text, MARK, strlen(MARK)) != 0)
        goto malformed;
    text += strlen(MARK);
    if (!read_word(&text, version, sizeof version))
        goto malformed;
    if (strcmp(version, "1") != 0)
        return spmv_error_set(err, SPMV_STALE, "options.choice has version '%s'; libspmv %s reads "
                              "version %d: choose anew", version, SPMV_VERSION, VERSION);
    if (!read_word(&text, name, sizeof name) || !read_word(&text, hash_word, sizeof hash_word) ||
        !read_hash(hash_word, &hash))
        goto malformed;
    named->settings[0] = '\0';
    if (*text != '\0' && (!read_word(&text, named->settings, sizeof named->settings) ||
                          *text != '\0'))
        goto malformed;
    return spmv_error_within(err, "options.choice", spmv_module_list_find(
                                 &device->modules, name, hash, &named->module, err));

malformed:
    return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "options.choice is '%.128s'; expected a line "
                          "that spmv_plan_choice wrote", choice);
}

spmv_status spmv_options_agree(const spmv_plan_options *options, const spmv_module *module,
                               const int64_t setting[SPMV_MAX_SETTINGS], const char *what,
                               spmv_status status, spmv_error *err)
{
    int64_t asked[SPMV_MAX_SETTINGS] = {0};
    spmv_status read;

    if (options->method != NULL && strcmp(options->method, module->method) != 0)
        return spmv_error_set(err, status, "%s is of method '%.64s', options.method is '%.64s'",
                              what, module->method, options->method);
    if (options->target != NULL && strcmp(options->target, module->target) != 0)
        return spmv_error_set(err, status, "%s is of target '%.64s', options.target is '%.64s'",
                              what, module->target, options->target);
    if (module->ops->transposes && !options->transposed)
        return spmv_error_set(err, status, "%s is of method '%.64s', which multiplies by the "
                              "transpose, but options.transposed is 0", what, module->method);
    if (module->ops->symmetric && !options->symmetric)
        return spmv_error_set(err, status, "%s is of method '%.64s', which takes symmetric "
                              "matrices alone, but options.symmetric is 0", what, module->method);
    if (options->settings == NULL)
        return SPMV_OK;
    read = spmv_settings_read(module, options->settings, asked, err);
    if (read != SPMV_OK)
        return read;
    for (int32_t i = 0; i < module->ops->setting_count; i++)
        if (asked[i] != setting[i])
            return spmv_error_set(err, status, "%s has %.64s=%" PRId64 ", options.settings asks "
                                  "for %" PRId64, what, module->ops->settings[i].name, setting[i],
                                  asked[i]);
    return SPMV_OK;
}

spmv_status spmv_choice_read(const spmv_device *device, const spmv_plan_options *options,
                             spmv_named_choice *named, spmv_error *err)
{
    int64_t setting[SPMV_MAX_SETTINGS] = {0};
    spmv_status status = find_module(device, options->choice, named, err);

    if (status != SPMV_OK)
        return status;
    status = spmv_error_within(err, "options.choice",
                               spmv_settings_read(named->module, named->settings, setting, err));
    if (status != SPMV_OK)
        return status;
    return spmv_options_agree(options, named->module, setting, "options.choice",
                              SPMV_INVALID_ARGUMENT, err);
}
