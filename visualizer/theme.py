"""The colours of everything that is drawn."""

from collections.abc import Mapping

TEAM_COLOURS = ("#2f7de1", "#f28c28", "#406e14", "#b61d72", "#46b9bc", "#a4927a")
"""Team 1 first; of games whose scene chooses no others (visualizer/scene.py).

Never the only difference: sprites and names differ too.
"""

GROUND = ("#e7eddc", "#dde5cf")
"""The two greens of a board's squares."""
COORDINATES = "#7d8a7a"

BACKGROUND = "#11161d"
PANEL = "#1a212b"
RIM = "#2c3644"
TEXT = "#e8edf3"
QUIET = "#94a1b2"
ACCENT = "#ffd166"
WINNER = "#ffd166"
CARD = "#11161df0"
"""Of the result, above the board; the last two digits are how much it covers."""

BAR_FULL = "#3fb950"
BAR_MIDDLE = "#e3b341"
BAR_LOW = "#e5484d"
BAR_BACK = "#1b1f24"
LOW, MIDDLE = 0.3, 0.6
"""Bars of which no more is left have those colours."""


def bar_colour(share: float) -> str:
    """Of what is left."""
    if share <= LOW:
        return BAR_LOW
    return BAR_MIDDLE if share <= MIDDLE else BAR_FULL


MARK_COLOURS = {
    "strike": "#e5484d",
    "birth": "#ffffff",
    "join": "#ffd166",
    "death": "#16191d",
    "rise": "#ffd166",
    "fault": "#d1242f",
    "blocked": "#6e7781",
    "hit": "#e5484d",
    "call": "#7b4fd6",
    "reach": "#e5484d",
}
"""By visualizer.scene.Mark; what was reached has the colour of the team of who reached it."""

REACHED = 0.35
"""How much of the ground what was reached covers."""
FRONT = "#16191d"
"""The side of a block towards which it looks."""
BORDER, FRONT_EDGE = 0.08, 0.24
"""How wide the lines along a block's edges are, squares."""
FINEST_BORDER = 5
"""In squares of fewer pixels blocks have no border: it would be most of them."""
MOST_BAR, LEAST_BAR = 4, 12
"""A block's bar is at most so many squares wide, and at least so many pixels."""
AROUND = 2.0
"""So much wider than a thing is the ring around it, squares."""
LEAST_SIGN = 14
"""Pixels of a square at least, as far as signs on it go."""

MARK_RIM = "#ffffff"
MARK_RIMS = {"birth": "#4b5b6b", "join": "#5a4300", "rise": "#5a4300"}
"""Around marks, which lie on anything; MARK_RIM around the others."""

TIMELINE_COLOURS = ("#e5484d", "#ffd166", "#79c0ff", "#d2a8ff", "#7ee787", "#ff9bce")
"""Of the kinds of marks on the timeline, in the order the scene names them."""

BUTTON = "#222b37"
BUTTON_LIT = "#34404f"

PAGE_DARK = {
    "background": BACKGROUND,
    "panel": PANEL,
    "raised": "#232c38",
    "rim": RIM,
    "text": TEXT,
    "quiet": QUIET,
    "accent": ACCENT,
    "on-accent": "#1b1400",
    "focus": ACCENT,
    "bad": "#ff7b72",
    "shade": "#00000066",
}
"""The colours of a page, as its style sheet names them."""
PAGE_LIGHT = {
    "background": "#eef1f5",
    "panel": "#ffffff",
    "raised": "#e6ebf1",
    "rim": "#cfd7e0",
    "text": "#18212c",
    "quiet": "#586575",
    "accent": "#ffc43d",
    "on-accent": "#1b1400",
    "focus": "#8a5a00",
    "bad": "#c62828",
    "shade": "#1b242f2e",
}
"""The same by day."""

SITE_DARK = {"link": "#7db4ff", "won": "#3f9d5c", "level": "#8b97a6", "lost": "#c9545a"}
"""What the pages of a report need besides."""
SITE_LIGHT = {"link": "#1c5fbf", "won": "#3b9a58", "level": "#a7b1bd", "lost": "#cf5b60"}


def style_variables(dark: Mapping[str, str], light: Mapping[str, str]) -> str:
    """Colours for a style sheet: by night, by day if the reader's system says so, or as chosen."""
    night, day = (
        "".join(f"--{name}:{colour};" for name, colour in colours.items())
        for colours in (dark, light)
    )
    return (
        f":root{{{night}color-scheme:dark}}"
        f"@media(prefers-color-scheme:light){{:root:not([data-theme=dark]){{{day}color-scheme:light}}}}"
        f":root[data-theme=light]{{{day}color-scheme:light}}"
    )
