#!/bin/sh
# build-deb.sh: builds the Debian packages; see usage below.
set -eu

usage()
{
    cat <<'END'
usage: packaging/build-deb.sh [options] DIR

Builds the Debian packages libspmv1, libspmv-dev, spmvgen and spmvbench into the folder DIR: exports
this repository's HEAD there (without .git: all files but builds), copies packaging/debian to
debian/, and calls dpkg-buildpackage, without signatures.

Needs dpkg-dev, debhelper and the packages that packaging/debian/control lists as Build-Depends. DIR
must be empty or missing, or hold an earlier result of this script, which is replaced.

  --working-tree   export the working tree, uncommitted files included, instead of HEAD
  --source         build the source package, too
  --help           this text
END
}

die()
{
    printf 'build-deb.sh: %s\n' "$1" >&2
    exit "${2:-1}"
}

# Writes the files of the repository to a folder. Without git, build folders are told by their name.
export_tree()
{
    if [ ! -e "$root/.git" ] || { [ "$from" = working-tree ] && ! command -v git >/dev/null; }; then
        tar -c -C "$root" --exclude=./.git --exclude='./build*' --exclude=__pycache__ \
            --exclude="./${folder#"$root"/}" . | tar -x -C "$1"
    elif [ "$from" = working-tree ]; then
        (cd "$root" && git ls-files -z --cached --others --exclude-standard |
            tar -c --null --ignore-failed-read -T -) | tar -x -C "$1"
    else
        git -C "$root" archive HEAD | tar -x -C "$1"
    fi
}

# Removes an earlier result: only from a folder that has this script's mark.
empty_folder()
{
    [ -n "$(ls -A "$1")" ] || return 0
    [ -f "$1/.made-by-build-deb" ] ||
        die "$1 is neither empty nor an earlier result of this script: name another folder"
    rm -rf -- "$1/spmvgen-$version"
    rm -f -- "$1"/*.deb "$1"/spmvgen_*
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
from=HEAD parts=binary folder=
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage; exit 0 ;;
    --working-tree) from=working-tree ;;
    --source) parts=full ;;
    -*) die "unknown option '$1'; see --help" 2 ;;
    *) [ -z "$folder" ] || die "one folder at a time: '$folder' or '$1'? See --help" 2; folder=$1 ;;
    esac
    shift
done
[ -n "$folder" ] || die "no folder for the packages is given; see --help" 2
command -v dpkg-buildpackage >/dev/null ||
    die "dpkg-buildpackage is not installed: apt-get install dpkg-dev debhelper"

version=$(sed -n '1s/^spmvgen (\(.*\)) .*/\1/p' "$root/packaging/debian/changelog")
mkdir -p "$folder"
folder=$(CDPATH='' cd -- "$folder" && pwd -P)
empty_folder "$folder"
: >"$folder/.made-by-build-deb"
tree=$folder/spmvgen-$version
mkdir "$tree"
export_tree "$tree"
cp -R "$tree/packaging/debian" "$tree/debian"
cd "$tree"
exec dpkg-buildpackage -us -uc --build="$parts"
