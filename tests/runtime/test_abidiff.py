"""test_abidiff.py DUMP COMPILER...: libspmv's ABI is that of a release, or the same with additions.

DUMP is the release's ABI, written by tools/abi_dump.py. abidiff compares this tree with it. Then
copies of the tree with one change each show that removals and changes are found, and that additions
pass.
"""
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tools"))
import abi_dump
import tap

# Per change: its name, whether it keeps the ABI, and the files with the texts to replace.
CHANGES = (
    ("a field of another type", False,
     {"spmv.h": ("    int32_t no_builtin_modules;", "    float no_builtin_modules;")}),
    ("a field before others", False,
     {"spmv.h": ("    int32_t no_builtin_modules;",
                 "    int64_t added;\n    int32_t no_builtin_modules;")}),
    ("a field in padding", False,
     {"spmv.h": ("    uint32_t wait_count;", "    uint32_t wait_count, added;")}),
    ("a field at the end of a struct without struct_size", False,
     {"spmv.h": ("} spmv_error;", "    int32_t code;\n} spmv_error;")}),
    ("a status of another number", False,
     {"spmv_module.h": ("SPMV_STALE = 11", "SPMV_STALE = 13")}),
    ("a function without its symbol", False,
     {"spmv.map": ("        spmv_free;\n", "")}),
    ("a function with an argument more", False,
     {"spmv.h": ("spmv_plan_candidate_count(const spmv_plan *plan)",
                 "spmv_plan_candidate_count(const spmv_plan *plan, int all)"),
      "library/create/query.c": ("spmv_plan_candidate_count(const spmv_plan *plan)",
                                 "spmv_plan_candidate_count(const spmv_plan *plan, int all)")}),
    ("a function of another version", False,
     {"spmv.map": ("        spmv_status_text;\n    local:\n        *;\n};\n\n"
                   "SPMV_0.2 {\n    global:\n",
                   "    local:\n        *;\n};\n\n"
                   "SPMV_0.2 {\n    global:\n        spmv_status_text;\n")}),
    ("fields at the end of a struct with struct_size", True,
     {"spmv.h": ("} spmv_device_options;",
                 "    int32_t added;\n    double last;\n} spmv_device_options;")}),
    ("a new status", True,
     {"spmv_module.h": ("SPMV_DEVICE_FAILED = 12 ", "SPMV_DEVICE_FAILED = 12, SPMV_ADDED = 13 ")}),
    ("a new function", True,
     {"spmv.h": ("const char *spmv_status_text(",
                 "int spmv_added(void);\nconst char *spmv_status_text("),
      "base/error.c": ("const char *spmv_status_text(",
                       "int spmv_added(void) { return 1; }\nconst char *spmv_status_text("),
      "spmv.map": ("} SPMV_0.1;\n",
                   "} SPMV_0.1;\nSPMV_0.3 { global: spmv_added; } SPMV_0.2;\n")}),
)


def structs_of(corpus):
    return {struct.get("name"): struct for struct in corpus.iter("class-decl")
            if len(struct.findall("data-member/var-decl")) > 0}


def drop_appended_fields(old, new):
    """Cuts structs that begin with struct_size to the fields that they have in the old dump: a
    program states the size that it knows. abidiff's own suppression of fields inserted at the end
    would hide other changes of the struct, too. A new field inside the old size stays: struct_size
    would not tell whether the program has it."""
    earlier = structs_of(old)
    for name, struct in structs_of(new).items():
        fields = struct.findall("data-member")
        if name not in earlier or fields[0].find("var-decl").get("name") != "struct_size":
            continue
        size = earlier[name].get("size-in-bits")
        appended = fields[len(earlier[name].findall("data-member")):]
        if appended and int(appended[0].get("layout-offset-in-bits")) >= int(size):
            struct.set("size-in-bits", size)
            for field in appended:
                struct.remove(field)


def difference(dump, root, compiler, scratch):
    """What abidiff says about removals and changes since the dump; empty: there are none."""
    now = scratch / "now.abi"
    abi_dump.write_dump(root, compiler, now)
    tree = xml.etree.ElementTree.parse(now)
    drop_appended_fields(xml.etree.ElementTree.parse(dump).getroot(), tree.getroot())
    tree.write(now)
    result = subprocess.run(["abidiff", "--no-added-syms", str(dump), str(now)],
                            capture_output=True, text=True)
    return "" if result.returncode == 0 else \
        f"abidiff: exit code {result.returncode}\n{result.stdout}{result.stderr}"


def changed_tree(folder, files):
    shutil.copytree(ROOT / "runtime", folder / "runtime")
    for name, (old, new) in files.items():
        path = folder / "runtime" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name} has no single {old!r}: change CHANGES"
        path.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def obstacle(dump):
    if missing := [name for name in ("abidw", "abidiff") if shutil.which(name) is None]:
        return f"needs {' and '.join(missing)} (Debian: abigail-tools)"
    if platform.machine() != "x86_64" or sys.maxsize < 2**32:
        return f"{dump.name} is of 64-bit x86"
    return ""


def main():
    dump = pathlib.Path(sys.argv[1])
    compiler = sys.argv[2:]
    if reason := obstacle(dump):
        tap.skip(reason)
        tap.done()
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        said = difference(dump, ROOT, compiler, scratch)
        tap.ok(not said, f"nothing was removed or changed since {dump.stem}",
               said + "\nrestore it, or raise soversion (CONTRIBUTING.md, \"The ABI of libspmv\")")
        for number, (change, keeps, files) in enumerate(CHANGES):
            said = difference(dump, changed_tree(scratch / str(number), files), compiler, scratch)
            tap.ok(keeps == (not said), f"{'passes' if keeps else 'found'}: {change}", said)
    tap.done()


main()
