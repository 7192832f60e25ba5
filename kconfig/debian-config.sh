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
build=$(build_folder) || exit
# shellcheck source-path=SCRIPTDIR source=lib/apt.sh
. "$here/lib/apt.sh"
# shellcheck source-path=SCRIPTDIR source=lib/image.sh
. "$here/lib/image.sh"
image_words "$flavour" "$arch"
config=$build/configs/$version-$flavour-$arch.config

ready() {
	[ -s "$config" ] && printf '%s\n' "$config"
}

ready && exit

image_find "$build/configs"
# Since 7.x the config is in a small package of its own.
package=$(image_package linux-base linux-image) || exit
deb=$(apt_fetch "$package" "$work") || exit

case $package in
linux-base-*) member=./usr/lib/modules/$kernel/config ;;
*) member=./boot/config-$kernel ;;
esac
image_member "$deb" "$member" "$work/config"
grep -q '^CONFIG_.*=' "$work/config" ||
	die "$member in $package is not a kernel config"

mv "$work/config" "$config" || die "cannot create $config (see above)"
ready
