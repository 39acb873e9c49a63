/* scale_kernel.c: the launch of the kernel that scales y. */

static i32 scale_launches(const spmv_job *job, spmv_step *step)
{
    return add_kernel(step, 0, "scale_rows",
                      i64_ceil_div(job->layout->csr.rows, WORK_GROUP_SIZE));
}
