#!/bin/sh
# gpu.sh: checks libspmv on an NVIDIA GPU, and times it beside cuSPARSE; see usage below.
set -eu

usage()
{
    cat <<'END'
usage: bench/gpu.sh [--dry-run] [--stage NAME] [--minutes M] [--out DIR] [--pack FILE]
                    [--resume FILE] [--target NAME] [--cuda PATH] [--jobs N] [--retry]
                    [--carry DIR | --carried DIR]

On a machine with an NVIDIA GPU, CUDA's toolkit of 11.4 or later, C and C++ compilers, Python, Meson
and ninja; no network is used. In stages, each of which goes on where the last call was cut or
ended:

    build      libspmv with the committed kernels, gpubench, the suite of the kernels' tests, and
               slices with the parameters of bench/gpu/sweep.txt
    suite      each method, in one pair of types, against the reference, on the shapes of the tests
    sanitize   each method on tiny matrices under compute-sanitizer: memcheck, then racecheck
    bandwidth  how fast memory is copied, and read alone: the yardstick
    time       slices, evc_hyb, csr5 and csr_adaptive beside all of cuSPARSE on the matrices of
               bench/gpu/ranking.txt, in that order: first in f64, then in f32
    profile    counters of kernels, by Nsight Compute, where libspmv was slowest beside cuSPARSE:
               three matrices
    sweep      slices with other parameters, on the matrices of the ranking in f64
    report     DIR/gpu.json and DIR/gpu.txt; also of what there is so far

A machine without compute-sanitizer, or without Nsight Compute, or whose counters are for
administrators alone, is told, and the other stages run.

  --stage NAME   this stage alone; without it all of them, in this order
  --minutes M    end within M minutes: an item begins only if the time that it may take is left;
                 without it 6
  --out DIR      where everything is kept; without it build-gpu/
  --pack FILE    write all that was found, without builds, to FILE (.tar.gz): after each item, at
                 the end, and when a signal stops the call (HUP, INT, TERM)
  --resume FILE  go on from what --pack wrote, also on another machine with a GPU of the same kind
  --target NAME  the modules of this target of generated/; without it sm_90
  --carry DIR    build, copy what another machine needs to DIR, and stop; needs no GPU
  --carried DIR  build nothing: take what --carry copied from the same sources, and --target as
                 there. Its programs run: take it from nobody whom you do not trust
  --cuda PATH    where CUDA and cuSPARSE are, several with colons; without it they are looked for
  --jobs N       check N modules at a time; without it as many as there are processors, at most 8
  --retry        try again what went wrong before
  --dry-run      without a GPU: build what can be built here, run what needs none, and show what the
                 other stages would do
  --help         this text

Exit codes: 0 all is done and right, 1 something is wrong, 2 bad command line, 3 time was up: call
it again for the rest; 129, 130 or 143 a signal stopped it. docs/how-to/gpu.md says what the figures
mean.
END
}

stages="build suite sanitize bandwidth time profile sweep report"

bad_usage()
{
    printf 'gpu.sh: %s\n' "$*" >&2
    usage >&2
    exit 2
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/tools/build_folder.sh"
. "$root/bench/gpu/build.sh"
. "$root/bench/gpu/check.sh"
. "$root/bench/gpu/results.sh"
. "$root/bench/gpu/time.sh"
. "$root/bench/gpu/profile.sh"
. "$root/bench/gpu/sweep.sh"

dry='' stage='' minutes=6 out=$root/build-gpu cuda='' jobs='' retry='' pack='' resume=''
target=sm_90
carry='' carried=''
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage; exit 0 ;;
    --dry-run) dry=yes ;;
    --retry) retry=yes ;;
    --stage | --minutes | --out | --cuda | --jobs | --pack | --resume | --target | --carry | \
        --carried)
        [ $# -gt 1 ] || bad_usage "$1 needs a value"
        case $1 in
        --stage) stage=$2 ;;
        --minutes) minutes=$2 ;;
        --out) out=$2 ;;
        --cuda) cuda=$2 ;;
        --jobs) jobs=$2 ;;
        --pack) pack=$2 ;;
        --resume) resume=$2 ;;
        --target) target=$2 ;;
        --carry) carry=$2 stage=build ;;
        --carried) carried=$2 ;;
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
case $jobs in
*[!0-9]* | 0) bad_usage "--jobs takes a whole number of 1 or more, not '$jobs'" ;;
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
if [ -n "$pack" ]; then
    [ -w "$(dirname -- "$pack")" ] ||
        bad_usage "--pack $pack: its folder is not there, or cannot be written to"
    # A new pack is renamed, which would replace a link, and for root even a device.
    [ ! -e "$pack" ] || [ -f "$pack" ] ||
        bad_usage "--pack $pack: there is something of that name that is no file"
    [ ! -L "$pack" ] || pack=$(readlink -f -- "$pack") ||
        bad_usage "--pack $pack: the link leads nowhere"
fi

[ -z "$carry" ] || [ -z "$carried" ] || bad_usage "--carry and --carried exclude each other"
[ -z "$carried" ] || [ -f "$carried/sources" ] ||
    bad_usage "--carried $carried: there is no build; expected a folder that --carry wrote"

begin=$(date +%s)
gpubench=${carried:-$out/build/bench/gpu}/gpubench
kernels=${carried:-$out/kernels}
shown=${out#"$root"/}            # for commands that are shown: they run from the root
ranking=$root/bench/gpu/ranking.txt
result=0                         # the exit code

# Seconds until the time limit of the call.
time_left() { echo $((begin + minutes * 60 - $(date +%s))); }

note() { printf 'gpu.sh: %s\n' "$*"; }

# Runs a command for at most $1 seconds, if there is a program timeout. The command runs in the
# background, so that the shell takes a signal at once and not when the command ends. So call this
# neither in $() nor in a pipe.
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

# Sets the exit code. $1: 1, something is wrong; or 3, work is left. 3 wins, so that callers
# continue.
worsen()
{
    [ "$result" = 3 ] || result=$1
}

# Shows a command that a dry run leaves out.
would_run() { printf '    would run: %s\n' "$*"; }

# Packs all results and ends the call. $1: exit code.
# shellcheck disable=SC2317 # called by traps
stop_on_signal()
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

# ---- stages -------------------------------------------------------------------------------------

# Records the outcome of a stage. $1: its name.
record_outcome()
{
    case $outcome in
    right | wrong | refused) stamp "$1" "$outcome" ;;
    more) worsen 3 ;;
    failed) worsen 1 ;;
    esac
}

run_report()
{
    if [ -n "$dry" ]; then
        would_run python3 bench/gpu/report.py "$shown"
        return 0
    fi
    if python3 "$root/bench/gpu/report.py" "$out"; then
        note "written: $out/gpu.json and $out/gpu.txt"
    else
        worsen 1
    fi
}

# $1: stage; $2: right, wrong or refused.
stamp()
{
    printf '%s\n' "$2" >"$out/stamps/$1"
    [ "$2" != wrong ] || worsen 1
}

# Whether an earlier call did the stage. A result that was wrong then stays wrong. $1: stage.
is_done()
{
    [ -z "$dry" ] && [ -e "$out/stamps/$1" ] || return 1
    [ -z "$retry" ] || [ "$(cat "$out/stamps/$1")" = right ] || return 1
    note "stage $1: done before, $(cat "$out/stamps/$1")"
    [ "$(cat "$out/stamps/$1")" != wrong ] || worsen 1
}

# Adds the seconds that a stage took in this call to the record. $1: stage; $2: when it began.
record_seconds()
{
    taken=$(($(date +%s) - $2))
    note "stage $1: $taken s"
    printf '%s %s\n' "$1" "$taken" >>"$out/seconds"
}

run_stage()
{
    if [ "$1" = report ]; then
        note "stage report"
        run_report
        write_pack
        return 0
    fi
    if is_done "$1"; then
        return 0
    fi
    if [ -z "$dry" ] && [ "$(time_left)" -le 0 ]; then
        note "stage $1: time is up"
        worsen 3
        return 0
    fi
    note "stage $1"
    stage_began=$(date +%s)
    case $1 in
    suite) run_checks --tool suite --types 1 ;;
    sanitize) run_sanitize ;;
    bandwidth) run_bandwidth ;;
    time) run_time ;;
    profile) run_profile ;;
    sweep) run_sweep ;;
    esac
    [ -z "$dry" ] || return 0
    record_outcome "$1"
    record_seconds "$1" "$stage_began"
    write_pack
}

# The parts of gpubench that a dry run can test.
run_without_gpu()
{
    [ -x "$gpubench" ] || return 0
    note "without a GPU"
    "$gpubench" --matrix scircuit --describe
    printf '    gpubench --probe: %s\n' "$("$gpubench" --probe 2>&1 || true)"
}

check_target
mkdir -p "$out"
find_cuda
if [ -z "$dry" ] && [ "$stage" != build ]; then
    exec 5>&1                    # for messages while a command's output goes elsewhere
    trap 'stop_on_signal 129' HUP
    trap 'stop_on_signal 130' INT
    trap 'stop_on_signal 143' TERM
fi
[ -z "$resume" ] || [ -n "$dry" ] || unpack
if [ -n "$dry" ]; then
    note "dry run; found here:"
    show_found
fi
[ -z "$carried" ] || take_carried
if [ "$stage" != report ]; then
    built=0
    [ -n "$carried" ] || build_all || built=$?
    [ -z "$carry" ] || [ "$built" != 0 ] || write_carried
    case $built in
    0) ;;
    124 | 137)
        note "time is up, and the build is not done: call it again"
        exit 3 ;;
    *)  # In a real run the process of the stage has printed its outcome.
        if [ -n "$dry" ] || [ "$stage" = build ]; then
            note "the build failed" >&2
        fi
        [ -n "$dry" ] || exit 1
        worsen 1 ;;
    esac
    [ -n "$dry" ] || [ "$stage" = build ] || set_older_aside
fi
for each in $stages; do
    [ -z "$stage" ] || [ "$stage" = "$each" ] || continue
    [ "$each" = build ] || run_stage "$each"
done
[ -z "$dry" ] || [ -n "$stage" ] || run_without_gpu
[ ! -f "$pack" ] || note "packed: $pack, $(wc -c <"$pack") bytes"
exit "$result"
