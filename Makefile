# SPDX-License-Identifier: GPL-2.0-only
#
# `make help` lists the targets.  Variables of the kernel's own make (O, ARCH,
# CROSS_COMPILE, LLVM, LLVM_IAS, CC, HOSTCC, KCONFIG_CONFIG) are handed on to it.

BUILD := build
KVER  ?= 6.12
LEVELS := low medium high extreme
CONFIG_TARGETS := $(LEVELS:%=hardened%config)

# An interpreter that has what the generator imports; looked for when first used,
# after kconfig/deps.sh has installed the modules.
PYTHON = $(eval PYTHON := $$(shell kconfig/python.sh $(MODULES)))$(PYTHON)
# what the goal needs beside kconfiglib and docutils
check check-long lint: MODULES := pytest xdist sphinx
docs: MODULES := sphinx
export PYTHONPATH := $(CURDIR)

KMAKE := O ARCH CROSS_COMPILE LLVM LLVM_IAS CC HOSTCC KCONFIG_CONFIG
GIVEN := $(foreach v,$(KMAKE),$(if $(filter command,$(firstword $(origin $v))),$v))
# The kernel's make gets these as words of its own command line and must not
# inherit them a second time.
unexport $(GIVEN)
MAKEOVERRIDES :=

# A word for the shell, whatever it holds
quote = '$(subst ','\'',$1)'

TREE = $(if $(KDIR),$(KDIR),$(BUILD)/linux-source-$(KVER))
KERNEL_OPTIONS = --kdir $(call quote,$(TREE)) \
	$(foreach v,$(GIVEN),--make $(call quote,$v=$($v)))
TREE_OPTIONS = $(KERNEL_OPTIONS) --cache $(BUILD)/cache

# make_in FOLDER: for the C programs there
C_VARIABLES := CC CROSS_COMPILE CFLAGS EXTRA_CFLAGS EXTRA_LDFLAGS SYSROOT
make_in = $(MAKE) --no-print-directory -C $(1) BUILD=$(abspath $(BUILD))/$(1) \
	$(foreach v,$(C_VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v=$(call quote,$($v))))

# Without a recipe line of its own, make would say "Nothing to be done".
.PHONY: help
help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST))

## Configure a kernel tree:
##   hardenedlowconfig hardenedmediumconfig hardenedhighconfig hardenedextremeconfig
##                    bring the .config of a kernel tree to that level and report
##                    every setting; the levels: docs/hardenedconfig.rst
##     KDIR=dir       the kernel tree (default: Debian's linux-source-6.12, which
##                    is fetched and unpacked under build/; KVER=6.1, 6.12, 7.2, 7.3)
##     BASE=file      start from that config (default: the tree's .config, or else
##                    the defconfig of its architecture)
##     KEEP=file      settings that are to stay as they are, in the form of a .config
##     DRY_RUN=1      report what would change, but leave the .config alone
##     REPORT=file    write the report as JSON, too
##     STRICT=1       fail if a setting is missing or weaker than asked
##     O= ARCH= CROSS_COMPILE= LLVM= LLVM_IAS= CC= HOSTCC= KCONFIG_CONFIG=
##                    as for the kernel's own make
.PHONY: $(CONFIG_TARGETS)
$(CONFIG_TARGETS): hardened%config: deps-config tree
	@$(PYTHON) -m gen config --level $* $(TREE_OPTIONS) \
		$(if $(BASE),--base $(call quote,$(BASE))) $(if $(REPORT),--report $(call quote,$(REPORT))) \
		$(if $(KEEP),--keep $(call quote,$(KEEP))) \
		$(if $(filter-out 0,$(DRY_RUN)),--dry-run) $(if $(filter-out 0,$(STRICT)),--strict)

.PHONY: tree
tree: deps-config
	@$(if $(KDIR),:,kconfig/tree.sh $(call quote,$(KVER)) >/dev/null)

.PHONY: deps-config deps-cross deps-docs deps-probes deps-audit deps-check
deps-config deps-cross deps-docs deps-probes deps-audit deps-check:
	@kconfig/deps.sh $(@:deps-%=%)

## Questions about configs (docs/guide/explain.rst, docs/guide/compare.rst):
##   python3 -m gen explain CONFIG_X=y ...   why not, and what would it take
##   python3 -m gen diff A.config B.config   which hardening differs, and why
##   python3 -m gen bisect --good A --bad B --test CMD   which setting breaks it
##     each with --kdir DIR; --help has the options

## The catalogue:
##   fragments        rewrite fragments/ from docs/catalogue/
##   lint-catalogue   compare the catalogue with the tree KDIR=
##   docs             the documentation as HTML in build/docs
.PHONY: fragments lint-catalogue docs
fragments: deps-config
	@$(PYTHON) -m gen fragments

lint-catalogue: deps-config tree
	@$(PYTHON) -m gen lint $(TREE_OPTIONS)

docs: deps-docs
	@$(PYTHON) -m sphinx -q -W --keep-going -b html docs $(BUILD)/docs

## What a kernel has (docs/man/hardened-audit.1):
##   audit            audit the running system, or CONFIG=; exits as the program does
##     CONFIG="..."   configs, kernel images or packages, between blanks
##     LEVEL=level    low, medium, high or extreme
##     FORMAT=format  table, json, csv, ktap, junit, sarif, prometheus or html
##     OPTIONS="..."  further options of hardened-audit, between blanks
##   hardened-audit   build it: build/audit/hardened-audit, static, and one in
##                    build/audit/dynamic/
##     CC= CROSS_COMPILE= CFLAGS= EXTRA_CFLAGS= EXTRA_LDFLAGS= SYSROOT=
.PHONY: hardened-audit audit
hardened-audit: deps-audit
	+@$(call make_in,audit)

# stdout is the program's alone, and the status of make 2 whatever it says
audit: deps-audit
	+@$(call make_in,audit) static >&2
	@$(BUILD)/audit/hardened-audit $(if $(LEVEL),--level $(call quote,$(LEVEL))) \
		$(if $(FORMAT),--format $(call quote,$(FORMAT))) $(OPTIONS) \
		$(if $(CONFIG),-- $(CONFIG))

## Probes of the kernel that runs here (docs/man/hardenedconfig-probes.7):
##   probes           build them in build/probes/, static ones in build/probes/static/
##     CC= CROSS_COMPILE= CFLAGS= EXTRA_CFLAGS= EXTRA_LDFLAGS= SYSROOT=
##   probe            run them all: tables on a terminal, else KTAP
##     JSON=file      write all reports as JSON, too
.PHONY: probes probe
probes: deps-probes
	+@$(call make_in,probes)

# stdout is the probes' alone
probe: deps-probes
	+@$(call make_in,probes) dynamic >&2
	@probes/run.sh $(if $(JSON),--json=$(call quote,$(JSON))) $(BUILD)/probes

## In a kernel tree of your own:
##   install-kernel   put fragments, documentation and the hardened*config targets
##                    into the tree KDIR=; they work there without Python
##   uninstall-kernel take them out again
.PHONY: install-kernel uninstall-kernel
install-kernel uninstall-kernel:
	@kconfig/install.sh $(@:%-kernel=%) $(call quote,$(KDIR))

## Tests:
##   check            linters and tests; installs what they need
##   check-long       every supported tree, config and level (long)
##   conformance      does the model of the tree KDIR= write what its conf does?
##                    (docs/guide/conformance.rst)
##     ARCHS="..."    for these architectures (default: all that are supported)
##     SEEDS=n        that many random configs (default: 100)
##     CONFIGS="..."  these configs, too
##   bench            how long runs take, of the generator and of hardened-audit
.PHONY: check check-long lint bench
# Two workers of pytest would wait for each other, and longer than a test may take.
FETCH_FOR_PROBES = kconfig/debian-libraries.sh arm64 >/dev/null && \
	for v in 6.1 6.12; do kconfig/debian-kernel.sh $$v cloud amd64 >/dev/null || exit; done
check: lint docs deps-config
	@for v in 6.1 6.12 7.3; do kconfig/tree.sh $$v >/dev/null || exit; done
	@$(FETCH_FOR_PROBES)
	@$(PYTHON) -m pytest -n 2 --dist loadgroup tests

check-long: deps-check deps-cross deps-config
	@for v in 6.1 6.12 7.2 7.3; do kconfig/tree.sh $$v >/dev/null || exit; done
	@$(FETCH_FOR_PROBES)
	@$(PYTHON) -m pytest -n 2 --dist loadgroup --long tests

lint: deps-check
	@$(PYTHON) -m black -q --check gen tests docs/conf.py
	@$(PYTHON) -m flake8 gen tests docs/conf.py
	@$(PYTHON) -m mypy gen
	@shellcheck -x -P SCRIPTDIR kconfig/*.sh kconfig/lib/*.sh kconfig/target/*.sh \
		probes/*.sh .ci/run
	@for c in probes audit; do $(MAKE) --no-print-directory -s -j$$(nproc) -C $$c \
		-f ../tests/$$c/Makefile BUILD=$(abspath $(BUILD))/$$c-test/lint lint || exit; done
	@mandoc -Tlint -Wwarning docs/man/*

ARCHS ?= x86_64 i386 arm64 arm riscv powerpc s390
.PHONY: conformance
# What stays missing is named again, for the architecture that was not compared
conformance: deps-config tree
	@kconfig/deps.sh $(foreach a,$(ARCHS),$(call quote,cross-$a)) || :
	@$(PYTHON) -m gen conformance $(KERNEL_OPTIONS) \
		--arch $(foreach a,$(ARCHS),$(call quote,$a)) \
		$(if $(SEEDS),--seeds $(call quote,$(SEEDS))) $(if $(CONFIGS),--config $(CONFIGS))

bench: tree deps-audit
	@$(PYTHON) tests/bench/bench_config.py $(call quote,$(TREE))
	@$(PYTHON) tests/bench/bench_explain.py $(call quote,$(TREE))
	@$(PYTHON) tests/bench/bench_audit.py

##   clean            remove what is made under build/, but not the kernel trees
.PHONY: clean
clean:
	@rm -rf $(BUILD)/cache $(BUILD)/conformance $(BUILD)/docs $(BUILD)/probes \
		$(BUILD)/probes-test $(BUILD)/audit $(BUILD)/audit-test
