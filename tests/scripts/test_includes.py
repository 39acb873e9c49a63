"""No circles of includes: no two files include each other, directly or through others.

A file is its .h, .c and .cpp together. A .c that includes another .c joins them, and stands for
itself. Where TREES says so, folders are held to the same rule.

An include guard is its tree's prefix, as many of the header's folders as it needs, and its file."""
import collections
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE, project_files

# Each tree, and whether its folders may not include each other in a circle either.
TREES = {
    "generator": True,
    "runtime": True,
    "bench": True,
    "integrations": True,
    "templates": False,
}

# What guards begin with: the first folder that fits counts.
GUARDS = {"bench/gpu/": "GPU", "bench/matrices/mtx/": "MTX", "bench/": "BENCH",
          "common/base/": "SPMV", "common/": "SG", "generator/": "SG",
          "integrations/petsc/petscspmv": "PETSCSPMV", "integrations/petsc/": "AIJSPMV",
          "integrations/python/": "SPMVGEN", "runtime/": "SPMV", "targets/": "SPMV",
          "templates/": "SPMV", "tests/": "TEST"}
EMITTED = "_KERNELS_H"           # ends the guard of an emitted header

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
GUARD = re.compile(r"^#ifndef (\w+)\n#define \1$", re.MULTILINE)


def includes_of(root, tree):
    """For each file of a tree, without its ending, the files of the tree that it includes."""
    graph = collections.defaultdict(set)
    paths = [os.path.join(folder, name)
             for folder, _, names in os.walk(os.path.join(root, tree)) for name in names
             if name.endswith((".c", ".cpp", ".h"))]
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names = INCLUDE.findall(text)
        name = os.path.relpath(path, root)
        if not any(included.endswith(".c") for included in names):
            name = os.path.splitext(name)[0]
        graph[name]
        for included in names:
            for base in (root, os.path.dirname(path)):
                other = os.path.normpath(os.path.join(base, included))
                if other in paths:
                    graph[name].add(os.path.splitext(os.path.relpath(other, root))[0])
                    break
        graph[name].discard(name)
    return graph


def folders_of(graph):
    folders = collections.defaultdict(set)
    for name, others in graph.items():
        own = os.path.dirname(name)
        folders[own] |= {os.path.dirname(other) for other in others} - {own}
    return folders


def shortest_circle(graph):
    """The names along the shortest circle, the first one again at its end; [] without a circle."""
    best = []
    for start in sorted(graph):
        before = {start: None}
        queue = collections.deque([start])
        while queue and start not in graph[queue[0]]:
            name = queue.popleft()
            for other in sorted(graph[name]):
                if other not in before:
                    before[other] = name
                    queue.append(other)
        if queue:
            circle, at = [start], queue[0]
            while at is not None:
                circle.append(at)
                at = before[at]
            if not best or len(circle) < len(best):
                best = circle[::-1]
    return best


def as_guard(path):
    return re.sub(r"\W", "_", path).upper()


def is_guard(path, guard):
    prefix = next(p for folder, p in GUARDS.items() if path.startswith(folder)) + "_"
    whole, file = "_" + as_guard(path), as_guard(os.path.basename(path))
    return guard.startswith(prefix) and any(
        whole.endswith("_" + name) and name.endswith(file)
        for name in (guard, guard.removeprefix(prefix)))


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


with tempfile.TemporaryDirectory() as folder:
    write(folder, "t/a/x.h", '#include <stdio.h>\n#include "y.h"\n')
    write(folder, "t/a/y.h", "int y;\n")
    write(folder, "t/a/y.c", '#include "t/a/y.h"\n#include "t/b/z.h"\n')
    write(folder, "t/b/z.h", '#include "elsewhere.h"\n')
    graph = includes_of(folder, "t")
    tap.ok(graph == {"t/a/x": {"t/a/y"}, "t/a/y": {"t/b/z"}, "t/b/z": set()} and
           not shortest_circle(graph) and not shortest_circle(folders_of(graph)),
           "a tree without circles has none", dict(graph))
    write(folder, "t/b/w.h", '#include "t/a/y.h"\n')
    graph = includes_of(folder, "t")
    tap.ok(not shortest_circle(graph) and
           shortest_circle(folders_of(graph)) == ["t/a", "t/b", "t/a"],
           "a circle of folders is found, where no files have one", shortest_circle(graph))
    write(folder, "t/b/z.cpp", '#include "t/a/x.h"\n')
    circle = shortest_circle(includes_of(folder, "t"))
    tap.ok(circle == ["t/a/x", "t/a/y", "t/b/z", "t/a/x"], "a circle of files is found", circle)
    write(folder, "t/b/z.cpp", "")
    write(folder, "t/c/all.h", "int all;\n")
    write(folder, "t/c/all.c", '#include "t/c/all.h"\n#include "t/c/part.c"\n')
    write(folder, "t/c/part.c", '#include "t/c/all.h"\n')
    graph = includes_of(folder, "t")
    tap.ok(not shortest_circle(graph) and graph["t/c/all.c"] == {"t/c/all", "t/c/part"},
           "a file that joins others stands for itself", shortest_circle(graph))

for tree, holds_for_folders in TREES.items():
    graph = includes_of(SOURCE, tree)
    tap.ok(len(graph) > 10 and any(graph.values()), f"{tree}/: its includes are found")
    for circle, what in ((shortest_circle(graph), "files"),
                         (shortest_circle(folders_of(graph)) if holds_for_folders else [],
                          "folders")):
        tap.ok(not circle, f"{tree}/: no {what} include each other in a circle",
               "one includes the next:\n" + "\n".join(circle))

for path, guard, fits in (("runtime/base/text.h", "SPMV_TEXT_H", True),
                          ("runtime/base/text.h", "SPMV_BASE_TEXT_H", True),
                          ("runtime/spmv.h", "SPMV_H", True),
                          ("runtime/base/text.h", "SPMV_H", False),
                          ("runtime/base/text.h", "TEXT_H", False),
                          ("runtime/base/text.h", "SPMV_TEXTS_H", False)):
    tap.ok(is_guard(path, guard) == fits, f"{guard} {'fits' if fits else 'does not fit'} {path}")
guards = {}
for path in project_files():
    if path.endswith(".h") and path.startswith(tuple(GUARDS)):
        with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
            for guard in GUARD.findall(file.read()):
                guards.setdefault(guard, []).append(path)
tap.ok(len(guards) > 300, "include guards are found", len(guards))
wrong = [f"{guard} {' '.join(paths)}" for guard, paths in guards.items()
         if not guard.endswith(EMITTED) and (len(paths) > 1 or not is_guard(paths[0], guard))]
tap.ok(not wrong, "an include guard is its tree's prefix, folders and file", "\n".join(wrong))
tap.done()
