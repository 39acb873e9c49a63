class Error(Exception):
    INVALID_ARGUMENT: int
    INVALID_MATRIX: int
    UNSUPPORTED: int
    OUT_OF_MEMORY: int
    ABI_MISMATCH: int
    ALIASING: int
    BUSY: int
    LOAD_FAILED: int
    OVERFLOW: int
    FILE_ERROR: int
    STALE: int
    DEVICE_FAILED: int
    status: int

    def __init__(self, text: str, status: int = 0) -> None: ...

def in_python(text: str) -> str: ...
