# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Sourced by debian-config.sh, debian-kernel.sh and debian-package.sh: which packages
# hold Debian's kernel of a version, flavour and architecture, as these scripts are
# given them in $version, $flavour and $arch.
#
# Needs common.sh, apt.sh and $build.

: "${build:?}" "${version?}" "${flavour?}" "${arch?}"

# image_words FLAVOUR ARCH: are these such names? They become names of files.
image_words() {
	case $1$2 in
	*[!a-z0-9-]*) die "'$1' '$2': a flavour and a Debian architecture" \
		"are written in small letters and digits, such as: cloud amd64" ;;
	esac
}

# image_find FOLDER: set $kernel to the newest such kernel, and $work to a folder for what
# is fetched; make that folder, too. With `ready`, the caller's own, it ends the script
# if another run has been faster.
image_find() {
	suites=$(suites "$version") || exit
	apt_lock
	ready && exit

	work=$build/apt/unpack
	clean_on_exit "$work"
	mkdir -p "$work" "$1" || die "cannot create $work (see above)"

	# shellcheck disable=SC2086 # a list of words
	apt_open "$arch" $suites
	kernel=$(image_newest "$version" "$flavour" "$arch")
}

# image_newest VERSION FLAVOUR ARCH: the newest such kernel, as its packages' names
# end, "6.12.48+deb12-cloud-amd64" or "6.1.0-40-amd64". Other packages (-dbg,
# headers, the ones that only depend on the newest) are not named so.
image_newest() {
	case $2 in default) suffix=$3 ;; *) suffix=$2-$3 ;; esac
	dotted=$(echo "$1" | sed 's/\./\\./g')
	apt_names "linux-image-$1" | sed -n "s/^linux-image-\\($dotted\
\\(\\.[0-9]\\+\\)\\+\\(-[0-9]\\+\\)\\?\\([+~][a-z0-9.]\\+\\)*-$suffix\\)\
\\(-unsigned\\)\\?\$/\\1/p" | sort -uV | tail -n 1
}

# image_package PREFIX...: of the packages of $kernel the first that there is. An
# architecture without signed kernels may have only -unsigned.
image_package() {
	for prefix; do
		for package in "$prefix-$kernel" "$prefix-$kernel-unsigned"; do
			apt_names "$package" | grep -Fqx "$package" &&
				echo "$package" && return
		done
	done
	die "Debian's ${suites%% *} has no $flavour kernel $version for $arch"
}

# image_member DEB MEMBER FILE: take one file out of a package
image_member() {
	dpkg-deb --fsys-tarfile "$1" | tar -xO "$2" >"$3" ||
		die "cannot read $2 from ${1##*/} (see above): is there space" \
			"left in $build?"
}
