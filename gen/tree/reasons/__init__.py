# SPDX-License-Identifier: GPL-2.0-only
"""Why a symbol does not have a value."""
