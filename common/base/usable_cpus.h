/* usable_cpus.h: how many CPUs the process may use. */
#ifndef SPMV_USABLE_CPUS_H
#define SPMV_USABLE_CPUS_H

#include <stdint.h>

/* The CPUs of the process's affinity, or as many as the quota of its control groups is worth, if
 * that is less. At least 1. The quota is read once. */
int32_t spmv_usable_cpus(void);

#endif
