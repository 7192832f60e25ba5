#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# debian-kernel.sh VERSION FLAVOUR ARCH: print the path of Debian's kernel image,
# for a machine under QEMU, after fetching it when it is not there. The words are
# as for debian-config.sh. It is build/kernels/VERSION-FLAVOUR-ARCH/vmlinuz, or in
# BUILD=; a file `release` beside it holds what `uname -r` will say.

set -u
here=$(CDPATH='' cd -- "${0%/*}" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
. "$here/lib/common.sh"

[ $# = 3 ] || die "usage: debian-kernel.sh VERSION FLAVOUR ARCH"
version=$1 flavour=$2 arch=$3
build=$(build_folder) || exit
# shellcheck source-path=SCRIPTDIR source=lib/apt.sh
. "$here/lib/apt.sh"
# shellcheck source-path=SCRIPTDIR source=lib/image.sh
. "$here/lib/image.sh"
image_words "$flavour" "$arch"
folder=$build/kernels/$version-$flavour-$arch

ready() {
	[ -s "$folder/vmlinuz" ] && printf '%s\n' "$folder/vmlinuz"
}

ready && exit
[ ! -e "$folder" ] ||
	die "$folder is there but holds no kernel: move it away and run again"

image_find "$build/kernels"
mkdir -p "$work/kernel" || die "cannot create $work (see above)"
# Since 7.x the image is in a package of its own, and linux-image depends on it.
package=$(image_package linux-binary linux-binary-unsigned linux-image) || exit
deb=$(apt_fetch "$package" "$work") || exit
case $package in
linux-binary-*) member=./usr/lib/modules/$kernel/vmlinuz ;;
*) member=./boot/vmlinuz-$kernel ;;
esac
image_member "$deb" "$member" "$work/kernel/vmlinuz"
echo "$kernel" >"$work/kernel/release" ||
	die "cannot write to $work (see above)"

mv -T "$work/kernel" "$folder" || die "cannot create $folder (see above)"
ready
