# results.sh: the folder of results of bench/gpu.sh: its key, older results, and packs. Sourced by
# bench/gpu.sh.
#
# shellcheck shell=sh disable=SC2034,SC2154

# All files of --out except builds: results, and the key that they depend on.
kept_names="key stamps seconds checks time profile sweep bandwidth.json device.txt gpu.json gpu.txt"

# Queries nvidia-smi: prints one line, or none without nvidia-smi. $1: the fields.
smi()
{
    command -v nvidia-smi >/dev/null 2>&1 || return 0
    limited 20 nvidia-smi --id=0 --format=csv,noheader --query-gpu="$1" 2>/dev/null || true
}

gpu_state() { smi clocks.sm,clocks.mem,temperature.gpu,power.draw,utilization.gpu; }

# Prints what a build depends on: the modules and the sources.
sources_key()
{
    printf 'target %s\n' "$target"
    (cd "$root" && find bench common generated runtime tests/kernels -type f \
        \( -name '*.[ch]' -o -name '*.cu' \) -exec cksum {} +) | LC_ALL=C sort | cksum
}

# Ends the call if gpubench finds no GPU or one that the target is not for. Without cuSPARSE the
# loader does not start gpubench, but kernels can be checked: then the driver says what the GPU is.
probe_device()
{
    code=0
    limited 60 "$gpubench" --probe >"$out/probe" 2>"$out/probe.log" || code=$?
    if [ "$code" = 127 ]; then
        no_gpubench=$(tail -n 1 "$out/probe.log" | sed 's/^.*: error while/error while/')
        smi name,driver_version >"$out/probe"
        [ -s "$out/probe" ] || code=1
    fi
    case $code in
    0 | 127) ;;
    *)  sed 's/^/    /' "$out/probe.log" >&2
        note "there is no GPU that CUDA can use; --dry-run does what can be done without" >&2
        exit 1 ;;
    esac
    wanted=$(capability_of_target)
    has=$(sed -n 's/.*, sm_\([0-9]*\).*/\1/p' "$out/probe")
    [ -z "$wanted" ] || [ -z "$has" ] || [ "$wanted" = "$has" ] || {
        note "this GPU is sm_$has, and the kernels of --target $target are for sm_$wanted alone:" \
            "take --target generic-cuda, here and with --carry" >&2
        exit 1
    }
}
no_gpubench=                     # why gpubench does not run here

# Moves results of other sources or of another device to a folder of their own.
set_older_aside()
{
    probe_device
    { sources_key && cat "$out/probe"; } >"$out/key.new"
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
    mkdir -p "$out/stamps" "$out/checks" "$out/time" "$out/profile" "$out/sweep"
    mv -f "$out/key.new" "$out/key"
    smi name,driver_version,vbios_version >"$out/device.txt"
}

# Writes the pack.
write_pack()
{
    [ -n "$pack" ] && [ -f "$out/key" ] || return 0
    python3 "$root/bench/gpu/pack.py" write "$out" "$pack" && return 0
    note "cannot write $pack" >&2
    worsen 1
}

# Unpacks the results of --resume, unless the folder already has results.
unpack()
{
    if [ -f "$out/key" ]; then
        note "$out has results of its own, so $resume is not taken"
        return 0
    fi
    fresh=$out/resumed.new
    rm -rf -- "$fresh"
    if ! python3 "$root/bench/gpu/pack.py" read "$resume" "$fresh"; then
        rm -rf -- "$fresh"
        note "$resume is not what --pack writes, or it is damaged; nothing of it is taken" >&2
        exit 1
    fi
    for kept in "$fresh"/*; do
        [ "$kept" = "$fresh/key" ] || mv -f "$kept" "$out/"
    done
    mv -f "$fresh/key" "$out/key"        # last: it marks the results as complete
    rmdir "$fresh"
    note "going on from $resume"
    write_pack
}
