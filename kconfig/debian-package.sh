#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# debian-package.sh VERSION FLAVOUR ARCH: print the path of the Debian package that
# holds that kernel's image and config, after fetching it when it is not there. The
# words are as for debian-config.sh. It is build/packages/VERSION-FLAVOUR-ARCH.deb,
# or in BUILD=.

set -u
here=$(CDPATH='' cd -- "${0%/*}" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
. "$here/lib/common.sh"

[ $# = 3 ] || die "usage: debian-package.sh VERSION FLAVOUR ARCH"
version=$1 flavour=$2 arch=$3
build=$(build_folder) || exit
# shellcheck source-path=SCRIPTDIR source=lib/apt.sh
. "$here/lib/apt.sh"
# shellcheck source-path=SCRIPTDIR source=lib/image.sh
. "$here/lib/image.sh"
image_words "$flavour" "$arch"
deb=$build/packages/$version-$flavour-$arch.deb

ready() {
	[ -s "$deb" ] && printf '%s\n' "$deb"
}

ready && exit

image_find "$build/packages"
package=$(image_package linux-image) || exit
fetched=$(apt_fetch "$package" "$work") || exit

mv "$fetched" "$deb" || die "cannot create $deb (see above)"
ready
