# SPDX-License-Identifier: GPL-2.0-only
"""Why a config does not have a setting, and what it takes."""
