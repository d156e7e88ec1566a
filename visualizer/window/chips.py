"""A team's number in its colour: not all colours look different to everybody."""

from visualizer.window.ink import Ink

NUMBER = "#ffffff"
LETTERS = 0.62
"""Of the chip's width."""


def chip(ink: Ink, x: float, y: float, size: float, team: int, colour: str) -> None:
    """Around `x`, `y`, in pixels; `size` is in points."""
    ink.disc(x, y, ink.px(size), colour)
    ink.text(x, y, f"{team}", size * LETTERS, NUMBER, is_bold=True, align=0.5)
