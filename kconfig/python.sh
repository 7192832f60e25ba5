#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# python.sh [MODULE...]: print the Python to use: the first of $PYTHON,
# /usr/bin/python3 and python3 that has kconfiglib, docutils and the MODULEs. The
# python3 in PATH may be somebody's own build, which does not see Debian's modules.

modules="kconfiglib docutils $*"

works() {
	# shellcheck disable=SC2086 # a list of words
	"$1" -c 'import importlib.util as u, sys
sys.exit(not all(u.find_spec(m) for m in sys.argv[1:]))' $modules 2>/dev/null
}

# DEPS_ROOT is for the tests, as in deps.sh.
for python in "${PYTHON-}" "${DEPS_ROOT-}/usr/bin/python3" python3; do
	if [ -n "$python" ] && works "$python"; then
		echo "$python"
		exit
	fi
done

# Nothing fits: the error message of this one says best what is missing.
echo "${DEPS_ROOT-}/usr/bin/python3"
