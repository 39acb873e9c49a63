# check.sh: the checks of bench/gpu.sh: kernels against a reference and under compute-sanitizer.
# Sourced by bench/gpu.sh.
#
# shellcheck shell=sh disable=SC2034,SC2154

# Runs cuda_suite.py over the modules. $@: its further arguments. Programs that the build compiled
# for gpubench serve the suite, too.
cuda_suite()
{
    binaries=$out/build/generated/spmv_cuda_binaries.c
    [ -e "$binaries" ] || binaries=
    set -- python3 "$root/tests/kernels/cuda_suite.py" --work "$kernels" \
        --results "$out/checks" ${carried:+--built} ${CC:+--compiler "$CC"} \
        ${binaries:+--binaries "$binaries"} ${jobs:+--jobs "$jobs"} "$@" "$folder --target $target"
    if [ "$stage" = build ]; then
        "$@"
    else
        limited 3600 "$@"        # cuda_suite.py ends earlier by itself
    fi
}

# $@: the checks, as options of cuda_suite.py. Sets outcome: right, wrong, more (the time was up) or
# failed.
run_checks()
{
    set -- "$@" ${retry:+--retry}
    outcome=right
    if [ -n "$dry" ]; then
        would_run python3 tests/kernels/cuda_suite.py --work "$shown/kernels" \
            --results "$shown/checks" "$@" "${folder#"$root/"} --target $target"
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

# Kernels that no tool watched are no success, and the report says so.
run_sanitize()
{
    [ -n "$dry" ] || rm -f "$out/checks/refused"
    if [ -z "$dry" ] && ! command -v compute-sanitizer >/dev/null 2>&1; then
        printf 'compute-sanitizer is not there\n' >"$out/checks/refused"
        note "no memcheck and no racecheck: $(cat "$out/checks/refused"); --carry takes it along" \
            "where it is"
        outcome=failed
        return 0
    fi
    run_checks --tool memcheck --tool racecheck --types 1
}
