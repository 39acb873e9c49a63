/* memory_hook.c: the memory of a bundle: from the caller's functions, else malloc's. */
#include "runtime/base/aligned.h"
#include "runtime/bundle/options.h"

#include <stdint.h>
#include <stdlib.h>

static void *allocate_by_malloc(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void release_by_free(void *context, void *memory)
{
    (void)context;
    free(memory);
}

typedef struct memory_functions {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory);
    void *context;
} memory_functions;

static memory_functions memory_source = {allocate_by_malloc, release_by_free, NULL};

void spmv_use_memory(void *(*allocate)(void *context, size_t bytes),
                     void (*release)(void *context, void *memory), void *context)
{
    memory_source.allocate = allocate != NULL ? allocate : allocate_by_malloc;
    memory_source.release = release != NULL ? release : release_by_free;
    memory_source.context = context;
}

/* The address that `allocate` returned is kept in front of the aligned one. */
void *spmv_aligned_alloc(size_t bytes, size_t alignment)
{
    const size_t more = alignment + sizeof(void *);
    void *given, **aligned;

    given = memory_source.allocate(memory_source.context, bytes + more);
    if (given == NULL)
        return NULL;
    aligned = (void **)(((uintptr_t)given + more) / alignment * alignment);
    aligned[-1] = given;
    return aligned;
}

void spmv_aligned_free(void *memory)
{
    if (memory != NULL)
        memory_source.release(memory_source.context, ((void **)memory)[-1]);
}
