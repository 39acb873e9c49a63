#!/bin/sh
# gpu.sh: libspmv on an NVIDIA GPU, checked and then timed beside cuSPARSE; see usage below.
set -eu

usage()
{
    cat <<'END'
usage: bench/gpu.sh [--dry-run] [--stage NAME] [--minutes M] [--out DIR] [--pack FILE]
                    [--resume FILE] [--targets NAME[,NAME]...] [--cuda PATH] [--retry]

On a machine with an NVIDIA GPU, CUDA's toolkit of 11.4 or later, C and C++ compilers, Python, Meson and ninja;
no network is used. In stages, each of which goes on where the last call was cut or ended:

    build      libspmv with the committed kernels, gpubench, and the suite of the kernels' tests
    bandwidth  how fast memory is copied, and read alone: the yardstick
    time       the matrices of bench/gpu/ranking.txt that tell most, in that order
    suite      modules of two pairs of types against the reference, on the shapes of the tests
    sanitize   each method on tiny matrices under compute-sanitizer: memcheck, racecheck
    more       the other matrices, the modules of the other types, initcheck, synccheck
    report     DIR/gpu.json and DIR/gpu.txt; also of what there is so far

  --stage NAME   this stage alone; without it all of them, in this order
  --minutes M    end within M minutes: an item begins only if the time that it may take is left;
                 without it 9
  --out DIR      where everything is kept; without it build-gpu/
  --pack FILE    write all that was found, without builds, to FILE (.tar.gz): after each item, at
                 the end, and when a signal stops the call (HUP, INT, TERM)
  --resume FILE  go on from what --pack wrote, also on another machine with a GPU of the same kind
  --targets NAME[,NAME]...   the modules of these folders of generated/ alone, as in sm_90
  --cuda PATH    where CUDA and cuSPARSE are, several with colons; without it they are looked for
  --retry        try again what went wrong before
  --dry-run      without a GPU: build what can be built here, run what needs none, and show what the
                 other stages would do
  --help         this text

Exit codes: 0 all is done and right, 1 something is wrong, 2 bad command line, 3 time was up: call it again
for the rest; 129, 130 or 143 a signal stopped it. docs/how-to/gpu.md says what the figures mean.
END
}

stages="build bandwidth time suite sanitize more report"
# What is found, and what it depends on: all that --out keeps but builds.
kept_names="key stamps checks time bandwidth.json device.txt gpu.json gpu.txt"

bad_usage()
{
    printf 'gpu.sh: %s\n' "$*" >&2
    usage >&2
    exit 2
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/tools/build_folder.sh"

dry='' stage='' minutes=9 out=$root/build-gpu cuda='' retry='' pack='' resume='' targets=''
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage; exit 0 ;;
    --dry-run) dry=yes ;;
    --retry) retry=yes ;;
    --stage | --minutes | --out | --cuda | --pack | --resume | --targets)
        [ $# -gt 1 ] || bad_usage "$1 needs a value"
        case $1 in
        --stage) stage=$2 ;;
        --minutes) minutes=$2 ;;
        --out) out=$2 ;;
        --cuda) cuda=$2 ;;
        --pack) pack=$2 ;;
        --resume) resume=$2 ;;
        --targets) targets=$2 ;;
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
[ -z "$resume" ] || [ -f "$resume" ] ||
    bad_usage "--resume $resume: there is no such file; expected what --pack wrote"
case $pack in
'' | /*) ;;
*) pack=$PWD/$pack ;;
esac
[ -z "$pack" ] || [ -w "$(dirname -- "$pack")" ] ||
    bad_usage "--pack $pack: its folder is not there, or cannot be written to"

begin=$(date +%s)
gpubench=$out/build/bench/gpu/gpubench
shown=${out#"$root"/}            # where what is shown is to be run from the root
ranking=$root/bench/gpu/ranking.txt
result=0                         # of the whole call

# Seconds until the call is to end.
time_left() { echo $((begin + minutes * 60 - $(date +%s))); }

note() { printf 'gpu.sh: %s\n' "$*"; }

# Runs a command that may take so many seconds, where the system can end it. It runs beside the
# shell, which takes a signal at once in that way, not when the command ends; so call this neither
# in $() nor in a pipe. $1: seconds.
limited()
{
    limit=$1
    shift
    if command -v timeout >/dev/null 2>&1; then
        timeout -k 5 "$limit" "$@" 5>&- &
    else
        "$@" 5>&- &
    fi
    child=$!
    ended=0
    wait "$child" || ended=$?
    child=
    return "$ended"
}
child=

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

# Folders of generated/ whose modules are CUDA programs, of --targets where that is given, each on
# its line.
cuda_folders()
{
    for folder in "$root"/generated/*/; do
        folder=${folder%/}
        case ",${targets:-${folder##*/}}," in
        *",${folder##*/},"*) ;;
        *) continue ;;
        esac
        ! grep -q '"backend": "cuda"' "$folder/manifest.json" 2>/dev/null || printf '%s\n' "$folder"
    done
}

# Each of --targets is one of them.
check_targets()
{
    wanted=$targets targets=
    known=$(cuda_folders | sed 's|.*/||' | tr '\n' ' ')
    targets=$wanted
    for name in $(printf '%s' "$targets" | tr , ' '); do
        case " $known" in
        *" $name "*) ;;
        *)  bad_usage "--targets: no folder of generated/ with CUDA programs is called '$name';" \
                "there are: $known" ;;
        esac
    done
}

# What nvidia-smi says at the moment, on one line; nothing where it is not there.
smi()
{
    command -v nvidia-smi >/dev/null 2>&1 || return 0
    limited 20 nvidia-smi --id=0 --format=csv,noheader --query-gpu="$1" 2>/dev/null || true
}

weather() { smi clocks.sm,clocks.mem,temperature.gpu,power.draw,utilization.gpu; }

# What figures depend on: the sources and modules that they are of, and the device.
current_key()
{
    [ -z "$targets" ] || printf 'targets %s\n' "$targets"
    (cd "$root" && find bench common generated runtime tests/kernels -type f \
        \( -name '*.[ch]' -o -name '*.cu' \) -exec cksum {} +) | LC_ALL=C sort | cksum
    limited 60 "$gpubench" --probe
}

# Figures of other sources or of another device stay, in a folder of their own.
keep_apart()
{
    current_key >"$out/key.new" || {
        note "there is no GPU that CUDA can use; --dry-run does what can be done without" >&2
        exit 1
    }
    if [ -f "$out/key" ] && [ "$(cat "$out/key")" != "$(cat "$out/key.new")" ]; then
        older=1
        while [ -e "$out/older-$older" ]; do
            older=$((older + 1))
        done
        mkdir "$out/older-$older"
        for kept in $kept_names; do
            [ ! -e "$out/$kept" ] || mv "$out/$kept" "$out/older-$older/"
        done
        note "other sources or another device than before: what was found is in $out/older-$older"
    fi
    mkdir -p "$out/stamps" "$out/checks" "$out/time"
    mv -f "$out/key.new" "$out/key"
    smi name,driver_version,vbios_version >"$out/device.txt"
}

# ---- from one machine to another ----------------------------------------------------------------

# Whole or not at all; the last one stays until then.
write_pack()
{
    [ -n "$pack" ] && [ -f "$out/key" ] || return 0
    packed=
    for kept in $kept_names; do
        [ ! -e "$out/$kept" ] || packed="$packed $kept"
    done
    for kept in "$out"/older-*; do
        [ ! -d "$kept" ] || packed="$packed ${kept##*/}"
    done
    # shellcheck disable=SC2086 # words
    if tar -C "$out" -czf "$pack.new" $packed && mv -f "$pack.new" "$pack"; then
        return 0
    fi
    note "cannot write $pack" >&2
    worsen 1
}

# What is here already stays: it is what a call before this one found.
unpack()
{
    if [ -f "$out/key" ]; then
        note "$out has results of its own, so $resume is not taken"
        return 0
    fi
    fresh=$out/resumed.new
    rm -rf -- "$fresh"
    mkdir -p "$fresh"
    if ! tar -C "$fresh" -xzf - <"$resume" || [ ! -f "$fresh/key" ]; then
        rm -rf -- "$fresh"
        note "$resume is not what --pack writes, or it is damaged" >&2
        exit 1
    fi
    for kept in "$fresh"/*; do
        [ "$kept" = "$fresh/key" ] || mv -f "$kept" "$out/"
    done
    mv -f "$fresh/key" "$out/key"        # last: it says that the others are there
    rmdir "$fresh"
    note "going on from $resume"
    write_pack
}

# Ends the call after a signal, with all that is known packed. $1: exit code.
# shellcheck disable=SC2317 # called by traps
stopped()
{
    trap '' HUP INT TERM
    if [ -n "$child" ]; then
        kill -TERM "$child" 2>/dev/null || true
        wait "$child" || true
    fi
    note "stopped by a signal" >&5
    if [ -f "$out/key" ]; then
        python3 "$root/bench/gpu/report.py" "$out" >/dev/null 2>&1 || true
        write_pack
    fi
    exit "$1"
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
    if [ "$stage" = build ]; then
        "$@"
    else
        limited 3600 "$@"        # it limits itself
    fi
}

run_build()
{
    # The same options in a dry run, so that it leaves a build which the real one takes.
    build_setup "$out/build" -Dgenerator=disabled -Dtests=false -Dcuda=auto \
        ${targets:+"-Dbuiltin_targets=$targets"} ${cuda:+"-Dpath_of_cuda=$cuda"} || return 1
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

# $@: what cuda_suite.py is to try. Sets outcome: right, wrong, more or failed.
run_checks()
{
    set -- "$@" ${retry:+--retry}
    outcome=right
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
    0) ;;
    1) outcome=wrong ;;
    3) outcome='more' ;;
    *) outcome=failed ;;
    esac
}

# $1: a stage that sets outcome.
conclude()
{
    case $outcome in
    right | wrong) stamp "$1" "$outcome" ;;
    more) worsen 3 ;;
    failed) worsen 1 ;;
    esac
}

# ---- bandwidth and time -------------------------------------------------------------------------

run_bandwidth()
{
    if [ -n "$dry" ]; then
        would "$shown/build/bench/gpu/gpubench" --bandwidth --json "$shown/bandwidth.json"
    elif [ "$(time_left)" -lt "$bandwidth_seconds" ]; then
        note "less than $bandwidth_seconds s are left, which the bandwidth may take"
        worsen 3
    elif limited "$bandwidth_seconds" "$gpubench" --bandwidth --json "$out/bandwidth.json"; then
        stamp bandwidth right
    else
        worsen 1
    fi
}
bandwidth_seconds=60

# $1: item, $2: seconds that it may take; then gpubench's arguments. A variant that left the GPU
# unusable is left out of the next try. Figures that gpubench has written so far are those of the
# item if it ends too early, and wait under another name until it ends. Whatever becomes of it, the
# item is done.
time_item()
{
    item=$1 base=$out/time/$1 until=$(($(date +%s) + $2)) allowed=$2
    shift 2
    printf '%s\n' "$item"
    weather >"$base.before"
    for try in 1 2 3 4 5 6; do
        rest=$((until - $(date +%s)))
        [ "$rest" -gt 0 ] || break
        code=0
        limited "$rest" "$gpubench" "$@" --faults "$base.faults" --json "$base.part" \
            >"$base.log" 2>&1 || code=$?
        [ "$code" = 4 ] || break
        printf '    a variant left the GPU unusable (try %s): %s\n' "$try" "$(tail -n 1 "$base.log")"
    done
    weather >"$base.after"
    case $code in
    124 | 137) printf 'gpubench: did not end within %s s\n' "$allowed" >>"$base.log" ;;
    esac
    sed 's/^/    /' "$base.log"
    if [ ! -e "$base.part" ]; then
        printf 'exit code %s: %s\n' "$code" "$(tail -n 1 "$base.log")" >"$base.failed"
    else
        [ "$code" = 0 ] || tail -n 1 "$base.log" >"$base.wrong"
        mv -f "$base.part" "$base.json"
    fi
}

# The ranking without its comments, as "PART ITEM SECONDS MATRIX TYPE OFFSET"; PART is time, or
# more.
items()
{
    sed -e 's/#.*//' "$ranking" | {
        part='time'
        while read -r name type offset seconds; do
            case $name in
            '') ;;
            more) part='more' ;;
            *) printf '%s %s %s %s %s %s\n' "$part" "${name#shape:}-$type-$offset" "$seconds" \
                   "$name" "$type" "$offset" ;;
            esac
        done
    }
}

has_failed() { [ -e "$base.failed" ] || [ -e "$base.wrong" ]; }

# $1: the part of the ranking. Sets outcome as run_checks does.
run_time()
{
    waiting=0
    outcome=right
    while read -r part item seconds name type offset; do
        [ "$part" = "$1" ] || continue
        case $name in
        shape:*) from=--shape ;;
        *) from=--matrix ;;
        esac
        base=$out/time/$item
        if [ -n "$retry" ] && [ -z "$dry" ] && has_failed; then
            rm -f "$base.failed" "$base.wrong" "$base.json" "$base.faults"
        fi
        if [ -n "$dry" ]; then
            would "$shown/build/bench/gpu/gpubench" "$from" "${name#shape:}" --type "$type" \
                --offset "$offset" --faults "$shown/time/$item.faults" \
                --json "$shown/time/$item.part"
        elif [ -e "$base.json" ] || [ -e "$base.failed" ]; then
            :
        elif [ "$(time_left)" -lt "$seconds" ]; then
            waiting=$((waiting + 1))
        else
            time_item "$item" "$seconds" "$from" "${name#shape:}" --type "$type" --offset "$offset"
            write_pack
        fi
        ! has_failed || outcome=wrong
    done <<END
$(items)
END
    [ "$waiting" -gt 0 ] || return 0
    note "$waiting matrices wait for a call that has the time that they may take"
    outcome='more'
}

# One after the other, as far as time goes.
run_more()
{
    run_time more
    all=$outcome
    for checks in "--tool suite" "--tool initcheck --tool synccheck"; do
        # shellcheck disable=SC2086 # words
        run_checks $checks
        write_pack
        case $outcome in
        right) ;;
        more) all='more' ;;
        *) [ "$all" = more ] || [ "$all" = failed ] || all=$outcome ;;
        esac
    done
    outcome=$all
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
    bandwidth) run_bandwidth ;;
    time) run_time time ;;
    suite) run_checks --tool suite --types 2 ;;
    sanitize) run_checks --tool memcheck --tool racecheck ;;
    more) run_more ;;
    report) run_report ;;
    esac
    [ -z "$dry" ] || return 0
    case $1 in
    time | suite | sanitize | more) conclude "$1" ;;
    esac
    write_pack
}

# What of the stages can be run without a GPU, after they were shown.
dry_extras()
{
    [ -x "$gpubench" ] || return 0
    note "without a GPU"
    "$gpubench" --matrix scircuit --describe
    printf '    gpubench --probe: %s\n' "$("$gpubench" --probe 2>&1 || true)"
}

# The stage of the build. In a process of its own, so that a signal ends all that it began; a dry
# run has none to pack.
build_all()
{
    if [ -n "$dry" ] || [ "$stage" = build ]; then
        note "stage build"
        run_build
        return
    fi
    left=$(time_left)
    [ "$left" -gt 60 ] || left=60
    limited "$left" sh "$root/bench/gpu.sh" --stage build --out "$out" ${cuda:+--cuda "$cuda"} \
        ${targets:+--targets "$targets"}
}

check_targets
mkdir -p "$out"
find_cuda
if [ -z "$dry" ] && [ "$stage" != build ]; then
    exec 5>&1                    # whatever a command is being written to, what stops it goes here
    trap 'stopped 129' HUP
    trap 'stopped 130' INT
    trap 'stopped 143' TERM
fi
[ -z "$resume" ] || [ -n "$dry" ] || unpack
if [ -n "$dry" ]; then
    note "dry run; found here:"
    show_found
fi
if [ "$stage" != report ]; then
    built=0
    build_all || built=$?
    case $built in
    0) ;;
    124 | 137)
        note "time is up, and the build is not done: call it again"
        exit 3 ;;
    *)  # The stage in a process of its own has said so.
        if [ -n "$dry" ] || [ "$stage" = build ]; then
            note "the build failed" >&2
        fi
        [ -n "$dry" ] || exit 1
        worsen 1 ;;
    esac
    [ -n "$dry" ] || [ "$stage" = build ] || keep_apart
fi
for each in $stages; do
    [ -z "$stage" ] || [ "$stage" = "$each" ] || continue
    [ "$each" = build ] || run_stage "$each"
done
[ -z "$dry" ] || [ -n "$stage" ] || dry_extras
[ ! -f "$pack" ] || note "packed: $pack, $(wc -c <"$pack") bytes"
exit "$result"
