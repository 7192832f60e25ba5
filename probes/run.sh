#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [--json=FILE] FOLDER: run all probes of that folder, one after the other.
#
# On a terminal each prints its table. Else stdout gets one KTAP document, in which
# each probe is a test with its results as subtests. FILE gets an array of all
# reports; it is replaced when all is done.
#
# Exit status: the worst of the probes'. 1 when one failed; else 2 when one could
# not tell, or crashed; else 0, or 4 when nothing in any of them applies here.

set -u

probes='seccomp-overhead getrandom wipeonfork rsa-sign sandbox-baseline'

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 2
}

json=
case ${1-} in --json=?*) json=${1#--json=} && shift ;; esac
[ $# = 1 ] || die "usage: run.sh [--json=FILE] FOLDER"
folder=$1
for probe in $probes; do
	[ -x "$folder/$probe" ] || die "no $folder/$probe: run make probes first"
done

# The probe that is running may have something to put back (a sysctl): it is told
# to end, and waited for. It would not get a Ctrl-C itself, since a shell's
# background jobs ignore that.
pid=
stop() {
	[ -z "$pid" ] || { kill "$pid" && wait "$pid"; } 2>/dev/null
	exit "$1"
}
work=$(mktemp -d) || die "cannot make a folder for temporary files (see above)"
reports=$work/all.json
new=
trap 'rm -rf "$work" ${new:+"$new"}' EXIT
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP

# A regular file is replaced, with its mode; a link stays one; what else there is (a
# FIFO, a device) is written to.
if [ -n "$json" ]; then
	target=$(readlink -f -- "$json") || die "cannot write $json: there is no such folder"
	json=$target
	if [ -d "$json" ]; then
		die "cannot write $json: it is a folder; name a file in JSON="
	elif [ -f "$json" ] || [ ! -e "$json" ]; then
		new=$json.$$
		{ true >"$new" && if [ -e "$json" ]; then chmod --reference="$json" "$new"; fi; } ||
			die "cannot write $json (see above): name another file in JSON="
	fi
fi
save() {
	[ -n "$json" ] || return 0
	cat "$reports" >"${new:-$json}" || return
	[ -z "$new" ] || mv -T -- "$new" "$json"
}

# run_probe NAME WORD...: its exit status is in $status
run_probe() {
	name=$1
	shift
	"$folder/$name" "$@" &
	pid=$!
	wait "$pid"
	status=$?
	pid=
}

# died STATUS: how, in words
died() {
	if [ "$1" -gt 128 ]; then
		echo "killed by signal $(($1 - 128))"
	else
		echo "ended with status $1"
	fi
}

# as_subtest NUMBER NAME STATUS: the probe's own KTAP becomes a part of ours.
as_subtest() {
	sed 's/^/  /' "$work/ktap"
	case $3 in
	0) echo "ok $1 $2" ;;
	4) echo "ok $1 $2 # SKIP nothing in it applies here" ;;
	1 | 2) echo "not ok $1 $2" ;;
	*) printf '# %s: %s\nnot ok %d %s\n' "$2" "$(died "$3")" "$1" "$2" ;;
	esac
}

# report_of NAME STATUS: its JSON; one that died has left none.
report_of() {
	cat "$work/$1.json" 2>/dev/null ||
		printf '{"probe": "%s", "verdict": "unknown", "results": [], "summary": ["%s"]}\n' \
			"$1" "$(died "$2")"
}

number=0 passed='' failed='' broken='' comma=''
[ -t 1 ] || printf 'KTAP version 1\n1..%d\n' "$(echo "$probes" | wc -w)"
echo '[' >"$reports"
for probe in $probes; do
	number=$((number + 1))
	if [ -t 1 ]; then
		run_probe "$probe" "--json=$work/$probe.json"
		[ "$status" -le 4 ] || echo "$probe: $(died "$status")"
	else
		run_probe "$probe" "--json=$work/$probe.json" --ktap >"$work/ktap"
		as_subtest "$number" "$probe" "$status"
	fi
	{
		printf '%s' "$comma"
		report_of "$probe" "$status"
	} >>"$reports"
	comma=,
	case $status in
	0) passed=1 ;;
	1) failed=1 ;;
	4) ;;
	*) broken=1 ;;
	esac
done
{ echo ']' >>"$reports" && save; } || die "cannot write $json (see above)"

[ -z "$failed" ] || exit 1
[ -z "$broken" ] || exit 2
[ -n "$passed" ] || exit 4
