# check.sh: the checks of bench/gpu.sh: kernels against a reference and under compute-sanitizer.
# Sourced by bench/gpu.sh.
#
# shellcheck shell=sh disable=SC2034,SC2154

# The folders of generated/ that hold CUDA programs, a line each; with --targets only the named
# folders.
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

# Runs cuda_suite.py over these folders. $@: its further arguments.
cuda_suite()
{
    set -- python3 "$root/tests/kernels/cuda_suite.py" --work "$kernels" \
        --results "$out/checks" ${carried:+--built} ${CC:+--compiler "$CC"} \
        ${jobs:+--jobs "$jobs"} "$@"
    while IFS= read -r folder; do
        set -- "$@" "$folder"
    done <<END
$(cuda_folders)
END
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
            --results "$shown/checks" "$@" \
            "$(cuda_folders | sed 's/.*\(generated\)/\1/' | tr '\n' ' ')"
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
