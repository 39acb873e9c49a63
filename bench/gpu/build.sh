# build.sh: the stage build of bench/gpu.sh: finds CUDA, and builds libspmv, gpubench and the suite
# of kernel tests. Sourced by bench/gpu.sh.
#
# shellcheck shell=sh disable=SC2034,SC2154

# Sets found_nvcc and the other found_... from the output of find_cuda.py.
find_cuda()
{
    found_nvcc='' found_nvrtc='' found_cuda_include='' found_cusparse_include='' found_cudart=''
    found_cusparse='' found_sanitizer=''
    cuda_found=$(python3 "$root/bench/gpu/find_cuda.py" ${cuda:+"$cuda"})
    while IFS='=' read -r cuda_key cuda_file; do
        case $cuda_key in
        nvcc) found_nvcc=$cuda_file ;;
        nvrtc) found_nvrtc=$cuda_file ;;
        cuda_include) found_cuda_include=$cuda_file ;;
        cusparse_include) found_cusparse_include=$cuda_file ;;
        cudart) found_cudart=$cuda_file ;;
        cusparse) found_cusparse=$cuda_file ;;
        sanitizer) found_sanitizer=$cuda_file ;;
        esac
    done <<END
$cuda_found
END
    # By NVRTC's plain name the loader would look only in its usual folders.
    [ -z "$found_nvrtc" ] || export SPMV_NVRTC_LIBRARY="${SPMV_NVRTC_LIBRARY:-$found_nvrtc}"
    # For the build, and for tools in the same folder.
    for found in "$found_nvcc" "$found_sanitizer"; do
        [ -z "$found" ] || PATH=$PATH:$(dirname "$found")
    done
}

# Refuses a --target without CUDA programs in generated/, and sets its folder.
folder=
check_target()
{
    known=$(python3 "$root/generated/select_targets.py" any all)
    names=
    while IFS=$(printf '\t') read -r name language place _; do
        [ "$language" = cuda ] || continue
        [ "$name" != "$target" ] || folder=$place
        names="$names$name "
    done <<EOF
$known
EOF
    [ -z "$folder" ] || return 0
    bad_usage "--target: no target of generated/ with CUDA programs is called '$target'; there" \
        "are: $names"
}

# The compute capability that the target is for, as in 90; nothing: for every GPU.
capability_of_target()
{
    python3 -c 'import json, sys
targets = json.load(open(sys.argv[1], encoding="utf-8"))["targets"]
facts = next(t["facts"] for t in targets if t["name"] == sys.argv[2])
print(facts.get("compute_capability", {}).get("value", "") if "match" in facts else "")' \
        "$folder/manifest.json" "$target"
}

show_found()
{
    for found in "nvcc: $found_nvcc" "CUDA's headers: $found_cuda_include" \
        "cuSPARSE's header: $found_cusparse_include" "libcudart: $found_cudart" \
        "libcusparse: $found_cusparse" "libnvrtc: $found_nvrtc" \
        "compute-sanitizer: $(command -v compute-sanitizer || true)" \
        "ncu, Nsight Compute: $(command -v ncu || true)" \
        "nvidia-smi: $(command -v nvidia-smi || true)"; do
        case $found in
        *': ') printf '    %snot found\n' "$found" ;;
        *) printf '    %s\n' "$found" ;;
        esac
    done
}

# Sets up the build folder. A dry run takes the same options, so that the next call can use its
# build. The modules of the sweep come later, since the build makes spmvgen first.
run_setup()
{
    build_setup "$out/build" -Dgenerator=auto -Dtests=false -Dcuda=auto \
        "-Dbuiltin_targets=$target" ${cuda:+"-Dpath_of_cuda=$cuda"}
}

has_goal() { ninja -C "$out/build" -t query "$1" >/dev/null 2>&1; }

run_build()
{
    run_setup || return 1
    if ! has_goal bench/gpu/gpubench; then
        printf '    gpubench cannot be built here: CUDA is missing, or a part of it\n'
        if [ -z "$dry" ]; then
            show_found
            return 1
        fi
        build_run "$out/build" "" || return 1
    else
        build_sweep || return 1
        build_run "$out/build" "building in $out/build" bench/gpu/gpubench || return 1
    fi
    cuda_suite --build-only
}

# Runs the stage in a process of its own, so that a signal ends all processes of the build. A dry
# run has nothing to pack and needs no extra process.
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
        --target "$target"
}

# ---- builds that are carried ---------------------------------------------------------------------

# Copies the programs, stripped, the library and compute-sanitizer to $carry.
write_carried()
{
    mkdir -p "$carry"
    rm -f "$carry/sources"
    for program in "$gpubench" "$kernels/kernel_suite" "$out"/build/runtime/libspmv.so.?; do
        [ -e "$program" ] || continue
        cp -fL "$program" "$carry/${program##*/}.new" &&
            mv -f "$carry/${program##*/}.new" "$carry/${program##*/}"
        ! command -v strip >/dev/null 2>&1 || strip "$carry/${program##*/}" 2>/dev/null || true
    done
    if [ -n "$found_sanitizer" ]; then   # its libraries lie beside it
        rm -rf -- "$carry/sanitizer"
        mkdir "$carry/sanitizer"
        for found in "${found_sanitizer%/*}"/*; do
            [ ! -f "$found" ] || cp -L "$found" "$carry/sanitizer/"
        done
    else
        note "compute-sanitizer is not here, so it is not carried: it is needed there"
    fi
    rm -f "$carry/variants"
    if [ -n "$variants" ]; then
        cp "$out/build/variants" "$carry/variants"
    else
        note "without a sweep: $no_variants"
    fi
    sources_key >"$carry/sources"
    note "carried: $carry, $(find "$carry" -type f -exec cat {} + | wc -c) bytes"
}

# Checks that $carried belongs to these sources, and lets its programs find their libraries here.
# compute-sanitizer of this machine, which suits its driver, comes before the carried one.
take_carried()
{
    case $carried in
    /*) ;;
    *) carried=$PWD/$carried gpubench=$PWD/$gpubench kernels=$PWD/$kernels ;;
    esac
    if [ "$(sources_key)" != "$(cat "$carried/sources")" ]; then
        note "$carried was built from other sources, or with another --target;" \
            "build it again by --carry" >&2
        exit 1
    fi
    libraries=$carried
    for found in "$found_cudart" "$found_cusparse" "$found_nvrtc"; do
        [ -z "$found" ] || libraries=$libraries:$(dirname "$found")
    done
    LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    PATH=$PATH:$carried/sanitizer
}
