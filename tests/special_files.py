"""special_files.py: what a program does with a name that is a link, a pipe or a device, for the
tests of every option that takes a file to write. The device is one of the test's own: as root, a
program that replaced it would replace /dev/null, too."""
import os
import pathlib
import stat
import subprocess
import tempfile

import tap

NULL_DEVICE = os.makedev(1, 3)


def node_of(path):
    status = os.lstat(path)
    return stat.S_IFMT(status.st_mode), status.st_rdev


def check_links(folder, what, name, write, again):
    """A link to a link to a file that is not there yet, and then is, and is empty."""
    link, second, target = folder / name, folder / "second", folder / "there" / name
    target.parent.mkdir()
    link.symlink_to("second")
    second.symlink_to(pathlib.Path("there") / name)
    before = 0
    for state in ["missing", "empty"] if again else ["missing"]:
        done = write(link)
        tap.ok(done.returncode == 0 and link.is_symlink() and second.is_symlink()
               and target.is_file() and target.stat().st_size > 0
               and target.stat().st_ino != before and os.listdir(target.parent) == [name],
               f"{what}: links to a file that is {state} are followed", done)
        before = target.stat().st_ino if target.exists() else 0
        target.write_bytes(b"")


def check_node(folder, what, name, write, refused):
    """What is named, itself and by a link, is the same afterwards; refused: and the program fails,
    else it writes there."""
    path, kind = folder / name, "pipe" if (folder / name).is_fifo() else "device"
    link = folder / "by a link" / name
    link.parent.mkdir()
    link.symlink_to(path)
    before = node_of(path)
    for given in path, link:
        # pylint: disable=consider-using-with
        reader = subprocess.Popen(["cat", path], stdout=subprocess.DEVNULL)
        try:
            done = write(given)
        finally:
            reader.kill()
            reader.wait()
        tap.ok(node_of(path) == before and link.is_symlink() and (done.returncode != 0) == refused,
               f"{what}: a {kind}{'' if given == path else ' by a link'} is "
               f"{'refused' if refused else 'written'}, and not replaced", done)


def check(what, name, write, refused, again=True):
    """write(path) runs a program that is to write the file of this name, and returns its result.
    again: it replaces an empty one."""
    with tempfile.TemporaryDirectory() as holder:
        folder = pathlib.Path(holder)
        for kind in "links", "pipe", "device":
            (folder / kind).mkdir()
        check_links(folder / "links", what, name, write, again)
        os.mkfifo(folder / "pipe" / name)
        check_node(folder / "pipe", what, name, write, refused)
        try:
            os.mknod(folder / "device" / name, stat.S_IFCHR | 0o666, NULL_DEVICE)
        except OSError as error:
            tap.skip(f"{what}: no device can be made here: {error.strerror}")
        else:
            check_node(folder / "device", what, name, write, refused)
