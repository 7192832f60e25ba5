# SPDX-License-Identifier: GPL-2.0-only
"""The smallest sets of assignments that achieve something."""
