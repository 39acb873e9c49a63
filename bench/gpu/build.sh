# build.sh: the stage build of bench/gpu.sh: finds CUDA, and builds libspmv, gpubench and the suite
# of kernel tests. Sourced by bench/gpu.sh.
#
# shellcheck shell=sh disable=SC2034,SC2154

# Sets found_nvcc and the other found_... from the output of find_cuda.py.
find_cuda()
{
    found_nvcc='' found_nvrtc='' found_cuda_include='' found_cusparse_include='' found_cudart=''
    found_cusparse=''
    cuda_found=$(python3 "$root/bench/gpu/find_cuda.py" ${cuda:+"$cuda"})
    while IFS='=' read -r cuda_key cuda_file; do
        case $cuda_key in
        nvcc) found_nvcc=$cuda_file ;;
        nvrtc) found_nvrtc=$cuda_file ;;
        cuda_include) found_cuda_include=$cuda_file ;;
        cusparse_include) found_cusparse_include=$cuda_file ;;
        cudart) found_cudart=$cuda_file ;;
        cusparse) found_cusparse=$cuda_file ;;
        esac
    done <<END
$cuda_found
END
    # By NVRTC's plain name the loader would look only in its usual folders.
    [ -z "$found_nvrtc" ] || export SPMV_NVRTC_LIBRARY="${SPMV_NVRTC_LIBRARY:-$found_nvrtc}"
    # For the build, and for compute-sanitizer and nvidia-smi in the same folder.
    [ -z "$found_nvcc" ] || PATH=$PATH:$(dirname "$found_nvcc")
}

# Refuses names of --targets without a folder of CUDA programs.
check_targets()
{
    wanted=$targets targets=
    known=$(cuda_folders | sed 's|.*/||' | tr '\n' ' ')
    targets=$wanted
    for name in $(printf '%s' "$targets" | tr , ' '); do
        case " $known" in
        *" $name "*) ;;
        *)  bad_usage "--targets: no folder of generated/ with CUDA programs is called '$name';" \
                "there are: $known" ;;
        esac
    done
}

show_found()
{
    for found in "nvcc: $found_nvcc" "CUDA's headers: $found_cuda_include" \
        "cuSPARSE's header: $found_cusparse_include" "libcudart: $found_cudart" \
        "libcusparse: $found_cusparse" "libnvrtc: $found_nvrtc" \
        "compute-sanitizer: $(command -v compute-sanitizer || true)" \
        "nvidia-smi: $(command -v nvidia-smi || true)"; do
        case $found in
        *': ') printf '    %snot found\n' "$found" ;;
        *) printf '    %s\n' "$found" ;;
        esac
    done
}

run_build()
{
    # A dry run takes the same options, so that the next call can use its build.
    build_setup "$out/build" -Dgenerator=disabled -Dtests=false -Dcuda=auto \
        ${targets:+"-Dbuiltin_targets=$targets"} ${cuda:+"-Dpath_of_cuda=$cuda"} || return 1
    if ! ninja -C "$out/build" -t query bench/gpu/gpubench >/dev/null 2>&1; then
        printf '    gpubench cannot be built here: CUDA is missing, or a part of it\n'
        if [ -z "$dry" ]; then
            show_found
            return 1
        fi
        build_run "$out/build" "" || return 1
    else
        build_run "$out/build" "building in $out/build" bench/gpu/gpubench || return 1
    fi
    if [ -z "$(cuda_folders)" ]; then
        printf '    no folder of generated/ holds modules for CUDA\n'
        [ -n "$dry" ] || worsen 1
        return 0
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
        ${targets:+--targets "$targets"}
}

# ---- builds that are carried ---------------------------------------------------------------------

# Copies the programs, stripped, and the library to $carry.
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
    sources_key >"$carry/sources"
    note "carried: $carry, $(cat "$carry"/* | wc -c) bytes"
}

# Checks that $carried belongs to these sources, and lets its programs find their libraries here.
take_carried()
{
    case $carried in
    /*) ;;
    *) carried=$PWD/$carried gpubench=$PWD/$gpubench kernels=$PWD/$kernels ;;
    esac
    if [ "$(sources_key)" != "$(cat "$carried/sources")" ]; then
        note "$carried was built from other sources, or with other --targets;" \
            "build it again by --carry" >&2
        exit 1
    fi
    libraries=$carried
    for found in "$found_cudart" "$found_cusparse" "$found_nvrtc"; do
        [ -z "$found" ] || libraries=$libraries:$(dirname "$found")
    done
    LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
}
