# SPDX-License-Identifier: GPL-2.0-only
"""A kernel tree: its own make and conf, and a model of its Kconfig files."""
