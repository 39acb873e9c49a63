# packages.sh: lists and installs the packages that building and testing need.
#
# quickstart, check and .ci/run source it (POSIX sh). It has the only list of packages. Each package
# is probed by one of its programs, headers or libraries, so tools that were installed in another
# way count, too. Names are Debian's, 12 and 13; Debian 13 has no oclgrind. A name with * is a
# pattern for apt-get, where the releases' names differ by a version.
#
#     packages_require build|test|opencl INSTALL LOG
#
# installs missing packages, with apt's output in the file LOG, if INSTALL is yes, apt-get exists,
# and the user is root or has sudo. Otherwise it lists the missing packages and ends with exit code
# 1.
#
#     packages_offer SET INSTALL LOG
#
# does the same for a set of the table that is not among these, but lists packages that stay missing
# and returns: tests that need them are skipped.
# (32 bits are tested for Arm, since Debian's gcc-multilib conflicts with its cross compilers.)
#
# POSIX sh has no local variables: those of this file begin with packages_.
#
# shellcheck shell=sh

# set, package, and its probe: a function below with its arguments.
# shellcheck disable=SC2016 # expanded when a probe runs
packages_table='
build gcc                program ${CC:-cc}
build g++                program ${CXX:-c++}
build meson              program meson
build ninja-build        program ninja ninja-build samu
build dpkg-dev           of_debian dpkg-architecture
build pkgconf            program ${PKG_CONFIG:-pkg-config} pkgconf
build python3            program python3
build zlib1g-dev         library zlib
build libjansson-dev     library jansson
build liblua5.4-dev      library lua5.4 lua-5.4 lua54
build llvm-19-dev        llvm_file --includedir llvm/Config/llvm-config.h
build libclang-19-dev    llvm_file --includedir clang/Tooling/Tooling.h
build libclang-cpp19-dev llvm_file --libdir libclang-cpp.so
test  ccache             program ccache
test  clang-19           program clang-19
test  libclang-rt-19-dev clang_file "lib/*/libclang_rt.asan*"
test  libomp-19-dev      clang_file include/omp.h
test  shellcheck         program shellcheck
test  cmake              program cmake
cross gcc-aarch64-linux-gnu   program aarch64-linux-gnu-gcc
cross libc6-dev-arm64-cross   libc_of aarch64-linux-gnu-gcc
cross gcc-arm-linux-gnueabihf program arm-linux-gnueabihf-gcc
cross libc6-dev-armhf-cross   libc_of arm-linux-gnueabihf-gcc
cross qemu-user               program qemu-aarch64
abi abigail-tools        program abidiff
opencl ocl-icd-libopencl1     opencl_loader
opencl pocl-opencl-icd        opencl_driver
oclgrind oclgrind             program oclgrind
headers ocl-icd-opencl-dev    library OpenCL
bootstrap debootstrap         program debootstrap
debian debhelper  program dh
debian lintian    program lintian
manuals groff-base            program groff
manuals mandoc                program mandoc
manuals help2man              program help2man
python python3-dev            python_header Python.h
python python3-numpy          python_module numpy
python python3-scipy          python_module scipy
python python3-pytest         python_module pytest
python python3-hypothesis     python_module hypothesis
python python3-venv           python_module ensurepip
papers python3-matplotlib      python_module matplotlib
papers python3-pandas          python_module pandas
browser chromium               program chromium chromium-browser google-chrome
browser chromium-driver        program chromedriver
petsc petsc-dev                library PETSc
petsc libpetsc3.*-dev-examples petsc_file share/petsc/examples/src
petsc python3-petsc4py         petsc_file "lib/python3*/dist-packages/petsc4py"
petsc openmpi-bin              program mpirun
petsc valgrind                 program valgrind
'

# Whether one of the programs exists. An argument may have options, as in CC="ccache gcc".
probe_program()
{
    for packages_program; do
        command -v "$packages_program" >/dev/null 2>&1 && return 0
    done
    return 1
}

# Only Debian has the program: Meson asks it for the folder of libraries, and without it takes
# lib64, where Debian's linker, pkg-config and CMake do not look.
probe_of_debian()
{
    ! command -v dpkg >/dev/null 2>&1 || probe_program "$1"
}

probe_library()
{
    for packages_library; do
        pkg-config --exists "$packages_library" 2>/dev/null && return 0
    done
    return 1
}

# $1: the option of llvm-config that names a folder; $2: a file in it.
probe_llvm_file()
{
    for packages_config in llvm-config-19 llvm-config-18 llvm-config-17 llvm-config-16 \
        llvm-config; do
        case $("$packages_config" --version 2>/dev/null) in
        1[6-9].*) [ ! -e "$("$packages_config" "$1")/$2" ] || return 0 ;;
        esac
    done
    return 1
}

# $1: a file or a pattern, relative to the resource folder of clang-19, the second compiler.
probe_clang_file()
{
    for packages_file in "$(clang-19 -print-resource-dir 2>/dev/null)"/$1; do
        [ ! -e "$packages_file" ] || return 0
    done
    return 1
}

# Whether a file matches one of the patterns. $1: the patterns.
probe_file()
{
    for packages_file in $1; do
        [ ! -e "$packages_file" ] || return 0
    done
    return 1
}

# Whether libspmv's OpenCL library can be opened, by the same names.
probe_opencl_loader()
{
    python3 -c 'import ctypes, os
ctypes.CDLL(os.environ.get("SPMV_OPENCL_LIBRARY") or "libOpenCL.so.1")' 2>/dev/null
}

# Whether there is a driver: a library named by the environment may itself be a driver; a loader has
# a file for each driver.
probe_opencl_driver()
{
    [ -n "${SPMV_OPENCL_LIBRARY-}" ] || probe_file "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}/*.icd"
}

# Whether python3, or the distribution's, runs a program with exit code 0. $1: the program; $2: its
# argument.
packages_python()
{
    for packages_program in python3 "${DISTRIBUTION_PYTHON-/usr/bin/python3}"; do
        ! "$packages_program" -c "$1" "$2" 2>/dev/null || return 0
    done
    return 1
}

# $1: a header of Python.
probe_python_header()
{
    packages_python 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), sys.argv[1])))' "$1"
}

# $1: a module, which is not imported.
probe_python_module()
{
    packages_python 'import importlib.util, sys
sys.exit(importlib.util.find_spec(sys.argv[1]) is None)' "$1"
}

# $1: a file or a pattern, relative to the folder where PETSc is installed.
probe_petsc_file()
{
    probe_file "$(pkg-config --variable=prefix PETSc 2>/dev/null)/$1"
}

# Whether a compiler finds the headers of its C library. $1: the compiler.
probe_libc_of()
{
    printf '#include <stdio.h>\n' | "$1" -E - >/dev/null 2>&1
}

# Prints the missing packages of a set, one a line. The set "test" includes "build".
packages_missing()
{
    printf '%s\n' "$packages_table" |
        while read -r packages_in packages_name packages_probe; do
            case $1:$packages_in in
            test:build | "$packages_in:$1")
                eval "probe_$packages_probe" </dev/null || printf '%s\n' "$packages_name" ;;
            esac
        done
}

# Runs apt-get as root, without questions; its output goes to the log.
packages_apt()
{
    packages_sudo=sudo
    [ "$(id -u)" -ne 0 ] || packages_sudo=
    $packages_sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get -y -o DPkg::Lock::Timeout=300 "$@" >>"$packages_log" 2>&1 </dev/null
}

# Fetches package lists only if they lack a package, or if installing from them failed.
packages_install()
{
    apt-cache show "$@" >/dev/null 2>&1 || packages_apt update || return 1
    packages_apt install --no-install-recommends "$@" && return 0
    packages_apt update && packages_apt install --no-install-recommends "$@"
}

# Prints why packages cannot be installed here; nothing if they can.
packages_obstacle()
{
    if [ "$packages_allowed" != yes ]; then
        echo "--no-install was given"
    elif ! command -v apt-get >/dev/null 2>&1; then
        echo "this system has no apt-get to install them with"
    elif [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        echo "installing them needs root, or sudo"
    fi
}

# Installs what a set lacks, if it may. packages_left are those that stay missing, packages_why says
# why.
packages_get()
{
    packages_set=$1 packages_allowed=$2 packages_log=$3
    packages_left=$(packages_missing "$packages_set")
    [ -n "$packages_left" ] || return 0
    packages_why=$(packages_obstacle)
    [ -z "$packages_why" ] || return 0

    # shellcheck disable=SC2086 # one package a word
    set -- $packages_left
    printf 'installing with apt-get: %s\n' "$*" >&2
    mkdir -p "$(dirname "$packages_log")"
    : >"$packages_log"
    packages_why="installed, but their files were not found"
    packages_install "$@" || packages_why="apt-get failed; its output is in $packages_log"
    packages_left=$(packages_missing "$packages_set")
}

packages_require()
{
    packages_get "$@"
    # shellcheck disable=SC2086 # one package a word
    set -- $packages_left
    [ $# -gt 0 ] || return 0

    case $packages_why in
    apt-get*) tail -n 20 "$packages_log" >&2 ;;
    esac
    printf 'missing packages (%s):\n' "$packages_why" >&2
    printf '    %s\n' "$@" >&2
    printf 'on Debian 12 or 13, as root:\n    apt-get install --no-install-recommends %s\n' \
        "$*" >&2
    packages_versions=
    [ "$packages_set" = opencl ] || packages_versions=' (LLVM and Clang: 16 to 19)'
    printf 'elsewhere, install packages with the same%s, then run this again\n' \
        "$packages_versions" >&2
    exit 1
}

packages_offer()
{
    packages_get "$@"
    # shellcheck disable=SC2086 # one package a word
    set -- $packages_left
    [ $# -eq 0 ] || printf 'some tests (%s) will be skipped; they need (%s):\n    %s\n' \
        "$packages_set" "$packages_why" "$*" >&2
}
