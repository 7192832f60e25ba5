# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Sourced by tree.sh and debian-config.sh: packages of Debian suites that this
# machine does not use itself. They come through apt, signatures checked, with a
# configuration, lists and cache of our own under $build/apt; nothing is
# installed and the system's apt does not notice.
#
# Needs common.sh and $build. The user may name a mirror in DEBIAN_MIRROR.

: "${build:?}"

# suites VERSION: the suites that have this kernel, the main archive's first
suites() {
	case $1 in
	6.1 | 6.12) echo bookworm bookworm-updates bookworm-security ;;
	7.2) echo sid ;;
	7.3) echo trixie-backports ;;
	*) die "no Debian suite is known to have Linux $1: it is one of" \
		"6.1, 6.12, 7.2, 7.3 (or unpack a tree yourself and name it" \
		"in KDIR=)" ;;
	esac
}

# One run at a time works in $build/apt; a killed run's files are the next one's
# to remove, since who holds the lock owns them. The lock ends with the process.
apt_lock() {
	for tool in apt-get dpkg-deb flock; do
		command -v "$tool" >/dev/null || die "no $tool here: Debian's" \
			"packages cannot be read; unpack a kernel tree" \
			"yourself and name it in KDIR="
	done
	mkdir -p "$build/apt" || die "cannot create $build/apt (see above)"
	[ -w "$build/apt" ] || die "cannot write to $build/apt"
	exec 9>"$build/apt/lock"
	flock -n 9 && return
	say "waiting for another run that is fetching into $build"
	flock 9 || die "cannot lock $build/apt/lock"
}

# The Debian mirrors of the system's own apt: "main|security URI FILE" a line,
# FILE being where it was configured. Without lists apt does not know whose
# archive a mirror holds; then the name of its folder has to do.
mirrors() {
	# shellcheck disable=SC2016 # apt-get expands these
	apt-get indextargets --no-release-info --format \
		'$(ORIGIN)|$(RELEASE)|$(REPO_URI)|$(SOURCESENTRY)' \
		'Created-By: Packages' 2>/dev/null |
		awk -F'|' '
		$3 ~ /^cdrom:/ { next }
		$1 != "Debian" && !($1 ~ /^\$/ && $3 ~ /debian(-security)?\/$/) { next }
		{
			kind = $2 ~ /security/ ? "security" : "main"
			sub(/:[0-9]+$/, "", $4)
			if (!seen[kind]++)
				print kind, $3, $4
		}'
}

# keyring FILE: the keyring that a sources file names, if any. Without one, apt
# trusts those of trusted.gpg.d, for us as for itself.
keyring() {
	default=/usr/share/keyrings/debian-archive-keyring.gpg
	key=$(sed -n 's/#.*//
		s/.*[Ss]igned-[Bb]y[:=][[:space:]]*\(\/[^],[:space:]]*\).*/\1/p' \
		"$1" 2>/dev/null | head -n 1)
	[ -n "$key" ] || key=$default
	[ -r "$key" ] && echo "$key"
}

# source_lines ARCH SUITE...: our sources.list
source_lines() {
	arch=$1
	shift
	known=$(mirrors)
	if [ -n "${DEBIAN_MIRROR-}" ]; then
		known="main $DEBIAN_MIRROR -"
	fi
	for suite; do
		case $suite in *-security) kind=security ;; *) kind=main ;; esac
		echo "$known" | while read -r has uri file; do
			[ "$has" = $kind ] || continue
			key=$(keyring "$file")
			echo "deb [arch=$arch${key:+ signed-by=$key}]" \
				"$uri $suite main"
		done
	done
}

# apt_open ARCH SUITE...: make the configuration in $apt and fetch its lists.
apt_open() {
	apt=$build/apt/$2-$1
	mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/none" ||
		die "cannot create $apt (see above)"
	{ : >"$apt/status" && source_lines "$@" >"$apt/sources.list"; } ||
		die "cannot write to $apt (see above)"
	[ -s "$apt/sources.list" ] || die "apt's sources name no Debian" \
		"mirror; name one: make ... DEBIAN_MIRROR=http://.../debian"

	# Given with -c, this is read after the system's settings (a proxy, say,
	# still counts) and overrides them. The hooks of the system's own apt
	# must not run; Sandbox::User, because apt's download user need not be
	# able to reach this folder.
	cat >"$apt/apt.conf" <<-EOF || die "cannot write to $apt (see above)"
	Dir::State "$apt";
	Dir::State::lists "$apt/lists";
	Dir::State::status "$apt/status";
	Dir::Cache "$apt";
	Dir::Cache::archives "$apt/archives";
	Dir::Etc::sourcelist "$apt/sources.list";
	Dir::Etc::sourceparts "$apt/none";
	Dir::Etc::preferences "$apt/none/preferences";
	Dir::Etc::preferencesparts "$apt/none";
	APT::Architecture "$1";
	APT::Architectures { "$1"; };
	APT::Sandbox::User "root";
	APT::Update::Error-Mode "any";
	Acquire::Languages "none";
	#clear APT::Update::Pre-Invoke;
	#clear APT::Update::Post-Invoke;
	#clear APT::Update::Post-Invoke-Success;
	EOF

	apt-get -qq -c "$apt/apt.conf" update >&2 ||
		die "cannot fetch Debian's package lists for $2 (see above):" \
			"check the network and the free space in $build," \
			"then run this again"
}

# apt_names PREFIX: packages whose names start so
apt_names() {
	apt-cache -c "$apt/apt.conf" pkgnames "$1"
}

# apt_fetch PACKAGE FOLDER: download a package, print the .deb's name.
apt_fetch() {
	say "fetching Debian's $1"
	(cd "$2" && apt-get -qq -c "$apt/apt.conf" download "$1" >&2) ||
		die "cannot fetch $1 (see above): check the network and the" \
			"free space in $build, then run this again"
	echo "$2/$1"_*.deb
}
