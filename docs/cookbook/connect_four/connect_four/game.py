"""The rules of Connect Four.

A disc falls to the lowest empty square of its column; four of a team in a line win. A full board is
a draw, and whoever gives no legal order loses.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from slime_mind_arena.engine.fault import Fault
from slime_mind_arena.engine.game import (
    Ask,
    Event,
    Game,
    MatchEnded,
    Refusal,
    Stage,
    Standing,
)
from slime_mind_arena.engine.limits import Limits
from slime_mind_arena.engine.streams import Streams

IN_LINE = 4
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
Size = Annotated[int, Meta(ge=IN_LINE, le=20)]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    columns: Size = 7
    rows: Size = 6


class Dropped(Event, tag="dropped", frozen=True):
    team: int
    column: int
    row: int
    """0 is the lowest one."""


class Won(Event, tag="won", frozen=True):
    """Four in a line."""

    team: int
    squares: tuple[tuple[int, int], ...]


class GaveUp(Event, tag="gave up", frozen=True):
    """A team gave no legal order, and loses."""

    team: int


class Grid(msgspec.Struct):
    settings: Settings
    columns: list[list[int]]
    """The teams of the discs in each column, the lowest first."""
    turn: int = 0
    to_move: int = 1
    line: tuple[tuple[int, int], ...] = ()
    ending: MatchEnded | None = None

    def apply(self, event: Any) -> None:
        match event:
            case Stage(turn, _):
                self.turn = turn
            case Dropped(team, column, _):
                self.columns[column].append(team)
                self.to_move = 3 - team
            case Won(_, squares):
                self.line = squares
            case MatchEnded():
                self.ending = event

    def team_at(self, column: int, row: int) -> int:
        """Return whose disc is on a square: 0 for nobody's, also beside the board."""
        if not 0 <= column < len(self.columns) or not 0 <= row < len(self.columns[column]):
            return 0
        return self.columns[column][row]

    def open_columns(self) -> list[int]:
        """Return the columns that are not full."""
        rows = self.settings.rows
        return [place for place, discs in enumerate(self.columns) if len(discs) < rows]

    def find_line(self, team: int, column: int, row: int) -> tuple[tuple[int, int], ...]:
        """Return the squares in which a disc here makes a line of its team; () for none."""
        for right, up in DIRECTIONS:
            line = [(column, row)]
            for sign in (1, -1):
                x, y = column + sign * right, row + sign * up
                while self.team_at(x, y) == team:
                    line.append((x, y))
                    x, y = x + sign * right, y + sign * up
            if len(line) >= IN_LINE:
                return tuple(sorted(line))
        return ()


class BasePlayer:
    """A bot's file has a class `Player(BasePlayer)` with a method `decide`."""

    grid: Grid
    team: int

    def decide(self) -> int:
        """Return the column of the next disc; 0 is the left one."""
        raise NotImplementedError("a Player needs a method decide(self)")


class GridHost:
    """The worker's end: the player and its copy of the board."""

    def __init__(self, player: type[BasePlayer], grid: Grid, team: int) -> None:
        player.grid, player.team = grid, team
        self._grid, self._player = grid, player()

    def decide(self, piece_id: int, view: None) -> Any:
        return self._player.decide()

    def place(self, piece_id: int) -> str:
        return f"turn {self._grid.turn}"


class ConnectFour(Game[Grid, Event, int]):
    name = "connect_four"
    title = "Connect Four"
    rules_version = 1
    team_counts = range(2, 3)
    settings = Settings
    state = Grid
    event = Stage | Dropped | Won | GaveUp | MatchEnded
    order = int
    player = BasePlayer
    bots = "connect_four"
    limits = Limits()
    keyframe_turns = 10

    def new(self, settings: Settings, teams: int) -> Grid:
        return Grid(settings, [[] for _ in range(settings.columns)])

    def start(self, state: Grid, streams: Streams) -> Iterator[Event]:
        yield Stage(1, "drop")

    def asks(self, state: Grid) -> Sequence[Ask]:
        return [Ask(state.to_move)]

    def check(self, state: Grid, ask: Ask, answer: Any) -> int | Refusal:
        columns = state.open_columns()
        if type(answer) is int and answer in columns:
            return answer
        return Refusal(f"{answer!r:.60} is no column with room; expected one of {columns}")

    def legal_orders(self, state: Grid, ask: Ask) -> Sequence[int]:
        return state.open_columns()

    def all_orders(self, settings: Settings) -> Sequence[int]:
        return range(settings.columns)

    def play(self, state: Grid, orders: Sequence[int | Fault], streams: Streams) -> Iterator[Event]:
        team, column = state.to_move, orders[0]
        if isinstance(column, Fault):
            yield GaveUp(team)
            yield MatchEnded(_scores(3 - team), "no legal order")
            return
        row = len(state.columns[column])
        yield Dropped(team, column, row)
        if line := state.find_line(team, column, row):
            yield Won(team, line)
            yield MatchEnded(_scores(team), "four in a line")
        elif not state.open_columns():
            yield MatchEnded((0.5, 0.5), "full board")
        else:
            yield Stage(state.turn + 1, "drop")

    def host(self, player: type, state: Grid, team: int, limits: Limits) -> GridHost:
        return GridHost(player, state, team)

    def standing(self, state: Grid) -> Standing:
        squares = state.settings.columns * state.settings.rows
        scores = (0.0, 0.0) if state.ending is None else state.ending.scores
        return Standing(state.turn, squares, scores)

    def describe(self, state: Grid, team: int) -> str:
        return f"{sum(discs.count(team) for discs in state.columns)} discs"

    def text(self, state: Grid) -> str:
        """Return the board, the highest row first: X is team 1, O team 2."""
        rows = reversed(range(state.settings.rows))
        columns = range(state.settings.columns)
        lines = ["".join(".XO"[state.team_at(column, row)] for column in columns) for row in rows]
        return "\n".join([f"turn {state.turn}", *lines])


def _scores(winner: int) -> tuple[float, float]:
    return (1.0, 0.0) if winner == 1 else (0.0, 1.0)
