/* save.c: spmv_plan_save, which writes a plan to a file. It only reads the plan, so it may run
 * concurrently with executes. */
#include "runtime/base/error.h"
#include "runtime/file/file.h"
#include "runtime/library/saved/plan_file.h"

static spmv_status write_plan(const spmv_plan *plan, const spmv_file_header *header,
                              spmv_new_file *file, spmv_error *err)
{
    const spmv_layout *layout = &plan->core.layout;
    spmv_status status = spmv_new_file_write(file, header, sizeof *header, err);

    for (int32_t i = 0; i < layout->array_count && status == SPMV_OK; i++)
        status = spmv_new_file_write(file, layout->array[i].data, layout->array[i].bytes, err);
    return status;
}

static spmv_status save(const spmv_plan *plan, const char *path, spmv_error *err)
{
    spmv_file_header header;
    spmv_new_file file;
    spmv_status status;

    if (plan == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "plan is NULL");
    if (!plan->structure.is_known)
        return spmv_error_set(err, SPMV_UNSUPPORTED, "the plan does not know its matrix's "
                              "structure any more; create it with options.savable = 1");
    status = spmv_plan_file_describe(plan, &header, err);
    if (status != SPMV_OK)
        return status;
    status = spmv_new_file_create(&file, path, err);
    if (status != SPMV_OK)
        return status;
    status = write_plan(plan, &header, &file, err);
    if (status == SPMV_OK)
        return spmv_new_file_complete(&file, err);
    spmv_new_file_discard(&file);
    return status;
}

spmv_status spmv_plan_save(const spmv_plan *plan, const char *path, spmv_error *err)
{
    char where[SPMV_FILE_NAME_SIZE];

    if (path == NULL || path[0] == '\0')
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "spmv_plan_save: path is empty");
    return spmv_error_within(err, spmv_file_name("spmv_plan_save: ", path, where),
                             save(plan, path, err));
}
