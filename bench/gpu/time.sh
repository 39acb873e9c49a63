# time.sh: the stages bandwidth and time of bench/gpu.sh: gpubench for one matrix after the other.
# Sourced by bench/gpu.sh.
#
# shellcheck shell=sh disable=SC2034,SC2154

bandwidth_seconds=20             # limit of the stage bandwidth
timed_variants=slices,evc_hyb,csr5,csr_adaptive,cusparse

# Whether gpubench runs here. If not, sets outcome.
can_time()
{
    [ -n "$no_gpubench" ] || return 0
    note "gpubench does not run here: $no_gpubench"
    outcome=failed
    return 1
}

# Sets outcome as run_checks does.
run_bandwidth()
{
    outcome=right
    if [ -n "$dry" ]; then
        would_run "$shown/build/bench/gpu/gpubench" --bandwidth --json "$shown/bandwidth.json"
    elif ! can_time; then
        :
    elif [ "$(time_left)" -lt "$bandwidth_seconds" ]; then
        note "less than $bandwidth_seconds s are left, which the bandwidth may take"
        outcome='more'
    else
        limited "$bandwidth_seconds" "$gpubench" --bandwidth --json "$out/bandwidth.json" ||
            outcome=failed
    fi
}

# Times one item. $1: its file, without an ending; $2: its limit in seconds; then gpubench's
# arguments. The next try leaves out a variant that left the GPU unusable. gpubench writes to
# ITEM.part, which becomes the item's result when gpubench ends, even too early. The item is then
# done in any case.
time_item()
{
    base=$1 began=$(date +%s) allowed=$2
    until=$((began + allowed))
    shift 2
    printf '%s\n' "${base##*/}"
    gpu_state >"$base.before"
    for try in 1 2 3 4 5 6; do
        rest=$((until - $(date +%s)))
        [ "$rest" -gt 0 ] || break
        code=0
        limited "$rest" "$gpubench" "$@" --faults "$base.faults" --json "$base.part" \
            >"$base.log" 2>&1 || code=$?
        [ "$code" = 4 ] || break
        printf '    a variant left the GPU unusable (try %s): %s\n' "$try" \
            "$(tail -n 1 "$base.log")"
    done
    gpu_state >"$base.after"
    case $code in
    124 | 137) printf 'gpubench: did not end within %s s\n' "$allowed" >>"$base.log" ;;
    esac
    sed 's/^/    /' "$base.log"
    printf '    %s s\n' "$(($(date +%s) - began))"
    if [ ! -e "$base.part" ]; then
        printf 'exit code %s: %s\n' "$code" "$(tail -n 1 "$base.log")" >"$base.failed"
    else
        [ "$code" = 0 ] || tail -n 1 "$base.log" >"$base.wrong"
        mv -f "$base.part" "$base.json"
    fi
}

# The name of an item. $1: a matrix of the ranking; $2: value type; $3: type of row pointers.
item_of() { printf '%s-%s-%s\n' "${1#shape:}" "$2" "$3" | tr '=' -; }

# gpubench's arguments for a matrix of the ranking, as words. $1: NAME, shape:NAME, or
# shape:NAME=SIZE.
matrix_of()
{
    case $1 in
    shape:*=*) printf -- '--shape %s --size %s\n' "$(expr "$1" : 'shape:\(.*\)=')" "${1#*=}" ;;
    shape:*) printf -- '--shape %s\n' "${1#shape:}" ;;
    *) printf -- '--matrix %s\n' "$1" ;;
    esac
}

# The ranking without comments, as lines "ITEM SECONDS MATRIX TYPE OFFSET".
items()
{
    sed -e 's/#.*//' "$ranking" | while read -r name type offset seconds; do
        [ -z "$name" ] || printf '%s %s %s %s %s\n' "$(item_of "$name" "$type" "$offset")" \
            "$seconds" "$name" "$type" "$offset"
    done
}

has_failed() { [ -e "$base.failed" ] || [ -e "$base.wrong" ]; }

# Times the items of the ranking that are not timed yet. $1: the folder of their results; $2: those
# of this value type alone, or nothing; then gpubench's arguments. Sets outcome as run_checks does.
run_items()
{
    place=$1 only_type=$2 waiting=0 outcome=right
    shift 2
    [ -n "$dry" ] || can_time || return 0
    while read -r item seconds name type offset; do
        [ "${only_type:-$type}" = "$type" ] || continue
        base=$out/$place/$item
        if [ -n "$retry" ] && [ -z "$dry" ] && has_failed; then
            rm -f "$base.failed" "$base.wrong" "$base.json" "$base.faults"
        fi
        if [ -n "$dry" ]; then
            would_run "$shown/build/bench/gpu/gpubench" "$(matrix_of "$name")" --type "$type" \
                --offset "$offset" "$@" --faults "$shown/$place/$item.faults" \
                --json "$shown/$place/$item.part"
        elif [ -e "$base.json" ] || [ -e "$base.failed" ]; then
            :
        elif [ "$(time_left)" -lt "$seconds" ]; then
            waiting=$((waiting + 1))
        else
            # shellcheck disable=SC2046 # words
            time_item "$base" "$seconds" $(matrix_of "$name") --type "$type" --offset "$offset" "$@"
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

# The modules of the sweep are linked in, too, and stay out here.
run_time() { run_items time '' --target "$target" --only "$timed_variants"; }
