# SPDX-License-Identifier: GPL-2.0-only
"""Contrast as WCAG 2 defines it, and how far colours are apart for whom.

Colour blindness: G. Machado, M. Oliveira, L. Fernandes, "A Physiologically-based
Model for Simulation of Color Vision Deficiency" (2009), the matrices for full
severity. Distances: CIE 1976 (L*, a*, b*), white point D65.
"""

import math

VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ = (
    (0.4124, 0.3576, 0.1805),
    (0.2126, 0.7152, 0.0722),
    (0.0193, 0.1192, 0.9505),
)
WHITE = (0.9505, 1.0, 1.089)


def linear(colour: str) -> tuple[float, ...]:
    """ "#rrggbb" as linear light."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
    )


def times(matrix, vector) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector)) for row in matrix)


def contrast(one: str, other: str) -> float:
    """1 (none) to 21 (black on white)."""
    light, dark = sorted((times(TO_XYZ, linear(c))[1] for c in (one, other)))[::-1]
    return (light + 0.05) / (dark + 0.05)


def lab(colour: str, vision: str) -> tuple[float, float, float]:
    seen = (min(1.0, max(0.0, c)) for c in times(VISIONS[vision], linear(colour)))
    x, y, z = (
        c ** (1 / 3) if c > (6 / 29) ** 3 else c / (3 * (6 / 29) ** 2) + 4 / 29
        for c in (v / w for v, w in zip(times(TO_XYZ, tuple(seen)), WHITE))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, vision: str) -> float:
    """2 is about the least that is seen side by side."""
    return math.dist(lab(one, vision), lab(other, vision))
