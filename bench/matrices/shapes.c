/* shapes.c: finding and building shapes; see shapes.h. */
#include "bench/matrices/shapes.h"

#include <string.h>

static const bench_shape *find(const bench_shape *shapes, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(shapes[i].name, name) == 0)
            return &shapes[i];
    return NULL;
}

const bench_shape *bench_shape_find(const char *name)
{
    size_t count;
    const bench_shape *shapes = bench_model_shapes(&count);
    const bench_shape *found = find(shapes, count, name);

    if (found)
        return found;
    shapes = bench_adversarial_shapes(&count);
    return find(shapes, count, name);
}

spmv_status bench_shape_build(const bench_shape *shape, int64_t size, uint64_t seed,
                              bench_matrix **out)
{
    *out = NULL;
    if (size < shape->smallest || size > INT32_MAX)
        return SPMV_INVALID_ARGUMENT;
    return shape->build(shape->parameters, size, seed, out);
}
