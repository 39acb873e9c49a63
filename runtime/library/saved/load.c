/* load.c: spmv_plan_load, which makes a plan from a file.
 *
 * Cheap checks come first. Memory is allocated only for a file of this matrix and module that has
 * the right length. The module's update steps then replace the values in the
 * layout by those of the caller's CSR.
 */
#include "runtime/base/error.h"
#include "runtime/core/storage.h"
#include "runtime/core/update.h"
#include "runtime/file/file.h"
#include "runtime/library/create/begin.h"
#include "runtime/library/create/build.h"
#include "runtime/library/create/choice_text.h"
#include "runtime/library/create/conversions.h"
#include "runtime/library/saved/plan_file.h"

#include <inttypes.h>
#include <string.h>

/* ---- checks -------------------------------------------------------------------------------- */

static spmv_status read_header(const spmv_old_file *file, spmv_file_header *header, spmv_error *err)
{
    uint64_t unused;
    spmv_status status;

    if (file->bytes < sizeof *header)
        return spmv_error_set(err, SPMV_FILE_ERROR, "the file has %" PRIu64 " bytes; expected a "
                              "header of %zu", file->bytes, sizeof *header);
    status = spmv_old_file_read(file, NULL, 0, header, sizeof *header, &unused, err);
    return status == SPMV_OK ? spmv_plan_file_check(header, err) : status;
}

static spmv_status check_length(const spmv_file_header *header, uint64_t bytes, spmv_error *err)
{
    uint64_t expected = sizeof *header;

    for (int32_t i = 0; i < header->array_count; i++)
        expected += header->array[i].bytes;
    if (bytes != expected)
        return spmv_error_set(err, SPMV_FILE_ERROR, "the file has %" PRIu64 " bytes; expected %"
                              PRIu64, bytes, expected);
    return SPMV_OK;
}

static spmv_status check_settings(const spmv_file_header *header, const spmv_method_ops *ops,
                                  spmv_error *err)
{
    for (int32_t i = 0; i < SPMV_MAX_SETTINGS; i++) {
        const spmv_setting none = {.name = "a setting that the method has not"};
        const spmv_setting *s = i < ops->setting_count ? &ops->settings[i] : &none;

        if (header->setting[i] < s->least || header->setting[i] > s->most)
            return spmv_error_set(err, SPMV_FILE_ERROR, "the file is damaged: %.64s=%" PRId64
                                  " is out of range", s->name, header->setting[i]);
    }
    return SPMV_OK;
}

/* Finds the file's module and checks that the options agree with it. */
static spmv_status find_module(const spmv_device *device, const spmv_plan_options *known,
                               const spmv_file_header *header, const spmv_module **module,
                               spmv_error *err)
{
    spmv_plan_options asked = *known;
    spmv_named_choice named;
    spmv_status status;

    status = spmv_module_list_find(&device->modules, header->module, header->source_hash, module,
                                   err);
    if (status != SPMV_OK)
        return status;
    status = check_settings(header, (*module)->ops, err);
    if (status != SPMV_OK)
        return status;
    if (known->choice != NULL) {
        status = spmv_choice_read(device, known, &named, err);
        if (status != SPMV_OK)
            return status;
        if (named.module != *module)
            return spmv_error_set(err, SPMV_STALE, "the file is of %.128s, options.choice of "
                                  "%.128s", (*module)->name, named.module->name);
        asked.settings = named.settings;
    }
    return spmv_options_agree(&asked, *module, header->setting, "the file", SPMV_STALE, err);
}

/* ---- filling the plan ---------------------------------------------------------------------- */

static spmv_status read_arrays(const spmv_old_file *file, const spmv_file_header *header,
                               spmv_plan *plan, spmv_error *err)
{
    uint64_t offset = sizeof *header;

    for (int32_t i = 0; i < plan->core.layout.array_count; i++) {
        const spmv_array *array = &plan->core.layout.array[i];
        uint64_t hash;
        const spmv_status status = spmv_old_file_read(file, &plan->core.threads, offset,
                                                      array->data, array->bytes, &hash, err);

        if (status != SPMV_OK)
            return status;
        if (hash != header->array[i].hash)
            return spmv_error_set(err, SPMV_FILE_ERROR, "the file is damaged: array '%.32s' has "
                                  "another checksum", header->array[i].name);
        offset += array->bytes;
    }
    return SPMV_OK;
}

/* Makes the layout of the module and fills it. */
static spmv_status fill(const spmv_csr *csr, int copy, const spmv_file_header *header,
                        const spmv_old_file *file, spmv_plan *plan, spmv_error *err)
{
    spmv_core *core = &plan->core;
    spmv_status status = spmv_layout_size(core->module, csr, 0, header->setting, &core->layout,
                                          err);

    if (status != SPMV_OK ||
        (status = spmv_plan_file_match_layout(header, &core->layout, core->module->name, err)) !=
            SPMV_OK ||
        (status = spmv_storage_create(core, copy, err)) != SPMV_OK ||
        (status = read_arrays(file, header, plan, err)) != SPMV_OK)
        return status;
    return spmv_core_take_values(core, err);
}

/* The module gets the form of the matrix that it got when the plan was created. */
static spmv_status fill_from(const spmv_csr *csr, const spmv_plan_options *known,
                             const spmv_file_header *header, const spmv_old_file *file,
                             spmv_plan *plan, spmv_error *err)
{
    spmv_request request = {.csr = csr};
    spmv_conversions made;
    spmv_status status = spmv_conversions_make(&request, plan->core.module, known, 0,
                                               &plan->core.threads, &made, err);

    if (status == SPMV_OK) {
        const spmv_form *form = spmv_form_of(&request, plan->core.module);
        const int is_converted = (form->owns & SPMV_BORROWS_ROW_PTR) != 0;

        status = fill(form->csr, known->copy && !is_converted, header, file, plan, err);
    }
    if (status == SPMV_OK)
        status = spmv_plan_keep(plan, &request, &made, err);
    spmv_conversions_free(&made);
    return status;
}

static spmv_status load(const spmv_device *device, const spmv_csr *csr,
                        const spmv_plan_options *known, const spmv_old_file *file, spmv_plan *plan,
                        spmv_error *err)
{
    spmv_file_header header;
    spmv_value_types types;
    spmv_status status;

    if ((status = spmv_value_types_read(csr, known, &types, err)) != SPMV_OK ||
        (status = read_header(file, &header, err)) != SPMV_OK ||
        (status = check_length(&header, file->bytes, err)) != SPMV_OK ||
        (status = spmv_plan_file_match_product(&header, known, err)) != SPMV_OK ||
        (status = find_module(device, known, &header, &plan->core.module, err)) != SPMV_OK ||
        (status = spmv_plan_file_match_matrix(&header, csr, &plan->core.threads, err)) != SPMV_OK ||
        (status = spmv_plan_file_match_types(&header, plan->core.module, &types, err)) != SPMV_OK)
        return status;
    plan->structure = (spmv_structure){1, header.row_ptr_hash, header.col_idx_hash};
    memcpy(plan->reason, "loaded from a file", sizeof "loaded from a file");

    status = fill_from(csr, known, &header, file, plan, err);
    if (status != SPMV_OK)
        return status;
    spmv_storage_forget(&plan->core);
    return spmv_plan_finish(plan, err);
}

static spmv_status load_file(const spmv_device *device, const spmv_csr *csr,
                             const spmv_plan_options *known, const char *path, spmv_plan *plan,
                             spmv_error *err)
{
    char where[SPMV_FILE_NAME_SIZE];
    spmv_old_file file;
    spmv_status status;

    if (path == NULL || path[0] == '\0')
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "path is empty");
    status = spmv_old_file_open(&file, path, err);
    if (status == SPMV_OK) {
        status = load(device, csr, known, &file, plan, err);
        spmv_old_file_close(&file);
    }
    return spmv_error_within(err, spmv_file_name("", path, where), status);
}

spmv_status spmv_plan_load(spmv_device *device, const spmv_csr *csr,
                           const spmv_plan_options *options, const char *path, spmv_plan **out,
                           spmv_error *err)
{
    spmv_plan_options known;
    spmv_fetched fetched;
    spmv_status status = spmv_plan_begin(device, csr, options, &known, &fetched, out, err);

    if (status == SPMV_OK)
        status = load_file(device, &fetched.csr, &known, path, *out, err);
    return spmv_error_within(err, "spmv_plan_load", spmv_plan_end(device, &fetched, out, status));
}
