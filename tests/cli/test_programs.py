#!/usr/bin/env python3
"""test_programs.py SPMVGEN ROOT: programs of other devices, as strings of modules or as files."""
import ctypes
import json
import re
import shutil
import subprocess

import cli
from cli import ROOT, check, run, tap

TARGETS = {"pocl": "cl", "sm_90": "cu"}
ONE = ("--type", "f64", "--offsets", "i32")
ESCAPE = re.compile(r"\\(n|[\"\\?]|[0-7]{3})")


def manifest_of(folder):
    return json.loads((folder / "manifest.json").read_text())


def unquoted(literal):
    """The bytes of a C string's inside."""
    text = ESCAPE.sub(lambda m: "\n" if m[1] == "n" else m[1] if len(m[1]) == 1
                      else chr(int(m[1], 8)), literal)
    return text.encode("latin-1", errors="surrogateescape")


def strings(text):
    """Lines of a module's program by the name of their array, in the order of the file."""
    found = {}
    for name, body in re.findall(r"^static const char \*const (module_text\w*)\[\] = \{\n(.*?)^\};",
                                 text, re.M | re.S):
        lines = body.splitlines()
        assert all(re.fullmatch(r'    ".*",', line) for line in lines), name
        found[name] = [unquoted(line[5:-2]) for line in lines]
    return found


def parts(text, types=""):
    """A module's parts, each with its count of lines."""
    body = re.search(rf"^static const spmv_program_part module_parts{types}\[\] = \{{\n(.*?)^\}};",
                     text, re.M | re.S)[1]
    return [(name, int(count)) for name, count in re.findall(r"\{ (\w+), (\d+) \}", body)]


def below_banner(program):
    return program[program.index(b"*/\n") + len(b"*/\n\n"):]


def read(folder, name):
    return (folder / name).read_bytes().decode("latin-1")


def test_strings_are_the_file():
    for target, extension in TARGETS.items():
        holder, path = cli.folder()
        with holder:
            for more in (ONE, ()):
                run(path, "--target", target, *more, "-o", "strings")
                run(path, "--target", target, *more, "--program-files", "-o", "files")
                wrong = []
                for method in manifest_of(path / "strings")["methods"]:
                    text = read(path / "strings", method["file"])
                    program = (path / "files" / method["file"]).with_suffix(f".{extension}")
                    lines = strings(text)
                    if b"".join(b"".join(s) for s in lines.values()) \
                            != below_banner(program.read_bytes()):
                        wrong.append(program.name)
                    for module in method["modules"]:
                        # Kernels may depend on both types, on one, or on none.
                        types = next(types for types in (
                            "_{value_type}_{offset_type}".format(**module),
                            "_{value_type}".format(**module), "")
                            if f"module_parts{types}[" in text)
                        of = parts(text, types)
                        own = b"".join(b"".join(lines[name]) for name, _ in of)
                        if not of or any(len(lines[name]) != count for name, count in of) or any(
                                f"{kernel}(".encode() not in own for kernel in module["kernels"]):
                            wrong.append((module["symbol"], of))
                check(not wrong, f"{target} {' '.join(more)}: the strings, one behind the other, "
                      "are the text of the file, and a module's parts have its kernels", wrong)
                shutil.rmtree(path / "strings")
                shutil.rmtree(path / "files")


def test_forms():
    for target, extension in TARGETS.items():
        holder, path = cli.folder()
        with holder:
            methods = ("--method", "csr5", "--method", "csr_scalar")
            words, out = ("--target", target, *methods, "-o", "out"), path / "out"
            run(path, *words)
            manifest = manifest_of(out)
            check(not list(out.glob(f"*.{extension}"))
                  and all(m["program"] is None for m in manifest["methods"]),
                  f"{target}: a folder has no file of a program", cli.names(out))
            result = run(path, *words, "--program-files")
            manifest = manifest_of(out)
            programs = sorted(p.name for p in out.glob(f"*.{extension}"))
            check(result.code == 0 and not result.err and len(programs) == 2
                  and sorted(m["program"] for m in manifest["methods"]) == programs
                  and set(programs) < {f["file"] for f in manifest["files"]},
                  f"{target} --program-files: the manifest names each method's program", result)
            check(manifest["command"] == " ".join(["spmvgen", *words[:-2], "--program-files"])
                  and manifest["selections"][0]["program_files"] is True
                  and run(path, "--check", "out").code == 0,
                  f"{target} --program-files: command, selection and --check know it", manifest)
            texts = {m["file"]: read(out, m["file"]) for m in manifest["methods"]}
            check(not any(strings(text) or "spmv_program_part" in text for text in texts.values())
                  and all(text.count("    .parts = NULL,\n    .part_count = 0,\n")
                          == text.count("static const spmv_program module_program") > 0
                          and f'.file = "{m["program"]}",' in text
                          for m, text in zip(manifest["methods"], texts.values())),
                  f"{target} --program-files: modules have no strings and name the file",
                  list(texts))
            before = cli.times(out)
            again = run(path, *words, "--program-files")
            check(again.code == 0 and not again.out and cli.times(out) == before,
                  f"{target} --program-files: a second run writes nothing", again)
            (out / programs[0]).unlink()
            mended = run(path, *words, "--program-files")
            check(mended.code == 0 and f"wrote out/{programs[0]}\n" in mended.out,
                  f"{target} --program-files: a program that is missing is written", mended)


def clang():
    return next((name for name in ("clang-19", "clang") if shutil.which(name)), None)


def write_prefix(path, dialect="cuda"):
    """The words of CUDA or HIP, for Clang without the toolkit's headers."""
    lua = (ROOT / f"targets/dialects/{dialect}.lua").read_text()
    path.write_text(lua[lua.index("prefix = [[") + 11:].split("]]")[0])


def test_files_parse():
    """Another compiler than spmvgen's parses the files. The dialect's prefix has CUDA's words."""
    if not clang():
        tap.skip("no clang")
        return
    holder, path = cli.folder()
    with holder:
        write_prefix(path / "cuda.h")
        for target, options in (
                ("pocl", ("-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header")),
                ("sm_90", ("-x", "cuda", "-std=c++98", "--cuda-device-only",
                           "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib", "-include",
                           "cuda.h"))):
            run(path, "--target", target, "--program-files", "-o", target)
            programs = sorted((path / target).glob(f"*.{TARGETS[target]}"))
            done = subprocess.run([clang(), *options, "-fsyntax-only", *map(str, programs)],
                                  cwd=path, capture_output=True, text=True)
            check(programs and done.returncode == 0 and "error:" not in done.stderr,
                  f"{target}: a compiler takes each program's file", done.stderr[:2000])


def test_streaming_loads():
    """OpenCL's texts load A with a hint, by Clang for a GPU. For a CPU they do not, since its
    compiler would not join such loads into vectors."""
    if not clang():
        tap.skip("no clang")
        return
    holder, path = cli.folder()
    with holder:
        run(path, "--target", "gfx90a", "--method", "slices", *ONE, "--program-files", "-o", "out")
        for triple, wanted in (("amdgcn-amd-amdhsa", True), ("x86_64-unknown-linux-gnu", False)):
            done = subprocess.run([clang(), "-x", "cl", "-cl-std=CL2.0", "-target", triple,
                                   "-nogpulib", "-Dcl_khr_subgroups", "-Dcl_amd_media_ops", "-E",
                                   "-w", "out/spmv_slices__gfx90a.cl"],
                                  cwd=path, capture_output=True, text=True)
            hints = done.stdout.count("__builtin_nontemporal_load")
            check(done.returncode == 0 and (hints > 0) == wanted,
                  f"{triple}: {hints} streaming loads", done.stderr[:2000])


def test_streaming_vectors():
    """HIP's texts load A with a hint, several values at once, too: the machine code of gfx90a has
    it (slc) in loads of 16 bytes. A slice's fields are one such load without it."""
    if not clang():
        tap.skip("no clang")
        return
    holder, path = cli.folder()
    with holder:
        write_prefix(path / "hip.h", "hip")
        run(path, "--target", "hip-gfx90a", "--method", "slices", *ONE, "--program-files", "-o",
            "out")
        (path / "plain.h").write_text("#define __builtin_nontemporal_load(from) (*(from))\n")
        for options, wanted in (((), True), (("-include", "plain.h"), False)):
            done = subprocess.run([clang(), "-x", "hip", "--cuda-device-only", "-nogpuinc",
                                   "-nogpulib", "--offload-arch=gfx90a", "-O3", "-include", "hip.h",
                                   *options, "-S", "-o", "-", "out/spmv_slices__hip_gfx90a.hip"],
                                  cwd=path, capture_output=True, text=True)
            loads = re.findall(r"global_load_dwordx4 .*", done.stdout)
            plain = [load for load in loads if not load.endswith(" slc")]
            check(done.returncode == 0 and len(loads) > 8 and (len(plain) == 1) == wanted,
                  f"{len(loads)} loads of 16 bytes, {len(plain)} without a hint",
                  done.stderr[:2000])


def test_warp_barriers():
    """Texts for GPUs before Volta order a warp by lock step and a fence where the toolkit has no
    barrier of a warp, and only there; they say so. A fence that a compiler copied into the sides of
    a branch would not order a warp, so PTX must have each barrier once."""
    fence, barrier = "membar.cta", "bar.warp.sync"
    holder, path = cli.folder()
    with holder:
        write_prefix(path / "cuda.h")
        run(path, "--target", "tegra-k1", "--method", "speculative", *ONE, "--program-files",
            "-o", "out")
        program = path / "out/spmv_speculative__tegra_k1.cu"
        text = program.read_text()
        comment = text[:text.index("#define SUBGROUP_BARRIER")]
        comment = " ".join(comment[comment.rindex("/*"):].replace(" * ", " ").split())
        check("Before CUDA 9 this text relies on two things: - Lock step." in comment
              and "- __threadfence_block() completes" in comment,
              "the text states that it relies on lock step, and where", comment)
        body = text[text.index("speculative_tiles("):]
        barriers = len(re.findall(r"^ +(?:bunch_barrier|SUBGROUP_BARRIER)\(\);", body, re.M))
        if not clang():
            tap.skip("no clang")
            return
        for device, options, expected in (
                ("sm_32", (), fence), ("sm_35", (), fence), ("sm_52", (), fence),
                ("sm_35", ("-D__CUDACC_VER_MAJOR__=9",), barrier), ("sm_70", (), barrier)):
            done = subprocess.run(
                [clang(), "-x", "cuda", "-std=c++98", "--cuda-device-only", "-nocudainc",
                 "-nocudalib", f"--cuda-gpu-arch={device}", "-Xclang", "-target-feature",
                 "-Xclang", "+ptx60", "-include", "cuda.h", "-O3", "-S", "-o", "-", *options,
                 str(program)], cwd=path, capture_output=True, text=True)
            found = {name: done.stdout.count(name + (";" if name == fence else ""))
                     for name in (fence, barrier)}
            check(done.returncode == 0 and barriers == 5 and found[expected] == barriers
                  and sum(found.values()) == barriers,
                  f"{' '.join((device, *options))}: each barrier of a warp is one {expected}",
                  f"{barriers} in the text, {found}\n{done.stderr[:1000]}")


def test_cpu():
    holder, path = cli.folder()
    with holder:
        words = ("--target", "board.lua", "--method", "csr_scalar")
        run(path, *words, "-o", "plain")
        result = run(path, *words, "--program-files", "-o", "files")
        plain, with_files = cli.names(path / "plain"), cli.names(path / "files")
        check(result.code == 0 and plain == with_files
              and all(m["program"] is None for m in manifest_of(path / "files")["methods"]),
              "a CPU's modules have no program", result)


def nvrtc():
    """NVRTC of the CUDA toolkit, or None."""
    for name in ("/usr/local/cuda/lib64/libnvrtc.so", "libnvrtc.so", "libnvrtc.so.13",
                 "libnvrtc.so.12"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def test_flushed():
    """NVRTC refuses a text with --ftz=true, which makes small f32 values 0."""
    holder, path = cli.folder()
    with holder:
        run(path, "--target", "generic-cuda", "-m", "csr_scalar", "--program-files", "-o", "out")
        text = next((path / "out").glob("*.cu")).read_bytes()
        library = nvrtc()
        check(b"__CUDA_FTZ" in text, "a program looks at NVRTC's macro")
        if library is None:
            tap.skip("libnvrtc.so of the CUDA toolkit is not installed")
            return
        for option, refused in ((b"--ftz=false", False), (b"--ftz=true", True),
                                (b"--use_fast_math", True)):
            program, size = ctypes.c_void_p(), ctypes.c_size_t()
            library.nvrtcCreateProgram(ctypes.byref(program), text, b"a.cu", 0, None, None)
            status = library.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(option))
            library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value)
            library.nvrtcGetProgramLog(program, log)
            check((status != 0) == refused and (b"without --ftz=true" in log.value) == refused,
                  f"NVRTC {'refuses' if refused else 'accepts'} {option.decode()}", log.value)


for name, test in sorted(globals().items()):
    if name.startswith("test_"):
        tap.diag(name)
        test()
tap.done()
