"""test_variables.py RUNTIME PROGRAM...: a setuid program ignores environment variables that name
files to open. The programs are variables.c, with and without the C library's secure_getenv."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap

runtime, *programs = map(pathlib.Path, sys.argv[1:])
NOBODY = 65534


def seen(program, names):
    """The words that the program prints: whether it has privileges, then the value of each
    variable."""
    environment = dict(os.environ, **{name: "/elsewhere" for name in names})
    return subprocess.run([program, *names], env=environment, check=True, capture_output=True,
                          text=True).stdout.split()


texts = {str(path.relative_to(runtime)): path.read_text(encoding="utf-8")
         for path in runtime.rglob("*.[ch]")}
names = sorted({name for text in texts.values()
                for name in re.findall(r'\bspmv_variable\("(\w+)"\)', text)})
# openmp_trial.c reads the variables that OpenMP reads, also in setuid programs.
others = [name for name, text in texts.items()
          if name not in ("base/environment.c", "library/threads/openmp_trial.c")
          and re.search(r"\b(secure_)?getenv\b|\benviron\b", text)]
tap.ok({"SPMV_OPENCL_LIBRARY", "SPMV_CUDA_LIBRARY", "SPMV_NVRTC_LIBRARY", "SPMV_CACHE",
        "XDG_CACHE_HOME", "HOME"} <= set(names),
       "spmv_variable reads what names files to open", names)
tap.ok(not others, "nothing else in the library reads the environment", others)

for program in programs:
    tap.ok(seen(program, names) == ["ordinary"] + ["/elsewhere"] * len(names),
           f"{program.name}: an ordinary program sees its environment")
    if os.geteuid() != 0:
        tap.skip(f"{program.name}: only root can make a program of another user's")
        continue
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        setuid = pathlib.Path(shutil.copy(program, folder))
        os.chown(setuid, NOBODY, NOBODY)
        setuid.chmod(0o4755)
        found = seen(setuid, names)
    if found[0] != "privileged":
        tap.skip(f"{program.name}: files in {tempfile.gettempdir()} cannot be setuid")
    else:
        tap.ok(found[1:] == ["unset"] * len(names),
               f"{program.name}: a setuid program sees none of it", dict(zip(names, found[1:])))
tap.done()
