"""Draws the teams: name, author, score, what the scene says of them, CPU, rounds lost."""

from engine.record import Contestant
from visualizer.scene import Panel
from visualizer.theme import ACCENT, BACKGROUND, PANEL, QUIET, RIM, TEXT
from visualizer.window import words
from visualizer.window.chips import chip
from visualizer.window.ink import Ink
from visualizer.window.rect import Rect
from visualizer.window.reel import Reel

NAME, SCORE, USUAL, SMALL, TINY = 15, 19, 12, 11, 9.5
PAD = 12
LINE = 18
CHIP, SMALL_CHIP = 20, 17


class TeamCard:
    """What is known of a team where the playhead is."""

    def __init__(self, reel: Reel, team: int) -> None:
        film, cursor = reel.film, reel.cursor
        self.team = team
        self.colour = film.scene.team_colour(team)
        self.bot = film.replay.bots[team - 1]
        self.name = words.name(film.replay, team)
        scores = film.replay.game.standing(cursor.state).scores
        outcome = film.replay.outcome
        is_over = film.is_over and cursor.position == film.steps
        if is_over and outcome is not None:
            scores = outcome.scores
        self.score = words.score(scores[team - 1])
        self.is_winner = bool(is_over and outcome is not None and outcome.winner == team)
        self.panel: Panel = film.scene.panel(cursor.state, team)
        turn = film.turn_at(cursor.position)
        self.cpu = words.cpu(film.cpu_us(team, turn))
        self.lost = film.rounds_lost(team, turn)

    @property
    def key(self) -> object:
        return self.score, self.is_winner, self.panel, self.cpu, self.lost


def draw_card(ink: Ink, place: Rect, card: TeamCard, *, is_compact: bool) -> None:
    colour = card.colour
    ink.card(place, PANEL, RIM)
    ink.rounded(Rect(place.x, place.y, ink.px(5), place.height), ink.px(2.5), colour)
    inner = Rect(
        place.x + ink.px(PAD + 4), place.y, place.width - ink.px(2 * PAD + 4), place.height
    )
    if is_compact:
        _compact(ink, inner, card)
    else:
        _whole(ink, inner, card)


def _compact(ink: Ink, inner: Rect, card: TeamCard) -> None:
    score = ink.text(inner.right, inner.middle_y, card.score, NAME, TEXT, is_bold=True, align=1.0)
    room = round(inner.width - score - ink.px(8))
    upper, lower = inner.middle_y - ink.px(9), inner.middle_y + ink.px(9)
    left = _numbered(ink, inner.x, upper, card, SMALL_CHIP)
    _name(ink, inner.x + left, upper, card, room - left, NAME - 1)
    ink.text(inner.x, lower, _in_short(ink, card, room), SMALL, QUIET, room=room)


def _whole(ink: Ink, inner: Rect, card: TeamCard) -> None:
    y = inner.y + ink.px(20)
    score = ink.text(inner.right, y, card.score, SCORE, TEXT, is_bold=True, align=1.0)
    left = _numbered(ink, inner.x, y, card, CHIP)
    _name(ink, inner.x + left, y, card, inner.width - score - ink.px(8) - left, NAME)
    y += ink.px(20)
    _about(ink, inner, y, card.bot)
    bottom = inner.bottom - ink.px(16)
    _foot(ink, inner, bottom, card)
    below = Rect(inner.x, y + ink.px(12), inner.width, bottom - ink.px(12) - y - ink.px(12))
    lines = [(name, value) for name, value in card.panel if not isinstance(value, tuple)]
    columns = [(name, value) for name, value in card.panel if isinstance(value, tuple)]
    beside = 1 if len(lines) == 1 else 2
    rows = -(-len(lines) // beside)
    step = ink.px(LINE) if columns else min(ink.px(LINE), below.height / max(1, rows))
    for first in range(0, len(lines), beside):
        line, below = below.cut_top(step)
        for part, (name, value) in zip(
            line.columns(beside, ink.px(16)), lines[first : first + beside], strict=False
        ):
            _line(ink, part, name, f"{value}")
    for place, (_, counts) in zip(
        below.columns(len(columns) or 1, ink.px(8)), columns, strict=False
    ):
        _histogram(ink, place, counts, card.colour)


def _line(ink: Ink, place: Rect, name: str, value: str) -> None:
    used = ink.text(place.right, place.middle_y, value, USUAL, TEXT, is_bold=True, align=1.0)
    room = place.width - used - ink.px(6)
    ink.text(place.x, place.middle_y, name, USUAL, QUIET, room=room)


def _about(ink: Ink, place: Rect, y: float, bot: Contestant) -> None:
    """The author stays to be read, however long the title is."""
    title, author = words.title(bot), words.by(bot)
    room = place.width - min(ink.width_of(author, USUAL), place.width * 0.45)
    used = ink.text(place.x, y, title, USUAL, QUIET, room=room)
    ink.text(place.x + used, y, author, USUAL, QUIET, room=place.width - used)


def _numbered(ink: Ink, x: float, y: float, card: TeamCard, size: float) -> float:
    """The team's number; how much room it takes before the name."""
    chip(ink, x + ink.px(size / 2), y, size, card.team, card.colour)
    return ink.px(size + 6)


def _name(ink: Ink, x: float, y: float, card: TeamCard, room: float, size: float) -> None:
    if card.is_winner:
        width = ink.width_of("winner", TINY, is_bold=True) + ink.px(12)
        room -= width + ink.px(6)
    used = ink.text(x, y, card.name, size, TEXT, is_bold=True, room=room)
    if card.is_winner:
        pill = Rect(x + used + ink.px(8), round(y - ink.px(8)), width, ink.px(16))
        ink.rounded(pill, ink.px(8), ACCENT)
        ink.text(pill.middle_x, y, "winner", TINY, BACKGROUND, is_bold=True, align=0.5)


def _foot(ink: Ink, inner: Rect, y: float, card: TeamCard) -> None:
    used = ink.text(inner.x, y, "CPU", SMALL, QUIET)
    ink.text(inner.x + used + ink.px(5), y, card.cpu, SMALL, TEXT)
    number = ink.text(inner.right, y, f"{card.lost}", SMALL, TEXT, align=1.0)
    ink.text(inner.right - number - ink.px(5), y, "rounds lost", SMALL, QUIET, align=1.0)


def _histogram(ink: Ink, place: Rect, counts: tuple[int, ...], colour: str) -> None:
    """A column per number, with what it counts below and how many above."""
    columns = place.columns(len(counts), ink.px(2))
    most = max(*counts, 1)
    foot, head = ink.px(12), ink.px(11)
    full = place.height - foot - head
    for number, (column, count) in enumerate(zip(columns, counts, strict=True), 1):
        base = place.bottom - foot
        height = max(1.0, round(full * count / most)) if full > 2 else 1.0
        bar = Rect(round(column.x), base - height, round(column.width), height)
        ink.rect(bar, colour if count else RIM)
        if count:
            ink.text(column.middle_x, bar.y - head / 2, f"{count}", TINY, TEXT, align=0.5)
        ink.text(column.middle_x, place.bottom - foot / 2 + 1, f"{number}", TINY, QUIET, align=0.5)


def _in_short(ink: Ink, card: TeamCard, room: float) -> str:
    """The lines of the panel in one, as many as there is room for."""
    lines = [f"{value} {name}" for name, value in card.panel if not isinstance(value, tuple)]
    lost = [f"{card.lost} lost"] if card.lost else []
    first, *others = [*lines, *lost, f"CPU {card.cpu}"]
    for part in others:
        longer = f"{first} · {part}"
        if ink.width_of(longer, SMALL) > room:
            break
        first = longer
    return first
