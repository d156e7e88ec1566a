"""Draws the buttons, the tooltips and the help."""

from visualizer.theme import ACCENT, BACKGROUND, BUTTON, BUTTON_LIT, PANEL, QUIET, RIM, TEXT
from visualizer.window import icons, words
from visualizer.window.actions import ACTIONS, Action, keys_in_words, named
from visualizer.window.frame import Frame
from visualizer.window.ink import Ink
from visualizer.window.rect import Rect

USUAL, SMALL = 12, 11
HEADING = 18
MOUSE = (
    ("click a piece", "Look into it; click beside it to let go"),
    ("wheel on the board", "Closer or farther"),
    ("drag the board", "Move it, where not all of it is to be seen"),
    ("drag on the timeline", "Go to that turn"),
    ("wheel on the history", "Scroll"),
)
SHADE = 0.72
"""Over what is behind the help."""


def draw_controls(ink: Ink, frame: Frame) -> None:
    showing = frame.showing
    for action, place in frame.buttons():
        is_hovered = showing.hovered_action == action.name
        is_main = action.name == "play"
        is_on = action.is_on(showing)
        if is_main or is_on:
            ink.rounded(place, ink.px(8), ACCENT)
        elif is_hovered:
            ink.rounded(place, ink.px(8), BUTTON_LIT)
        else:
            ink.rounded(place, ink.px(8), BUTTON)
        name = "pause" if is_main and showing.playback.is_playing else action.name
        colour = BACKGROUND if is_main or is_on else TEXT
        _icon(ink, name, place.middle_x, place.middle_y, place.width * 0.72, colour)
    label = frame.speed_label()
    text = words.speed(showing.playback.speed)
    ink.text(label.middle_x, label.middle_y, text, USUAL + 1, TEXT, is_bold=True, align=0.5)


def draw_tooltip(ink: Ink, frame: Frame, x: float, y: float, lines: list[tuple[str, str]]) -> None:
    """Lines of text and their colours near a place, inside the window."""
    pad, height = ink.px(9), ink.px(17)
    width = max(ink.width_of(text, USUAL) for text, _ in lines) + 2 * pad
    tall = len(lines) * height + ink.px(9)
    window = frame.layout.window
    left = min(max(x + ink.px(14), ink.px(4)), window.width - width - ink.px(4))
    top = y - tall - ink.px(10)
    if top < ink.px(4):
        top = y + ink.px(22)
    place = Rect(round(left), round(top), width, tall)
    ink.card(place, BACKGROUND, QUIET, radius=6, opacity=0.97)
    for number, (text, colour) in enumerate(lines):
        middle = place.y + ink.px(4.5) + height * (number + 0.5)
        ink.text(place.x + pad, middle, text, USUAL, colour)


def tooltip_of(action_name: str) -> list[tuple[str, str]]:
    action = named(action_name)
    return [(action.says, TEXT), (" or ".join(keys_in_words(action)), QUIET)]


def draw_help(ink: Ink, frame: Frame) -> None:
    """Every key and what it does, over everything else."""
    window = frame.layout.window
    ink.rect(window, BACKGROUND, SHADE)
    line = ink.px(23)
    rows = len(ACTIONS) + len(MOUSE)
    scale = min(1.0, (window.height - ink.px(20)) / (line * rows + ink.px(92)))
    line = int(line * scale)
    height = line * rows + ink.px(92) * scale
    width = min(ink.px(560), window.width - ink.px(20))
    place = Rect(
        round(window.middle_x - width / 2), round(window.middle_y - height / 2), width, height
    )
    ink.card(place, PANEL, RIM, radius=12)
    inner = place.inset(ink.px(26), ink.px(20) * scale)
    title, inner = inner.cut_top(ink.px(30) * scale, ink.px(6) * scale)
    ink.text(title.x, title.middle_y, "Keys and mouse", HEADING * scale, TEXT, is_bold=True)
    ink.text(title.right, title.middle_y, "Esc closes this", SMALL, QUIET, align=1.0)
    for action in ACTIONS:
        row, inner = inner.cut_top(line)
        _help_line(ink, row, action, scale)
    _, inner = inner.cut_top(ink.px(8) * scale)
    for what, says in MOUSE:
        row, inner = inner.cut_top(line)
        ink.text(row.x, row.middle_y, what, USUAL * scale, QUIET)
        ink.text(row.x + row.width * 0.42, row.middle_y, says, USUAL * scale, TEXT)


def _help_line(ink: Ink, row: Rect, action: Action, scale: float) -> None:
    x = row.x
    for key in keys_in_words(action):
        width = ink.width_of(key, SMALL * scale, is_bold=True) + ink.px(14)
        cap = Rect(round(x), round(row.y + row.height * 0.08), width, round(row.height * 0.84))
        ink.card(cap, BUTTON, RIM, radius=5)
        ink.text(cap.middle_x, row.middle_y, key, SMALL * scale, TEXT, is_bold=True, align=0.5)
        x = cap.right + ink.px(6)
    pen = row.x + row.width * 0.42
    if action.name in icons.BUTTONS:
        side = row.height * 0.8
        _icon(ink, action.name, pen + side / 2, row.middle_y, side, ACCENT)
    pen += row.height + ink.px(6)
    ink.text(pen, row.middle_y, action.says, USUAL * scale, TEXT, room=row.right - pen)


def _icon(ink: Ink, name: str, x: float, y: float, size: float, colour: str) -> None:
    ink.picture(
        ("button", name),
        lambda pixels: icons.icon(icons.BUTTONS[name], pixels),
        (x, y, size),
        colour,
    )
