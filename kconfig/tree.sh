#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# tree.sh VERSION: print the path of Debian's kernel source tree of that version
# (6.1, 6.12, 7.2, 7.3), after fetching and unpacking it when it is not there.
# It is build/linux-source-VERSION, or that in BUILD= instead of build/.

set -u
here=$(CDPATH='' cd -- "${0%/*}" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
. "$here/lib/common.sh"

[ $# = 1 ] || die "usage: tree.sh VERSION"
version=$1
build=$(build_folder) || exit
# shellcheck source-path=SCRIPTDIR source=lib/apt.sh
. "$here/lib/apt.sh"
tree=$build/linux-source-$version

ready() {
	[ -f "$tree/Makefile" ] && printf '%s\n' "$tree"
}

ready && exit
[ ! -e "$tree" ] ||
	die "$tree is there but holds no kernel tree: move it away and run again"

suites=$(suites "$version") || exit
apt_lock
ready && exit

work=$build/apt/unpack
clean_on_exit "$work"
mkdir -p "$work/tree" || die "cannot create $work (see above)"

# shellcheck disable=SC2086 # a list of words
apt_open "$(dpkg --print-architecture)" $suites
deb=$(apt_fetch "linux-source-$version" "$work") || exit

# From one archive through the other, so that only the tree takes up space. A
# pipe's status is that of its end, which fails when the start does: xz then
# reads a file cut short.
say "unpacking it into $tree (about 1.5 GB)"
dpkg-deb --fsys-tarfile "$deb" |
	tar -xO --wildcards "./usr/src/linux-source-$version.tar.*" |
	tar -xJ -C "$work/tree" ||
	die "cannot unpack $deb (see above): is there space left in $build?"
[ -f "$work/tree/linux-source-$version/Makefile" ] ||
	die "linux-source-$version is not laid out as expected: no" \
		"linux-source-$version/Makefile in its archive"

mv -T "$work/tree/linux-source-$version" "$tree" ||
	die "cannot move the new tree to $tree (see above)"
ready
