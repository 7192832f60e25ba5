# SPDX-License-Identifier: GPL-2.0-only
import pytest

from gen.versions import Range, Ranges, parse_version, release_version


@pytest.mark.parametrize(
    "ranges, inside, outside",
    [
        ("4.15 - 6.8", ["4.15", "4.15.3", "6.8", "6.8.12"], ["4.14.336", "6.9"]),
        ("since 6.9", ["6.9", "6.9.1", "7.3.4", "10.0"], ["6.8.12"]),
        # DEBUG_CREDENTIALS left a stable series half-way
        ("up to 6.6.7", ["4.19", "6.6.7", "6.6"], ["6.6.8", "6.7"]),
        (
            "up to 6.1.68, 6.2 - 6.6.7",
            ["6.1.68", "6.2"],
            ["6.1.69", "6.1.192", "6.6.8"],
        ),
        ("6.12 - 6.12", ["6.12", "6.12.117"], ["6.11.9", "6.13.1"]),
    ],
)
def test_membership(ranges: str, inside: list[str], outside: list[str]) -> None:
    parsed = Ranges.parse(ranges)
    assert [v for v in inside if parse_version(v) not in parsed] == []
    assert [v for v in outside if parse_version(v) in parsed] == []
    assert str(parsed) == ranges


@pytest.mark.parametrize(
    "text, message",
    [
        ("6.1 - 5.0", "ends before it begins"),
        ("6.6.8 - 6.6.7", "ends before it begins"),
        ("6.1", "not a range"),
        ("-", "not a range"),
        ("6.9 -", "not a range"),
        ("- 6.8", "not a range"),
        ("since", "not a range"),
        ("up to six", "not a kernel version"),
        ("six - 7.0", "not a kernel version"),
        ("6 - 7.0", "not a kernel version"),
        ("4.19 - 6.1, 6.1.5 - 6.6", "overlap"),
    ],
)
def test_broken_ranges(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Ranges.parse(text)


def test_a_range_meets_its_neighbour_at_a_point_release() -> None:
    assert Range.parse("up to 6.8.3").overlaps(Range.parse("since 6.8"))
    assert not Range.parse("up to 6.8").overlaps(Range.parse("since 6.9"))


def test_releases_of_trees() -> None:
    assert release_version("6.13.0-rc1+") == (6, 13, 0)
    assert release_version("6.12.117") == (6, 12, 117)
    with pytest.raises(ValueError):
        release_version("next-20261130")
