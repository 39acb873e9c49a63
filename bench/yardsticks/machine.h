/* machine.h: what the figures were measured on, in words. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

/* Writes the CPU's name ("unknown CPU" where the system does not tell). */
void bench_cpu_name(char *text, size_t bytes);

/* Threads of other programs that want a processor at this moment; 0 where nothing tells. */
int bench_competitors(void);

/* Memory that is free or can be freed; 0 where nothing tells. */
double bench_available_bytes(void);

/* Of the second cache, which a core has for itself; 1 MiB where nothing tells. */
size_t bench_core_cache_bytes(void);

/* The compiler that built this program. */
const char *bench_compiler(void);

#endif
