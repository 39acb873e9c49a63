#!/bin/sh
# gpu.sh: libspmv on an NVIDIA GPU, checked and then timed beside cuSPARSE; see usage below.
set -eu

usage()
{
    cat <<'END'
usage: bench/gpu.sh [--dry-run] [--stage NAME] [--minutes M] [--out DIR] [--cuda PATH] [--retry]

On a machine with an NVIDIA GPU, CUDA's toolkit of 11.4 or later, C and C++ compilers, Python, Meson and ninja;
no network is used. In stages, each of which goes on where the last call was cut or ended:

    build      libspmv with the committed kernels, gpubench, and the suite of the kernels' tests
    suite      every module against the reference, on the shapes of the tests
    bandwidth  how fast memory is copied, the yardstick
    time       the matrices of bench/gpu/ranking.txt, one after the other, in that order
    sanitize   each method on tiny matrices under compute-sanitizer: memcheck, racecheck, initcheck,
               synccheck
    report     DIR/gpu.json and DIR/gpu.txt; also of what there is so far

  --stage NAME   this stage alone; without it all of them, in this order
  --minutes M    begin nothing that takes long after M minutes; without it 8
  --out DIR      where everything is kept; without it build-gpu/
  --cuda PATH    where CUDA and cuSPARSE are, several with colons; without it they are looked for
  --retry        try again what went wrong before
  --dry-run      without a GPU: build what can be built here, run what needs none, and show what the
                 other stages would do
  --help         this text

Exit codes: 0 all is done and right, 1 something is wrong, 2 bad command line, 3 time was up: call it again
for the rest. docs/gpu.md says what the figures mean.
END
}

stages="build suite bandwidth time sanitize report"

bad_usage()
{
    printf 'gpu.sh: %s\n' "$1" >&2
    usage >&2
    exit 2
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/tools/build_folder.sh"

dry='' stage='' minutes=8 out=$root/build-gpu cuda='' retry=''
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage; exit 0 ;;
    --dry-run) dry=yes ;;
    --retry) retry=yes ;;
    --stage | --minutes | --out | --cuda)
        [ $# -gt 1 ] || bad_usage "$1 needs a value"
        case $1 in
        --stage) stage=$2 ;;
        --minutes) minutes=$2 ;;
        --out) out=$2 ;;
        --cuda) cuda=$2 ;;
        esac
        shift ;;
    *) bad_usage "unknown argument '$1'" ;;
    esac
    shift
done
case " $stages " in
*" ${stage:-build} "*) ;;
*) bad_usage "no stage is called '$stage'; there are: $stages" ;;
esac
case $minutes in
'' | *[!0-9]*) bad_usage "--minutes takes a whole number, not '$minutes'" ;;
esac
case $out in
/*) ;;
*) out=$PWD/$out ;;
esac

begin=$(date +%s)
gpubench=$out/build/bench/gpu/gpubench
shown=${out#"$root"/}            # where what is shown is to be run from the root
ranking=$root/bench/gpu/ranking.txt
result=0                         # of the whole call

# Seconds until nothing new is to begin.
time_left() { echo $((begin + minutes * 60 - $(date +%s))); }

note() { printf 'gpu.sh: %s\n' "$*"; }

# 1: something is wrong; 3: there is more to do, which counts for more, since whoever calls goes on.
worsen()
{
    [ "$result" = 3 ] || result=$1
}

# In a dry run, shows a command that needs a GPU.
would() { printf '    would run: %s\n' "$*"; }

# ---- what there is ------------------------------------------------------------------------------

# Fills the variables that find_cuda.py tells, as found_nvcc.
find_cuda()
{
    found_nvcc='' found_nvrtc='' found_cuda_include='' found_cusparse_include='' found_cudart=''
    found_cusparse=''
    cuda_found=$(python3 "$root/bench/gpu/find_cuda.py" ${cuda:+"$cuda"})
    while IFS='=' read -r cuda_key cuda_file; do
        case $cuda_key in
        nvcc) found_nvcc=$cuda_file ;;
        nvrtc) found_nvrtc=$cuda_file ;;
        cuda_include) found_cuda_include=$cuda_file ;;
        cusparse_include) found_cusparse_include=$cuda_file ;;
        cudart) found_cudart=$cuda_file ;;
        cusparse) found_cusparse=$cuda_file ;;
        esac
    done <<END
$cuda_found
END
    # libspmv opens it by its name, which only the loader's usual places have.
    [ -z "$found_nvrtc" ] || export SPMV_NVRTC_LIBRARY="${SPMV_NVRTC_LIBRARY:-$found_nvrtc}"
    # Its neighbours are found, too, and by the build itself.
    [ -z "$found_nvcc" ] || PATH=$PATH:$(dirname "$found_nvcc")
}

# Folders of generated/ whose modules are CUDA programs, each on its line.
cuda_folders()
{
    for folder in "$root"/generated/*/; do
        ! grep -q '"backend": "cuda"' "$folder/manifest.json" 2>/dev/null ||
            printf '%s\n' "${folder%/}"
    done
}

# What nvidia-smi says at the moment, on one line; nothing where it is not there.
smi()
{
    command -v nvidia-smi >/dev/null 2>&1 || return 0
    nvidia-smi --id=0 --format=csv,noheader --query-gpu="$1" 2>/dev/null | head -n 1 || true
}

weather() { smi clocks.sm,clocks.mem,temperature.gpu,power.draw,utilization.gpu; }

# What figures depend on: the sources that they are of, and the device.
current_key()
{
    (cd "$root" && find bench common generated runtime tests/kernels -type f \
        \( -name '*.[ch]' -o -name '*.cu' \) -exec cksum {} +) | LC_ALL=C sort | cksum
    "$gpubench" --probe
}

# Figures of other sources or of another device stay, in a folder of their own.
keep_apart()
{
    key=$(current_key) || {
        note "there is no GPU that CUDA can use; --dry-run does what can be done without" >&2
        exit 1
    }
    if [ -f "$out/key" ] && [ "$(cat "$out/key")" != "$key" ]; then
        older=1
        while [ -e "$out/older-$older" ]; do
            older=$((older + 1))
        done
        mkdir "$out/older-$older"
        for kept in key stamps checks time bandwidth.json device.txt gpu.json gpu.txt; do
            [ ! -e "$out/$kept" ] || mv "$out/$kept" "$out/older-$older/"
        done
        note "other sources or another device than before: what was found is in $out/older-$older"
    fi
    mkdir -p "$out/stamps" "$out/checks" "$out/time"
    printf '%s\n' "$key" >"$out/key"
    smi name,driver_version,vbios_version >"$out/device.txt"
}

# ---- build --------------------------------------------------------------------------------------

show_found()
{
    for found in "nvcc: $found_nvcc" "CUDA's headers: $found_cuda_include" \
        "cuSPARSE's header: $found_cusparse_include" "libcudart: $found_cudart" \
        "libcusparse: $found_cusparse" "libnvrtc: $found_nvrtc" \
        "compute-sanitizer: $(command -v compute-sanitizer || true)" \
        "nvidia-smi: $(command -v nvidia-smi || true)"; do
        case $found in
        *': ') printf '    %snot found\n' "$found" ;;
        *) printf '    %s\n' "$found" ;;
        esac
    done
}

# Runs cuda_suite.py over the folders. $@: further arguments.
cuda_suite()
{
    set -- python3 "$root/tests/kernels/cuda_suite.py" --work "$out/kernels" \
        --results "$out/checks" ${CC:+--compiler "$CC"} "$@"
    while IFS= read -r folder; do
        set -- "$@" "$folder"
    done <<END
$(cuda_folders)
END
    "$@"
}

run_build()
{
    # The same options in a dry run, so that it leaves a build which the real one takes.
    build_setup "$out/build" -Dgenerator=disabled -Dtests=false -Dcuda=auto \
        ${cuda:+"-Dpath_of_cuda=$cuda"} || return 1
    if ! ninja -C "$out/build" -t query bench/gpu/gpubench >/dev/null 2>&1; then
        printf '    gpubench cannot be built here: CUDA is missing, or a part of it\n'
        if [ -z "$dry" ]; then
            show_found
            return 1
        fi
        build_run "$out/build" "" || return 1
    else
        build_run "$out/build" "building in $out/build" bench/gpu/gpubench || return 1
    fi
    if [ -z "$(cuda_folders)" ]; then
        printf '    no folder of generated/ holds modules for CUDA\n'
        [ -n "$dry" ] || worsen 1
        return 0
    fi
    cuda_suite --build-only
}

# ---- checks -------------------------------------------------------------------------------------

# $1: the stage; then the tools.
run_checks()
{
    checked=$1
    shift
    tools=
    for tool; do
        tools="$tools --tool $tool"
    done
    # shellcheck disable=SC2086 # words
    set -- $tools ${retry:+--retry}
    if [ -n "$dry" ]; then
        would python3 tests/kernels/cuda_suite.py --work "$shown/kernels" \
            --results "$shown/checks" "$@" "$(cuda_folders | sed 's/.*\(generated\)/\1/' | tr '\n' ' ')"
        return 0
    fi
    left=$(time_left)
    [ "$left" -gt 0 ] || left=0
    code=0
    cuda_suite --minutes "$((left / 60)).$((left % 60 / 6))" "$@" || code=$?
    case $code in
    0) stamp "$checked" right ;;
    1) stamp "$checked" wrong ;;
    3) worsen 3 ;;
    *) worsen 1 ;;
    esac
}

# ---- bandwidth and time -------------------------------------------------------------------------

run_bandwidth()
{
    if [ -n "$dry" ]; then
        would "$shown/build/bench/gpu/gpubench" --bandwidth --json "$shown/bandwidth.json"
        return 0
    fi
    if "$gpubench" --bandwidth --json "$out/bandwidth.json"; then
        stamp bandwidth right
    else
        worsen 1
    fi
}

# A command that is ended when it takes too long, where the system can do that.
limited()
{
    if command -v timeout >/dev/null 2>&1; then
        timeout 300 "$@"
    else
        "$@"
    fi
}

# $1: item, $2 $3 $4: matrix, value type, offset type. A variant that left the GPU unusable is left out of
# the next try. Whatever becomes of it, the item is done.
time_item()
{
    base=$out/time/$1
    printf '%s\n' "$1"
    weather >"$base.before"
    for try in 1 2 3 4 5 6; do
        code=0
        limited "$gpubench" --matrix "$2" --type "$3" --offset "$4" --faults "$base.faults" \
            --json "$base.json" >"$base.log" 2>&1 || code=$?
        [ "$code" = 4 ] || break
        printf '    a variant left the GPU unusable (try %s): %s\n' "$try" "$(tail -n 1 "$base.log")"
    done
    weather >"$base.after"
    sed 's/^/    /' "$base.log"
    if [ ! -e "$base.json" ]; then
        printf 'exit code %s: %s\n' "$code" "$(tail -n 1 "$base.log")" >"$base.failed"
    elif [ "$code" != 0 ]; then
        tail -n 1 "$base.log" >"$base.wrong"
    fi
}

# The ranking without its comments, as "ITEM MATRIX TYPE OFFSET".
items()
{
    sed -e 's/#.*//' "$ranking" | while read -r name type offset _; do
        [ -z "$name" ] || printf '%s %s %s %s\n' "$name-$type-$offset" "$name" "$type" "$offset"
    done
}

run_time()
{
    left=0
    if [ -n "$retry" ]; then
        for failed in "$out"/time/*.failed "$out"/time/*.wrong; do
            [ ! -e "$failed" ] || rm -f "$failed" "${failed%.*}.json" "${failed%.*}.faults"
        done
    fi
    while read -r item name type offset; do
        if [ -n "$dry" ]; then
            would "$shown/build/bench/gpu/gpubench" --matrix "$name" --type "$type" --offset \
                "$offset" --faults "$shown/time/$item.faults" --json "$shown/time/$item.json"
        elif [ -e "$out/time/$item.json" ] || [ -e "$out/time/$item.failed" ]; then
            :
        elif [ "$(time_left)" -le 0 ]; then
            left=$((left + 1))
        else
            time_item "$item" "$name" "$type" "$offset" </dev/null
        fi
    done <<END
$(items)
END
    [ -z "$dry" ] || return 0
    if [ "$left" -gt 0 ]; then
        note "time is up; $left matrices are left: call it again"
        worsen 3
    elif ls "$out"/time/*.failed "$out"/time/*.wrong >/dev/null 2>&1; then
        stamp time wrong
    else
        stamp time right
    fi
}

run_report()
{
    if [ -n "$dry" ]; then
        would python3 bench/gpu/report.py "$shown"
        return 0
    fi
    if python3 "$root/bench/gpu/report.py" "$out"; then
        note "written: $out/gpu.json and $out/gpu.txt"
    else
        worsen 1
    fi
}

# ---- stages -------------------------------------------------------------------------------------

# $1: stage; $2: right or wrong.
stamp()
{
    printf '%s\n' "$2" >"$out/stamps/$1"
    [ "$2" = right ] || worsen 1
}

# Done in an earlier call; what was wrong then is still. $1: stage.
is_done()
{
    [ -z "$dry" ] && [ -e "$out/stamps/$1" ] || return 1
    [ -z "$retry" ] || [ "$(cat "$out/stamps/$1")" = right ] || return 1
    note "stage $1: done before, $(cat "$out/stamps/$1")"
    [ "$(cat "$out/stamps/$1")" = right ] || worsen 1
}

run_stage()
{
    case $1 in
    build | report) ;;
    *)  if is_done "$1"; then
            return 0
        fi
        if [ -z "$dry" ] && [ "$(time_left)" -le 0 ]; then
            note "stage $1: time is up"
            worsen 3
            return 0
        fi ;;
    esac
    note "stage $1"
    case $1 in
    sanitize) run_checks sanitize memcheck racecheck initcheck synccheck ;;
    suite) run_checks suite suite ;;
    bandwidth) run_bandwidth ;;
    time) run_time ;;
    report) run_report ;;
    esac
}

# What of the stages can be run without a GPU, after they were shown.
dry_extras()
{
    [ -x "$gpubench" ] || return 0
    note "without a GPU"
    "$gpubench" --matrix scircuit --describe
    printf '    gpubench --probe: %s\n' "$("$gpubench" --probe 2>&1 || true)"
}

mkdir -p "$out"
find_cuda
if [ -n "$dry" ]; then
    note "dry run; found here:"
    show_found
fi
if [ "$stage" != report ]; then
    note "stage build"
    if ! run_build; then
        note "the build failed" >&2
        [ -n "$dry" ] || exit 1
        worsen 1
    fi
    [ -n "$dry" ] || [ "$stage" = build ] || keep_apart
fi
for each in $stages; do
    [ -z "$stage" ] || [ "$stage" = "$each" ] || continue
    [ "$each" = build ] || run_stage "$each"
done
[ -z "$dry" ] || [ -n "$stage" ] || dry_extras
exit "$result"
