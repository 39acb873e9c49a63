/* machine.h: describes the machine and the compiler of a result. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

/* Writes the CPU's name, or "unknown CPU". */
void bench_cpu_name(char *text, size_t bytes);

/* Running threads of other programs at this moment; 0: none or unknown. */
int bench_competitors(void);

/* Memory that is free or can be freed; 0: unknown. */
double bench_available_bytes(void);

/* Size of a core's own second-level cache; 1 MiB if unknown. */
size_t bench_core_cache_bytes(void);

/* Size of its first-level data cache; 32 KiB if unknown. */
size_t bench_l1_cache_bytes(void);

/* The compiler that built this program. */
const char *bench_compiler(void);

#endif
