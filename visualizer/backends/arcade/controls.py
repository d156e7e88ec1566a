"""Draws the buttons, the tooltips and the help."""

from visualizer import theme
from visualizer.backends.arcade.actions import ACTIONS, Action, find_action_by_name, keys_in_words
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.drawing import icon_pictures, icons
from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.rect import Rect
from visualizer.model import formatting

USUAL, SMALL = 12, 11
HEADING = 18
MOUSE_HELP = (
    ("click a piece", "Inspect it; click beside it to deselect"),
    ("wheel on the board", "Zoom in or out"),
    ("drag the board", "Move it, when zoomed in"),
    ("drag on the timeline", "Go to that turn"),
    ("wheel on the history", "Scroll"),
)
HELP_WIDTH, SAYS_AT = 600, 0.36
"""The width of the help, points, and where it says what keys do, as a share of it."""
SHADE_OPACITY = 0.72
"""The opacity of the shade behind the help."""


def draw_controls(draws: AnyDrawList, frame: WindowFrame) -> None:
    model = frame.model
    for action, rect in frame.buttons():
        is_hovered = model.hovered_action == action.name
        is_main = action.name == "play"
        is_on = action.is_on(model)
        if is_main or is_on:
            draws.rounded_rect(rect, draws.px(8), theme.ACCENT)
        elif is_hovered:
            draws.rounded_rect(rect, draws.px(8), theme.BUTTON_LIT)
        else:
            draws.rounded_rect(rect, draws.px(8), theme.BUTTON)
        name = "pause" if is_main and model.playback.is_playing else action.name
        color = theme.ON_ACCENT if is_main or is_on else theme.TEXT
        draw_icon(draws, name, rect.middle_x, rect.middle_y, rect.width * 0.72, color)
    label = frame.speed_label()
    text = formatting.speed_text(model.playback.speed)
    draws.text(label.middle_x, label.middle_y, text, USUAL + 1, theme.TEXT, is_bold=True, align=0.5)


def draw_tooltip(
    draws: AnyDrawList, frame: WindowFrame, x: float, y: float, lines: list[tuple[str, str]]
) -> None:
    """Draw lines of text in colors near a place, inside the window."""
    pad, height = draws.px(9), draws.px(17)
    width = max(draws.text_width(text, USUAL) for text, _ in lines) + 2 * pad
    tall = len(lines) * height + draws.px(9)
    window = frame.layout.window
    left = min(max(x + draws.px(14), draws.px(4)), window.width - width - draws.px(4))
    top = y - tall - draws.px(10)
    if top < draws.px(4):
        top = y + draws.px(22)
    rect = Rect(round(left), round(top), width, tall)
    draws.panel(rect, theme.BACKGROUND, theme.QUIET, radius=6, opacity=0.97)
    for number, (text, color) in enumerate(lines):
        middle = rect.y + draws.px(4.5) + height * (number + 0.5)
        draws.text(rect.x + pad, middle, text, USUAL, color)


def tooltip_lines(action_name: str) -> list[tuple[str, str]]:
    action = find_action_by_name(action_name)
    return [(action.says, theme.TEXT), (" or ".join(keys_in_words(action)), theme.QUIET)]


def draw_help(draws: AnyDrawList, frame: WindowFrame) -> None:
    """Draw every key and what it does, over everything else."""
    window = frame.layout.window
    draws.rect(window, theme.BACKGROUND, SHADE_OPACITY)
    line = draws.px(23)
    rows = len(ACTIONS) + len(MOUSE_HELP)
    scale = min(1.0, (window.height - draws.px(20)) / (line * rows + draws.px(92)))
    line = int(line * scale)
    height = line * rows + draws.px(92) * scale
    width = min(draws.px(HELP_WIDTH), window.width - draws.px(20))
    rect = Rect(
        round(window.middle_x - width / 2), round(window.middle_y - height / 2), width, height
    )
    draws.panel(rect, theme.PANEL, theme.RIM, radius=12)
    inner = rect.inset(draws.px(26), draws.px(20) * scale)
    title, inner = inner.cut_top(draws.px(30) * scale, draws.px(6) * scale)
    draws.text(title.x, title.middle_y, "Keys and mouse", HEADING * scale, theme.TEXT, is_bold=True)
    draws.text(title.right, title.middle_y, "Esc closes this", SMALL, theme.QUIET, align=1.0)
    for action in ACTIONS:
        row, inner = inner.cut_top(line)
        _help_line(draws, row, action, scale)
    _, inner = inner.cut_top(draws.px(8) * scale)
    for what, says in MOUSE_HELP:
        row, inner = inner.cut_top(line)
        draws.text(row.x, row.middle_y, what, USUAL * scale, theme.QUIET)
        draws.text(row.x + row.width * SAYS_AT, row.middle_y, says, USUAL * scale, theme.TEXT)


def _help_line(draws: AnyDrawList, row: Rect, action: Action, scale: float) -> None:
    x = row.x
    for key in keys_in_words(action):
        width = draws.text_width(key, SMALL * scale, is_bold=True) + draws.px(14)
        cap = Rect(round(x), round(row.y + row.height * 0.08), width, round(row.height * 0.84))
        draws.panel(cap, theme.BUTTON, theme.RIM, radius=5)
        draws.text(
            cap.middle_x, row.middle_y, key, SMALL * scale, theme.TEXT, is_bold=True, align=0.5
        )
        x = cap.right + draws.px(6)
    pen = row.x + row.width * SAYS_AT
    if action.name in icons.BUTTONS:
        side = row.height * 0.8
        draw_icon(draws, action.name, pen + side / 2, row.middle_y, side, theme.ACCENT)
    pen += row.height + draws.px(6)
    draws.text(pen, row.middle_y, action.says, USUAL * scale, theme.TEXT, room=row.right - pen)


def draw_icon(draws: AnyDrawList, name: str, x: float, y: float, size: float, color: str) -> None:
    draws.picture(
        ("button", name),
        lambda pixels: icon_pictures.icon(icons.BUTTONS[name], pixels),
        (x, y, size),
        color,
    )
