"""locks.py: a lock on a folder into which concurrent suites emit."""
import contextlib
import fcntl


@contextlib.contextmanager
def locked(folder):
    """Locks the folder against other processes. The next process finds the same files there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(folder.name + ".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
