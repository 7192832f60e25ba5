# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx configuration."""

project = "hardenedconfig"
copyright = "the hardenedconfig authors"
html_theme = "alabaster"
