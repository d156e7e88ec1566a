"""A whole picture for a terminal of some size."""

from collections import Counter
from collections.abc import Sequence
from math import inf

from visualizer.arrangement import arrangements
from visualizer.film import Film
from visualizer.terminal.actions import ACTIONS, SHORT
from visualizer.terminal.board import SquaresBoard
from visualizer.terminal.canvas import Canvas, Style, columns_of
from visualizer.terminal.colours import Abilities
from visualizer.terminal.dots import DotsBoard
from visualizer.terminal.layout import SMALLEST, Column, Layout, layout
from visualizer.terminal.letters import LettersBoard
from visualizer.terminal.panels import Panel
from visualizer.terminal.scale import Place
from visualizer.terminal.viewing import Reel, Viewing
from visualizer.theme import (
    ACCENT,
    BACKGROUND,
    PANEL,
    QUIET,
    RIM,
    TEXT,
    TIMELINE_COLOURS,
)


class Frames:
    """Draws what is viewed, again and again; what stays the same is kept."""

    def __init__(self, viewing: Viewing, abilities: Abilities) -> None:
        self._viewing = viewing
        self._abilities = abilities
        self._size = (0, 0)
        self._boards: list[tuple[int, LettersBoard]] = []
        self._marks_known: tuple[int, ...] = ()
        self._marks_shown: dict[int, str] = {}

    def draw(self, width: int, height: int) -> Canvas:
        """As large as the terminal is."""
        if width < SMALLEST[0] or height < SMALLEST[1]:
            return _too_small(width, height)
        reels = self._viewing.reels
        boards = [(arrangements(reel.film.scene), len(reel.film.replay.bots)) for reel in reels]
        places = layout(width, height, boards)
        canvas = Canvas(width, height, BACKGROUND)
        self._header(canvas, places.header)
        for board, reel, column in zip(
            self._boards_for(places), reels, places.columns, strict=True
        ):
            self._column(canvas, board, reel, column)
        self._timeline(canvas, places.timeline)
        _keys(canvas, places.keys)
        if self._viewing.is_help_open:
            _help(canvas, self._kinds)
        return canvas

    def _boards_for(self, places: Layout) -> list[LettersBoard]:
        beginnings = [reel.beginnings for reel in self._viewing.reels]
        if self._size != (places.width, places.height) or beginnings != [
            beginning for beginning, _ in self._boards
        ]:
            self._size = places.width, places.height
            pairs = zip(self._viewing.reels, places.columns, strict=True)
            self._boards = [(reel.beginnings, self._board(reel, column)) for reel, column in pairs]
        return [board for _, board in self._boards]

    def _board(self, reel: Reel, column: Column) -> LettersBoard:
        kind = DotsBoard if column.scale.are_dots else SquaresBoard
        return kind(
            reel.film.scene,
            column.scale,
            reel.colours,
            has_colours=self._abilities.has_colours,
            arrangement=column.arrangement,
        )

    def _header(self, canvas: Canvas, place: Place) -> None:
        viewing, reels = self._viewing, self._viewing.reels
        canvas.fill(*place, PANEL)
        x = canvas.write(1, 0, reels[0].name, ACCENT, Style.BOLD)
        seeds = " / ".join(str(reel.film.replay.spec.seed) for reel in reels)
        last = max(reel.last_turn for reel in reels)
        turn = max(reel.turn for reel in reels)
        right = f"turn {turn} of {last}   {_speed(viewing)} "
        start = place.width - columns_of(right)
        canvas.write(x + 2, 0, f"seed {seeds}", QUIET, width=start - x - 12)
        if viewing.is_live and start > x + 22:
            canvas.write(start - 7, 0, " LIVE ", BACKGROUND, Style.BOLD, ground=ACCENT)
        canvas.write(start, 0, right, TEXT, Style.BOLD)

    def _column(self, canvas: Canvas, board: LettersBoard, reel: Reel, column: Column) -> None:
        step = None if self._viewing.playback.is_playing else reel.cursor.step
        picture = board.picture(reel.cursor.things, step)
        canvas.paste(column.board.x, column.board.y, picture)
        for team, place in enumerate(column.panels, 1):
            panel = Panel(canvas, reel, team)
            if place.height > 1:
                panel.beside(place)
            else:
                panel.line(place)
        self._telling(canvas, reel, column.telling)

    def _telling(self, canvas: Canvas, reel: Reel, place: Place) -> None:
        """The step we are at, if it stands still; what happened last."""
        x, y, width, height = place
        if not self._viewing.playback.is_playing and height > 1:
            now = reel.story.now(reel.cursor)
            end = canvas.write(x + 1, y, f"{'now':>5}  ", ACCENT, Style.BOLD)
            canvas.write(end, y, now.text, TEXT, width=width - (end - x) - 1)
            y, height = y + 1, height - 1
        for line in reel.story.latest(reel.cursor.position, height):
            end = canvas.write(x + 1, y, f"{line.turn:>5}  ", QUIET)
            colour = self._colour_of(reel, line.what)
            end = canvas.write(end, y, f"{_letter(line.what)} ", colour, Style.BOLD)
            canvas.write(end, y, line.text, TEXT, width=width - (end - x) - 1)
            y += 1

    def _timeline(self, canvas: Canvas, place: Place) -> None:
        """How far we are of what is known of all there will be; below it the marks."""
        reels, playback = self._viewing.reels, self._viewing.playback
        width, x = place.width - 2, place.x + 1
        last = max([1, *(reel.last_turn for reel in reels)])
        head = min(width - 1, int(playback.time / last * (width - 1)))
        known = min(width, int(playback.end / last * (width - 1)) + 1)
        canvas.write(x, place.y, "─" * width, RIM)
        canvas.write(x, place.y, "━" * known, QUIET)
        canvas.write(x, place.y, "━" * head, ACCENT)
        canvas.write(x + head, place.y, "●", ACCENT, Style.BOLD)
        for column, what in self._marks(last, width).items():
            colour = self._colour_of(reels[0], what)
            canvas.write(x + column, place.y + 1, _letter(what), colour)

    def _marks(self, last: int, width: int) -> dict[int, str]:
        """The rarest kind of mark of each column."""
        films = [reel.film for reel in self._viewing.reels]
        known = last, width, *(len(film.marks) for film in films)
        if known != self._marks_known:
            self._marks_known, self._marks_shown = known, _rarest(films, last, width)
        return self._marks_shown

    @property
    def _kinds(self) -> list[tuple[str, str]]:
        """Of the marks there can be: what they are called, and their colours."""
        reel = self._viewing.reels[0]
        return [(what, self._colour_of(reel, what)) for what in reel.mark_kinds]

    def _colour_of(self, reel: Reel, what: str) -> str:
        kinds = reel.mark_kinds
        place = kinds.index(what) if what in kinds else 0
        return TIMELINE_COLOURS[place % len(TIMELINE_COLOURS)]


def _rarest(films: Sequence[Film], last: int, width: int) -> dict[int, str]:
    counts = Counter(mark.what for film in films for mark in film.marks)
    columns: dict[int, str] = {}
    for film in films:
        for mark in film.marks:
            column = min(width - 1, int(film.time_at(mark.position) / last * (width - 1)))
            if column not in columns or counts[mark.what] < counts[columns[column]]:
                columns[column] = mark.what
    return columns


def _speed(viewing: Viewing) -> str:
    playback = viewing.playback
    speed = "max" if playback.speed == inf else f"{playback.speed:g}x"
    return f"{'►' if playback.is_playing else '‖'} {speed:<5}"


def _letter(what: str) -> str:
    return what[:1]


def _keys(canvas: Canvas, place: Place) -> None:
    canvas.fill(*place, PANEL)
    x = place.x + 1
    for key, says in SHORT:
        if x + columns_of(f"{key} {says}") >= place.width:
            break
        x = canvas.write(x, place.y, key, TEXT, Style.BOLD)
        x = canvas.write(x + 1, place.y, says, QUIET) + 2


def _help(canvas: Canvas, kinds: list[tuple[str, str]]) -> None:
    """The keys, and what the letters of the timeline are, over everything else."""
    keys = max(columns_of(action.in_words) for action in ACTIONS)
    says = max(columns_of(action.says) for action in ACTIONS)
    width = min(canvas.width, keys + says + 7)
    height = min(canvas.height, len(ACTIONS) + 4)
    x, y = (canvas.width - width) // 2, (canvas.height - height) // 2
    canvas.fill(x, y, width, height, RIM)
    for row, action in enumerate(ACTIONS[: height - 3], y + 1):
        canvas.write(x + 2, row, action.in_words, ACCENT, Style.BOLD)
        canvas.write(x + keys + 5, row, action.says, TEXT, width=width - keys - 6)
    column = x + 2
    for what, colour in kinds:
        column = canvas.write(column, y + height - 2, f"{_letter(what)} ", colour, Style.BOLD)
        column = canvas.write(column, y + height - 2, what, TEXT) + 2


def _too_small(width: int, height: int) -> Canvas:
    canvas = Canvas(width, height)
    words = "{}x{} needed, this is {}x{}".format(*SMALLEST, width, height)
    canvas.write(0, 0, "too small:", "", Style.BOLD)
    canvas.write(0, 1, words)
    canvas.write(0, 2, "enlarge the window, or Q")
    return canvas
