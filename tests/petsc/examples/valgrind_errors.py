"""valgrind_errors.py: the errors in valgrind's XML report that have a frame in a library.

    valgrind_errors.of_file(path, "/build/libpetscspmv.so")     [Error]; str() is for readers
    valgrind_errors.of_text(xml, library)
"""
import dataclasses
import os
import re
import xml.etree.ElementTree


@dataclasses.dataclass
class Error:
    what: str
    frames: list      # of the error's stack, innermost first

    def __str__(self):
        return "\n".join([self.what, *("    " + frame for frame in self.frames)])


def frame_text(frame):
    place = frame.findtext("file")
    place = f"{place}:{frame.findtext('line')}" if place else os.path.basename(
        frame.findtext("obj") or "?")
    return f"{frame.findtext('fn') or '?'} ({place})"


def of_text(text, library):
    found = []
    name = os.path.basename(library)
    # A report of a process that was killed has no end.
    if "</valgrindoutput>" not in text:
        text = re.sub(r"<error>(?:(?!</error>).)*$", "", text, flags=re.S) + "</valgrindoutput>"
    for error in xml.etree.ElementTree.fromstring(text).iter("error"):
        objects = {os.path.basename(obj.text or "") for obj in error.iter("obj")}
        if name in objects:
            stack = error.find("stack")
            what = error.findtext("what") or error.findtext("xwhat/text") or error.findtext("kind")
            found.append(Error(what, [frame_text(frame) for frame in stack.iter("frame")]))
    return found


def of_file(path, library):
    with open(path, encoding="utf-8", errors="replace") as file:
        return of_text(file.read(), library)
