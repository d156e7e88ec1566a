"""Draws the line above the board: turn, stage, and at the end who won and why."""

from visualizer.backends.arcade import formatting
from visualizer.backends.arcade.draw_list import DrawList
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.rect import Rect
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.window_model import WindowModel
from visualizer.scene import counted
from visualizer.theme import ACCENT, BACKGROUND, PANEL, QUIET, RIM, TEXT

LARGE, USUAL, SMALL = 20, 13, 11.5


def header_key(model: WindowModel) -> object:
    """Return all that the header depends on."""
    playback = model.playback
    first = model.views[0]
    return (
        _turn(model),
        _stage(first),
        first.cursor.position if not playback.is_playing else None,
        model.is_live and (playback.is_at_end or playback.end),
        [_is_at_end(view) for view in model.views],
        model.end,
    )


def draw_header(draws: DrawList, frame: WindowFrame) -> None:
    model, place = frame.model, frame.layout.header
    x, middle = place.x + draws.px(14), place.middle_y
    x += draws.text(x, middle, "Turn ", LARGE, QUIET)
    x += draws.text(x, middle, f"{_turn(model)}", LARGE, TEXT, is_bold=True)
    x += draws.text(x, middle + draws.px(2), f"  of {model.end:.0f}", USUAL, QUIET) + draws.px(14)
    right = place.right - draws.px(12)
    if model.is_live and model.playback.is_at_end:
        right -= _badge(draws, right, middle, "LIVE", BACKGROUND, ACCENT) + draws.px(8)
    elif model.is_live:
        played = f"{counted(int(model.playback.end), 'turn')} played"
        right -= _badge(draws, right, middle, played, ACCENT, PANEL) + draws.px(8)
    if any(map(_is_at_end, model.views)):
        _result(draws, model, x, right, middle)
        return
    first = model.views[0]
    if len(model.views) == 1:
        stage = _stage(first)
        if stage:
            x += _badge(draws, x, middle, stage, TEXT, PANEL, is_left=True) + draws.px(10)
        if not model.playback.is_playing:
            draws.text(x, middle + draws.px(1), _step_text(first), USUAL, QUIET, room=right - x)


def _turn(model: WindowModel) -> int:
    return max(view.timeline.turn_at(view.cursor.position) for view in model.views)


def _stage(view: ReplayView) -> str:
    return view.timeline.stage_at(view.cursor.position).replace("_", " ")


def _step_text(view: ReplayView) -> str:
    """Return which step of the turn is shown."""
    timeline, position = view.timeline, view.cursor.position
    if not position:
        return "before the first turn"
    turn = timeline.turn_at(position)
    first, last = timeline.begin_of(turn), timeline.end_of(turn)
    return f"step {position - first} of {last - first}"


def _is_at_end(view: ReplayView) -> bool:
    return view.timeline.is_over and view.cursor.position == view.timeline.steps


def _badge(
    draws: DrawList,
    x: float,
    middle: float,
    text: str,
    color: str,
    fill: str,
    *,
    is_left: bool = False,
) -> float:
    """Draw a word on a pill, left of `x` or from `x` on. Return its width."""
    height, pad = draws.px(24), draws.px(11)
    width = draws.width_of(text, SMALL, is_bold=True) + 2 * pad
    left = x if is_left else x - width
    place = Rect(round(left), round(middle - height / 2), width, height)
    if fill == PANEL:
        draws.panel(place, fill, RIM, radius=12)
    else:
        draws.rounded(place, height / 2, fill)
    draws.text(place.middle_x, middle, text, SMALL, color, is_bold=True, align=0.5)
    return width


def _result(draws: DrawList, model: WindowModel, x: float, right: float, middle: float) -> None:
    """Draw the result of each replay, two side by side."""
    width = (right - x) / len(model.views)
    for number, view in enumerate(model.views):
        replay = view.timeline.replay
        if replay.outcome is None or not _is_at_end(view):
            continue
        left = x + number * width
        winner = replay.outcome.winner
        color = QUIET if winner is None else view.timeline.scene.team_color(winner)
        height = draws.px(32)
        place = Rect(round(left), round(middle - height / 2), width - draws.px(6), height)
        draws.panel(place, PANEL, color, radius=8)
        pen = place.x + draws.px(12)
        room = place.right - pen - draws.px(10)
        who = formatting.result(replay, replay.outcome)
        pen += draws.text(pen, middle, who, 14, TEXT, is_bold=True, room=room) + draws.px(12)
        why = f"ended: {formatting.ending(replay, replay.outcome)}"
        draws.text(pen, middle, why, USUAL, QUIET, room=place.right - pen - draws.px(10))
