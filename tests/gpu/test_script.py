"""bench/gpu.sh on a fake machine (gpu_machine.py) with a fake GPU: which stages run, what a second
call does again, and the messages of failures."""
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import tap
from gpu_machine import METHODS, SANITIZER, SOURCE, Gpu, items, modules, ranking


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
               and "gpubench cannot be built here" in result.stdout,
               "--dry-run without CUDA says what is missing, and is no failure", said(result))
        shown = [words for words in items()
                 if re.search(f"--(matrix|shape) {words[0]} --type {words[1]} --offset {words[2]}",
                              result.stdout)]
        tap.ok(len(shown) == len(items()) and "--tool racecheck" in result.stdout
               and "--bandwidth" in result.stdout and "report.py" in result.stdout
               and "--only slices --modes 1" in result.stdout
               and result.stdout.count("would run: ncu --profile-from-start off") == 1,
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
        for name, microseconds in {"consph": 300, "scircuit": 200, "FullChip": 400}.items():
            m.write(f"time.{name}", str(microseconds))
        result = m.run("bench/gpu.sh", "--jobs", "1")
        tap.ok(result.returncode == 0 and m.out("gpu.json").exists() and m.out("gpu.txt").exists(),
               "with a GPU all stages run", said(result))
        tap.ok(m.timed() == items("f64") + items("f32"),
               "the matrices are timed in the order of the ranking, f64 before f32",
               str(m.timed()))
        tap.ok(m.order() == [*["suite"] * len(METHODS), *["memcheck"] * len(METHODS),
                             *["racecheck"] * len(METHODS), "bandwidth", *["time"] * len(items()),
                             *["profile"] * 3, *["sweep"] * len(items("f64"))],
               "what would be missed most comes first", str(m.order()))
        tools = [re.search(r"--tool (\w+) .*--module (\w+)", call).groups()
                 for call in m.calls("compute-sanitizer")]
        checked = [re.search(r"--module (\w+)", call)[1] for call in m.calls("kernel_suite")
                   if "--effort brief" in call]
        first = sorted(name for name in modules() if "f64_i32" in name)
        tap.ok(checked == first and tools == [(tool, name) for tool in ("memcheck", "racecheck")
                                              for name in first],
               "the suite and each tool check each method in one pair of types", str(tools))
        tap.ok(all("--target sm_90" in call and "--only slices,evc_hyb,csr5,csr_adaptive,cusparse "
                   in call for call in m.calls("gpubench") if "--json" in call
                   and "--bandwidth" not in call and "--modes 1" not in call)
               and m.timed("sweep") == items("f64"),
               "four methods and cuSPARSE are timed; the sweep has the same matrices",
               str(m.calls("gpubench")))
        report = json.loads(m.out("gpu.json").read_text(encoding="utf-8"))
        tap.ok(report["matrices"][0]["clocks"]["before"] == "1980 MHz, 40"
               and report["checks"]["memcheck"]["cases"] == 2 * len(METHODS)
               and set(report["seconds"]) == {"suite", "sanitize", "bandwidth", "time", "profile",
                                              "sweep"},
               "the report has the clocks, the checks, and the seconds of the stages",
               m.out("gpu.txt").read_text(encoding="utf-8"))
        text = m.out("gpu.txt").read_text(encoding="utf-8")
        kernels = report["profile"]["items"]["FullChip-f32-i32"]
        tap.ok(set(report["profile"]["items"]) == {"FullChip-f32-i32", "FullChip-f64-i32",
                                                   "consph-f32-i32"}
               and [k["kernel"] for k in kernels] == ["one", "two"]
               and kernels[0]["dram__bytes_read.sum"] == 7e-6
               and "profile of FullChip-f32-i32" in text
               and all("--only slices sm_90,CSR_ALG2 cusparse,slices --profile" in call
                       for call in m.calls("ncu")),
               "and the counters of kernels, where libspmv was slowest beside cuSPARSE", text)
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 0 and not m.timed() and not m.calls("kernel_suite")
               and not m.calls("ncu") and not m.timed("sweep")
               and "stage sanitize: done before, right" in result.stdout,
               "a second call does nothing again", said(result))
        m.write("a project/runtime/version.h", "two")
        result = m.run("bench/gpu.sh", "--stage", "bandwidth")
        tap.ok(result.returncode == 0 and "older-1" in result.stdout
               and m.out("older-1/gpu.json").exists() and not m.out("gpu.json").exists(),
               "results of other sources are set aside", said(result))
        m.write("probe", "another GPU, sm_90, CUDA 13.0\n")
        result = m.run("bench/gpu.sh", "--stage", "bandwidth")
        tap.ok(result.returncode == 0 and m.out("older-2/bandwidth.json").exists(),
               "and those of another device", said(result))


def test_sweep():
    pages = {words[0]: words[1:] for line in
             (pathlib.Path(SOURCE) / "bench/gpu/sweep.txt").read_text(encoding="utf-8").splitlines()
             if (words := line.split("#")[0].split())}
    with Gpu() as m:
        result = m.run("bench/gpu.sh", "--stage", "build")
        emitted = [re.search(r"/pages/(\S+)\.lua .*/variants/(\S+)", call).groups()
                   for call in m.calls("spmvgen")]
        configured = [call for call in m.calls("meson") if call.startswith("configure")]
        tap.ok(result.returncode == 0 and emitted == [(name, name) for name in pages]
               and len(configured) == 1
               and re.findall(r"variants/([\w-]+)", configured[0]) == list(pages)
               and m.out("pages/turn-8.lua").read_text(encoding="utf-8")
               == 'inherit "sm_90"\nslices.turn = 8\n',
               "the build emits a page for each line of sweep.txt, and links them all",
               said(result) + str(m.calls("meson")))
        result = m.run("bench/gpu.sh", "--stage", "build")
        tap.ok(result.returncode == 0
               and not [call for call in m.calls("meson") if call.startswith("configure")],
               "and does not configure twice", said(result))
    select = [sys.executable, os.path.join(SOURCE, "generated/select_targets.py"), "x86_64"]
    folder = os.path.join(SOURCE, "generated/cuda")
    for name, expected in ((folder, ["generic-c", "generic-cuda", "sm_90"]), ("/no/where", [])):
        done = subprocess.run([*select, name, "generic-c"], text=True, capture_output=True,
                              check=False)
        tap.ok([line.split("\t")[0] for line in done.stdout.splitlines()] == expected
               and (expected or f"'{name}' is no target of generated/" in done.stderr),
               f"libspmv links the emitted folder {os.path.basename(name)}, if there is one",
               said(done))
    with Gpu() as m:
        os.remove(m.path("spmvgen"))
        result = m.run("bench/gpu.sh", "--jobs", "1")
        tap.ok(result.returncode == 0 and not m.timed("sweep")
               and "no sweep: the build has no variants: spmvgen cannot be built" in result.stdout
               and "sweep    none: the build has no" in m.out("gpu.txt").read_text("utf-8"),
               "without spmvgen there is no sweep, and the report says so", said(result))


def test_devices():
    with Gpu() as m:
        m.write("probe", "NVIDIA A100, sm_80, CUDA 12.4\n")
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 1 and not m.timed() and not m.calls("kernel_suite")
               and "this GPU is sm_80, and the kernels of --target sm_90 are for sm_90 alone: take "
               "--target generic-cuda" in result.stderr,
               "a GPU that the target is not for is refused before anything runs", said(result))
        m.touch("old.driver")
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 1 and "the driver is for CUDA 11.8" in result.stderr
               and "there is no GPU that CUDA can use" in result.stderr,
               "what gpubench says of the driver is shown", said(result))
    with Gpu() as m:
        m.touch("no.cusparse")
        result = m.run("bench/gpu.sh", "--jobs", "1")
        text = m.out("gpu.txt").read_text(encoding="utf-8")
        tap.ok(result.returncode == 1 and not m.timed()
               and m.order() == ["suite"] * 2 + ["memcheck"] * 2 + ["racecheck"] * 2
               and "gpubench does not run here: error while loading shared libraries: "
               "libcusparse.so.12" in result.stdout
               and "device   nothing was timed; 1980 MHz, 40" in text
               and "memcheck     2 modules" in text,
               "without cuSPARSE the kernels are checked, and the report has that",
               said(result) + text)


def test_cut():
    third = items()[2]
    with Gpu() as m:
        m.touch(f"cut.{third[0]}")
        m.script("a project/cut.sh", 'echo $$ >"$MACHINE/pid"; exec bench/gpu.sh "$@"')
        result = m.run("cut.sh", "--stage", "time")
        tap.ok(result.returncode < 0 and len(m.timed()) == 3, "a call may be cut at any time",
               said(result))
        result = m.run("bench/gpu.sh", "--stage", "time")
        tap.ok(result.returncode == 0 and m.timed() == items()[2:],
               "the next one goes on with the matrix that was in progress", said(result))
        result = m.run("bench/gpu.sh", "--minutes", "0")
        tap.ok(result.returncode == 3 and not m.calls("compute-sanitizer") and not m.timed()
               and "stage sanitize: time is up" in result.stdout and m.out("gpu.txt").exists(),
               "when time is up nothing begins but the report, and exit code 3 says that there is "
               "more",
               said(result))


def test_packing():
    first, second, third = items()[:3]
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
        link = m.path("link.tar.gz")
        os.symlink("target.tar.gz", link)
        result = m.run("bench/gpu.sh", "--stage", "report", "--pack", link)
        tap.ok(result.returncode == 0 and os.path.islink(link)
               and os.path.isfile(m.path("target.tar.gz")), "a link is followed", said(result))
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
        pipe = m.path("pipe.tar.gz")
        os.mkfifo(pipe)
        result = m.run("bench/gpu.sh", "--pack", pipe)
        tap.ok(result.returncode == 2 and "no file" in result.stderr and not m.timed()
               and pathlib.Path(pipe).is_fifo(), "a pipe of that name stays", said(result))


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
    with Gpu() as m:
        for what, member in members.items():
            with tarfile.open(m.path("foreign.tar.gz"), "w:gz") as archive:
                for each in member_of("key"), result, member:
                    archive.addfile(each, io.BytesIO(b""))
            done = subprocess.run([sys.executable, m.path("a project/bench/gpu/pack.py"), "read",
                                   m.path("foreign.tar.gz"), m.path("unpacked")],
                                  text=True, capture_output=True, check=False)
            tap.ok(done.returncode == 1 and not os.path.exists(m.path("unpacked"))
                   and f"it holds '{ascii(member.name)[1:-1]}': " in done.stderr,
                   f"an archive with {what} is not unpacked", said(done))
        done = m.run("bench/gpu.sh", "--resume", m.path("foreign.tar.gz"))
        tap.ok(done.returncode == 1 and os.listdir(m.out("")) == [] and not m.calls("gpubench")
               and "nothing of it is taken" in done.stderr,
               "--resume ends with such an archive, and leaves nothing of it", said(done))


def test_targets():
    with Gpu() as m:
        result = m.run("bench/gpu.sh", "--stage", "bandwidth")
        tap.ok(result.returncode == 0
               and any("-Dbuiltin_targets=sm_90" in call for call in m.calls("meson")),
               "the modules of sm_90 are built alone", said(result))
        m.add_target("other")
        result = m.run("bench/gpu.sh", "--stage", "bandwidth", "--target", "other")
        tap.ok(result.returncode == 0 and "older-1" in result.stdout,
               "results of another --target are not mixed with them", said(result))
        for name in "sm_1", "../generated/sm_90", "":
            result = m.run("bench/gpu.sh", "--target", name)
            tap.ok(result.returncode == 2 and f"called '{name}'; there are: other sm_90"
                   in result.stderr,
                   f"the target '{name}' is refused, with a list of those that exist",
                   said(result))


def test_profile():
    with Gpu() as m:
        m.touch("refuses.ncu")
        result = m.run("bench/gpu.sh", "--stage", "profile")
        tap.ok(result.returncode == 3 and not m.calls("ncu")
               and "no profile before all matrices are timed" in result.stdout,
               "nothing is profiled before it is known what is slowest", said(result))
        result = m.run("bench/gpu.sh")
        report = json.loads(m.out("gpu.json").read_text(encoding="utf-8"))
        tap.ok(result.returncode == 0 and len(m.calls("ncu")) == 1
               and "no profile: ERR_NVGPUCTRPERM" in result.stdout and m.timed("sweep")
               and "ERR_NVGPUCTRPERM" in report["profile"]["refused"]
               and "profile  none: ERR_NVGPUCTRPERM" in m.out("gpu.txt").read_text("utf-8"),
               "a machine that lets nobody count is asked once, all the rest goes on, and the "
               "report says so", said(result))
    with Gpu() as m:
        os.remove(m.path("bin/ncu"))
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 0 and "no profile: ncu is not there" in result.stdout,
               "so is one without Nsight Compute", said(result))
    with Gpu() as m:
        m.write("time.consph", "300")
        m.touch("unprofiled.consph")
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 1 and len(m.calls("ncu")) == 3
               and "no label" in m.out("profile/consph-f64-i32.failed").read_text("utf-8"),
               "a profile that fails stops no other", said(result))
        os.remove(m.path("unprofiled.consph"))
        result = m.run("bench/gpu.sh", "--stage", "profile", "--retry")
        tap.ok(result.returncode == 0 and [call.count("consph") > 0 for call in m.calls("ncu")]
               == [True, True], "--retry tries it again, and that alone", said(result))


def test_carried():
    with Gpu() as m, Gpu() as bare:
        build = m.path("carried")
        m.touch("no.gpu")
        for name in "compute-sanitizer/compute-sanitizer", "compute-sanitizer/libtool.so":
            m.script("toolkit/" + name, SANITIZER)
        m.write("toolkit/compute-sanitizer/docs/page", "")
        m.write("a project/runtime/library/devices/builtin_binaries.c", "")
        result = m.run("bench/gpu.sh", "--cuda", m.path("toolkit"), "--carry", build)
        tap.ok(result.returncode == 0 and sorted(os.listdir(build))
               == ["gpubench", "kernel_suite", "sanitizer", "sources", "variants"]
               and sorted(os.listdir(build + "/sanitizer")) == ["compute-sanitizer", "libtool.so"]
               and not m.timed(),
               "--carry builds without a GPU, and copies what is needed", said(result))
        ninja = m.out("kernels/build.ninja").read_text(encoding="utf-8")
        tap.ok("/spmv_cuda_binaries.c" in ninja
               and "-DSPMV_BUILTIN_BINARIES(T)=T(spmv_cuda_binaries)" in ninja,
               "the suite has the compiled programs, too", ninja)
        shutil.copytree(m.path("a project/runtime"), bare.path("a project/runtime"),
                        dirs_exist_ok=True)
        for name in "ninja", "meson", "cc", "c++", "compute-sanitizer":
            os.remove(bare.path("bin/" + name))
        pack = bare.path("found.tar.gz")
        result = bare.run("bench/gpu.sh", "--carried", build, "--jobs", "1", "--pack", pack)
        tap.ok(result.returncode == 0 and bare.timed() == items() and bare.calls("ncu")
               and bare.timed("sweep") and bare.out("checks/racecheck").exists()
               and bare.out("gpu.json").exists() and os.path.exists(pack),
               "a machine without compilers does all stages with it", said(result))
        bare.add_target("other")
        for words in (["--carried", build, "--target", "other"],
                      ["--carried", m.path("nowhere")], ["--carry", build, "--carried", build]):
            result = bare.run("bench/gpu.sh", "--stage", "bandwidth", *words)
            tap.ok(result.returncode != 0 and ("other sources, or with another --target"
                   in result.stderr or "--carry" in result.stderr) and not bare.timed(),
                   "refused: " + " ".join(words), said(result))
        bare.write("a project/runtime/version.h", "two")
        result = bare.run("bench/gpu.sh", "--carried", build)
        tap.ok(result.returncode == 1 and "other sources" in result.stderr
               and not bare.calls("gpubench"), "and a build of other sources", said(result))
    with Gpu() as m:
        os.remove(m.path("bin/compute-sanitizer"))
        os.remove(m.path("spmvgen"))
        result = m.run("bench/gpu.sh", "--carry", m.path("carried"))
        tap.ok(result.returncode == 0 and "compute-sanitizer is not here" in result.stdout
               and "without a sweep: spmvgen cannot be built here" in result.stdout,
               "what is not carried is said", said(result))


def test_wrong_kernels():
    name = modules()[0]
    with Gpu() as m:
        m.touch(f"wrong.{name}")
        m.touch("finds.memcheck")
        m.touch("refuses.racecheck")
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 1 and m.timed() and "not ok 1 - csr5" in result.stdout
               and "ERROR SUMMARY: 3 errors" in result.stdout
               and re.search("racecheck .*came to no summary", result.stdout),
               "what is wrong is reported, the other stages run, and the exit code is 1",
               said(result))
        result = m.run("bench/gpu.sh")
        tap.ok(result.returncode == 1 and not m.calls("kernel_suite")
               and "stage suite: done before, wrong" in result.stdout,
               "a second call still says so, and tries nothing again", said(result))
        os.remove(m.path(f"wrong.{name}"))
        for finding in "finds.memcheck", "refuses.racecheck":
            os.remove(m.path(finding))
        m.touch("finds.racecheck")
        result = m.run("bench/gpu.sh", "--retry")
        again = {re.search(r"--module (\w+)", call)[1] for call in m.calls("kernel_suite")
                 if "--effort brief" in call}
        tap.ok(result.returncode == 1 and again == {name}
               and "RACECHECK SUMMARY: 3 hazards" in result.stdout,
               "--retry tries what was wrong, and that alone; hazards are no success", said(result))
    with Gpu() as m:
        m.touch(f"skipped.{name}")
        result = m.run("bench/gpu.sh", "--stage", "suite")
        tap.ok(result.returncode == 1 and "was not tried: no libcuda.so.1" in result.stdout,
               "a module that is skipped is no success", said(result))
        os.remove(m.path("bin/compute-sanitizer"))
        result = m.run("bench/gpu.sh", "--stage", "sanitize")
        report = m.run("bench/gpu.sh", "--stage", "report")
        tap.ok(result.returncode == 1 and "compute-sanitizer is not there" in result.stdout
               and not m.out("stamps/sanitize").exists()
               and "sanitize none: compute-sanitizer is not there" in report.stdout,
               "nor is a tool that is missing, and the report says so", said(result))


def test_wrong_matrices():
    first, second, third = (words[0] for words in items()[:3])
    with Gpu() as m:
        m.touch(f"fails.{first}")
        m.touch(f"breaks.{second}")
        m.touch(f"inexact.{third}")
        result = m.run("bench/gpu.sh", "--stage", "time")
        done = {words for words in m.timed()}
        tap.ok(result.returncode == 1 and done == set(items())
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
    tap.ok(len(set(names)) == len(names) and matrices <= set(known)
           and all(f'{{ "{name.split()[0]}", ' in models for name in shapes),
           "the ranking has look-alikes and shapes of spmvbench", matrices - set(known))
    tap.ok(len({known.get(name, name) for name, _, _ in items("f64")}) == 8
           and names == [(name, type, "i32") for type in ("f64", "f32")
                         for name, _, _ in items("f64")],
           "eight matrices of eight classes, all in f64, then all in f32", str(names))
    tap.ok(all(len(words) == 4 and 10 <= int(words[3]) <= 60 for words in ranking()),
           "each says what it may take, a small part of six minutes", "")


test_command_line()
test_dry_run()
test_whole()
test_sweep()
test_devices()
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
