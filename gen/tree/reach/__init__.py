# SPDX-License-Identifier: GPL-2.0-only
"""What no configuration of a tree can have, with proofs."""
