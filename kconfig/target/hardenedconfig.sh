#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# hardenedconfig.sh NAME CONF KCONFIG: merge the fragments NAME.config into the
# configuration, let CONF settle it, and print each setting that was asked for
# and is not in the result. Run by scripts/kconfig/hardenedconfig.mk, with
# srctree, SRCARCH and KCONFIG_CONFIG set by the kernel's Makefile.
#
# Status 0, or 1 with STRICT=1 when a setting is missing, or 2 when nothing could
# be done; the configuration is then as it was.

set -u
: "${srctree:?}" "${SRCARCH:?}" "${KCONFIG_CONFIG:?}"
name=$1 conf=$2 kconfig=$3

say() {
	echo "${name}config: $*"
}

die() {
	say "$*" >&2
	exit 2
}

# merge: the configuration with the fragments' settings, as $tmp/merged. What
# merge_config.sh says of each line that it replaces would hide what matters: it
# is shown with V=1, and when the merge fails. Its own temporary files go with $tmp.
merge() {
	cat "$KCONFIG_CONFIG" >"$tmp/base" || die "cannot read $KCONFIG_CONFIG"
	# shellcheck disable=SC2086 # a list of words
	(cd "$tmp" && KCONFIG_CONFIG=merged "${CONFIG_SHELL:-/bin/sh}" \
		"$tree/scripts/kconfig/merge_config.sh" -m base $fragments) \
		>"$tmp/log" 2>&1 || {
		cat "$tmp/log" >&2
		die "scripts/kconfig/merge_config.sh failed (see above)"
	}
	case ${KBUILD_VERBOSE:-0} in *1*) cat "$tmp/log" ;; esac
}

# replace BY: put the file in the configuration's place, with the old one kept.
# Where that is a symbolic link, the file takes the place of the link, or with
# KCONFIG_OVERWRITECONFIG of what it leads to, as it is with conf. conf does not
# notice a full disk, so it does not write there itself. There is a configuration
# at any moment: the old one is copied, and the new one renamed over it.
replace() {
	if cmp -s "$1" "$KCONFIG_CONFIG"; then
		say "no change to $KCONFIG_CONFIG"
		return
	fi
	config=$KCONFIG_CONFIG
	[ -z "${KCONFIG_OVERWRITECONFIG-}" ] || config=$(readlink -f "$config")
	new=$config.$$.tmp
	{ [ -s "$1" ] && cp "$1" "$new" && cp -pP "$config" "$new.old"; } ||
		die "cannot write $new: is the disk full?"
	{ mv -f "$new.old" "$config.old" && mv -f "$new" "$config"; } ||
		die "cannot replace $config"
	say "configuration written to $KCONFIG_CONFIG"
}

# settings FILE...: "NAME VALUE" of each line, n for what is not set
settings() {
	sed -n 's/^\(CONFIG_[A-Za-z0-9_]*\)=\(.*\)/\1	\2/p
		s/^# \(CONFIG_[A-Za-z0-9_]*\) is not set$/\1	n/p' "$@"
}

# differing WANTED FINAL: "NAME WANTED GOT" of each setting that differs, in the
# order of the fragments; GOT is empty for what the result does not mention. Of
# two lines for one symbol the later counts, as it does for conf.
differing() {
	awk -F '\t' '
	FILENAME == ARGV[1] { final[$1] = $2; next }
	!($1 in wanted) { order[++n] = $1 }
	{ wanted[$1] = $2 }
	END {
		for (i = 1; i <= n; i++) {
			s = order[i]
			if (final[s] != wanted[s] && final[s] wanted[s] != "n")
				print s "\t" wanted[s] "\t" final[s]
		}
	}' "$2" "$1"
}

# defined: "FILE:LINE NAME" where the tree defines the symbols on stdin
defined() {
	names=$(sed 's/^CONFIG_//' | tr '\n' '|')
	[ -n "$names" ] || return
	(cd "$tree" && find . -name 'Kconfig*' -type f -exec grep -En \
		"^[[:space:]]*(menu)?config[[:space:]]+(${names%|})[[:space:]]*\$" \
		/dev/null {} +) |
		sed 's/^\.\///
			s/:[[:space:]]*\(menu\)\{0,1\}config[[:space:]]*/ CONFIG_/'
}

# explain DEFINED DIFFERING: one sentence a setting. What only another
# architecture defines is not there for this one.
explain() {
	awk -v arch="arch/$SRCARCH/" '
	FILENAME == ARGV[1] {
		if ($1 ~ /^arch\/[^\/]*\// && index($1, arch) != 1)
			elsewhere[$2] = 1
		else if (!($2 in here))
			here[$2] = $1
		next
	}
	{
		split($0, part, "\t")
		s = part[1]
		if (part[3] != "")
			got = "got " part[3]
		else if (s in here)
			got = "got n (see " here[s] ")"
		else if (s in elsewhere)
			got = "not defined for this architecture"
		else
			got = "not defined in this tree"
		print "requested " s "=" part[2] ", " got
	}' "$1" "$2"
}

tree=$(cd "$srctree" && pwd) || die "cannot enter $srctree"
fragments=
for file in "kernel/configs/$name.config" "arch/$SRCARCH/configs/$name.config"; do
	[ -f "$tree/$file" ] && fragments="$fragments $tree/$file"
done
[ -n "$fragments" ] || die "no fragment $name.config for $SRCARCH in $tree"

tmp=$(mktemp -d ./.hardenedconfig.XXXXXX) || die "cannot write to $PWD"
new=
trap 'rm -rf "$tmp" ${new:+"$new" "$new.old"}' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

merge
KCONFIG_CONFIG=$tmp/result "$conf" -s --defconfig="$tmp/merged" "$kconfig" ||
	die "the merged configuration could not be settled (see above)"
replace "$tmp/result"

# shellcheck disable=SC2086 # a list of words
settings $fragments >"$tmp/wanted"
settings "$KCONFIG_CONFIG" >"$tmp/final"
differing "$tmp/wanted" "$tmp/final" >"$tmp/differing"
sed -n 's/	.*	$//p' "$tmp/differing" | defined >"$tmp/defined"
explain "$tmp/defined" "$tmp/differing" >"$tmp/report"
cat "$tmp/report"

# What a fragment cannot set stands in it as a comment.
# shellcheck disable=SC2086 # a list of words
sed -n 's/^# by hand, /by hand, /p' $fragments | sort -u

total=$(cut -f 1 "$tmp/wanted" | sort -u | wc -l)
count=$(wc -l <"$tmp/differing")
foreign=$(grep -c ', not defined ' "$tmp/report")
say "$((count)) of $((total)) requested settings are not in $KCONFIG_CONFIG," \
	"$((foreign)) of them not defined here"
# Names of other versions and architectures are nothing to fail for.
[ "$count" -eq "$foreign" ] || [ "${STRICT:-0}" = 0 ] || exit 1
