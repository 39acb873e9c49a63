#!/bin/sh
# bare-debian.sh: tries the project on a minimal Debian; see usage below.
set -eu

usage()
{
    cat <<'END'
usage: tools/bare-debian.sh [options] [12|13]...

Makes a fresh folder of Debian 12, 13 or both (the default) with debootstrap, clones this
repository's HEAD into it, and runs these commands there, in a chroot:

    SPMV_TARGET=pocl ./quickstart    on a system without any package
    rm -rf build         so that the next run is a first one
    ./check --packages   installs all other packages, which later times then leave out
    ./quickstart         the first run, which builds
    ./quickstart         a later run
    ./check
    ./check --all

Shows their output, then a line for each: exit code and seconds. Needs root, debootstrap, a mirror
that apt can reach and about 3 GB of disk for each release. Exit code 0: all of them exited with 0;
3: there is no folder to run them in.

  --mirror URL    the mirror for packages (default: the first Debian mirror of this machine's apt)
  --folder DIR    make the folders under DIR (default: $TMPDIR, else /var/tmp)
  --working-tree  copy the working tree, uncommitted files included, instead of cloning HEAD
  --user          run as an ordinary user with sudo, instead of as root
  --run COMMAND   run this instead of all of the above, such as './quickstart --type f32'; may be
                  repeated
  --keep          do not remove the folders
  --reuse         work in DIR/bare-debian-N.reused, made if it is missing, and keep it: packages,
                  build folders and ccache's files stay for the next run
  --help          this text

The matrices of $SPMV_MATRICES (else of ../shared/matrices beside the repository) are copied to the
same place beside the clone. Proxies, certificates and name servers are those of this machine.
END
}

die()
{
    printf 'bare-debian.sh: %s\n' "$1" >&2
    exit "${2:-1}"
}

# ---- a folder of Debian -----------------------------------------------------------------------

# Prints the first mirror of Debian's packages that apt uses here; nothing if there is none.
host_mirror()
{
    # shellcheck disable=SC2016 # apt's own placeholders
    apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        sed -n 's/^Debian //p' | head -n 1
}

# Copies this machine's settings for mirrors: apt's settings, name servers, certificates.
copy_network()
{
    apt-config dump 2>/dev/null |
        grep -E '^Acquire::(https?|Check-[A-Za-z-]+|Retries)[^ ]* "[^"]+";$' \
            >"$1/etc/apt/apt.conf.d/99host" || true
    for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
        [ -e "$file" ] || continue
        mkdir -p "$1$(dirname "$file")"
        cp -L --remove-destination "$file" "$1$file"
    done
    # For pip: the package ca-certificates replaces the other copy.
    [ ! -e /etc/ssl/certs/ca-certificates.crt ] ||
        cp -L /etc/ssl/certs/ca-certificates.crt "$1/srv/certificates.crt"
}

# Replaces the project in the folder, all but its build folders, which a reused folder has.
copy_project()
{
    mkdir -p "$1/srv/project"
    find "$1/srv/project" -mindepth 1 -maxdepth 1 ! -name 'build*' -exec rm -rf {} +
    if [ "$from" = HEAD ]; then
        rm -rf "$1/srv/clone"
        git clone --quiet --no-hardlinks --no-checkout "$root" "$1/srv/clone"
        mv "$1/srv/clone/.git" "$1/srv/project/.git"
        rmdir "$1/srv/clone"
        git -C "$1/srv/project" reset --quiet --hard
        [ -z "$(git -C "$root" status --porcelain)" ] ||
            printf 'note: uncommitted changes are not tested; --working-tree tests them\n'
    else
        (cd "$root" && git ls-files -z --cached --others --exclude-standard |
            tar -c --null --ignore-failed-read -T -) | tar -x -C "$1/srv/project"
    fi
}

# Matrices are copied, never mounted: removing the folder must not reach anything outside it.
copy_matrices()
{
    matrices=${SPMV_MATRICES:-$root/../shared/matrices}
    rm -rf "$1/srv/shared"
    mkdir "$1/srv/shared"
    [ ! -d "$matrices" ] || cp -R "$matrices" "$1/srv/shared/matrices"
    [ ! -d "$matrices/../mtx-cases" ] || cp -R "$matrices/../mtx-cases" "$1/srv/shared/mtx-cases"
}

try_mount()
{
    mount "$@" || die "mount $* failed" 3
}

# Mounts are in this script's own mount namespace (see the end) and end with the script.
mount_all()
{
    mkdir -p "$1/dev/shm" "$1/dev/pts"
    try_mount -t proc proc "$1/proc"
    try_mount -t sysfs -o ro sysfs "$1/sys"
    try_mount -t tmpfs tmpfs "$1/dev/shm"
    # A separate instance keeps the folder's pseudo-terminals apart from this machine's.
    # debootstrap makes /dev/ptmx a device node or this link; kernels before 4.7 need the link.
    try_mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$1/dev/pts"
    ln -sfn pts/ptmx "$1/dev/ptmx"
}

# Removes a folder that try_release made. The folder must be below --folder, have the name and the
# mark that try_release gives, and have nothing mounted in it.
remove_made()
{
    [ -n "$made" ] || return 0
    for place in proc sys dev/shm dev/pts; do
        ! mountpoint -q "$made/$place" || umount "$made/$place" ||
            die "not removed, since it is still mounted: $made/$place"
    done
    case $made in
    "$base"/bare-debian-1[23].??????) ;;  # .reused, too
    *) die "not removed, since this script gives no such name: $made" ;;
    esac
    [ -f "$made/$mark" ] ||
        die "not removed, since it lacks this script's mark: $made"
    ! grep -qF " $made/" /proc/self/mounts || die "not removed, since something is mounted in $made"
    if [ "$keep" = yes ]; then
        printf 'kept: %s\n' "$made"
    else
        rm -rf --one-file-system -- "$made"
    fi
    made=
}

# Names and makes the folder that is worked in, unless it is there to be reused.
choose_folder()
{
    if [ "$reuse" = no ]; then
        made=$(mktemp -d "$base/bare-debian-$release.XXXXXX")
    else
        made=$base/bare-debian-$release.reused
        # Below a folder such as /var/tmp, any user may have made a folder of this name.
        [ -d "$made" ] || mkdir "$made"
        [ "$(stat -c '%u %F' "$made")" = "0 directory" ] || die "not a folder of root's: $made"
        exec 9<"$made"
        flock 9
        ! grep -q complete "$made/$mark" 2>/dev/null || return 0
        find "$made" -xdev -mindepth 1 -delete
    fi
    : >"$made/$mark"
    chmod 755 "$made"
    printf '== Debian %s: debootstrap in %s\n' "$release" "$made"
    # shellcheck disable=SC2086 # no mirror: debootstrap's own
    debootstrap --variant=minbase "$suite" "$made" $mirror >"$made/.log" 2>&1 || {
        tail -n 20 "$made/.log" >&2
        die "debootstrap failed" 3
    }
    echo complete >"$made/$mark"
}

fill_folder()
{
    copy_network "$1"
    copy_project "$1"
    copy_matrices "$1"
    mount_all "$1"
    inside "$1" root 'apt-get -qq update' || die "no mirror of Debian's packages answers" 3
    if [ "$user" = yes ]; then
        inside "$1" root 'apt-get -qq install -y sudo >/dev/null 2>&1 &&
            { id user >/dev/null 2>&1 || useradd --create-home user; } &&
            chown -R user: /srv/project &&
            echo "user ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/user' || die "no user with sudo" 3
    fi
}

# ---- commands in the folder -------------------------------------------------------------------

# Runs a command in a folder, with only the proxies of this environment; pip takes the certificates
# of this machine instead of its own. $1: folder; $2: user; $3: command.
inside()
{
    certificates=/srv/certificates.crt
    [ -e "$1$certificates" ] || certificates=
    chroot --userspec="$2" "$1" /usr/bin/env -i USER="$2" TERM="${TERM:-dumb}" \
        HOME="$([ "$2" = root ] && echo /root || echo "/home/$2")" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        ${no_proxy:+no_proxy="$no_proxy"} ${certificates:+PIP_CERT="$certificates"} \
        /bin/sh -c "$3" </dev/null
}

run_command()
{
    as=root
    [ "$user" = no ] || as=user
    printf '== Debian %s, %s: %s\n' "$release" "$as" "$1"
    begin=$(date +%s) code=0
    inside "$made" "$as" "cd /srv/project && $1" || code=$?
    [ "$code" -eq 0 ] || failed=1
    outcome=$(printf '%s\nDebian %s, %s: %s: exit code %d, %d s' \
        "$outcome" "$release" "$as" "$1" "$code" $(($(date +%s) - begin)))
}

try_release()
{
    release=$1 suite=bookworm
    [ "$release" -eq 12 ] || suite=trixie
    choose_folder
    fill_folder "$made"
    if [ -n "$commands" ]; then
        while IFS= read -r command; do
            run_command "$command"
        done <<END
${commands%"$newline"}
END
    else
        run_command 'SPMV_TARGET=pocl ./quickstart'
        run_command 'rm -rf build'
        run_command './check --packages'
        run_command ./quickstart
        run_command ./quickstart
        run_command ./check
        run_command './check --all'
    fi
    remove_made
}

parse()
{
    while [ $# -gt 0 ]; do
        case $1 in
        --help) usage; exit 0 ;;
        --working-tree) from=working-tree ;;
        --user) user=yes ;;
        --keep) keep=yes ;;
        --reuse) reuse=yes keep=yes ;;
        --mirror | --folder | --run)
            [ $# -gt 1 ] || die "$1 needs a value; see --help" 2
            case $1 in
            --mirror) mirror=$2 ;;
            --folder) base=$2 ;;
            --run) commands=$commands$2$newline ;;
            esac
            shift ;;
        12 | 13) releases="$releases $1" ;;
        *) die "unknown argument '$1'; see --help" 2 ;;
        esac
        shift
    done
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
newline='
'
mark=.made-by-bare-debian
mirror='' base=${TMPDIR:-/var/tmp} from=HEAD user=no keep=no reuse=no commands='' releases=''
outcome='' failed=0 made=''
readonly root newline mark
parse "$@"
base=$(CDPATH='' cd -- "$base" && pwd -P) || die "no such folder to work in"
readonly base

[ "$(id -u)" -eq 0 ] || die "debootstrap and chroot need root: run it as root" 3
command -v debootstrap >/dev/null ||
    die "debootstrap is not installed: apt-get install debootstrap" 3
if [ -z "${BARE_DEBIAN_NAMESPACE:-}" ]; then
    unshare --mount --pid --fork true || die "there can be no namespace for mounts here" 3
    BARE_DEBIAN_NAMESPACE=1 exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi

trap remove_made EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
[ -n "$mirror" ] || mirror=$(host_mirror)
for release in ${releases:-12 13}; do
    try_release "$release"
done
printf '%s\n' "$outcome"
exit "$failed"
