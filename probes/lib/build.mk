# SPDX-License-Identifier: GPL-2.0-only
#
# How the C programs of this repository are compiled: included by the Makefiles of
# probes/ and audit/, which set BUILD and BUILT_FROM. SYSROOT is what
# kconfig/debian-libraries.sh prints: another architecture's libraries.

# make itself has defaults for these, so ?= would not do
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
ifeq ($(origin AR),default)
AR := $(CROSS_COMPILE)ar
endif
CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wwrite-strings -Wvla -Wimplicit-fallthrough
override CPPFLAGS += -D_GNU_SOURCE
override CFLAGS += -std=gnu11 $(WARNINGS) -pthread $(EXTRA_CFLAGS)
override LDFLAGS += -pthread $(EXTRA_LDFLAGS)
ifdef SYSROOT
override CC += --sysroot=$(SYSROOT)
endif

QUIET_CC = @echo "  CC      $<";
QUIET_AR = @echo "  AR      $(@:$(BUILD)/%=%)";
QUIET_LD = @echo "  LD      $(@:$(BUILD)/%=%)";

.DEFAULT_GOAL := all
.PHONY: FORCE

# Rewritten when it changes, and then everything is built anew: the compiler, its
# options, the list of sources.
quote = '$(subst ','\'',$1)'
COMMAND = $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(BUILT_FROM)
$(BUILD)/command: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(call quote,$(COMMAND)) | cmp -s - $@ || \
		printf '%s\n' $(call quote,$(COMMAND)) >$@

define COMPILE
	@mkdir -p $(@D)
	$(QUIET_CC)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
endef
define ARCHIVE
	@mkdir -p $(@D) && rm -f $@
	$(QUIET_AR)$(AR) rcs $@ $^
endef

$(BUILD)/obj/%.o: %.c $(BUILD)/command
	$(COMPILE)
