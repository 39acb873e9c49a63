#!/bin/sh
# emission.sh: times spmvgen as it emits all kernels of a target into a new folder.
# usage: bench/emission.sh SPMVGEN [TARGET]...
# Prints median and extremes of ten runs for each target (default: x86-64-v4), in milliseconds.
set -eu

usage() { sed -n '2,4s/^# //p' "$0"; }

case ${1-} in
--help) usage; exit 0 ;;
'' | -*) usage >&2; exit 2 ;;
esac
spmvgen=$1
shift
[ $# -gt 0 ] || set -- x86-64-v4

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# Nanoseconds, by GNU date or busybox. The time includes the start of the process.
now() { date +%s%N; }

printf '%-20s %8s %8s %8s  %s\n' target median fastest slowest files
for target; do
    : >"$folder/times"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        rm -rf "$folder/out"
        begin=$(now)
        "$spmvgen" --target "$target" -o "$folder/out" >"$folder/log" 2>&1 || {
            cat "$folder/log" >&2
            exit 1
        }
        end=$(now)
        echo $(((end - begin) / 1000)) >>"$folder/times"
    done
    count=$(find "$folder/out" -type f | wc -l)
    sort -n "$folder/times" | awk -v target="$target" -v count="$count" '
        { t[NR] = $1 / 1000 }
        END {
            printf "%-20s %8.1f %8.1f %8.1f  %d\n", target, (t[5] + t[6]) / 2, t[1], t[NR], count
        }'
done
