# SPDX-License-Identifier: GPL-2.0-only
#
# Linters of C: included by the Makefiles of tests/probes/ and tests/audit/, which set
# LINTED and LINTED_HEADERS. clang-tidy looks again only at what has changed.
# (What cppcheck would have instead of readdir() is deprecated.)
.PHONY: lint
lint: $(LINTED:%.c=$(BUILD)/tidy/%)
	@clang-format --dry-run -Werror $(LINTED) $(LINTED_HEADERS)
	@cppcheck -q --enable=warning,performance,portability --inline-suppr \
		--error-exitcode=1 --std=c11 --library=posix,gnu -D__x86_64__ -D_GNU_SOURCE \
		--suppress=missingIncludeSystem --suppress=readdirCalled $(filter -I%,$(CPPFLAGS)) $(LINTED)

$(BUILD)/tidy/%: %.c $(LINTED_HEADERS) ../.clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $< -- $(CPPFLAGS) $(CFLAGS) 2>$@.log || \
		{ cat $@.log >&2; exit 1; }
	@touch $@
