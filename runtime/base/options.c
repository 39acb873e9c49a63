/* options.c: options structs of older and newer programs. */
#include "runtime/base/options.h"

#include "runtime/base/error.h"

#include <string.h>

/* struct_size is the first field of every options struct. */
static size_t struct_size_of(const void *given)
{
    size_t size;

    memcpy(&size, given, sizeof size);
    return size;
}

static size_t first_nonzero(const unsigned char *bytes, size_t begin, size_t end)
{
    while (begin < end && bytes[begin] == 0)
        begin++;
    return begin;
}

spmv_status spmv_options_read(void *known, size_t known_size, size_t first_size, const void *given,
                              spmv_error *err)
{
    const unsigned char *bytes = (const unsigned char *)given;
    size_t size;

    if (given == NULL)
        return SPMV_OK;
    size = struct_size_of(given);
    if (size == 0)
        return SPMV_OK;
    if (size > SPMV_OPTIONS_MAX)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.struct_size is %zu, which is no size of an options "
                              "struct; was it set?", size);
    if (size < first_size)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.struct_size is %zu; expected sizeof the options struct, "
                              "%zu or more, or 0 for all defaults", size, first_size);
    if (size > known_size && first_nonzero(bytes, known_size, size) < size)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "the options have a field, %zu bytes in, that libspmv %s does "
                              "not know; leave it zero or use a newer library",
                              first_nonzero(bytes, known_size, size), SPMV_VERSION);
    memcpy(known, given, size < known_size ? size : known_size);
    return SPMV_OK;
}
