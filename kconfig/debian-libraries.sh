#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# debian-libraries.sh ARCH: print the path of a folder with libc and the libraries
# that the C programs and their tests are linked with, for another architecture, after
# fetching them when they are not there: a SYSROOT= for the Makefiles of probes/ and
# audit/, and what qemu-user's -L wants. ARCH is Debian's name, arm64. It is build/sysroot-ARCH, or in
# BUILD=. The packages are unpacked there, not installed.

set -u
here=$(CDPATH='' cd -- "${0%/*}" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
. "$here/lib/common.sh"

[ $# = 1 ] || die "usage: debian-libraries.sh ARCH"
arch=$1
case $arch in
*[!a-z0-9-]*) die "'$arch': a Debian architecture is written in small letters" \
	"and digits, such as: arm64" ;;
esac
build=$(build_folder) || exit
# shellcheck source-path=SCRIPTDIR source=lib/apt.sh
. "$here/lib/apt.sh"
root=$build/sysroot-$arch

# Headers and archives, and for the tests of the probes the shared libraries.
packages='libc6-dev libc6 linux-libc-dev libgcc-s1 libseccomp-dev libseccomp2
	libjson-c-dev libjson-c5 libbsd-dev libbsd0 libmd-dev libmd0 libssl-dev
	libssl3 libcmocka-dev libcmocka0 libarchive-dev libmxml-dev libcsv-dev
	liblzma-dev libzstd-dev zlib1g-dev libbz2-dev liblz4-dev liblzo2-dev'

# Moved here whole, with the list of its packages: what is there is complete, unless
# the list has grown since.
ready() {
	printf '%s\n' "$packages" | cmp -s - "$root/packages" && printf '%s\n' "$root"
}

ready && exit

apt_lock
ready && exit

work=$build/apt/unpack
clean_on_exit "$work"
mkdir -p "$work/root" || die "cannot create $work (see above)"

# Of the release whose names of packages these are, whatever this machine has.
# shellcheck disable=SC2046 # a list of words
apt_open "$arch" $(suites 6.1)
for package in $packages; do
	deb=$(apt_fetch "$package" "$work") || exit
	dpkg-deb -x "$deb" "$work/root" ||
		die "cannot unpack $package (see above): is there space left" \
			"in $build?"
done

# Links to /lib/... would lead out of the folder.
find "$work/root" -type l -lname '/*' | while read -r link; do
	ln -srf "$work/root$(readlink "$link")" "$link" || exit
done || die "cannot change links in $work/root (see above)"

{ printf '%s\n' "$packages" >"$work/root/packages" && rm -rf "$root" &&
	mv -T "$work/root" "$root"; } || die "cannot create $root (see above)"
ready
