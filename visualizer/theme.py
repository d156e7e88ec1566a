"""The colors of everything that is drawn, and how two are mixed."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from pathlib import Path

Rgb = tuple[int, int, int]

TEAM_COLORS = ("#2f7de1", "#f28c28", "#406e14", "#b61d72", "#46b9bc", "#7030f0")
"""Team 1 first, in all games. Never the only difference: sprites and names differ too.

Some have too little contrast with light grounds and some with dark ones: graphics have a rim.
"""
DASHES = dict(zip(TEAM_COLORS, ((), (7, 4), (2, 3), (9, 3, 2, 3), (4, 4), (12, 4)), strict=True))
"""What is by turns drawn and left out of a team's curve, points."""

FONTS = Path(__file__).parents[1] / "resources/fonts"
FONT_WEIGHTS = (400, 600)
"""Of the typeface of pages: resources/fonts/README.md."""

INKS = ("#ffffff", "#05080c")
"""The colors of letters on a team's color."""

GROUND = ("#e7eddc", "#dde5cf")
"""The two greens of a board's squares."""
COORDINATES = "#7d8a7a"
DEAD = "#4a5560"
"""Squares that no piece can enter."""
DISH, DISH_RIM, DIM_DISH = "#f4f1e8", "#dcd8c8", "#d8d5ca"
"""The ground of SMAC and the lines between its cells; the ground on dark screens."""
STRIKE, HINT = "#d1242f", "#1c4fa8"
"""What is hit, and what one may do, on the ground of any board."""
PALE = 0.5
"""The share of white in a team's color on ground that it owns."""

BACKGROUND = "#11161d"
PANEL = "#1a212b"
RIM = "#2c3644"
TEXT = "#e8edf3"
QUIET = "#94a1b2"
ACCENT = "#ffd166"

BAR_FULL = "#3fb950"
BAR_MIDDLE = "#e3b341"
BAR_LOW = "#e5484d"
BAR_BACK = "#1b1f24"
BAR_LEVELS = (0.3, BAR_LOW), (0.6, BAR_MIDDLE), (1.0, BAR_FULL)
"""Up to which share of what is left a bar has a color."""


def bar_color(share: float) -> str:
    """Return the color of a bar, by the share that is left."""
    return next((color for most, color in BAR_LEVELS if share <= most), BAR_FULL)


MARK_COLORS = {
    "strike": "#e5484d",
    "birth": "#ffffff",
    "join": "#5eff8e",
    "death": "#16191d",
    "rise": "#d3d933",
    "fault": "#b01668",
    "blocked": "#6e7781",
    "hit": "#e5484d",
    "call": "#7b4fd6",
    "attack_lane": "#e5484d",
    "contest": "#ff9d4d",
    "special": "#8a4dff",
    "flag": "#2f7de1",
    "lead": "#a8cbff",
    "end": "#9aa6b4",
}
"""The colors by visualizer.scene.Mark; an attack lane has the color of the attacker's team.

Those of one timeline can be told apart by all kinds of eyes.
"""

FRONT = "#16191d"
"""The side of a block that it faces."""

MARK_RIM = "#ffffff"
MARK_RIMS = dict.fromkeys(("birth", "join", "rise", "contest", "lead", "end"), "#3a4654")
"""Rims of marks, which may lie on any ground; the others have MARK_RIM."""

BUTTON = "#222b37"
BUTTON_LIT = "#34404f"
ON_ACCENT = "#1b1400"
"""What is drawn on the accent."""

CASING = "#19212b"
"""What is beside curves: it keeps those apart that cross, and is their rim on light ground."""

PAGE_DARK = {
    "background": BACKGROUND,
    "panel": PANEL,
    "raised": "#232c38",
    "rim": RIM,
    "text": TEXT,
    "quiet": QUIET,
    "accent": ACCENT,
    "on-accent": ON_ACCENT,
    "focus": ACCENT,
    "bad": "#ff7b72",
    "shade": "#00000066",
    "casing": CASING,
    "dish": DIM_DISH,
}
"""The colors of a page, as its style sheet names them."""
PAGE_LIGHT = {
    "background": "#eef1f5",
    "panel": "#ffffff",
    "raised": "#e6ebf1",
    "rim": "#cfd7e0",
    "text": "#18212c",
    "quiet": "#586575",
    "accent": "#ffc43d",
    "on-accent": ON_ACCENT,
    "focus": "#8a5a00",
    "bad": "#c62828",
    "shade": "#1b242f2e",
    "casing": "#586575",
    "dish": DISH,
}
"""The colors of a page in the light theme."""

LIGHT: Mapping[str, str] = {
    **{color: PAGE_LIGHT[name] for name, color in PAGE_DARK.items()},
    ACCENT: PAGE_LIGHT["focus"],
    ON_ACCENT: "#ffffff",
    BUTTON: "#dfe5ec",
    BUTTON_LIT: "#c9d2dc",
}
"""The color of a window in the light theme, by that in the dark one. Boards look the same."""

SITE_DARK = {"link": "#7db4ff", "won": "#3f9d5c", "level": "#8b97a6", "lost": "#c9545a"}
"""Further colors of the pages of a report."""
SITE_LIGHT = {"link": "#1c5fbf", "won": "#3b9a58", "level": "#a7b1bd", "lost": "#cf5b60"}


@cache
def rgb(color: str) -> Rgb:
    """Return red, green and blue of `#rrggbb`, 0 to 255."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@cache
def luminance(color: str) -> float:
    """Return the relative luminance of a color, 0 to 1 (WCAG 2.2)."""
    parts = (value / 255 for value in rgb(color))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: str, other: str) -> float:
    """Return the contrast of two colors, 1 to 21 (WCAG 2.2); text needs 4.5."""
    dark, light = sorted((luminance(color), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


LIGHT_RIM, DARK_RIM, BRIGHT = "#ffffff", "#10161d", 0.28
"""The rims of what bots draw, and the luminance from which on a color has the dark one."""


def rim_on(color: str) -> str:
    """Return the color of a rim that parts a color from any ground."""
    return LIGHT_RIM if luminance(color) < BRIGHT else DARK_RIM


@cache
def ink_on(color: str) -> str:
    """Return the color of letters on a ground that may be of any color."""
    return max(INKS, key=lambda ink: contrast(ink, color))


LINES, LETTERS = 3.0, 4.5
"""The least contrast of lines and of letters with their ground (WCAG 2.2)."""
DARKER = 0.14
"""How much darker a team's color may be below letters."""


@cache
def legible(color: str, ground: str, least: float) -> str:
    """Return a color, lighter or darker if there is too little contrast with its ground."""
    ink = ink_on(ground)
    shares = (step / 20 for step in range(21))
    return next(
        found
        for share in shares
        if contrast(found := mix_colors(color, ink, share), ground) >= least
    )


@cache
def ground_of_letters(color: str) -> str:
    """Return a color as a ground of letters: darker, if white ones can then be read on it."""
    darker = mix_colors(color, INKS[1], DARKER)
    return darker if contrast(INKS[0], darker) >= LETTERS else color


@cache
def mix_colors(color: str, other: str, share: float) -> str:
    """Return a mixture of two colors; `share` is how much of it is the other one, 0 to 1."""
    pairs = zip(rgb(color), rgb(other), strict=True)
    return "#{:02x}{:02x}{:02x}".format(*(round(a + (b - a) * share) for a, b in pairs))


OWNED = tuple(mix_colors(color, INKS[0], PALE) for color in TEAM_COLORS)
"""Ground that is a team's own."""
BOARD: Mapping[str, str] = {
    **{f"team-{team}": color for team, color in enumerate(TEAM_COLORS, 1)},
    "even": GROUND[0],
    "odd": GROUND[1],
    "dead": DEAD,
    "dish-rim": DISH_RIM,
    "strike": STRIKE,
    "hint": HINT,
    "dark": FRONT,
}
"""The colors of boards, which are the same in both themes, as style sheets name them."""
TEAM_CLASSES = "".join(
    f".team-{team}{{--team:{color};--on-team:{ink_on(color)};--owned:{owned}}}"
    for team, (color, owned) in enumerate(zip(TEAM_COLORS, OWNED, strict=True), 1)
)


def style_variables(dark: Mapping[str, str], light: Mapping[str, str]) -> str:
    """Return style sheet variables: dark, light if the reader's system is, or as chosen."""
    night, day = (
        "".join(f"--{name}:{color};" for name, color in colors.items()) for colors in (dark, light)
    )
    return (
        f":root{{{night}color-scheme:dark}}"
        f"@media(prefers-color-scheme:light){{:root:not([data-theme=dark]){{{day}color-scheme:light}}}}"
        f":root[data-theme=light]{{{day}color-scheme:light}}"
    )


def font_faces(folder: str = "") -> str:
    """Return the typeface of pages: files in a folder, or part of the style sheet itself."""
    faces = ""
    for weight in FONT_WEIGHTS:
        name = f"Inter-{weight}.woff2"
        inline = f"data:font/woff2;base64,{b64encode((FONTS / name).read_bytes()).decode()}"
        address = f"{folder}/{name}" if folder else inline
        faces += f"@font-face{{font-family:Inter;font-weight:{weight};font-display:swap;"
        faces += f"src:url({address})}}"
    return faces


def site_style() -> str:
    """Return the variables and classes of pages with boards and of a report."""
    dark, light = PAGE_DARK | SITE_DARK, PAGE_LIGHT | SITE_LIGHT
    return style_variables({**dark, **BOARD}, light) + TEAM_CLASSES
