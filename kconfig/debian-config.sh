#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# debian-config.sh VERSION FLAVOUR ARCH: print the path of the config that Debian
# builds that kernel with, after fetching it when it is not there. VERSION is as
# for tree.sh; FLAVOUR is default, cloud, rt, ...; ARCH is Debian's name (amd64,
# arm64). It is build/configs/VERSION-FLAVOUR-ARCH.config, or in BUILD=.

set -u
here=$(CDPATH='' cd -- "${0%/*}" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
. "$here/lib/common.sh"

[ $# = 3 ] || die "usage: debian-config.sh VERSION FLAVOUR ARCH"
version=$1 flavour=$2 arch=$3
case $flavour$arch in
*[!a-z0-9-]*) die "'$flavour' '$arch': a flavour and a Debian architecture" \
	"are written in small letters and digits, such as: cloud amd64" ;;
esac
build=$(build_folder) || exit
# shellcheck source-path=SCRIPTDIR source=lib/apt.sh
. "$here/lib/apt.sh"
config=$build/configs/$version-$flavour-$arch.config

ready() {
	[ -s "$config" ] && printf '%s\n' "$config"
}

# The newest kernel of this version and flavour, as its packages' names end,
# "6.12.48+deb12-cloud-amd64" or "6.1.0-40-amd64". Other packages (-dbg, headers,
# the ones that only depend on the newest) are not named so.
newest() {
	case $flavour in default) suffix=$arch ;; *) suffix=$flavour-$arch ;; esac
	dotted=$(echo "$version" | sed 's/\./\\./g')
	apt_names "linux-image-$version" | sed -n "s/^linux-image-\\($dotted\
\\(\\.[0-9]\\+\\)\\+\\(-[0-9]\\+\\)\\?\\([+~][a-z0-9.]\\+\\)*-$suffix\\)\
\\(-unsigned\\)\\?\$/\\1/p" | sort -uV | tail -n 1
}

# holder KERNEL: the package with its config. Since 7.x that is a small one of
# its own; an architecture without signed kernels may have only -unsigned.
holder() {
	for package in "linux-base-$1" "linux-image-$1" "linux-image-$1-unsigned"; do
		apt_names "$package" | grep -Fqx "$package" && echo "$package" &&
			return
	done
	return 1
}

ready && exit

suites=$(suites "$version") || exit
apt_lock
ready && exit

work=$build/apt/unpack
clean_on_exit "$work"
mkdir -p "$work" "$build/configs" || die "cannot create $work (see above)"

# shellcheck disable=SC2086 # a list of words
apt_open "$arch" $suites
kernel=$(newest)
package=$(holder "$kernel") ||
	die "Debian's ${suites%% *} has no $flavour kernel $version for $arch"
deb=$(apt_fetch "$package" "$work") || exit

case $package in
linux-base-*) member=./usr/lib/modules/$kernel/config ;;
*) member=./boot/config-$kernel ;;
esac
dpkg-deb --fsys-tarfile "$deb" | tar -xO "$member" >"$work/config" ||
	die "cannot read $member from $package (see above): is there space" \
		"left in $build?"
grep -q '^CONFIG_.*=' "$work/config" ||
	die "$member in $package is not a kernel config"

mv "$work/config" "$config" || die "cannot create $config (see above)"
ready
