# SPDX-License-Identifier: GPL-2.0-only
"""Writes the catalogue as the C table that hardened-audit is built of."""
