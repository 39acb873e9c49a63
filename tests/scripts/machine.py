"""machine.py: a fake machine for the scripts at the root, in a temporary folder.

Its PATH holds one folder, with the small tools that every system has and with fake build tools,
which only write their calls to a log. Packages are fake too: installing one puts its programs into
that folder. So a test of a script on a machine that lacks packages takes milliseconds, and changes
nothing outside the folder. `with Machine(...) as m:` removes the folder.
"""
import os
import pty
import shutil
import subprocess
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

BASIC_TOOLS = ("sh basename cat chmod cp dirname env find getconf grep head ls mkdir mv rm sed "
               "sleep sort tail touch uname wc xargs").split()

# The files of each package: their paths on the fake machine, and the scripts in them.
PACKAGES = {
    "gcc": {"bin/cc": r'''
case " $* " in *" --version "*) cat "$MACHINE/cc.version"; exit ;; esac
while [ $# -gt 0 ]; do
    if [ "$1" = -o ]; then shift; : >"$1"; fi
    shift
done'''},
    "g++": {"bin/c++": 'echo c++ 1.0'},
    "meson": {"bin/meson": r'''
case $1 in
--version) echo 1.0.0 ;;
setup) for word; do before=${last-}; last=$word; done
    [ ! -e "$MACHINE/setup.fails" ] || { echo "setup: no luck"; exit 1; }
    mkdir -p "$before/meson-private"; : >"$before/build.ninja" ;;
test) mkdir -p "$3/meson-logs"
    for word; do grep "\"name\": \"$word\"" "$MACHINE/testlog.json"; done \
        >"$3/meson-logs/testlog.json" ;;
esac'''},
    "ninja-build": {"bin/ninja": r'''
[ -e "$2/build.ninja" ] || { echo "ninja: no build.ninja"; exit 1; }
case $2 in *"$(cat "$MACHINE/ninja.fails" 2>/dev/null || echo nothing)"*)
    [ "${3-}" = -n ] || { echo "x.c:1: error: no luck"; exit 1; } ;;
esac
[ "${3-}" != -n ] || exit 0
if [ -e "$2/bench/spmvbench" ]; then
    echo "ninja: no work to do."
else
    printf '[%s/2] Compiling\nx.c: a warning\n' 1 2
fi
mkdir -p "$2/generator" "$2/bench" "$2/meson-info"
[ ! -e "$MACHINE/intro-tests.json" ] || cp "$MACHINE/intro-tests.json" "$2/meson-info/"
cp "$MACHINE/spmvgen" "$2/generator/"; cp "$MACHINE/spmvbench" "$2/bench/"'''},
    "pkgconf": {"bin/pkg-config": r'''
[ -e "$MACHINE/libraries/$2" ] || exit 1
[ "$1" != --variable=prefix ] || echo "$MACHINE/libraries/$2"'''},
    "python3": {},
    "zlib1g-dev": {"libraries/zlib": ""},
    "libjansson-dev": {"libraries/jansson": ""},
    "liblua5.4-dev": {"libraries/lua5.4": ""},
    "llvm-19-dev": {
        "bin/llvm-config-19": r'''
case $1 in --version) echo 19.1.7 ;; *) echo "$MACHINE/llvm" ;; esac''',
        "llvm/llvm/Config/llvm-config.h": ""},
    "libclang-19-dev": {"llvm/clang/Tooling/Tooling.h": ""},
    "libclang-cpp19-dev": {"llvm/libclang-cpp.so": ""},
    "ccache": {"bin/ccache": ""},
    "clang-19": {"bin/clang-19": 'echo "$MACHINE/clang"', "bin/clang++-19": "echo clang++ 19"},
    "libclang-rt-19-dev": {"clang/lib/linux/libclang_rt.asan-x86_64.a": ""},
    "libomp-19-dev": {"clang/include/omp.h": ""},
    "shellcheck": {"bin/shellcheck": ""},
    "cmake": {"bin/cmake": ""},
    "gcc-aarch64-linux-gnu": {"bin/aarch64-linux-gnu-gcc": '[ -e "$MACHINE/libraries/arm64" ]'},
    "libc6-dev-arm64-cross": {"libraries/arm64": ""},
    "gcc-arm-linux-gnueabihf": {"bin/arm-linux-gnueabihf-gcc": '[ -e "$MACHINE/libraries/armhf" ]'},
    "libc6-dev-armhf-cross": {"libraries/armhf": ""},
    "qemu-user": {"bin/qemu-aarch64": "", "bin/qemu-arm": ""},
    "abigail-tools": {"bin/abidiff": ""},
    "ocl-icd-libopencl1": {"libraries/libOpenCL.so.1": ""},
    "pocl-opencl-icd": {"vendors/pocl.icd": ""},
    "oclgrind": {"bin/oclgrind": ""},
    "ocl-icd-opencl-dev": {"libraries/OpenCL": ""},
    "dpkg-dev": {"bin/dpkg-architecture": "", "bin/dpkg-buildpackage": ""},
    "debhelper": {"bin/dh": ""},
    "lintian": {"bin/lintian": ""},
    "python3-dev": {"python/Python.h": ""},
    "python3-numpy": {"python/numpy": ""},
    "python3-scipy": {"python/scipy": ""},
    "python3-pytest": {"python/pytest": ""},
    "python3-hypothesis": {"python/hypothesis": ""},
    "python3-venv": {"python/ensurepip": ""},
    "petsc-dev": {"libraries/PETSc/include/petsc.h": ""},
    "libpetsc3.*-dev-examples": {"libraries/PETSc/share/petsc/examples/src/mat/tests/ex1.c": ""},
    "python3-petsc4py": {"libraries/PETSc/lib/python3/dist-packages/petsc4py/__init__.py": ""},
    "openmpi-bin": {"bin/mpirun": ""},
    "valgrind": {"bin/valgrind": ""},
}


def packages_of(*sets):
    """The packages of these sets, from the table of tools/packages.sh."""
    with open(os.path.join(SOURCE, "tools/packages.sh"), encoding="utf-8") as file:
        table = file.read().split("packages_table='\n")[1].split("'\n")[0]
    return [line.split()[1] for line in table.splitlines() if line.split()[0] in sets]


BUILD_PACKAGES = packages_of("build")
TEST_PACKAGES = packages_of("test")
CROSS_PACKAGES = packages_of("cross")
ABI_PACKAGES = packages_of("abi")
PETSC_PACKAGES = packages_of("petsc")
OPENCL_PACKAGES = packages_of("opencl", "oclgrind", "headers")
PYTHON_PACKAGES = packages_of("python")

APT_GET = r'''
case " $* " in
*" update "*) : >"$MACHINE/apt.lists" ;;
*" install "*)
    [ -e "$MACHINE/apt.lists" ] || { echo "E: Unable to locate package"; exit 100; }
    for word; do
        [ ! -d "$MACHINE/packages/$word" ] || cp -R "$MACHINE/packages/$word/." "$MACHINE/"
    done ;;
esac'''

# A library that is opened, and a module or a header of Python, are looked for among the fake
# packages.
PYTHON = r'''
case $* in
*find_spec* | *sysconfig*) for word; do last=$word; done; [ -e "$MACHINE/python/$last" ]; exit ;;
*ctypes.CDLL*) [ -e "$MACHINE/libraries/libOpenCL.so.1" ]; exit ;;
esac
exec REAL "$@"'''

# The targets "card", "nvidia" and "amd" have programs in OpenCL, CUDA and HIP.
SPMVGEN = r'''
backend=c
while [ "$1" != -o ]; do
    case $1 in card) backend=opencl ;; nvidia) backend=cuda ;; amd) backend=hip ;; esac
    shift
done
mkdir -p "$2"
case $(cat "$2/manifest.json" 2>/dev/null) in *"\"$backend\""*) ;; *)
    printf '"backend": "%s"\n' "$backend" >"$2/manifest.json" ;;
esac
[ -e "$2/kernel.c" ] && [ ! -e "$MACHINE/template.changed" ] || : >"$2/kernel.c"'''

SPMVBENCH = r'''
printf 'spmvbench got <%s>\n' "$@"
printf 'spmvbench is on <%s>\n' "${SPMV_DEVICE-}"
printf 'spmvbench keeps binaries in <%s>\n' "${SPMV_CACHE-}"
for word; do last=$word; done
[ ! -e "$last" ] || cat "$last"
exit "$(cat "$MACHINE/bench.code" 2>/dev/null || echo 0)"'''


def project_files(root=SOURCE):
    """Paths of a project's files from its root, sorted, without links: those that git tracks. Where
    it knows none, as on a machine without git, all but folders that git would ignore."""
    listed = tracked_files(root)
    if not listed:
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if name not in (".git", "__pycache__")
                          and not (folder == root and name.startswith("build"))
                          and not ignores_itself(os.path.join(folder, name))]
            listed += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    paths = [(name, os.path.join(root, name)) for name in listed]
    return sorted(name for name, path in paths
                  if os.path.isfile(path) and not os.path.islink(path))


def tracked_files(root):
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True,
                                text=True, check=False)
    except OSError:
        return []
    return listed.stdout.split("\0")[:-1]


def ignores_itself(folder):
    """Whether the folder's own .gitignore says all, as Meson, pip and pytest write it."""
    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8") as file:
            return "*" in file.read().splitlines()
    except OSError:
        return False


def terminal_obstacle():
    """Why run_on_terminal cannot work here, as in a chroot without /dev/pts; None: it can."""
    try:
        ends = pty.openpty()
    except OSError as error:
        return str(error)
    for end in ends:
        os.close(end)
    return None


def read_to_end(file):
    """Reads from a closed terminal, whose end is an error on Linux."""
    data = b""
    try:
        while part := file.read1():
            data += part
    except OSError:
        pass
    return data


class Machine:
    """installed: names of installed packages. uid: of the user who runs the scripts."""

    def __init__(self, installed=(), uid=0, apt=False, sudo=False):
        self.top = tempfile.mkdtemp(prefix="spmv-machine-")
        self.root = self.path("a project")
        self.environment = {"PATH": self.path("bin"), "MACHINE": self.top, "HOME": self.top,
                            "LC_ALL": "C", "DISTRIBUTION_PYTHON": "python3",
                            "OCL_ICD_VENDORS": self.path("vendors")}
        os.makedirs(self.path("bin"))
        os.makedirs(self.path("libraries"))
        for name in BASIC_TOOLS:
            os.symlink(shutil.which(name), self.path("bin", name))
        for package, files in PACKAGES.items():
            os.makedirs(self.path("packages", package))
            for name, script in files.items():
                self.script(os.path.join("packages", package, name), script)
        for package in installed:
            shutil.copytree(self.path("packages", package), self.top, dirs_exist_ok=True)
        self.script("bin/python3", PYTHON.replace("REAL", f"'{shutil.which('python3')}'"))
        self.script("bin/id", f"echo {uid}")
        self.script("bin/dpkg", "")
        self.script("spmvgen", SPMVGEN)
        self.script("spmvbench", SPMVBENCH)
        self.write("cc.version", "cc 1.0\n")
        if apt:
            self.script("bin/apt-get", APT_GET)
            self.script("bin/apt-cache", '[ -e "$MACHINE/apt.lists" ]')
        if sudo:
            self.script("bin/sudo", '"$@"')
        os.makedirs(self.root)
        for name in ("quickstart", "check"):
            shutil.copy(os.path.join(SOURCE, name), self.root)
        shutil.copytree(os.path.join(SOURCE, "tools"), os.path.join(self.root, "tools"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def path(self, *parts):
        return os.path.join(self.top, *parts)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def script(self, name, body):
        """Writes an executable that logs its name and arguments, then runs `body`."""
        self.write(name, "#!/bin/sh\n"
                   'printf "%s\\n" "${0##*/} $*" >>"$MACHINE/calls"\n' + body.strip() + "\n")
        os.chmod(self.path(name), 0o755)

    def remove(self, name):
        os.remove(self.path(name))

    def run_on_terminal(self, command, *arguments):
        """Runs a script of the root with stderr on a terminal; returns the terminal's text."""
        self.write("calls", "")
        screen, terminal = pty.openpty()
        subprocess.run([os.path.join(self.root, command), *arguments], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=terminal, check=False, cwd=self.root,
                       env=self.environment)
        os.close(terminal)
        with open(screen, "rb") as file:
            return read_to_end(file).decode()

    def run(self, command, *arguments, cwd=None):
        """Runs a script of the root, with an empty log of calls."""
        self.write("calls", "")
        return subprocess.run([os.path.join(self.root, command), *arguments], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              cwd=cwd or self.root, env=self.environment)

    def calls(self, program):
        """The arguments of each call of a fake program, as one string a call."""
        with open(self.path("calls"), encoding="utf-8") as file:
            return [line.rstrip("\n").partition(" ")[2] for line in file
                    if line.split()[0] == program]
