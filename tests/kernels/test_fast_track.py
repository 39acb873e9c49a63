"""test_fast_track.py: the fast track of csr5 on GPUs changes no bit.

    test_fast_track.py --work DIR --spmvgen SPMVGEN

Each page that has the fast track is compared with a page that inherits it and has none. The shim
(shim.h) runs both. A fast track that adds wrong products must change bits, so the matrices have
tiles that take it.
"""
import argparse
import pathlib
import shutil

import compiling
import machines
import pages
import test_same_bits
from machines import tap
from modules import Modules, run_spmvgen
from root import ROOT
from test_subgroups import stem

WITHOUT = 'csr5.fast_track = "no"\n'
RIGHT = """        if (FAST_TRACK && info_is_one_row(info)) {
            UNROLL
            for (i32 i = 0; i < TURN; i++)
                lane->sum = r_fma(a[i], b[i], lane->sum);
"""
WRONG = RIGHT.replace("a[i], b[i]", "b[i], b[i]")


def sources(work):
    """[(page, arguments for spmvgen)] of the pages with the fast track: the paper's devices, and
    those of pages.py."""
    extreme = [page for parent in ("pocl", "generic-opencl-8", "sm_90")
               for page in pages.write(work / "pages", parent)]
    return [(ROOT / "targets/gtx-980.lua", ["--type", "f64"]),
            (ROOT / "targets/radeon-r9-290x.lua", ["--type", "f32"]),
            *((page, [word for word in arguments if word not in ("--method", "csr5")])
              for page, arguments in extreme if page.stem.startswith("fast-track"))]


def write_wrong_data(work):
    """A data folder whose csr5 has a wrong fast track."""
    data = work / "wrong"
    shutil.rmtree(data, ignore_errors=True)
    (data / "templates").mkdir(parents=True)
    for folder in ("targets", "runtime"):
        (data / folder).symlink_to(ROOT / folder)
    for folder in (ROOT / "templates").iterdir():
        if folder.name != "csr5":
            (data / "templates" / folder.name).symlink_to(folder)
    shutil.copytree(ROOT / "templates/csr5", data / "templates/csr5")
    steps = data / "templates/csr5/simt_steps.h"
    text = steps.read_text(encoding="utf-8")
    if text.count(RIGHT) != 1:
        raise SystemExit(f"simt_steps.h has the fast track's turn {text.count(RIGHT)} times")
    steps.write_text(text.replace(RIGHT, WRONG), encoding="utf-8")
    return data


def emit(args, data, page, arguments, modules):
    """Emits csr5 for a page and adds its modules; returns their symbols."""
    folder = args.work / "emitted" / page.stem
    error = run_spmvgen(args.spmvgen, data, page, ["--method", "csr5", *arguments], folder)
    if not tap.ok(error is None, f"spmvgen emits {page.stem}", error or ""):
        tap.done()
    known = set(modules.programs)
    modules.add_folder(folder)
    return set(modules.programs) - known


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen", required=True)
    args = parser.parse_args()
    args.work = args.work.resolve()

    machine = machines.Machine()
    compiler, why = machine.find_compiler("cc")
    if not compiler or machine.cpu != "x86_64":
        tap.skip(why if not compiler else "the shim has fibers for x86-64 alone")
        tap.done()
    modules, pairs = Modules(), []
    for page, arguments in sources(args.work):
        other = args.work / "pages" / f"{page.stem}-without.lua"
        compiling.write_if_changed(other.parent / page.name, page.read_text(encoding="utf-8"))
        compiling.write_if_changed(other, f'inherit "{page.stem}"\n{WITHOUT}')
        symbols = emit(args, ROOT, page, arguments, modules)
        pairs.append((page.stem, symbols, emit(args, ROOT, other, arguments, modules)))
    wrong = args.work / "pages/gtx-980-wrong.lua"
    compiling.write_if_changed(wrong, 'inherit "gtx-980"\n')
    symbols = emit(args, write_wrong_data(args.work), wrong, ["--type", "f64"], modules)

    bits, output = test_same_bits.bits_of(args.work / "build", machine, compiler, ["-O1"], modules)
    if not tap.ok(bits is not None, f"{len(modules.names)} modules are built, and run", output):
        tap.done()
    for name, ours, others in pairs:
        found, expected = stem(ours, bits), stem(others, bits)
        tap.ok(found == expected and found,
               f"{name}: with and without the fast track the same bits, {len(found)} modules",
               f"with: {found}\nwithout: {expected}")
    found, expected = stem(symbols, bits), stem(pairs[0][1], bits)
    tap.ok(found and all(found[name] != expected[name] for name in expected),
           "a fast track that adds wrong products is noticed", f"{found}")
    tap.done()


if __name__ == "__main__":
    main()
