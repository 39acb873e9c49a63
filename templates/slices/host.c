/* Slices: host code of the kernels. */
#include "../prelude/host.h"
#include "../common/host_scale.h"
#include "build.h"
#include "build_sizes.h"
#include "layout.h"
#include "layout_stats.h"

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const i64 *number = job->layout->number;
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_kernel(step, n, "slices_rows",
                   i64_ceil_div(number[NUMBER_SLICES], WORK_GROUP_SIZE / SLICE_ROWS));
    if (number[NUMBER_SPLIT_ROWS])
        n = add_kernel(step, n, "slices_split_rows",
                       i64_ceil_div(number[NUMBER_SPLIT_ROWS],
                                    WORK_GROUP_SIZE / number[NUMBER_PART_ITEMS]));
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = build_steps,
    .update_steps = update_steps,
    .restore_steps = restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .number_count = NUMBER_COUNT,
    .number_names = number_names,
    .converts = 1,
    .sizing_bytes = sizeof(window_order),
};
