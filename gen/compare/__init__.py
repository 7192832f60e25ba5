# SPDX-License-Identifier: GPL-2.0-only
"""What differs between two configs, and which difference breaks something."""
