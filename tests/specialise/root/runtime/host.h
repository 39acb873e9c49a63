/* host.h: what passes through unchanged. */
#ifndef TEST_RUNTIME_HOST_H
#define TEST_RUNTIME_HOST_H

#include <stddef.h>
#include <stdint.h>

enum { HOST_LIMIT = 8 };

typedef struct host_job {
    int64_t count;
    const void *data;
    void (*run)(const struct host_job *job, int64_t first, int64_t last);
} host_job;

int host_log(const char *text);

#endif
