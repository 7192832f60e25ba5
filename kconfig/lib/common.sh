# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Sourced by the scripts of this folder: how they speak and how they fail.
# stdout is kept for results, so that $(script ...) is safe; all else is stderr.

say() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# 2 is the exit status of every error that the user can do something about.
die() {
	say "$*"
	exit 2
}

# absolute DIR: an existing folder's name that stays right after a cd
absolute() {
	(CDPATH='' cd -- "$1" && pwd)
}

# The folder for all that can be made again: BUILD= or build/ beside kconfig/.
# Needs $here.
build_folder() {
	folder=${BUILD:-${here%/*}/build}
	mkdir -p "$folder" 2>/dev/null
	[ -w "$folder" ] ||
		die "cannot write to $folder: name another folder in BUILD="
	absolute "$folder"
}

# clean_on_exit PATH: remove it now and however this run ends. dash runs the
# EXIT trap after a signal only when the signal has a trap too.
clean_on_exit() {
	cleaned=$1
	rm -rf "$cleaned"
	trap 'rm -rf "$cleaned"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
}
