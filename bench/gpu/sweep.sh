# sweep.sh: the stage sweep of bench/gpu.sh: slices with the parameters of sweep.txt, each set as a
# target of its own that is linked in beside the committed one. Sourced by bench/gpu.sh.
#
# shellcheck shell=sh disable=SC2034,SC2154

sweep_list=$root/bench/gpu/sweep.txt
variants=                        # folders of the emitted targets
no_variants="spmvgen cannot be built here, which needs LLVM with Clang, and Lua"

# Emits the targets of the sweep, and gives them to the build. Without spmvgen there is no sweep.
build_sweep()
{
    has_goal generator/spmvgen || return 0
    build_run "$out/build" "building spmvgen in $out/build" generator/spmvgen || return 1
    mkdir -p "$out/pages"
    while read -r name settings; do
        case $name in '' | '#'*) continue ;; esac
        {
            printf 'inherit "%s"\n' "$target"
            printf '%s\n' "$settings" | tr ' ' '\n' | sed 's/=/ = /'
        } >"$out/pages/$name.lua"
        run_logged "$out/build/sweep.log" "$out/build/generator/spmvgen" \
            --target "$out/pages/$name.lua" --method slices --type f64 --offsets i32 \
            --output "$out/variants/$name" || return 1
        variants=$variants${variants:+,}$out/variants/$name
    done <"$sweep_list"
    [ "$variants" != "$(cat "$out/build/variants" 2>/dev/null)" ] || return 0
    run_logged "$out/build/setup.log" meson configure "$out/build" \
        "-Dbuiltin_targets=$target,$variants" || return 1
    printf '%s\n' "$variants" >"$out/build/variants"
}

# One way of timing tells the variants apart: beyond L2, by a graph of many.
run_sweep()
{
    outcome=right
    if [ -z "$dry" ] && [ ! -e "${carried:-$out/build}/variants" ]; then
        printf '%s\n' "the build has no variants: $no_variants" >"$out/sweep/refused"
        note "no sweep: $(cat "$out/sweep/refused")"
        outcome=refused
        return 0
    fi
    [ -n "$dry" ] || rm -f "$out/sweep/refused"
    run_items sweep f64 --only slices --modes 1
}
