# time.sh: the stages bandwidth and time of bench/gpu.sh: gpubench for one matrix after the other.
# Sourced by bench/gpu.sh.
#
# shellcheck shell=sh disable=SC2034,SC2154

bandwidth_seconds=60             # limit of the stage bandwidth

run_bandwidth()
{
    if [ -n "$dry" ]; then
        would_run "$shown/build/bench/gpu/gpubench" --bandwidth --json "$shown/bandwidth.json"
    elif [ "$(time_left)" -lt "$bandwidth_seconds" ]; then
        note "less than $bandwidth_seconds s are left, which the bandwidth may take"
        worsen 3
    elif limited "$bandwidth_seconds" "$gpubench" --bandwidth --json "$out/bandwidth.json"; then
        stamp bandwidth right
    else
        worsen 1
    fi
}

# Times one item. $1: its name; $2: its limit in seconds; then gpubench's arguments. The next try
# leaves out a variant that left the GPU unusable. gpubench writes to ITEM.part, which becomes the
# item's result when gpubench ends, even too early. The item is then done in any case.
time_item()
{
    item=$1 base=$out/time/$1 until=$(($(date +%s) + $2)) allowed=$2
    shift 2
    printf '%s\n' "$item"
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

# The ranking without comments, as lines "PART ITEM SECONDS MATRIX TYPE OFFSET". PART is time or
# more.
items()
{
    sed -e 's/#.*//' "$ranking" | {
        part='time'
        while read -r name type offset seconds; do
            case $name in
            '') ;;
            more) part='more' ;;
            *) printf '%s %s %s %s %s %s\n' "$part" "$(item_of "$name" "$type" "$offset")" \
                   "$seconds" "$name" "$type" "$offset" ;;
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
        base=$out/time/$item
        if [ -n "$retry" ] && [ -z "$dry" ] && has_failed; then
            rm -f "$base.failed" "$base.wrong" "$base.json" "$base.faults"
        fi
        if [ -n "$dry" ]; then
            would_run "$shown/build/bench/gpu/gpubench" "$(matrix_of "$name")" --type "$type" \
                --offset "$offset" --faults "$shown/time/$item.faults" \
                --json "$shown/time/$item.part"
        elif [ -e "$base.json" ] || [ -e "$base.failed" ]; then
            :
        elif [ "$(time_left)" -lt "$seconds" ]; then
            waiting=$((waiting + 1))
        else
            # shellcheck disable=SC2046 # words
            time_item "$item" "$seconds" $(matrix_of "$name") --type "$type" --offset "$offset"
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
