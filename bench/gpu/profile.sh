# profile.sh: the stage profile of bench/gpu.sh: Nsight Compute's counters of single kernels.
# Sourced by bench/gpu.sh.
#
# shellcheck shell=sh disable=SC2034,SC2154

profiled_count=3
profile_seconds=45               # limit of a matrix: a kernel runs once for each group of metrics

# Where libspmv is slowest beside cuSPARSE, as lines "ITEM MATRIX TYPE OFFSET VARIANTS".
profile_items()
{
    python3 "$root/bench/gpu/report.py" "$out" --slowest "$profiled_count" |
        while read -r item variants; do
            items | while read -r each _ name type offset; do
                [ "$each" != "$item" ] ||
                    printf '%s %s %s %s %s\n' "$item" "$name" "$type" "$offset" "$variants"
            done
        done
}

# The metrics, with commas, from the table of counters.py.
metrics() { python3 "$root/bench/gpu/counters.py" --metrics; }

# The reason why Nsight Compute made no profile: its last line of an error. $1: files.
refusal_of() { cat "$@" 2>/dev/null | grep '==ERROR==' | head -n 1 | sed 's/^==ERROR== *//'; }

# Profiles one item. $1: its name; $2: its limit in seconds; then gpubench's arguments. Returns 1 if
# the machine does not let Nsight Compute count.
profile_item()
{
    base=$out/profile/$1 allowed=$2
    printf '%s\n' "$1"
    shift 2
    code=0
    rm -f "$base.counters"
    limited "$allowed" ncu --profile-from-start off --clock-control none --csv --page raw \
        --print-units base --metrics "$(metrics)" --log-file "$base.counters" "$gpubench" "$@" \
        --profile >"$base.log" 2>&1 || code=$?
    case $code in
    124 | 137) printf 'gpubench: did not end within %s s\n' "$allowed" >>"$base.log" ;;
    esac
    sed 's/^/    /' "$base.log"
    refused=$(refusal_of "$base.counters" "$base.log")
    if [ -n "$refused" ]; then
        printf '%s\n' "$refused" >"$out/profile/refused"
        return 1
    fi
    # What was counted before a failure is worth keeping.
    if grep -q '^"' "$base.counters" 2>/dev/null; then
        mv -f "$base.counters" "$base.csv"
    fi
    [ "$code" = 0 ] || tail -n 1 "$base.log" >"$base.failed"
    [ -e "$base.csv" ] || [ -e "$base.failed" ] ||
        printf 'Nsight Compute counted nothing\n' >"$base.failed"
}

# Sets outcome as run_checks does. A machine without Nsight Compute, or where counters are for
# administrators alone, is no failure.
run_profile()
{
    outcome=right waiting=0
    if [ -n "$dry" ]; then
        would_run ncu --profile-from-start off --clock-control none --csv --page raw \
            --print-units base --metrics "$(metrics)" --log-file "$shown/profile/ITEM.counters" \
            "$shown/build/bench/gpu/gpubench" --matrix NAME --target "$target" --only VARIANTS \
            --profile
        return 0
    fi
    can_time || return 0
    if [ ! -e "$out/stamps/time" ]; then
        note "no profile before all matrices are timed, since the slowest are profiled"
        outcome='more'
        return 0
    fi
    [ -z "$retry" ] || rm -f "$out/profile/refused"
    command -v ncu >/dev/null 2>&1 || printf 'ncu is not there\n' >"$out/profile/refused"
    while read -r item name type offset variants; do
        base=$out/profile/$item
        if [ -n "$retry" ] && [ -e "$base.failed" ]; then
            rm -f "$base.failed" "$base.csv"
        fi
        if [ -z "$item" ] || [ -e "$out/profile/refused" ]; then
            break
        elif [ -e "$base.csv" ] || [ -e "$base.failed" ]; then
            :
        elif [ "$(time_left)" -lt "$profile_seconds" ]; then
            waiting=$((waiting + 1))
        else
            # shellcheck disable=SC2046 # words
            profile_item "$item" "$profile_seconds" $(matrix_of "$name") --type "$type" \
                --offset "$offset" --target "$target" --only "$variants" || true
            write_pack
        fi
        [ ! -e "$base.failed" ] || outcome=wrong
    done <<END
$(profile_items)
END
    if [ -e "$out/profile/refused" ]; then
        note "no profile: $(cat "$out/profile/refused")"
        outcome=refused
    fi
    [ "$waiting" -gt 0 ] || return 0
    note "$waiting profiles wait for a call that has the time that they may take"
    outcome='more'
}
