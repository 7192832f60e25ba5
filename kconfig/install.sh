#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# install.sh install|uninstall KDIR: put the fragments, their documentation and
# the hardened*config targets into a kernel tree, or take them out again, which
# leaves the tree byte for byte as it was.
#
# What was put in is written down with checksums in the tree itself, so that any
# later version of this script knows which files are ours: no other file is ever
# overwritten or removed. Of the kernel's own files one changes, its
# scripts/kconfig/Makefile, which gets an include at its end.
#
# FRAGMENTS= and DOCS= name other folders to take the files from.

set -u
here=$(CDPATH='' cd -- "${0%/*}" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
. "$here/lib/common.sh"

makefile=scripts/kconfig/Makefile
manifest=scripts/kconfig/hardenedconfig.files
docdir=Documentation/security/hardenedconfig
tab=$(printf '\t')

# shellcheck disable=SC2016 # make expands it
block='# hardenedconfig: begin
include $(srctree)/scripts/kconfig/hardenedconfig.mk
# hardenedconfig: end'

# The kernel's Makefile without the lines above, whatever was added around them.
without_block() {
	block=$block awk '
	BEGIN { n = split(ENVIRON["block"], ours, "\n") }
	{ line[NR] = $0 }
	END {
		for (i = 1; i <= NR; i++) {
			for (k = 1; k <= n && line[i + k - 1] == ours[k]; k++)
				;
			if (k > n)
				i += n - 1
			else
				print line[i]
		}
	}' "$makefile"
}

# "SOURCE TARGET" of all that is to be put in, found by looking at what is there.
# A tree may lack an architecture that we have fragments for.
plan() {
	for file in hardenedconfig.mk hardenedconfig.sh; do
		echo "$here/target/$file${tab}scripts/kconfig/$file"
	done
	for file in "$fragments"/hardened*.config; do
		echo "$file${tab}kernel/configs/${file##*/}"
	done
	for file in "$fragments"/*/hardened*.config; do
		arch=${file%/*}
		configs=arch/${arch##*/}/configs
		[ -f "$file" ] && [ -d "$configs" ] &&
			echo "$file$tab$configs/${file##*/}"
	done
	for file in "$docs/hardenedconfig.rst" "$docs"/catalogue/*.rst; do
		[ -f "$file" ] && echo "$file$tab$docdir${file#"$docs"}"
	done
}

# A manifest is what sha256sum -c reads, "SUM  TARGET", with comments
# "# made FOLDER" for each folder that was not there before.
write_manifest() {
	{
		sed -n '/^# made /p' "$manifest" 2>/dev/null
		while IFS=$tab read -r source target; do
			new_folders "${target%/*}"
		done <"$stage/plan"
	} | awk '!seen[$0]++'
	while IFS=$tab read -r source target; do
		echo "$(sha256sum <"$source" | cut -d ' ' -f 1)  $target"
	done <"$stage/plan"
}

# The folder and those above it, outermost first, that are still to be made.
new_folders() {
	[ -d "$1" ] && return
	new_folders "${1%/*}"
	echo "# made $1"
}

sums() {
	sed '/^#/d' "$manifest" 2>/dev/null
}

listed() {
	sums | sed 's/^[^ ]*  //' | sort -u
}

ours() {
	grep -Fqx "$(sha256sum "$1")" "$manifest" 2>/dev/null
}

# check_ours TARGET: what we replace or remove must be ours, as we left it.
check_ours() {
	[ -e "$1" ] || [ -h "$1" ] || return 0
	{ [ -f "$1" ] && [ ! -h "$1" ] && ours "$1"; } && return
	listed | grep -Fqx "$1" &&
		die "$kdir/$1 was changed since it was installed: nothing was" \
			"done; move it away and run this again"
	die "$kdir/$1 exists and is not ours: nothing was done; to use this," \
		"move it away"
}

# check_writable FOLDER: the folder, or the nearest above it that is there
check_writable() {
	folder=$1
	while [ ! -d "$folder" ]; do
		folder=$(dirname "$folder")
	done
	[ -w "$folder" ] || die "$kdir/$folder cannot be written to: nothing was done"
}

check_tree() {
	[ -d "$kdir" ] || die "KDIR=$kdir: no such folder"
	cd "$kdir" || die "KDIR=$kdir: cannot be entered"
	for file in Kconfig Makefile "$makefile" kernel/configs \
		scripts/kconfig/merge_config.sh; do
		[ -e "$file" ] ||
			die "KDIR=$kdir: not a kernel source tree, it has no $file"
	done
	check_writable .
	check_writable scripts/kconfig
	[ ! -h "$makefile" ] || die "$kdir/$makefile is a symbolic link: name" \
		"the tree that it leads to as KDIR"
	[ -z "$(tail -c 1 "$makefile")" ] ||
		die "$kdir/$makefile: no newline at its end"
	line=$(without_block | grep -En -m 1 \
		'hardened(low|medium|high|extreme|%)config|^# hardenedconfig:') &&
		die "$kdir/$makefile has hardenedconfig lines that are not" \
			"this script's: line $line; nothing was done"
}

# replace TARGET FILE: by a staged file, which is whole, unless it is the same
replace() {
	cmp -s "$2" "$1" || mv -f "$2" "$1" || failed "$1"
}

failed() {
	die "cannot write $kdir/$1 (see above): 'uninstall' takes out what was" \
		"put in so far"
}

# replace_makefile: by the staged text, keeping mode and owner
replace_makefile() {
	{ cp -p "$makefile" "$stage/file" && cat "$stage/text" >"$stage/file"; } ||
		failed "$makefile"
	replace "$makefile" "$stage/file"
}

# The manifest first names old and new files, so that uninstall can undo an
# installation that was cut short; the Makefile, which uses the rest, comes last.
install() {
	plan >"$stage/plan"
	while IFS=$tab read -r source target; do
		[ -r "$source" ] || die "there is no $source to install: run" \
			"'make fragments' first"
		check_ours "$target"
		check_writable "${target%/*}"
	done <"$stage/plan"

	write_manifest >"$stage/manifest" || failed "$manifest"
	{ cat "$stage/manifest" && sums; } | awk '!seen[$0]++' >"$stage/file"
	replace "$manifest" "$stage/file"

	while IFS=$tab read -r source target; do
		{ mkdir -p "${target%/*}" && cp "$source" "$stage/file"; } ||
			failed "$target"
		replace "$target" "$stage/file"
	done <"$stage/plan"
	listed | while read -r target; do
		cut -f 2 "$stage/plan" | grep -Fqx "$target" || rm -f "$target"
	done
	{ without_block && echo "$block"; } >"$stage/text" || failed "$makefile"
	replace_makefile

	replace "$manifest" "$stage/manifest"
	say "$(($(wc -l <"$stage/plan"))) files are installed in $kdir; next:" \
		"make -C $kdir hardenedlowconfig (or medium, high, extreme)"
}

uninstall() {
	without_block >"$stage/text" || failed "$makefile"
	if [ ! -e "$manifest" ]; then
		cmp -s "$stage/text" "$makefile" ||
			die "$kdir/$manifest is gone, so it is not known which" \
				"files to remove: remove the hardenedconfig" \
				"files and the last lines of $makefile by hand"
		say "nothing is installed in $kdir"
		return
	fi
	replace_makefile
	listed | while read -r target; do
		rm -f "$target"
	done
	sed -n 's/^# made //p' "$manifest" | sort -r | while read -r folder; do
		[ ! -d "$folder" ] || rmdir "$folder" ||
			say "$kdir/$folder stays: it holds other files"
	done
	rm -f "$manifest"
	say "$kdir is as it was before 'install'"
}

[ $# = 2 ] || die "usage: install.sh install|uninstall KDIR"
case $1 in install | uninstall) ;; *) die "'$1' is not install or uninstall" ;; esac
kdir=$2
[ -n "$kdir" ] || die "name the kernel tree in KDIR="
if [ "$1" = install ]; then
	fragments=$(absolute "${FRAGMENTS:-${here%/*}/fragments}") ||
		die "no fragments to install: run 'make fragments' first"
	docs=$(absolute "${DOCS:-${here%/*}/docs}") || exit 2
fi
check_tree
kdir=$(pwd)

# One run at a time; what a killed one left behind goes with the stage.
exec 9<.
! command -v flock >/dev/null || flock 9
stage=$kdir/.hardenedconfig-stage
clean_on_exit "$stage"
mkdir "$stage" || failed .

listed >"$stage/listed"
while read -r target; do
	check_ours "$target"
	check_writable "${target%/*}"
done <"$stage/listed"
"$1"
