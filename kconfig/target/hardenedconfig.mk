# SPDX-License-Identifier: GPL-2.0-only
#
# Included by scripts/kconfig/Makefile. make hardenedhighconfig brings the
# settings of kernel/configs/hardenedhigh.config and those for the architecture
# into .config, which is the architecture's defconfig when there is none.

hardenedconfig-targets := $(foreach level, low medium high extreme, \
	hardened$(level)config)

PHONY += $(hardenedconfig-targets)

$(hardenedconfig-targets): $(obj)/conf
	$(if $(wildcard $(KCONFIG_CONFIG)),, \
		$(Q)$(MAKE) -f $(srctree)/Makefile defconfig)
	$(Q)$(CONFIG_SHELL) $(srctree)/scripts/kconfig/hardenedconfig.sh \
		$(@:config=) $< $(Kconfig)
