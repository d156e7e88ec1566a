"""Draws the teams: name, author, score, what the scene says of them, CPU time, forfeited turns."""

from engine.record import Contestant
from visualizer.backends.arcade import formatting
from visualizer.backends.arcade.draw_list import DrawList
from visualizer.backends.arcade.rect import Rect
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.scene import Panel
from visualizer.theme import ACCENT, BACKGROUND, PANEL, QUIET, RIM, TEXT

NAME, SCORE, USUAL, SMALL, TINY = 15, 19, 12, 11, 9.5
PAD = 12
LINE = 18
BADGE, SMALL_BADGE = 20, 17


class TeamPanel:
    """What a team panel shows at the playhead."""

    def __init__(self, view: ReplayView, team: int) -> None:
        timeline, cursor = view.timeline, view.cursor
        self.team = team
        self.color = timeline.scene.team_color(team)
        self.bot = timeline.replay.bots[team - 1]
        self.name = formatting.name(timeline.replay, team)
        scores = timeline.replay.game.standing(cursor.state).scores
        outcome = timeline.replay.outcome
        is_over = timeline.is_over and cursor.position == timeline.steps
        if is_over and outcome is not None:
            scores = outcome.scores
        self.score = formatting.score(scores[team - 1])
        self.is_winner = bool(is_over and outcome is not None and outcome.winner == team)
        self.panel: Panel = timeline.scene.panel(cursor.state, team)
        turn = timeline.turn_at(cursor.position)
        self.cpu = formatting.cpu(timeline.cpu_us(team, turn))
        self.forfeited = timeline.forfeited_turns(team, turn)
        self.forfeited_name = timeline.scene.forfeited_name

    @property
    def key(self) -> object:
        return self.score, self.is_winner, self.panel, self.cpu, self.forfeited


def draw_team_panel(draws: DrawList, place: Rect, panel: TeamPanel, *, is_compact: bool) -> None:
    color = panel.color
    draws.panel(place, PANEL, RIM)
    draws.rounded(Rect(place.x, place.y, draws.px(5), place.height), draws.px(2.5), color)
    inner = Rect(
        place.x + draws.px(PAD + 4), place.y, place.width - draws.px(2 * PAD + 4), place.height
    )
    if is_compact:
        _compact(draws, inner, panel)
    else:
        _whole(draws, inner, panel)


def _compact(draws: DrawList, inner: Rect, panel: TeamPanel) -> None:
    score = draws.text(
        inner.right, inner.middle_y, panel.score, NAME, TEXT, is_bold=True, align=1.0
    )
    room = round(inner.width - score - draws.px(8))
    upper, lower = inner.middle_y - draws.px(9), inner.middle_y + draws.px(9)
    left = _numbered(draws, inner.x, upper, panel, SMALL_BADGE)
    _name(draws, inner.x + left, upper, panel, room - left, NAME - 1)
    draws.text(inner.x, lower, _in_short(draws, panel, room), SMALL, QUIET, room=room)


def _whole(draws: DrawList, inner: Rect, panel: TeamPanel) -> None:
    y = inner.y + draws.px(20)
    score = draws.text(inner.right, y, panel.score, SCORE, TEXT, is_bold=True, align=1.0)
    left = _numbered(draws, inner.x, y, panel, BADGE)
    _name(draws, inner.x + left, y, panel, inner.width - score - draws.px(8) - left, NAME)
    y += draws.px(20)
    _about(draws, inner, y, panel.bot)
    bottom = inner.bottom - draws.px(16)
    _foot(draws, inner, bottom, panel)
    below = Rect(inner.x, y + draws.px(12), inner.width, bottom - draws.px(12) - y - draws.px(12))
    lines = [(name, value) for name, value in panel.panel if not isinstance(value, tuple)]
    columns = [(name, value) for name, value in panel.panel if isinstance(value, tuple)]
    beside = 1 if len(lines) == 1 else 2
    rows = -(-len(lines) // beside)
    step = draws.px(LINE) if columns else min(draws.px(LINE), below.height / max(1, rows))
    for first in range(0, len(lines), beside):
        line, below = below.cut_top(step)
        for part, (name, value) in zip(
            line.columns(beside, draws.px(16)), lines[first : first + beside], strict=False
        ):
            _line(draws, part, name, f"{value}")
    for place, (_, counts) in zip(
        below.columns(len(columns) or 1, draws.px(8)), columns, strict=False
    ):
        _histogram(draws, place, counts, panel.color)


def _line(draws: DrawList, place: Rect, name: str, value: str) -> None:
    used = draws.text(place.right, place.middle_y, value, USUAL, TEXT, is_bold=True, align=1.0)
    room = place.width - used - draws.px(6)
    draws.text(place.x, place.middle_y, name, USUAL, QUIET, room=room)


def _about(draws: DrawList, place: Rect, y: float, bot: Contestant) -> None:
    """Draw title and author; a long title is cut before the author."""
    title, author = formatting.title(bot), formatting.by(bot)
    room = place.width - min(draws.width_of(author, USUAL), place.width * 0.45)
    used = draws.text(place.x, y, title, USUAL, QUIET, room=room)
    draws.text(place.x + used, y, author, USUAL, QUIET, room=place.width - used)


def _numbered(draws: DrawList, x: float, y: float, panel: TeamPanel, size: float) -> float:
    """Draw the team's number. Return the room it takes before the name."""
    draws.badge(x + draws.px(size / 2), y, size, panel.team, panel.color)
    return draws.px(size + 6)


def _name(draws: DrawList, x: float, y: float, panel: TeamPanel, room: float, size: float) -> None:
    if panel.is_winner:
        width = draws.width_of("winner", TINY, is_bold=True) + draws.px(12)
        room -= width + draws.px(6)
    used = draws.text(x, y, panel.name, size, TEXT, is_bold=True, room=room)
    if panel.is_winner:
        pill = Rect(x + used + draws.px(8), round(y - draws.px(8)), width, draws.px(16))
        draws.rounded(pill, draws.px(8), ACCENT)
        draws.text(pill.middle_x, y, "winner", TINY, BACKGROUND, is_bold=True, align=0.5)


def _foot(draws: DrawList, inner: Rect, y: float, panel: TeamPanel) -> None:
    used = draws.text(inner.x, y, "CPU", SMALL, QUIET)
    draws.text(inner.x + used + draws.px(5), y, panel.cpu, SMALL, TEXT)
    number = draws.text(inner.right, y, f"{panel.forfeited}", SMALL, TEXT, align=1.0)
    draws.text(inner.right - number - draws.px(5), y, panel.forfeited_name, SMALL, QUIET, align=1.0)


def _histogram(draws: DrawList, place: Rect, counts: tuple[int, ...], color: str) -> None:
    """Draw a histogram: a column per number, the number below and the count above."""
    columns = place.columns(len(counts), draws.px(2))
    most = max(*counts, 1)
    foot, head = draws.px(12), draws.px(11)
    full = place.height - foot - head
    for number, (column, count) in enumerate(zip(columns, counts, strict=True), 1):
        base = place.bottom - foot
        height = max(1.0, round(full * count / most)) if full > 2 else 1.0
        bar = Rect(round(column.x), base - height, round(column.width), height)
        draws.rect(bar, color if count else RIM)
        if count:
            draws.text(column.middle_x, bar.y - head / 2, f"{count}", TINY, TEXT, align=0.5)
        draws.text(
            column.middle_x, place.bottom - foot / 2 + 1, f"{number}", TINY, QUIET, align=0.5
        )


def _in_short(draws: DrawList, panel: TeamPanel, room: float) -> str:
    """Return the lines of the panel in one, as many as there is room for."""
    lines = [f"{name} {value}" for name, value in panel.panel if not isinstance(value, tuple)]
    forfeited = [f"forfeited {panel.forfeited}"] if panel.forfeited else []
    first, *others = [*lines, *forfeited, f"CPU {panel.cpu}"]
    for part in others:
        longer = f"{first} · {part}"
        if draws.width_of(longer, SMALL) > room:
            break
        first = longer
    return first
