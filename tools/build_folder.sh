# build_folder.sh: sets up a Meson build folder if it is missing or stale, and builds in it.
#
# quickstart, check and bench/gpu.sh source it (POSIX sh), with $root set to the absolute source
# folder. A folder made here has a stamp that records its place, its sources, Meson, the compilers
# and the options. If one of these changes, or if ninja cannot read the folder (its setup was
# interrupted), the folder is removed and set up again. A folder that was set up by hand is used
# unchanged and never removed.
#
# POSIX sh has no local variables: those of this file begin with build_ or run_.
#
# shellcheck shell=sh disable=SC2154

# Prints the end of $run_log. $1: what failed.
show_end()
{
    printf '%s failed; the end of %s:\n' "$1" "$run_log" >&2
    tail -n 40 "$run_log" | sed 's/^/    /' >&2
}

# Runs a command with its output in a log; if it fails, shows the end of the log. $1: the log.
run_logged()
{
    run_log=$1
    shift
    "$@" >"$run_log" 2>&1 && return 0
    show_end "$1"
    return 1
}

# Reads ninja's output from stdin and writes it to a log. If there is anything to do, prints a note
# on stderr first, and then, on a terminal, ninja's progress. $1: the log; $2: the note, or nothing.
show_count()
{
    run_shown=
    while IFS= read -r run_line; do
        printf '%s\n' "$run_line" >&3
        case $run_line in
        '['[0-9]*/[0-9]*']'*) ;;
        *) continue ;;
        esac
        [ -n "$run_shown" ] || [ -z "$2" ] || printf '%s\n' "$2" >&2
        run_shown=yes
        [ ! -t 2 ] || printf '\r    %s] ' "${run_line%%]*}" >&2
    done 3>"$1"
    [ -z "$run_shown" ] || [ ! -t 2 ] || printf '\r%24s\r' '' >&2
}

# run_logged for ninja. $1: the log; $2: show_count's note.
run_counted()
{
    run_log=$1 run_note=$2
    shift 2
    # A pipe has the exit status of its last command; ninja's is passed through descriptor 4.
    run_status=$({ { "$@" 2>&1 && echo 0 >&4 || echo $? >&4; } |
                   show_count "$run_log" "$run_note" >&2; } 4>&1)
    [ "$run_status" != 0 ] || return 0
    show_end "$1"
    return 1
}

# Prints what a build folder depends on and ninja does not track. $1: folder; then setup's
# arguments.
build_stamp()
{
    printf 'folder %s\nsource %s\n' "$1" "$root"
    shift
    printf 'options %s\nmeson %s\n' "$*" "$(meson --version)"
    case $* in
    *native*) grep -m 1 -E '^(flags|Features)' /proc/cpuinfo 2>/dev/null || true ;;
    esac
    ${CC:-cc} --version 2>/dev/null | head -n 1
    ${CXX:-c++} --version 2>/dev/null | head -n 1
}

# Removes a build folder of this script: it must be below $root and have the stamp.
build_discard()
{
    case $1 in
    "$root"/build | "$root"/build-gpu/build) ;;
    "$root"/build-check/fast | "$root"/build-check/full | "$root"/build-check/plain) ;;
    "$root"/build-check/coverage) ;;
    "$root"/build-check/aarch64-linux-gnu | "$root"/build-check/arm-linux-gnueabihf) ;;
    *) printf 'not removed, since it is not a build folder of this project: %s\n' "$1" >&2
       return 1 ;;
    esac
    [ -n "$root" ] && [ ! -L "$1" ] && [ -f "$1/setup.stamp" ] && rm -rf -- "$1"
}

# Sets up a folder. $1: its absolute path; then arguments for `meson setup`.
build_setup()
{
    build_dir=$1
    shift
    build_stamp_now=$(build_stamp "$build_dir" "$@")
    if [ -f "$build_dir/setup.stamp" ]; then
        [ "$(cat "$build_dir/setup.stamp")" = "$build_stamp_now" ] &&
            ninja -C "$build_dir" -n >/dev/null 2>&1 && return 0
        build_discard "$build_dir" || return 1
    elif [ -d "$build_dir/meson-private" ]; then
        ninja -C "$build_dir" -n >/dev/null 2>&1 && return 0
        printf '%s was set up by hand, and ninja cannot read it: remove it, then run this again\n' \
            "$build_dir" >&2
        return 1
    fi
    mkdir -p "$build_dir" || return 1
    printf '%s\n' "$build_stamp_now" >"$build_dir/setup.stamp"
    printf 'setting up %s\n' "$build_dir" >&2
    run_logged "$build_dir/setup.log" meson setup "$@" "$build_dir" "$root"
}

# Builds in a folder. $1: folder; $2: a note that is printed if there is anything to do, or nothing;
# then ninja's targets, none for all.
build_run()
{
    build_dir=$1 build_note=$2
    shift 2
    run_counted "$build_dir/ninja.log" "$build_note" ninja -C "$build_dir" "$@"
}
