"""The whole picture of a terminal of some size."""

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

from engine.streams import seed_text
from engine.support.wording import write_number
from visualizer import theme
from visualizer.backends.terminal.board import DotsBoard, SquaresBoard
from visualizer.backends.terminal.canvas import Canvas, Style, count_columns
from visualizer.backends.terminal.colors import Abilities
from visualizer.backends.terminal.layout import SMALLEST, TIMELINE, Column, TerminalLayout, layout
from visualizer.backends.terminal.letters_board import LettersBoard
from visualizer.backends.terminal.panels import PanelPainter, draw_curves
from visualizer.backends.terminal.scale import TextRect
from visualizer.backends.terminal.terminal_model import ACTIONS, SHORT, ReplayView, TerminalModel
from visualizer.drawing.arrangement import arrangements
from visualizer.drawing.icons import LETTERS
from visualizer.model.formatting import speed_text
from visualizer.model.story import fit_sentences
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Mark

HELP_EDGES = 7
"""The columns of the help beside the words."""
EVENT_HEAD = 11
"""The columns of the turn and the sign before an event, and of the edge behind it."""


class Frames:
    """Draws frames; boards are kept as long as the size stays."""

    def __init__(self, model: TerminalModel, abilities: Abilities) -> None:
        self._model = model
        self._abilities = abilities
        self._size = (0, 0)
        self._boards: list[tuple[int, LettersBoard]] = []
        self._marks_known: tuple[int, ...] = ()
        self._marks_shown: dict[int, str] = {}

    def draw(self, width: int, height: int) -> Canvas:
        """Return the picture for a terminal of this size."""
        if width < SMALLEST[0] or height < SMALLEST[1]:
            return _too_small(width, height)
        views = self._model.views
        boards = [
            (arrangements(view.timeline.scene), len(view.timeline.replay.bots)) for view in views
        ]
        places = layout(width, height, boards)
        canvas = Canvas(width, height, theme.BACKGROUND)
        self._write_header(canvas, places.header, has_panels=bool(places.columns[0].panels))
        for board, view, column in zip(
            self._boards_for(places), views, places.columns, strict=True
        ):
            self._draw_column(canvas, board, view, column)
        self._draw_timeline(canvas, places.timeline)
        _write_keys(canvas, places.keys)
        if self._model.is_help_open:
            _draw_help(canvas, self._kinds)
        return canvas

    def _boards_for(self, places: TerminalLayout) -> list[LettersBoard]:
        beginnings = [view.beginnings for view in self._model.views]
        if self._size != (places.width, places.height) or beginnings != [
            beginning for beginning, _ in self._boards
        ]:
            self._size = places.width, places.height
            pairs = zip(self._model.views, places.columns, strict=True)
            self._boards = [
                (view.beginnings, self._make_board(view, column)) for view, column in pairs
            ]
        return [board for _, board in self._boards]

    def _make_board(self, view: ReplayView, column: Column) -> LettersBoard:
        kind = DotsBoard if column.scale.are_dots else SquaresBoard
        return kind(
            view.timeline.scene,
            column.scale,
            view.colors,
            has_colors=self._abilities.has_colors,
            arrangement=column.arrangement,
        )

    def _write_header(self, canvas: Canvas, rect: TextRect, *, has_panels: bool) -> None:
        model, views = self._model, self._model.views
        canvas.fill(*rect, theme.PANEL)
        x = canvas.write(1, 0, views[0].timeline.replay.game.title, theme.ACCENT, Style.BOLD)
        seeds = " / ".join(seed_text(view.timeline.replay.spec.seed) for view in views)
        last = max(view.last_turn for view in views)
        turn = max(view.timeline.turn_at(view.cursor.position) for view in views)
        right = f"turn {turn} of {last}   {_speed_text(model)} "
        start = rect.width - count_columns(right)
        told = f"seed {seeds}" if has_panels else " / ".join(map(_scores_text, views))
        canvas.write(x + 2, 0, told, theme.QUIET if has_panels else theme.TEXT, width=start - x - 3)
        if model.is_live and model.playback.is_at_end and start > x + 22:
            canvas.write(start - 7, 0, " LIVE ", theme.BACKGROUND, Style.BOLD, ground=theme.ACCENT)
        canvas.write(start, 0, right, theme.TEXT, Style.BOLD)

    def _draw_column(
        self, canvas: Canvas, board: LettersBoard, view: ReplayView, column: Column
    ) -> None:
        step = None if self._model.playback.is_playing else view.cursor.step
        picture = board.picture(view.cursor.things, step)
        canvas.paste(column.board.x, column.board.y, picture)
        for team, rect in enumerate(column.panels, 1):
            panel = PanelPainter(canvas, view, team)
            if rect.height > 1:
                panel.draw_box(rect)
            else:
                panel.draw_line(rect)
        if column.curves is not None:
            draw_curves(canvas, view, column.curves)
        self._write_narration(canvas, view, column)

    def _write_narration(self, canvas: Canvas, view: ReplayView, column: Column) -> None:
        """Write the caption, the present step while paused, and the latest events."""
        x, y, width, height = column.narration
        quiet = self._model.playback.quiet_words
        caption = quiet or view.story.caption(view.cursor.position)
        caption = fit_sentences(caption, lambda text: len(text) <= width - 2)
        canvas.write(x + 1, y, caption, theme.ACCENT, Style.BOLD, width=width - 2)
        y, height = y + 1, height - 1
        if not self._model.playback.is_playing and (height > 1 or column.events):
            now = view.narration.describe_step(view.cursor, has_notes=self._model.shows_notes)
            end = canvas.write(x + 1, y, f"{'now':>5}  ", theme.ACCENT, Style.BOLD)
            canvas.write(end, y, now.text, theme.TEXT, width=width - (end - x) - 1)
            y, height = y + 1, height - 1
        x, y, width, height = column.events or (x, y, width, height)
        last = y + height
        for line in view.narration.latest_lines(view.cursor.position, height):
            texts = wrap(line.text, width - EVENT_HEAD) if column.events else [line.text]
            if y + len(texts) > last:
                return
            end = canvas.write(x + 1, y, f"{line.turn:>5}  ", theme.QUIET)
            letter, color = event_letter(view.timeline.mark_kinds[line.what])
            end = canvas.write(end, y, f"{letter} ", color, Style.BOLD)
            for text in texts:
                canvas.write(end, y, text, theme.TEXT, width=width - (end - x) - 1)
                y += 1

    def _draw_timeline(self, canvas: Canvas, rect: TextRect) -> None:
        """Draw the playhead, what is recorded, and what may come; below it the events."""
        views, playback = self._model.views, self._model.playback
        width, x = rect.width - 2, rect.x + 1
        last = max([1, *(view.last_turn for view in views)])
        head = min(width - 1, int(playback.time / last * (width - 1)))
        known = min(width, int(playback.end / last * (width - 1)) + 1)
        canvas.write(x, rect.y, "─" * width, theme.RIM)
        canvas.write(x, rect.y, "━" * known, theme.QUIET)
        canvas.write(x, rect.y, "━" * head, theme.ACCENT)
        y = rect.y + min(1, rect.height - 1)
        for column, what in self._rarest_marks(last, width).items():
            canvas.write(x + column, y, *event_letter(views[0].timeline.mark_kinds[what]))
        canvas.write(x + head, rect.y, "●", theme.ACCENT, Style.BOLD)
        if rect.height > TIMELINE:
            _write_legend(canvas, TextRect(x, rect.y + TIMELINE, width, 1), self._kinds)

    def _rarest_marks(self, last: int, width: int) -> dict[int, str]:
        """Return the rarest kind of event of each column."""
        timelines = [view.timeline for view in self._model.views]
        known = last, width, *(len(timeline.marks) for timeline in timelines)
        if known != self._marks_known:
            self._marks_known, self._marks_shown = known, _rarest_kinds(timelines, last, width)
        return self._marks_shown

    @property
    def _kinds(self) -> list[tuple[str, str, str]]:
        """Return letter, name and color of the kinds of events of the timeline."""
        kinds = self._model.views[0].timeline.mark_kinds
        return [(*event_letter(sign), what) for what, sign in kinds.items()]


def _rarest_kinds(timelines: Sequence[ReplayTimeline], last: int, width: int) -> dict[int, str]:
    counts = Counter(mark.what for timeline in timelines for mark in timeline.marks)
    columns: dict[int, str] = {}
    for timeline in timelines:
        for mark in timeline.marks:
            column = min(width - 1, int(timeline.time_at(mark.position) / last * (width - 1)))
            if column not in columns or counts[mark.what] < counts[columns[column]]:
                columns[column] = mark.what
    return columns


def _scores_text(view: ReplayView) -> str:
    """Return `Searcher 13 : Planner 2` at the playhead."""
    game, names = view.timeline.replay.game, view.timeline.scene.names
    scores = game.standing(view.cursor.state).scores
    each = (write_number(score, game.score_decimals) for score in scores)
    return " : ".join(f"{name} {score}" for name, score in zip(names, each, strict=True))


def _speed_text(model: TerminalModel) -> str:
    playback = model.playback
    return f"{'►' if playback.is_playing else '‖'} {speed_text(playback.speed):<5}"


def event_letter(sign: Mark) -> tuple[str, str]:
    """Return the letter that stands for a sign, and its color."""
    return LETTERS[sign], theme.legible(theme.MARK_COLORS[sign], theme.PANEL, theme.LINES)


def _write_legend(canvas: Canvas, rect: TextRect, kinds: list[tuple[str, str, str]]) -> None:
    """Write what the letters of events mean, as many as there is room for."""
    x = rect.x
    for letter, color, what in kinds:
        if x + count_columns(what) + 2 > rect.x + rect.width:
            break
        x = canvas.write(x, rect.y, f"{letter} ", color, Style.BOLD)
        x = canvas.write(x, rect.y, what, theme.QUIET) + 2


def _write_keys(canvas: Canvas, rect: TextRect) -> None:
    canvas.fill(*rect, theme.PANEL)
    x = rect.x + 1
    for key, says in SHORT:
        if x + count_columns(f"{key} {says}") >= rect.width:
            break
        x = canvas.write(x, rect.y, key, theme.TEXT, Style.BOLD)
        x = canvas.write(x + 1, rect.y, says, theme.QUIET) + 2


def _draw_help(canvas: Canvas, kinds: list[tuple[str, str, str]]) -> None:
    """Draw the keys and the legend of the timeline, over everything else."""
    rows = [(action.in_words, action.says) for action in ACTIONS]
    says = max(count_columns(text) for _, text in rows)
    if max(count_columns(key) for key, _ in rows) + says + HELP_EDGES > canvas.width:
        rows = [(key.partition("  ")[0], text) for key, text in rows]
    keys = max(count_columns(key) for key, _ in rows)
    legend = sum(count_columns(what) + 4 for *_, what in kinds)
    width = min(canvas.width, max(keys + says + HELP_EDGES, legend + 2))
    has_legend = len(rows) + 4 <= canvas.height
    height = min(canvas.height, len(rows) + (4 if has_legend else 2))
    x, y = (canvas.width - width) // 2, (canvas.height - height) // 2
    canvas.fill(x, y, width, height, theme.RIM)
    top = y + (1 if height > len(rows) else 0)
    for row, (key, text) in enumerate(rows, top):
        canvas.write(x + 2, row, key, theme.ACCENT, Style.BOLD)
        canvas.write(x + keys + 5, row, text, theme.TEXT, width=width - keys - 6)
    if has_legend:
        _write_legend(canvas, TextRect(x + 2, y + height - 2, width - 3, 1), kinds)


def _too_small(width: int, height: int) -> Canvas:
    canvas = Canvas(width, height)
    text = "{}x{} needed, this is {}x{}".format(*SMALLEST, width, height)
    canvas.write(0, 0, "too small:", "", Style.BOLD)
    canvas.write(0, 1, text)
    canvas.write(0, 2, "enlarge the window, or Q")
    return canvas
