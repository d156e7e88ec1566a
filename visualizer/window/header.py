"""Draws the line above the board: turn, stage, and at the end who won and why."""

from visualizer.theme import ACCENT, BACKGROUND, PANEL, QUIET, RIM, TEXT
from visualizer.window import words
from visualizer.window.frame import Frame
from visualizer.window.ink import Ink
from visualizer.window.rect import Rect
from visualizer.window.reel import Reel
from visualizer.window.showing import Showing

LARGE, USUAL, SMALL = 20, 13, 11.5


def header_key(showing: Showing) -> object:
    """What it depends on."""
    playback = showing.playback
    first = showing.reels[0]
    return (
        _turn(showing),
        _stage(first),
        first.cursor.position if not playback.is_playing else None,
        showing.is_live and (playback.is_at_end or playback.end),
        [_is_at_end(reel) for reel in showing.reels],
        showing.end,
    )


def draw_header(ink: Ink, frame: Frame) -> None:
    showing, place = frame.showing, frame.layout.header
    x, middle = place.x + ink.px(14), place.middle_y
    x += ink.text(x, middle, "Turn ", LARGE, QUIET)
    x += ink.text(x, middle, f"{_turn(showing)}", LARGE, TEXT, is_bold=True)
    x += ink.text(x, middle + ink.px(2), f"  of {showing.end:.0f}", USUAL, QUIET) + ink.px(14)
    right = place.right - ink.px(12)
    if showing.is_live and showing.playback.is_at_end:
        right -= _chip(ink, right, middle, "LIVE", BACKGROUND, ACCENT) + ink.px(8)
    elif showing.is_live:
        played = f"{showing.playback.end:.0f} turns are played"
        right -= _chip(ink, right, middle, played, ACCENT, PANEL) + ink.px(8)
    if any(map(_is_at_end, showing.reels)):
        _result(ink, showing, x, right, middle)
        return
    first = showing.reels[0]
    if len(showing.reels) == 1:
        stage = _stage(first)
        if stage:
            x += _chip(ink, x, middle, stage, TEXT, PANEL, is_left=True) + ink.px(10)
        if not showing.playback.is_playing:
            ink.text(x, middle + ink.px(1), _round(first), USUAL, QUIET, room=right - x)


def _turn(showing: Showing) -> int:
    return max(reel.film.turn_at(reel.cursor.position) for reel in showing.reels)


def _stage(reel: Reel) -> str:
    return reel.film.stage_at(reel.cursor.position).replace("_", " ")


def _round(reel: Reel) -> str:
    """Which of the turn's steps it is."""
    film, position = reel.film, reel.cursor.position
    if not position:
        return "before the first turn"
    turn = film.turn_at(position)
    first, last = film.begin_of(turn), film.end_of(turn)
    return f"step {position - first} of {last - first}"


def _is_at_end(reel: Reel) -> bool:
    return reel.film.is_over and reel.cursor.position == reel.film.steps


def _chip(
    ink: Ink, x: float, middle: float, text: str, colour: str, fill: str, *, is_left: bool = False
) -> float:
    """A word on a pill, to the left of `x` or from it on; its width."""
    height, pad = ink.px(24), ink.px(11)
    width = ink.width_of(text, SMALL, is_bold=True) + 2 * pad
    left = x if is_left else x - width
    place = Rect(round(left), round(middle - height / 2), width, height)
    if fill == PANEL:
        ink.card(place, fill, RIM, radius=12)
    else:
        ink.rounded(place, height / 2, fill)
    ink.text(place.middle_x, middle, text, SMALL, colour, is_bold=True, align=0.5)
    return width


def _result(ink: Ink, showing: Showing, x: float, right: float, middle: float) -> None:
    """Of each film; side by side where there are two."""
    width = (right - x) / len(showing.reels)
    for number, reel in enumerate(showing.reels):
        replay = reel.film.replay
        if replay.outcome is None or not _is_at_end(reel):
            continue
        left = x + number * width
        winner = replay.outcome.winner
        colour = QUIET if winner is None else reel.film.scene.team_colour(winner)
        height = ink.px(32)
        place = Rect(round(left), round(middle - height / 2), width - ink.px(6), height)
        ink.card(place, PANEL, colour, radius=8)
        pen = place.x + ink.px(12)
        room = place.right - pen - ink.px(10)
        who = words.result(replay, replay.outcome)
        pen += ink.text(pen, middle, who, 14, TEXT, is_bold=True, room=room) + ink.px(12)
        why = f"ended: {words.ending(replay, replay.outcome)}"
        ink.text(pen, middle, why, USUAL, QUIET, room=place.right - pen - ink.px(10))
