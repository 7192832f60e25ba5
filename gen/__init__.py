# SPDX-License-Identifier: GPL-2.0-only
"""The generator: from the catalogue and a kernel tree to fragments and configs."""
