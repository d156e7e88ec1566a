"""Colours as numbers, and mixtures of two."""

from functools import cache

Rgb = tuple[int, int, int]


@cache
def rgb(colour: str) -> Rgb:
    """Of `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@cache
def mixed(colour: str, other: str, share: float) -> str:
    """So much of the other one in it, 0 to 1."""
    pairs = zip(rgb(colour), rgb(other), strict=True)
    return "#{:02x}{:02x}{:02x}".format(*(round(a + (b - a) * share) for a, b in pairs))
