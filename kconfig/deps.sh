#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# deps.sh WHAT...: install what a job needs, with apt, and say so. Silent when
# nothing is missing. Exit status 2 when something stays missing.
#
# WHAT is one of the jobs in the third column below; cross-ARCH is the compiler for
# one architecture, cross those for all. (For x86 there is none: "gcc" will do on
# most machines, and gen/conformance/ names the package for the others.) This
# runs at every make, so a package is looked for by one file of it, without
# starting a program.

set -u
here=${0%/*}
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
. "$here/lib/common.sh"

# package, how to see that it is there, jobs that need it, what for
table() {
	cat <<-'EOF'
	make                      cmd:make                          config,probes,audit,check runs Makefiles
	gcc                       cmd:gcc                           config,probes,audit,check compiles C
	libc6-dev                 file:/usr/include/stdio.h         config,probes,audit,check compiles C
	flex                      cmd:flex                          config,check              builds the kernel's conf
	bison                     cmd:bison                         config,check              builds the kernel's conf
	xz-utils                  cmd:xz                            config,check              unpacks kernel sources
	python3                   file:/usr/bin/python3             config,audit,check,docs   runs the generator
	python3-kconfiglib        py:kconfiglib                     config,audit,check        reads Kconfig files
	python3-docutils          py:docutils                       config,audit,check,docs   reads the catalogue
	python3-sphinx            py:sphinx                         check,docs                builds the documentation
	gcc-aarch64-linux-gnu     cmd:aarch64-linux-gnu-gcc         check,cross,cross-arm64   configures arm64 kernels
	gcc-arm-linux-gnueabihf   cmd:arm-linux-gnueabihf-gcc       cross,cross-arm           configures arm kernels
	gcc-riscv64-linux-gnu     cmd:riscv64-linux-gnu-gcc         cross,cross-riscv         configures riscv kernels
	gcc-powerpc64le-linux-gnu cmd:powerpc64le-linux-gnu-gcc     cross,cross-powerpc       configures powerpc kernels
	gcc-s390x-linux-gnu       cmd:s390x-linux-gnu-gcc           cross,cross-s390          configures s390 kernels
	python3-pytest            py:pytest                         check                     runs the tests
	python3-pytest-xdist      py:xdist                          check                     runs the tests in parallel
	black                     cmd:black                         check                     checks the Python style
	flake8                    cmd:flake8                        check                     checks the Python code
	mypy                      cmd:mypy                          check                     checks the Python types
	shellcheck                cmd:shellcheck                    check                     checks the shell scripts
	libseccomp-dev            file:/usr/include/seccomp.h       probes,audit,check        builds the probes and the auditor
	libbsd-dev                file:/usr/include/bsd             probes,check              builds the probes
	libssl-dev                file:/usr/include/openssl         probes,check              builds the probes
	libjson-c-dev             file:/usr/include/json-c          probes,audit,check        builds the probes and the auditor
	libarchive-dev            file:/usr/include/archive.h       audit,check               builds the auditor
	libmxml-dev               file:/usr/include/mxml.h          audit,check               builds the auditor
	libcsv-dev                file:/usr/include/csv.h           audit,check               builds the auditor
	liblzma-dev               file:/usr/include/lzma.h          audit,check               builds the auditor
	libzstd-dev               file:/usr/include/zstd.h          audit,check               builds the auditor
	zlib1g-dev                file:/usr/include/zlib.h          audit,check               builds the auditor
	libbz2-dev                file:/usr/include/bzlib.h         audit,check               builds the auditor
	liblz4-dev                file:/usr/include/lz4.h           audit,check               builds the auditor
	liblzo2-dev               file:/usr/include/lzo             audit,check               builds the auditor
	android-libboringssl-dev  file:/usr/include/android/openssl check                     is compared by rsa-sign
	openssl                   cmd:openssl                       check                     checks what rsa-sign signs
	libcmocka-dev             file:/usr/include/cmocka.h        check                     runs the unit tests of C
	clang                     cmd:clang                         check                     builds the C programs once more
	clang-format              cmd:clang-format                  check                     checks the C style
	clang-tidy                cmd:clang-tidy                    check                     checks the C code
	cppcheck                  cmd:cppcheck                      check                     checks the C code
	valgrind                  cmd:valgrind                      check                     runs the unit tests of C
	mandoc                    cmd:mandoc                        check                     checks the man pages
	strace                    cmd:strace                        check                     counts system calls
	qemu-system-x86           cmd:qemu-system-x86_64            check                     runs the probes on other kernels
	qemu-user-static          cmd:qemu-aarch64-static           check                     runs the probes of arm64
	bzip2                     cmd:bzip2                         check                     packs what the auditor unpacks
	lz4                       cmd:lz4                           check                     packs what the auditor unpacks
	lzop                      cmd:lzop                          check                     packs what the auditor unpacks
	zstd                      cmd:zstd                          check                     packs what the auditor unpacks
	bc                        cmd:bc                            check                     builds a small kernel
	rpm                       cmd:rpmbuild                      check                     packs what the auditor unpacks
	cpio                      cmd:cpio                          check                     packs what the auditor unpacks
	EOF
}

# Where things are looked for; the tests point it at an empty folder.
root=${DEPS_ROOT-}
modules=$root/usr/lib/python3/dist-packages

present() {
	case $1 in
	cmd:*) command -v "${1#cmd:}" >/dev/null ;;
	file:*) [ -e "$root${1#file:}" ] ;;
	py:*) [ -e "$modules/${1#py:}" ] || [ -e "$modules/${1#py:}.py" ] ||
		elsewhere "${1#py:}" ;;
	esac
}

# A module may also belong to a Python that is not Debian's.
elsewhere() {
	python=$("$here/python.sh" "$1")
	"$python" -c "import $1" 2>/dev/null
}

# Set $missing to the packages and $reasons to the same with what each is for.
look() {
	missing='' reasons=''
	while read -r package probe jobs purpose; do
		wanted "$jobs" "$@" || continue
		present "$probe" && continue
		missing="$missing $package"
		reasons="$reasons${reasons:+, }$package ($purpose)"
	done <<-EOF
	$(table)
	EOF
	[ -z "$missing" ]
}

# wanted JOBS WHAT...: is one of WHAT among the comma-separated JOBS?
wanted() {
	jobs_of=,$1,
	shift
	for what; do
		case $jobs_of in *,"$what",*) return 0 ;; esac
	done
	return 1
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

apt() {
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >&2 </dev/null
}

install() {
	# shellcheck disable=SC2086 # a list of words
	apt install -y --no-install-recommends $missing
}

jobs='config, cross, cross-ARCH, docs, probes, audit, check'
[ $# -gt 0 ] || die "usage: deps.sh WHAT... ($jobs)"
for what; do
	case $what in
	config | cross | cross-* | docs | probes | audit | check) ;;
	*) die "unknown job '$what': it is one of $jobs" ;;
	esac
done

look "$@" && exit 0

command -v apt-get >/dev/null ||
	die "missing: $reasons; there is no apt-get here, so install them" \
		"(the names are Debian's) with this system's package manager"

if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
	die "missing: $reasons; neither root nor sudo without a password, so" \
		"run: apt-get install --no-install-recommends$missing"
fi

say "installing $reasons"

# shellcheck disable=SC2086 # a list of words
if ! apt-cache show $missing >/dev/null 2>&1; then
	apt update || die "apt-get update failed (see above): check the network" \
		"and /etc/apt/sources.list*, then run make again"
fi

# Old lists name versions that the mirror may have dropped, hence a second try.
install || { apt update && install; } ||
	die "apt-get could not install$missing (see above); to try by hand:" \
		"apt-get install --no-install-recommends$missing"

look "$@" || die "installed, but still not found: $reasons; is there another" \
	"Python or PATH in the way? Try PYTHON=/usr/bin/python3"
