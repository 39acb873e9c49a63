"""Error: the exception for a status of libspmv."""
import re

# libspmv's texts name things as its C header does.
IN_PYTHON = (
    ("spmv_plan_create: ", ""), ("spmv_plan_load: ", ""), ("spmv_plan_update_values: ", ""),
    ("spmv_plan_restore_csr: ", ""), ("spmv_plan_save: ", ""), ("spmv_plan_save", "Plan.save"),
    ("spmv_plan_choice", "Plan.choice"), ("options.savable = 1", "savable=True"),
    ("options.", ""), ("csr.", ""), ("row_ptr", "indptr"), ("col_idx", "indices"),
    ("NULL", "None"),
)


def in_python(text):
    """The text with Python's names, except in quotes, which hold the user's words."""
    parts = re.split(r"((?<!\w)'.*?'(?!\w))", text)
    for i in range(0, len(parts), 2):        # the others are quotes
        for name, replacement in IN_PYTHON:
            parts[i] = parts[i].replace(name, replacement)
    return "".join(parts)


class Error(Exception):
    """libspmv refused a call. status says why: Error.INVALID_MATRIX, Error.STALE, ..."""

    INVALID_ARGUMENT = 1
    INVALID_MATRIX = 2
    UNSUPPORTED = 3
    OUT_OF_MEMORY = 4
    ABI_MISMATCH = 5
    ALIASING = 6
    BUSY = 7
    LOAD_FAILED = 8
    OVERFLOW = 9
    FILE_ERROR = 10
    STALE = 11
    DEVICE_FAILED = 12

    def __init__(self, text, status=0):
        super().__init__(in_python(text))
        self.status = status

    def __reduce__(self):
        return Error, (self.args[0], self.status)
