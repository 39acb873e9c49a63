#!/usr/bin/env python3
"""test_verify.py SPMVGEN ROOT: --verify compiles programs for devices, shows the resources of
their kernels and refuses kernels that spill.

test_verify_pages.py verifies the shipped pages; this test changes tables of compilers.
"""
import os
import re

import cli
from cli import check, run, tap
from table import rows

AMDGPU = "targets/compilers/amdgpu.lua"
SCALAR = ("--target", "gfx90a", "--verify", "--method", "csr_scalar")
NO_TARGET = "it was built without that target"


def has_amdgpu(path):
    result = run(path, *SCALAR)
    return result.code != 4 or NO_TARGET not in result.err


def test_table(path):
    result = run(path, *SCALAR)
    table = rows(result)
    check(result.code == 0 and not result.err, "a target whose kernels fit is verified", result)
    check(re.match(r"gfx90a: 1 program for gfx90a, compiled by the AMDGPU backend of LLVM \d+\.",
                   result.out), "the first line says for what and by what", result)
    check({row["KERNEL"] for row in table} == {"scale_rows", "csr_scalar_rows"}
          and all(0 < int(row["VGPRs"]) <= 256 and row["scratch bytes"] == "0" for row in table),
          "every kernel has its registers and scratch memory", result)
    check(set(os.listdir(path)) == {"data", *os.listdir(cli.HERE / "pages")}, "nothing is written")
    again = run(path, *SCALAR, "--jobs", "7")
    check(again.out == result.out, "the table does not depend on threads", again)
    one = run(path, *SCALAR, "--type", "f32")
    check(one.code == 0 and "f64" not in one.out and "f32" in one.out, "--type chooses", one)
    both = run(path, *SCALAR, "--target", "gfx1100")
    check(both.code == 0 and both.out.startswith(result.out.splitlines()[0])
          and "\n\ngfx1100: 1 program for" in both.out, "each target has a table", both)


def test_sample(path):
    """docs/how-to/verify.md shows the output of its command, with the same LLVM."""
    text = (cli.ROOT / "docs/how-to/verify.md").read_text(encoding="utf-8")
    sample = re.search(r"`spmvgen (--target [^`]* --verify [^`]*)` shows:\n\n```\n(.*?)```", text,
                       flags=re.S)
    result = run(path, *sample[1].split()) if sample else None
    if not check(sample and result.code == 0, "docs/how-to/verify.md shows a table of --verify",
                 result):
        return
    version = re.compile(r"LLVM (\d+)\.[\d.]+")
    shown, now = (version.search(text)[1] for text in (sample[2], result.out))
    if shown != now:
        tap.skip(f"the table in docs/how-to/verify.md: it is of LLVM {shown}, this is LLVM {now}")
        return
    check(version.sub("", sample[2]) == version.sub("", result.out),
          f"docs/how-to/verify.md: `spmvgen {sample[1]}` shows that", result)


def test_spills(path, data):
    """The same kernels, compiled with few registers."""
    table = data / AMDGPU
    good = table.read_text()
    args = ("--target", "firepro-w9100", "--verify", "--method", "speculative", "--type", "f64",
            "--data", "data")
    few = "#define __kernel __kernel __attribute__((amdgpu_num_vgpr(24)))\n"
    table.write_text(good.replace("prefix = [[\n", "prefix = [[\n" + few))
    result = run(path, *args)
    message = (r"templates/speculative/simt\.c: error: spmv_speculative__firepro_w9100\.cl"
               r": kernel speculative_tiles(_i32)? takes \d+ bytes of scratch memory "
               r"\(VGPR spills: \d+\), which stand in for registers; 'firepro-w9100' allows 0 "
               r"\(scratch_max\); less with a lower speculative\.W \(now 8\)")
    check(result.code == 1 and re.search(message, result.err),
          "a kernel that spills is an error that says what could be lower", result)
    check(re.search(r"speculative/params\.lua:\d+:1: note: speculative\.W comes from here",
                    result.err), "the origin of the value is noted", result)
    check(any(int(row["scratch bytes"]) > 0 for row in rows(result)),
          "the table shows the spill", result)
    page = data / "targets/firepro-w9100.lua"
    page.write_text(page.read_text() + "scratch_max = 4096 -- a test\n")
    result = run(path, *args)
    check(result.code == 0 and not result.err, "a page may allow spills", result)
    table.write_text(good)


def test_local_memory(path, data):
    template = data / "templates/csr_vector/simt.c"
    good = template.read_text()
    args = ("--target", "firepro-w9100", "--verify", "--method", "csr_vector", "--type", "f32",
            "--data", "data")
    template.write_text(good.replace("part[WORK_GROUP_SIZE]", "part[64 * WORK_GROUP_SIZE]"))
    result = run(path, *args)
    check(result.code == 1 and re.search(
          r"kernel csr_vector_rows(_i32)? takes 65536 bytes of local memory; a work-group of "
          r"'firepro-w9100' may have 32768; less with a lower csr_vector\.work_group_size "
          r"\(now \d+\)", result.err),
          "local memory that a work-group cannot have is an error", result)
    template.write_text(good)


def test_tables(path, data):
    """Mistakes in a compiler's table are reported at their line or at the program."""
    table = data / AMDGPU
    good = table.read_text()
    local_id = "#define get_local_id(dimension) ((size_t)__builtin_amdgcn_workitem_id_x())\n"
    assert local_id in good
    for name, old, new, code, expected in (
            ("a function that nothing defines", local_id, "", 1,
             r"spmv_csr_scalar__gfx90a\.cl: error: \w+ calls get_local_id\(unsigned int\), "
             r"which is defined nowhere.* prefix of targets/compilers/amdgpu\.lua"),
            ("a prefix that is no OpenCL C", "prefix = [[\n", "prefix = [[\nint;;x\n", 1,
             r"error: "),
            ("a figure that the compiler does not tell", " VGPRs: $", " VGPRS: $", 1,
             r"does not say 'registers' of kernel scale_rows_f32; expected a line \" VGPRS: \$\", "
             r"as targets/compilers/amdgpu\.lua has it"),
            ("a kernel that it says nothing of", "Function Name: $", "Kernel Name: $", 1,
             r"says nothing of kernel scale_rows_f32; "),
            ("an unknown figure", "waves = {", "wafes = {", 1,
             r"amdgpu\.lua:\d+:\d+: error: unknown key 'wafes'; did you mean 'waves'\?"),
            ("a figure without its line", '{ "waves", " Occupancy [waves/SIMD]: $" }',
             '{ "waves" }', 1, r"amdgpu\.lua:\d+:\d+: error: expected \{ TITLE, LINE \}"),
            ("a resource of an unknown figure", 'figure = "local_bytes"',
             'figure = "local_bites"', 1,
             r"amdgpu\.lua:\d+:\d+: error: unknown key 'local_bites'; did you mean "
             r"'local_bytes'\?"),
            ("a resource of neither waves nor groups", 'per = "wave"', 'per = "lane"', 1,
             r"amdgpu\.lua:\d+:\d+: error: expected per = \"wave\" or \"group\", found \"lane\""),
            ("a resource without its total", 'total = "work_groups", ', "", 1,
             r"amdgpu\.lua:\d+:\d+: error: expected resource, total and per in each entry"),
            ("another language", 'language = "opencl"', 'language = "cuda"', 1,
             r"targets/cdna\.lua:\d+:1: error: expected a compiler of opencl, the page's backend, "
             r"found amdgpu, which compiles cuda"),
            ("a command too", 'kernel = "', 'command = { "cc" }, kernel = "', 1,
             r"expected either clang = \{ \.\.\. \} or command = \{ \.\.\. \}, found both"),
            ("a target that LLVM lacks", '"amdgcn-amd-amdhsa"', '"nosuch-amd-amdhsa"', 4,
             NO_TARGET)):
        assert old in good, old
        table.write_text(good.replace(old, new, 1))
        result = run(path, *SCALAR, "--data", "data")
        check(result.code == code and re.search(expected, result.err),
              f"{name} is reported", result)
    table.write_text(good)
    page = data / "targets/gfx90a.lua"
    text = page.read_text()
    for name, line, expected in (
            ("a compiler that there is not", 'compiler = "amdgpy"\n',
             r"there is no compiler 'amdgpy' in targets/compilers/, which has amdgpu, .*; did you "
             r"mean 'amdgpu'\?"),
            ("a device that the compiler does not know", 'compiler_device = "gfx90z"\n',
             r"unknown target CPU 'gfx90z'")):
        key = line.split()[0]
        page.write_text(re.sub(rf"^{key} = .*\n", "", text, flags=re.M) + line)
        result = run(path, *SCALAR, "--data", "data")
        check(result.code == 1 and re.search(expected, result.err), f"{name} is reported", result)
    page.write_text(text)


def test_command(path, data):
    """A compiler that is a program: a script that prints the output of one."""
    tools = path / "data/tools"
    tools.mkdir()
    script = tools / "tool"
    script.write_text("#!/bin/sh\n"
                      '[ "$2" = some-gpu ] || exit 3\n'
                      'case $(cat "$1") in *"front matter"*csr_scalar_rows*) ;; *) exit 4 ;; esac\n'
                      'for k in $(sed -n "s/^void \\([a-z0-9_]*\\)(.*/\\1/p" "$1"); do\n'
                      '    case $k in\n'
                      '    scale*) printf "kernel $k\\0uses 5 regs\\n" ;;\n'
                      '    *) printf "kernel $k\\nuses 100 regs and 12 spilled\\n" ;;\n'
                      '    esac\n'
                      'done >"$3/out"\n')
    script.chmod(0o755)
    (data / "targets/compilers/tool.lua").write_text(
        'return { name = "tool", title = "a tool", language = "opencl",\n'
        '    command = { "tool", "$FILE", "$DEVICE", "$DIR" }, output = "out",\n'
        '    install = "ask for it", prefix = "/* front matter */\\n", kernel = "kernel $",\n'
        '    figures = { registers = { "regs", "uses $ regs" },\n'
        '                scratch_bytes = { "spilled", "$ spilled", "0" } },\n'
        '    occupancy = { { resource = "registers", figure = "registers",\n'
        '        total = "registers", step = "register_step", per = "wave" } } }\n')
    (path / "some-gpu.lua").write_text('inherit "gfx90a"\ncompiler = "tool"\n'
                                       'compiler_device = "some-gpu"\n')
    (path / "spills.lua").write_text('inherit "some-gpu"\nscratch_max = 12 -- of a test\n')
    args = ("--target", "some-gpu.lua", "--verify", "--method", "csr_scalar", "--data", "data")
    env = cli.environment(PATH=f"{tools}:{os.environ['PATH']}", TMPDIR=str(tools))
    result = run(path, *args, env=env)
    check(result.code == 1 and [row["regs"] for row in rows(result)] == ["5", "100"] * 2
          and "kernel csr_scalar_rows_f64_i64 takes 12 bytes of scratch memory" in result.err,
          "a program's output is read, for each kernel its own part", result)
    check([(row["waves"], row["limited by"]) for row in rows(result)]
          == [("8 of 8", ""), ("4 of 8", "registers")] * 2,
          "waves that it does not print follow from its table and the page's facts", result)
    check([p.name for p in tools.iterdir()] == ["tool"], "its folder is gone afterwards")
    both = run(path, "--target", "spills.lua", *args, env=env)
    errors = [e for e in both.err.splitlines() if "error: " in e]
    check(len(errors) == 4 and all("'some-gpu' allows 0" in e for e in errors),
          "a text of two targets is held against what each allows", both)
    table = data / "targets/compilers/tool.lua"
    good = table.read_text()
    table.write_text(good[:good.index(", kernel = ")] + " }\n")
    silent = run(path, *args, env=env)
    check(silent.code == 0 and [row["KERNEL"] for row in rows(silent)]
          == ["scale_rows", "csr_scalar_rows"] * 2, "a table without metrics only compiles", silent)
    table.write_text(good)
    missing = run(path, *args)
    check(missing.code == 4 and missing.err == "targets/compilers/tool.lua: error: the program "
          "'tool' cannot be run: No such file or directory; ask for it\n" and not missing.out,
          "a program that is not installed is reported once, with exit code 4", missing)
    script.write_text("#!/bin/sh\necho it hurts; exit 9\n")
    failed = run(path, *args, env=env)
    check(failed.code == 1 and "a tool ends with exit code 9:\nit hurts" in failed.err,
          "the output of a program that fails is quoted", failed)
    script.write_text("#!/bin/sh\nkill -9 $$\n")
    killed = run(path, *args, env=env)
    check(killed.code == 1 and "exit code 137" in killed.err,
          "a program that is killed has failed", killed)


def test_not_verifiable(path):
    for target, expected in (
            ("generic-c", "its modules run on the CPU, and what they take there is up to"),
            ("pocl", "the page names no compiler, as it stands for no one instruction set")):
        result = run(path, "--target", target, "--verify")
        check(result.code == 4 and not result.out
              and result.err.startswith(f"targets/{target}.lua: error: '{target}' cannot be "
                                        "verified: " + expected),
              f"{target}: says why not, with exit code 4", result)
    (path / "metal.lua").write_text('backend = "metal"\nsimd_width = 32\n')
    result = run(path, "--target", "metal.lua", "--verify")
    check(result.code == 1 and "targets/dialects/metal.lua" in result.err,
          "a language without a table is an error", result)
    (path / "metal.lua").unlink()
    result = run(path, "--verify")
    check(result.code == 2 and "--verify needs --target NAME" in result.err,
          "a target must be given", result)
    result = run(path, *SCALAR, "-o", "out")
    check(result.code == 2 and "--verify and --output do not go together" in result.err,
          "a folder to write to is refused", result)


def test_no_metrics(path):
    """PTX has no register counts, so the table shows neither registers nor occupancy."""
    result = run(path, "--target", "tegra-k1", "--verify", "--method", "csr5", "--type", "f64")
    if result.code == 4 and re.search(NO_TARGET, result.err):
        tap.skip("LLVM has no NVPTX target")
        return
    titles = result.out.splitlines()[1].split() if result.code == 0 else []
    check(result.code == 0 and "for sm_32, compiled by the NVPTX backend" in result.out and
          titles == ["METHOD", "KERNEL", "TYPES"],
          "metrics that the compiler does not print are not shown", result)


holder, path = cli.folder()
with holder:
    data = cli.data_copy(path)
    test_not_verifiable(path)
    test_command(path, data)
    test_no_metrics(path)
    if has_amdgpu(path):
        (path / "some-gpu.lua").unlink()
        (path / "spills.lua").unlink()
        test_table(path)
        test_sample(path)
        test_spills(path, data)
        test_local_memory(path, data)
        test_tables(path, data)
    else:
        tap.skip("LLVM has no AMDGPU target")
tap.done()
