/* cpu_quota.h: the time of CPUs that Linux's control groups leave to the process. */
#ifndef SPMV_CPU_QUOTA_H
#define SPMV_CPU_QUOTA_H

#include <stdint.h>

/* The least quota of the process's control groups and of their parents, of version 1 and 2, in
 * CPUs, rounded up: 1 or more. INT32_MAX: there is none, or it cannot be read. system: the folder
 * that stands for /, without a slash at its end; "" for the system itself. */
int32_t spmv_cpu_quota(const char *system);

#endif
