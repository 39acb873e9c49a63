/* error.c: a text for each status. Thread-safe: no shared state. */
#include "runtime/base/error.h"

/* In the order of spmv_status. */
static const char *const status_texts[] = {
    "no error",
    "an argument is null, misaligned or out of its range",
    "the CSR arrays do not describe a matrix",
    "no usable module for this method, type, target or CPU",
    "not enough memory",
    "a module does not keep this library's module contract",
    "areas overlap of which one is written: x, y, the workspace, the matrix",
    "the plan's own workspace is in use; give each execute that runs at once its own",
    "a file of modules could not be opened",
    "a size does not fit this machine's size_t",
    "a plan's file cannot be read or written, or is damaged",
    "what was saved is not for this matrix, module or library",
    "the device or its driver failed",
};

int spmv_status_is_known(spmv_status status)
{
    return (unsigned)status < sizeof status_texts / sizeof status_texts[0];
}

const char *spmv_status_text(spmv_status status)
{
    return spmv_status_is_known(status) ? status_texts[status] : "unknown status";
}

spmv_status spmv_error_set(spmv_error *err, spmv_status status, const char *format, ...)
{
    if (err != NULL) {
        spmv_text text = spmv_text_begin(err->text, sizeof err->text);
        va_list args;

        err->status = status;
        va_start(args, format);
        spmv_text_add_v(&text, format, args);
        va_end(args);
    }
    return status;
}

spmv_status spmv_error_within(spmv_error *err, const char *where, spmv_status status)
{
    if (status != SPMV_OK && err != NULL) {
        const spmv_error inner = *err;

        spmv_error_set(err, status, "%s: %s", where,
                       inner.status == status ? inner.text : spmv_status_text(status));
    }
    return status;
}
