# build_folder.sh: a Meson build folder, set up when it is missing or stale, and built.
#
# Sourced by quickstart, check and bench/gpu.sh (POSIX sh), with $root set to the source folder, absolute. A folder
# made here holds a stamp of what it was made for. When that changes (the sources or the folder
# moved, another Meson or compiler, other options), or when ninja cannot read it (a setup that was
# interrupted), it is made anew. A folder that somebody set up by hand is used as it is, never
# removed.
#
# POSIX sh has no local variables: those of this file begin with build_ or run_.
#
# shellcheck shell=sh disable=SC2154

# $1: what failed, with its words in $run_log.
show_end()
{
    printf '%s failed; the end of %s:\n' "$1" "$run_log" >&2
    tail -n 40 "$run_log" | sed 's/^/    /' >&2
}

# Runs a command with its words in a log; when it fails, shows the end of them. $1: the log.
run_logged()
{
    run_log=$1
    shift
    "$@" >"$run_log" 2>&1 && return 0
    show_end "$1"
    return 1
}

# Shows of ninja's words on stdin how far it is, on stderr: on a terminal a count that runs, elsewhere
# nothing; where there is anything to do, first a note. All of them go to a log. $1: the log; $2: the
# note, or nothing.
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
    # A pipe ends with the status of its end: that of its beginning comes by another way.
    run_status=$({ { "$@" 2>&1 && echo 0 >&4 || echo $? >&4; } |
                   show_count "$run_log" "$run_note" >&2; } 4>&1)
    [ "$run_status" != 0 ] || return 0
    show_end "$1"
    return 1
}

# What a build folder depends on besides what ninja follows. $1: folder; then setup's arguments.
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

# Removes a folder that was made here: a place of these below $root, and with the stamp in it.
build_discard()
{
    case $1 in
    "$root"/build | "$root"/build-gpu/build) ;;
    "$root"/build-check/fast | "$root"/build-check/full | "$root"/build-check/plain) ;;
    "$root"/build-check/aarch64-linux-gnu | "$root"/build-check/arm-linux-gnueabihf) ;;
    *) printf 'not removed, for it is no build folder of this project: %s\n' "$1" >&2; return 1 ;;
    esac
    [ -n "$root" ] && [ ! -L "$1" ] && [ -f "$1/setup.stamp" ] && rm -rf -- "$1"
}

# $1: folder, absolute; then arguments for `meson setup`.
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

# $1: folder; $2: what to say where there is anything to do, or nothing; then ninja's targets, none
# for all.
build_run()
{
    build_dir=$1 build_note=$2
    shift 2
    run_counted "$build_dir/ninja.log" "$build_note" ninja -C "$build_dir" "$@"
}
