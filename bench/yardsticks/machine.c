/* machine.c: see machine.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/yardsticks/machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void bench_cpu_name(char *text, size_t bytes)
{
    /* x86 has "model name", some others "cpu model" or "uarch"; 64-bit Arm has no name. */
    static const char *const keys[] = { "model name", "uarch", "cpu model", "Hardware" };
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];

    snprintf(text, bytes, "unknown CPU");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        for (size_t i = 0; colon && i < sizeof keys / sizeof keys[0]; i++) {
            if (strncmp(line, keys[i], strlen(keys[i])) != 0)
                continue;
            colon += 1 + strspn(colon + 1, " \t");
            snprintf(text, bytes, "%.*s", (int)strcspn(colon, "\n"), colon);
            fclose(file);
            return;
        }
    }
    if (file)
        fclose(file);
}

int bench_competitors(void)
{
    /* Three load averages, then "runnable/all"; one of the runnable threads is this program's. */
    FILE *file = fopen("/proc/loadavg", "r");
    int runnable = 1;

    if (file) {
        if (fscanf(file, "%*f %*f %*f %d/", &runnable) != 1)
            runnable = 1;
        fclose(file);
    }
    return runnable - 1;
}

double bench_available_bytes(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    double kilobytes = 0;

    while (file && kilobytes == 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf", &kilobytes) != 1)
            kilobytes = 0;
    if (file)
        fclose(file);
    if (kilobytes > 0)
        return kilobytes * 1024;
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (double)pages * (double)page_bytes : 0;
#else
    return 0;
#endif
}

size_t bench_core_cache_bytes(void)
{
#ifdef _SC_LEVEL2_CACHE_SIZE
    const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);

    if (bytes > 0)
        return (size_t)bytes;
#endif
    return (size_t)1 << 20;
}

size_t bench_l1_cache_bytes(void)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
    const long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);

    if (bytes > 0)
        return (size_t)bytes;
#endif
    return (size_t)32 << 10;
}

const char *bench_compiler(void)
{
#if defined(__clang__)
    return __VERSION__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
}
