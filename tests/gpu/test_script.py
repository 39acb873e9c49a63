"""bench/gpu.sh on a fake machine (gpu_machine.py) with a fake GPU: which stages run, what a second
call does again, and the messages of failures."""
import io
import json
import os
import pathlib
import re
import sys
import tarfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import tap
from gpu_machine import METHODS, SOURCE, Gpu, items, modules, ranking

def said(result):
    return f"exit code {result.returncode}\n{result.stdout}{result.stderr}"


def test_command_line():
    with Gpu(cuda=False) as m:
        result = m.run("bench/gpu.sh", "--help")
        tap.ok(result.returncode == 0 and "--dry-run" in result.stdout
               and "usage:" in result.stdout,
               "--help prints the usage", said(result))
        for words in (["--stage", "tea"], ["--minutes", "x"], ["--out"], ["now"]):
            result = m.run("bench/gpu.sh", *words)
            tap.ok(result.returncode == 2 and words[-1] in result.stderr
                   and not os.path.exists(os.path.join(m.root, "build-gpu")),
                   f"gpu.sh {' '.join(words)} is refused before anything is made", said(result))


def test_dry_run():
    with Gpu(cuda=False) as m:
        result = m.run("bench/gpu.sh", "--dry-run")
        tap.ok(result.returncode == 0 and "compute-sanitizer: not found" in result.stdout
               and "gpubench cannot be built here" in result.stdout
               and "no folder of generated/ holds modules for CUDA" in result.stdout,
               "--dry-run without CUDA says what is missing, and is no failure", said(result))
        shown = [words for words in items()
                 if re.search(f"--(matrix|shape) {words[0]} --type {words[1]} --offset {words[2]}",
                              result.stdout)]
        tap.ok(len(shown) == len(items()) and "--tool racecheck" in result.stdout
               and "--bandwidth" in result.stdout and "report.py" in result.stdout
               and result.stdout.count("would run: ncu --profile-from-start off") == 3,
               "it shows the commands of every stage", said(result))
    with Gpu() as m:
        m.touch("no.gpu")
        result = m.run("bench/gpu.sh", "--dry-run")
        tap.ok(result.returncode == 0 and not m.timed() and not m.calls("compute-sanitizer")
               and "scircuit: described" in result.stdout and "gpubench: no GPU" in result.stdout
               and not m.out("stamps").exists() and m.out("kernels/kernel_suite").exists(),
               "with CUDA but no GPU it builds all, runs what needs none, and stamps nothing",
               said(result))


def test_whole():
    with Gpu() as m:
        result = m.run("bench/gpu.sh", "--jobs", "1")
        tap.ok(result.returncode == 0 and m.out("gpu.json").exists() and m.out("gpu.txt").exists(),
               "with a GPU all stages run", said(result))
        tap.ok(m.timed() == items(), "the matrices are timed in the order of the ranking",
               str(m.timed()))
        tap.ok(m.order() == ["bandwidth", *["time"] * len(items("time")), *["profile"] * 3,
                             *["suite"] * 2 * len(METHODS),
                             *["memcheck", "memcheck", "racecheck", "racecheck"] * 2,
                             *["time"] * len(items("more")), *["suite"] * 2 * len(METHODS),
                             *["initcheck", "initcheck", "synccheck", "synccheck"] * 2],
               "what tells most comes first", str(m.order()))
        tools = [re.search(r"--tool (\w+) .*--module (\w+)", call).groups()
                 for call in m.calls("compute-sanitizer")]
        tap.ok(len(tools) == 4 * 2 * len(METHODS) and len(set(tools)) == len(tools)
               and {tool for tool, _ in tools} == {"memcheck", "racecheck", "initcheck",
                                                   "synccheck"}
               and len([1 for call in m.calls("kernel_suite") if "--effort brief" in call])
               == len(modules()),
               "each tool checks each method in two pairs of types, the suite every module",
               str(tools))
        report = json.loads(m.out("gpu.json").read_text(encoding="utf-8"))
        tap.ok(report["matrices"][0]["clocks"]["before"] == "1980 MHz, 40"
               and report["checks"]["memcheck"]["cases"] == 2 * 2 * len(METHODS),
               "the report has the clocks and the checks",
               m.out("gpu.txt").read_text(encoding="utf-8"))
        text = m.out("gpu.txt").read_text(encoding="utf-8")
        kernels = report["profile"]["items"]["stencil-27-1000000-f64-i32"]
        tap.ok(len(report["profile"]["items"]) == 3 and [k["kernel"] for k in kernels]
               == ["one", "two"] and kernels[0]["dram__bytes_read.sum"] == 7e-6
               and "profile of rmat-4194304-f64-i32" in text, "and the counters of kernels", text)
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 0 and not m.timed() and not m.calls("kernel_suite")
               and not m.calls("ncu")
               and "stage sanitize: done before, right" in result.stdout,
               "a second call does nothing again", said(result))
        m.write("a project/runtime/version.h", "two")
        result = m.run("bench/gpu.sh", "--stage", "bandwidth")
        tap.ok(result.returncode == 0 and "older-1" in result.stdout
               and m.out("older-1/gpu.json").exists() and not m.out("gpu.json").exists(),
               "results of other sources are set aside", said(result))
        m.write("probe", "another GPU\n")
        result = m.run("bench/gpu.sh", "--stage", "bandwidth")
        tap.ok(result.returncode == 0 and m.out("older-2/bandwidth.json").exists(),
               "and those of another device", said(result))


def test_cut():
    third = items()[2]
    with Gpu() as m:
        m.touch(f"cut.{third[0]}")
        m.script("a project/cut.sh", 'echo $$ >"$MACHINE/pid"; exec bench/gpu.sh "$@"')
        result = m.run("cut.sh", "--stage", "time")
        tap.ok(result.returncode < 0 and len(m.timed()) == 3, "a call may be cut at any time",
               said(result))
        result = m.run("bench/gpu.sh", "--stage", "time")
        tap.ok(result.returncode == 0 and m.timed() == items("time")[2:],
               "the next one goes on with the matrix that was in progress", said(result))
        result = m.run("bench/gpu.sh", "--minutes", "0")
        tap.ok(result.returncode == 3 and not m.calls("compute-sanitizer") and not m.timed()
               and "stage sanitize: time is up" in result.stdout,
               "when time is up nothing begins, and exit code 3 says that there is more",
               said(result))


def test_packing():
    first, second, third = items("time")[:3]
    with Gpu() as m, Gpu() as other:
        pack = m.path("found.tar.gz")
        m.touch(f"cut.{third[0]}")
        m.script("a project/cut.sh", 'echo $$ >"$MACHINE/pid"; exec bench/gpu.sh "$@"')
        result = m.run("cut.sh", "--pack", pack)
        tap.ok(result.returncode < 0 and os.path.exists(pack),
               "each item is packed when it is done", said(result))
        result = other.run("bench/gpu.sh", "--resume", pack, "--pack", pack)
        tap.ok(result.returncode == 0 and f"going on from {pack}" in result.stdout
               and other.timed() == [words for words in items() if words not in (first, second)]
               and f"packed: {pack}" in result.stdout,
               "another machine goes on with what was in progress", said(result))
        result = m.run("bench/gpu.sh", "--resume", pack, "--stage", "bandwidth")
        tap.ok(result.returncode == 0 and "results of its own" in result.stdout,
               "what is there already is not replaced", said(result))
    with Gpu() as m:
        result = m.run("bench/gpu.sh", "--resume", pack)
        tap.ok(result.returncode == 2 and "there is no such file" in result.stderr,
               "a pack must be there", said(result))
        m.write("bad.tar.gz", "no archive")
        result = m.run("bench/gpu.sh", "--resume", m.path("bad.tar.gz"))
        tap.ok(result.returncode == 1 and "is not what --pack writes" in result.stderr
               and not m.timed() and not m.out("key").exists(), "and be one", said(result))
        result = m.run("bench/gpu.sh", "--pack", m.path("no/where.tar.gz"))
        tap.ok(result.returncode == 2 and "its folder is not there" in result.stderr
               and not m.timed(), "where a pack cannot be written, nothing begins", said(result))


def member_of(name, kind=tarfile.REGTYPE, link=""):
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.mode = kind, link, 0o755
    return member


def test_foreign_packs():
    """What --pack never writes is not unpacked, wherever in the archive it stands."""
    result = member_of("time/scircuit-f64-i32.json")
    members = {
        "a program": member_of("build/bench/gpu/gpubench"),
        "a program above": member_of("../bench/gpu/report.py"),
        "an absolute path": member_of("/time/a.json"),
        "a way out": member_of("time/../../bench/gpu/x.json"),
        "a dot file": member_of(".profile"),
        "a folder's link": member_of("time", tarfile.SYMTYPE, "/"),
        "a link": member_of("time/a.json", tarfile.SYMTYPE, "/etc/passwd"),
        "a hard link": member_of("gpu.json", tarfile.LNKTYPE, "key"),
        "a pipe": member_of("gpu.json", tarfile.FIFOTYPE),
        "a second key": member_of("key"),
        "a word with control bytes": member_of("time/\033[2J.json"),
    }
    for what, member in members.items():
        with Gpu() as m:
            with tarfile.open(m.path("foreign.tar.gz"), "w:gz") as archive:
                for each in member_of("key"), result, member:
                    archive.addfile(each, io.BytesIO(b""))
            before = {path.name for path in pathlib.Path(m.root).rglob("*")}
            result_of_call = m.run("bench/gpu.sh", "--resume", m.path("foreign.tar.gz"))
            found = {path.name for path in pathlib.Path(m.root).rglob("*")} - before
            tap.ok(result_of_call.returncode == 1 and found <= {"build-gpu", "__pycache__"}
                   and f"it holds '{ascii(member.name)[1:-1]}': " in result_of_call.stderr
                   and "nothing of it is taken" in result_of_call.stderr
                   and not m.calls("gpubench"),
                   f"--resume takes nothing of an archive with {what}",
                   f"{found}\n{said(result_of_call)}")


def test_targets():
    with Gpu() as m:
        result = m.run("bench/gpu.sh", "--targets", "fake", "--stage", "bandwidth")
        tap.ok(result.returncode == 0
               and any("-Dbuiltin_targets=fake" in call for call in m.calls("meson")),
               "--targets builds these alone", said(result))
        result = m.run("bench/gpu.sh", "--stage", "bandwidth")
        tap.ok(result.returncode == 0 and "older-1" in result.stdout,
               "and their results are not mixed with others", said(result))
        result = m.run("bench/gpu.sh", "--targets", "fake,sm_1")
        tap.ok(result.returncode == 2 and "called 'sm_1'; there are: fake" in result.stderr,
               "an unknown target is refused, with a list of those that exist", said(result))


def test_profile():
    with Gpu() as m:
        m.touch("refuses.ncu")
        result = m.run("bench/gpu.sh", "--stage", "profile")
        tap.ok(result.returncode == 0 and len(m.calls("ncu")) == 1
               and "no profile: ERR_NVGPUCTRPERM" in result.stdout,
               "a machine that lets nobody count is told, asked once, and no failure",
               said(result))
        result = m.run("bench/gpu.sh")
        report = json.loads(m.out("gpu.json").read_text(encoding="utf-8"))
        tap.ok(result.returncode == 0 and not m.calls("ncu")
               and "ERR_NVGPUCTRPERM" in report["profile"]["refused"]
               and "profile  none: ERR_NVGPUCTRPERM" in m.out("gpu.txt").read_text("utf-8"),
               "all the rest goes on, and the report says so", said(result))
    with Gpu() as m:
        os.remove(m.path("bin/ncu"))
        result = m.run("bench/gpu.sh", "--stage", "profile")
        tap.ok(result.returncode == 0 and "no profile: ncu is not there" in result.stdout,
               "so is one without Nsight Compute", said(result))
    with Gpu() as m:
        m.touch("unprofiled.consph")
        result = m.run("bench/gpu.sh", "--stage", "profile")
        tap.ok(result.returncode == 1 and len(m.calls("ncu")) == 3
               and "no label" in m.out("profile/consph-f64-i32.failed").read_text("utf-8"),
               "a profile that fails stops no other", said(result))
        os.remove(m.path("unprofiled.consph"))
        result = m.run("bench/gpu.sh", "--stage", "profile", "--retry")
        tap.ok(result.returncode == 0 and [call.count("consph") > 0 for call in m.calls("ncu")]
               == [True], "--retry tries it again, and that alone", said(result))


def test_carried():
    with Gpu() as m, Gpu() as bare:
        build = m.path("carried")
        m.touch("no.gpu")
        result = m.run("bench/gpu.sh", "--targets", "fake", "--carry", build)
        tap.ok(result.returncode == 0 and sorted(os.listdir(build))
               == ["gpubench", "kernel_suite", "sources"] and not m.timed(),
               "--carry builds without a GPU, and copies what is needed", said(result))
        for name in "bin/ninja", "bin/meson", "bin/cc", "bin/c++":
            os.remove(bare.path(name))
        pack = bare.path("found.tar.gz")
        result = bare.run("bench/gpu.sh", "--carried", build, "--targets", "fake", "--jobs", "1",
                          "--pack", pack)
        tap.ok(result.returncode == 0 and bare.timed() == items() and bare.calls("ncu")
               and bare.out("gpu.json").exists() and os.path.exists(pack),
               "a machine without compilers does all stages with it", said(result))
        for words in (["--carried", build], ["--carried", m.path("nowhere")],
                      ["--carry", build, "--carried", build]):
            result = bare.run("bench/gpu.sh", "--stage", "bandwidth", *words)
            tap.ok(result.returncode != 0 and ("other sources, or with other --targets"
                   in result.stderr or "--carry" in result.stderr) and not bare.timed(),
                   "refused: " + " ".join(words), said(result))
        bare.write("a project/runtime/version.h", "two")
        result = bare.run("bench/gpu.sh", "--carried", build, "--targets", "fake")
        tap.ok(result.returncode == 1 and "other sources" in result.stderr
               and not bare.calls("gpubench"), "and a build of other sources", said(result))


def test_wrong_kernels():
    name = modules()[0]
    with Gpu() as m:
        m.touch(f"wrong.{name}")
        m.touch("finds.racecheck")
        m.touch("finds.memcheck")
        m.touch("refuses.synccheck")
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 1 and m.timed() and "not ok 1 - csr5" in result.stdout
               and "ERROR SUMMARY: 3 errors" in result.stdout
               and "RACECHECK SUMMARY: 3 hazards" in result.stdout
               and re.search("synccheck .*came to no summary", result.stdout),
               "what is wrong is reported, the other stages run, and the exit code is 1",
               said(result))
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 1 and not m.calls("kernel_suite")
               and "stage suite: done before, wrong" in result.stdout,
               "a second call still says so, and tries nothing again", said(result))
        os.remove(m.path(f"wrong.{name}"))
        for finding in "finds.racecheck", "finds.memcheck", "refuses.synccheck":
            os.remove(m.path(finding))
        result = m.run("bench/gpu.sh", "--retry")
        again = {re.search(r"--module (\w+)", call)[1] for call in m.calls("kernel_suite")
                 if "--effort brief" in call}
        tap.ok(result.returncode == 0 and again == {name},
               "--retry tries what was wrong, and that alone", said(result))
    with Gpu() as m:
        m.touch(f"skipped.{name}")
        result = m.run("bench/gpu.sh", "--stage", "suite")
        tap.ok(result.returncode == 1 and "was not tried: no libcuda.so.1" in result.stdout,
               "a module that is skipped is no success", said(result))
        os.remove(m.path("bin/compute-sanitizer"))
        result = m.run("bench/gpu.sh", "--stage", "sanitize")
        tap.ok(result.returncode == 1 and "compute-sanitizer is not there" in result.stderr
               and not m.out("stamps/sanitize").exists(), "nor is a tool that is missing",
               said(result))


def test_wrong_matrices():
    first, second, third = (words[0] for words in items()[:3])
    with Gpu() as m:
        m.touch(f"fails.{first}")
        m.touch(f"breaks.{second}")
        m.touch(f"inexact.{third}")
        result = m.run("bench/gpu.sh", "--stage", "time")
        done = {words for words in m.timed()}
        tap.ok(result.returncode == 1 and done == set(items("time"))
               and ([words[0] for words in m.timed()].count(second)
                    > [w[0] for w in items()].count(second)),
               "a matrix that fails stops no other, and one that breaks the GPU is tried again",
               said(result))
        result = m.run("bench/gpu.sh", "--stage", "report")
        report = json.loads(m.out("gpu.json").read_text(encoding="utf-8"))
        item = first.replace(" --size ", "-") + "-f64-i32"
        tap.ok(item in report["failed"] and "no luck" in report["failed"][item],
               "the report names it, with what it said", said(result))
        result = m.run("bench/gpu.sh", "--stage", "time")
        tap.ok(result.returncode == 1 and not m.timed(), "it is not tried again", said(result))
        for name in f"fails.{first}", f"inexact.{third}":
            os.remove(m.path(name))
        result = m.run("bench/gpu.sh", "--stage", "time", "--retry")
        tap.ok(result.returncode == 0 and {words[0] for words in m.timed()} == {first, third},
               "but by --retry", said(result))
    with Gpu() as m:
        m.touch("no.gpu")
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 1
               and "there is no GPU that CUDA can use; --dry-run" in result.stderr
               and not m.calls("compute-sanitizer"), "without a GPU there is a sentence",
               said(result))


def test_ranking():
    names = items()
    shapes = {words[0][len("shape:"):].replace("=", " --size ") for words in ranking()
              if words[0].startswith("shape:")}
    facts = (pathlib.Path(SOURCE) / "bench/matrices/lookalike/facts.c").read_text(encoding="utf-8")
    known = dict(re.findall(r'\{ "[^"]+", "(?:[^"/]+/)?([^"]+)", "([^"]+)"', facts))
    matrices = {name for name, _, _ in names} - shapes
    models = (pathlib.Path(SOURCE) / "bench/matrices/models.c").read_text(encoding="utf-8")
    tap.ok(len(set(names)) == len(names) and len(matrices) >= 12 and matrices <= set(known)
           and all(types[1:] in {("f64", "i32"), ("f32", "i32"), ("f64", "i64")}
                   for types in names),
           "the ranking has 12 look-alikes or more, and no other", matrices - set(known))
    tap.ok(shapes and all(f'{{ "{name.split()[0]}", ' in models for name in shapes),
           "shapes are those of spmvbench", str(shapes))
    tap.ok(len({known.get(name, name) for name, _, _ in names[:8]}) == 8,
           "the first eight are of eight classes", str(names[:8]))
    tap.ok(all(len(words) == 4 and 20 <= int(words[3]) <= 240 for words in ranking()
               if words != ["more"]),
           "each says what it may take, a part of nine minutes", "")
    lines = (pathlib.Path(SOURCE) / "bench/gpu/profile.txt").read_text(encoding="utf-8")
    profiled = [words for line in lines.splitlines() if (words := line.split("#")[0].split())]
    tap.ok(len(profiled) == 3 and all(len(words) == 5 for words in profiled)
           and {tuple(words[:3]) for words in profiled} <= {tuple(w[:3]) for w in ranking()}
           and sum(int(words[3]) for words in profiled) < 9 * 60,
           "what is profiled is in the ranking, and fits one call", profiled)


test_command_line()
test_dry_run()
test_whole()
test_cut()
test_packing()
test_foreign_packs()
test_targets()
test_profile()
test_carried()
test_wrong_kernels()
test_wrong_matrices()
test_ranking()
tap.done()
