# SPDX-License-Identifier: GPL-2.0-only
"""Whether the model of a tree agrees with the tree's own conf."""
