"""What a team has, beside the board or in a line above it."""

from collections.abc import Sequence

from visualizer.colours import mixed
from visualizer.scene import Fact
from visualizer.terminal.board import DARK, LIGHT
from visualizer.terminal.canvas import Canvas, Style, columns_of
from visualizer.terminal.charts import columns, sampled, squeezed
from visualizer.terminal.colours import is_light
from visualizer.terminal.scale import Place
from visualizer.terminal.viewing import Reel
from visualizer.theme import ACCENT, PANEL, QUIET, TEXT

MARGIN = 1
ROWS_OF_FACTS = 5
"""Below the name, the score and the graph: what the scene says, and what the bot cost."""
TALLEST_GRAPH = 12
DIM = 0.55
GOAL = "╌"
AHEAD = 0.75
"""How faint a graph is where the playhead has not been yet."""


class Panel:
    """A team of a film where its playhead is."""

    def __init__(self, canvas: Canvas, reel: Reel, team: int) -> None:
        self._canvas = canvas
        self._reel = reel
        self._team = team
        self._film = reel.film
        self._turn = reel.cursor.step.turn if reel.cursor.position else 0
        self._colour = reel.film.scene.team_colour(team)
        self._scores = reel.film.replay.game.standing(reel.cursor.state).scores

    def beside(self, place: Place) -> None:
        """In a box of its own."""
        x, width = place.x + MARGIN, place.width - 2 * MARGIN
        facts = self._facts()
        needed = 3 + _rows(facts, width)
        box = Place(place.x, place.y, place.width, place.height - (place.height > needed))
        self._canvas.fill(*box, PANEL)
        self._name(x, box.y, width)
        if box.height > 1:
            self._score(x, box.y + 1, width)
        graph = max(1, min(TALLEST_GRAPH, box.height - 2 - _rows(facts, width)))
        y = box.y + 2
        if box.height > 2:
            self._graph(Place(x, y, width, graph))
        y += graph
        for name, fact in facts:
            y = self._fact(name, fact, Place(x, y, width, box.y + box.height - y))

    def line(self, place: Place) -> None:
        """Name, score, graph and the first of its numbers."""
        canvas, width = self._canvas, place.width
        canvas.fill(*place, PANEL)
        x = place.x + MARGIN
        name_width = min(24, max(10, width // 3))
        self._name(x, place.y, name_width)
        x += name_width + 1
        score = f"{self._score_text:>8}"
        x = canvas.write(x, place.y, score, TEXT, Style.BOLD) + 2
        room = place.x + width - MARGIN - x
        numbers = [f"{name} {fact}" for name, fact in self._facts() if isinstance(fact, int | str)]
        text = numbers[0] if numbers and len(numbers[0]) + 12 < room else ""
        if text:
            canvas.write(x + room - len(text), place.y, text, QUIET)
            room -= len(text) + 2
        self._graph(Place(x, place.y, room, 1))

    def _name(self, x: int, y: int, width: int) -> None:
        """With the team's number, on its colour."""
        light = is_light(self._colour)
        end = self._canvas.write(
            x, y, f" {self._team}", DARK if light else LIGHT, Style.BOLD, ground=self._colour
        )
        name = self._film.replay.bots[self._team - 1].name
        self._canvas.write(end + 1, y, name, TEXT, Style.BOLD, width=x + width - end - 1)

    @property
    def _score_text(self) -> str:
        return f"{self._scores[self._team - 1]:.1f}"

    def _score(self, x: int, y: int, width: int) -> None:
        end = self._canvas.write(x, y, self._score_text, self._colour, Style.BOLD)
        standing = self._standing()
        if standing:
            start = x + width - columns_of(standing)
            if start > end:
                self._canvas.write(start, y, standing, ACCENT)

    def _standing(self) -> str:
        """Whether it leads, or has won."""
        scores, film = self._scores, self._film
        best = [team for team, score in enumerate(scores, 1) if score == max(scores)]
        outcome = film.replay.outcome
        if outcome is not None and film.is_over and self._reel.cursor.position == film.steps:
            if outcome.scores[self._team - 1] < max(outcome.scores):
                return ""
            return "draw" if outcome.winner is None else "winner"
        return "leads" if best == [self._team] else ""

    def _graph(self, place: Place) -> None:
        """The score over the whole match; pale where the playhead has not been."""
        film, whole = self._film, self._reel.last_turn + 1
        top = film.most
        values = [scores[self._team - 1] for scores in film.scores]
        points = sampled(values, place.width, whole)
        been = 1 + self._turn * max(0, place.width - 1) // max(1, whole - 1)
        pale = mixed(self._colour, PANEL, AHEAD)
        for y, row in enumerate(columns(points, place.height, top), place.y):
            end = self._canvas.write(place.x, y, row[:been], self._colour)
            self._canvas.write(end, y, row[been:], pale)
        if place.height > 1:
            self._goal(place, top)

    def _goal(self, place: Place, top: float) -> None:
        """What it takes to win, above the columns."""
        known, whole = self._film.thresholds, self._reel.last_turn + 1
        if not any(known):
            return
        scores = [scores[self._team - 1] for scores in self._film.scores]
        values = [threshold or 0.0 for threshold in known]
        pairs = zip(
            sampled(values, place.width, whole), sampled(scores, place.width, whole), strict=True
        )
        for x, (threshold, score) in enumerate(pairs, place.x):
            row = place.height - 1 - int(min(threshold / top * place.height, place.height - 1))
            if threshold and score / top * place.height <= place.height - 1 - row:
                self._canvas.write(x, place.y + row, GOAL, QUIET)

    def _facts(self) -> Sequence[tuple[str, Fact | tuple[int, ...]]]:
        film, team = self._film, self._team
        cpu_s = film.cpu_us(team, self._turn) / 1e6
        lost = film.rounds_lost(team, self._turn)
        return (
            *film.scene.panel(self._reel.cursor.state, team),
            ("cpu", f"{cpu_s:.2f} s"),
            ("lost", f"{lost} rounds" if lost != 1 else "1 round"),
        )

    def _fact(self, name: str, fact: Fact | tuple[int, ...], place: Place) -> int:
        """A line of it, or two; the row of the next."""
        if place.height <= 0:
            return place.y
        canvas, x, y, width, _ = self._canvas, *place
        if isinstance(fact, tuple):
            if width - len(name) - 1 >= len(fact):
                canvas.write(x, y, name, QUIET)
                x = x + width - len(fact)
            elif place.height > 1:
                canvas.write(x, y, name, QUIET, width=width)
                y += 1
            canvas.write(x, y, columns(squeezed(fact, width))[0], self._colour)
            return y + 1
        text = str(fact)
        canvas.write(x, y, name, QUIET)
        canvas.write(max(x + len(name) + 1, x + width - columns_of(text)), y, text, TEXT)
        return y + 1


def _rows(facts: Sequence[tuple[str, Fact | tuple[int, ...]]], width: int) -> int:
    """How many they take."""
    return sum(
        2 if isinstance(fact, tuple) and len(name) + 1 + len(fact) > width else 1
        for name, fact in facts
    )
