"""The scene of Smack!: two boards, each with its nurse's office below."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, ClassVar

from engine.game import Event
from engine.games.smack.events import Declined, HalfBegan, HalfEnded, Moved, Offered
from engine.games.smack.position import START, Side
from engine.games.smack.rules import (
    AGREEMENT,
    NO_CAPTURES,
    NO_MOVES,
    NO_PIECES,
    PLY_LIMIT,
    REPETITION,
)
from engine.games.smack.settings import MAX_POINTS
from engine.games.smack.squares import (
    DEAD_SPACE,
    FILES,
    SIDE,
    SQUARES,
    column_of,
    is_on_board,
    row_of,
    square_at,
    square_name,
)
from engine.games.smack.state import Boards, Half
from visualizer.scene import (
    COORDINATE_SIZE,
    MARK_NAMES,
    Annotation,
    Effect,
    EndWords,
    EventStyle,
    Extent,
    Grid,
    KeyEntry,
    Kind,
    Label,
    Mark,
    Motion,
    Panel,
    Scene,
    Sprite,
    Tile,
    pluralize,
)
from visualizer.theme import COORDINATES, DEAD, GROUND, TEAM_COLORS

BOARD_DISTANCE = SIDE + 3.0
"""The distance from a square of the left board to the same one of the right."""
LEFT, ABOVE, BELOW = 1.0, 1.9, 2.6
"""The margins of the boards, squares: coordinates, headings, the nurse's office."""
HEADING, POINTS, OFFICE = -1.35, -0.55, SIDE + 1.35
PIECE = 0.96
CAPTURED_WIDTH = 0.65
"""The width of a captured piece."""
PATIENTS_IN_A_ROW = 23
NURSE = 7.9, OFFICE + CAPTURED_WIDTH + 0.15
"""The words in the second row of the office: right of the last nerds, left of the bullies."""
PIECE_FACTS = ("name", "team", "at", "board")

ENDINGS = {
    AGREEMENT: "ended by agreement",
    NO_CAPTURES: "no capture for too long",
    REPETITION: "the same position too often",
    PLY_LIMIT: "move limit reached",
}
MAX_NAME = 14
"""The letters of a name above a board."""
FORFEIT_PREFIX = "forfeit: "
"""How the reason of a forfeited half begins."""
LAST_FROM, LAST_TO = "#f4e3a1", "#ffd166"

# Ids: the board's thousand; then a square, or one of these.
BOARD = 1_000
FROM, TO, STATUS, SCORE, TURN, NERDS_TAKEN, BULLIES_TAKEN = 300, 301, 310, 311, 312, 400, 450
_WORDS = (STATUS, SCORE, TURN)
NERDS, BULLIES = START.nerds.bit_count(), START.bullies.bit_count()


class SmackScene(Scene[Boards]):
    """The scene of Smack!. Ids stand for squares, so that a move removes a thing and adds one."""

    kinds: ClassVar = {
        "nerd": Kind("nerd", PIECE_FACTS, has_base=True),
        "bully": Kind("bully", PIECE_FACTS, has_base=True),
        "patient": Kind("patient", PIECE_FACTS),
        "square": Kind("square", is_seen_through=True),
        "words": Kind("words", ("name",)),
    }
    letters: ClassVar = {"nerd_1": "n", "nerd_2": "n", "bully_1": "B", "bully_2": "B"}
    event_styles: ClassVar = {
        "moved": EventStyle("{words}"),
        "offered": EventStyle(
            "{words}, and offered to end the half", Mark.RISE, "", 5,
            "{team} offers to end board {board}",
        ),
        "offers": EventStyle("{words}", weight=5),
        "took": EventStyle(
            "{words}", Mark.STRIKE, "captures", 30, "{team} takes a {other_kind} on board {board}",
            "{team} captures on both boards", sign=Mark.DEATH,
        ),
        "hurled": EventStyle(
            "{words}", Mark.STRIKE, "bullies taken", 40, "{team} takes a bully on board {board}"
        ),
        "captured": EventStyle("was sent to the nurse's office", Mark.DEATH),
        "over": EventStyle("{words}", None, "halves ended", 80, "{one} {words}", sign=Mark.END),
    }  # fmt: skip
    dirty_ids_by_type: ClassVar = {
        HalfBegan: lambda scene, event: tuple(_ids_of_board(event.half)),
        Moved: lambda scene, event: _dirty_ids_of_move(event),
        HalfEnded: lambda scene, event: [event.half * BOARD + what for what in _WORDS],
    }
    annotations_by_type: ClassVar = {
        Moved: lambda state, event: _annotate_move(event),
        Offered: lambda state, event: _annotate_offer(event),
        Declined: lambda state, event: _annotate_offer(event),
    }
    has_short_panels = True
    turns_per_s = 2.0
    moves = ("moved", "offered", "took", "hurled")
    mark_names: ClassVar = {
        **MARK_NAMES,
        Mark.DEATH: "is captured",
        Mark.RISE: "offers to end",
    }  # fmt: skip

    @property
    def extent(self) -> Extent:
        first, last = self.parts
        return Extent(first.left, first.top, last.right, last.bottom)

    @property
    def parts(self) -> tuple[Extent, Extent]:
        """Return the two boards."""
        first, second = (
            Extent(
                _board_left(half) - LEFT, -ABOVE, _board_left(half) + SIDE + LEFT / 2, SIDE + BELOW
            )
            for half in (1, 2)
        )
        return first, second

    @property
    def grids(self) -> tuple[Grid, Grid]:
        names = [
            square_name(square_at(x, y)) if is_on_board(x, y) else ""
            for y in range(SIDE)
            for x in range(SIDE)
        ]
        first, second = (
            Grid(f"Board {half}", _board_left(half), 0, SIDE, SIDE, names) for half in (1, 2)
        )
        return first, second

    def key(self) -> Sequence[KeyEntry]:
        nerd, bully = (
            Sprite(kind, 0.5, 0.5, PIECE, f"{kind}_{team}", facts=("", team, "", 1))
            for kind, team in (("nerd", 1), ("bully", 2))
        )
        return (
            KeyEntry((nerd,), "nerd"),
            KeyEntry((bully,), "bully"),
            KeyEntry((_key_square(LAST_FROM, 0, 0.5), _key_square(LAST_TO, 0.5, 0.5)), "last move"),
            KeyEntry((_key_square(DEAD),), "dead space"),
        )

    def place_of(self, x: float, y: float, piece_id: int) -> tuple[float, float]:
        """Return the place on the board of that number."""
        return _board_left(piece_id) + x + 0.5, y + 0.5

    def backdrop(self) -> Sequence[Tile | Label]:
        return [part for half in (1, 2) for part in _board_tiles(half)]

    def ids(self, state: Boards) -> Iterator[int]:
        for half in state.halves:
            for thing_id in _ids_of_board(half.number):
                if self.thing(state, thing_id) is not None:
                    yield thing_id

    def thing(self, state: Boards, thing_id: int) -> Sprite | Tile | Label | None:
        number, what = divmod(thing_id, BOARD)
        half = state.halves[number - 1]
        if what < FROM:
            return _piece_sprite(half, what)
        if what in (FROM, TO):
            return _last_move(half, what)
        if what >= NERDS_TAKEN:
            return _captured_sprite(half, what)
        return _turn(half) if what == TURN else self._label(half, what)

    def annotations(self, state: Boards, event: Event) -> Sequence[Annotation]:
        if isinstance(event, HalfEnded):
            half = state.halves[event.half - 1].copy()
            half.ending, half.points = event.reason, event.points
            text = f"is over: {self._tell_half(half)}, {self._why_over(half)}"
            return (Annotation("over", event.half * BOARD + STATUS, 0, text),)
        return super().annotations(state, event)

    def motions(self, state: Boards, event: Event) -> Sequence[Motion]:
        """Return the way of a piece, and those of the captured ones to the nurse's office."""
        if not isinstance(event, Moved):
            return ()
        first, half = event.half * BOARD, state.halves[event.half - 1]
        is_bully = half.position.side is Side.NERDS
        count = (half.position.bullies if is_bully else half.position.nerds).bit_count()
        office = BULLIES_TAKEN + BULLIES if is_bully else NERDS_TAKEN + NERDS
        ways = [Motion(Effect.GLIDE, first + event.source, first + event.target)]
        return ways + [
            Motion(Effect.COME, first + office - count + number, first + square)
            for number, square in enumerate(event.captured)
        ]

    def panel(self, state: Boards, team: int) -> Panel:
        as_nerds, as_bullies = state.halves if team == 1 else reversed(state.halves)
        return (
            ("nerd points", as_nerds.points[team - 1]),
            ("bully points", as_bullies.points[team - 1]),
            ("nerds", as_nerds.position.nerds.bit_count()),
            ("bullies", as_bullies.position.bullies.bit_count()),
        )

    def explain_end(self, state: Boards, reason: str, winners: Sequence[int]) -> EndWords:
        boards = tuple(
            f"board {half.number}: {self._tell_half(half)}, {self._why_over(half)}"
            for half in state.halves
        )
        forfeits = [name for half in state.halves for name in self._forfeits(half)]
        why = "level on points"
        if winners:
            own, lost = (count_captures(state, team) for team in (winners[0], 3 - winners[0]))
            why = f"it took {own}, and lost {lost}"
        if forfeits:
            why = f"{forfeits[0]} forfeited a board, which gives all its {MAX_POINTS} points away"
        return EndWords(why, boards)

    def _tell_half(self, half: Half) -> str:
        """Return who has how many points on a board, the nerds first."""
        teams = half.nerds_team, 3 - half.nerds_team
        (first, a), (second, b) = ((self.names[t - 1], half.points[t - 1]) for t in teams)
        return f"{shorten(first)} {a} : {b} {shorten(second)}"

    def _label(self, half: Half, what: int) -> Label:
        """Return the heading of a board, or below it who moves, or why it is over."""
        if what == STATUS:
            return _heading_label(
                half, HEADING, 0.62, f"Board {half.number}: {self._tell_half(half)}"
            )
        return _heading_label(half, POINTS, 0.5, self._why_over(half))

    def _forfeits(self, half: Half) -> list[str]:
        is_forfeit = half.ending.startswith(FORFEIT_PREFIX)
        return [self.names[half.points.index(0)]] if is_forfeit else []

    def _why_over(self, half: Half) -> str:
        """Return why a board is over to whoever knows no rule, or who moves on it."""
        position = half.position
        mover = self.names[half.team_to_move - 1]
        if not half.ending:
            return f"{shorten(mover)} to move, the {position.side}"
        for forfeiter in self._forfeits(half):
            return f"{forfeiter} forfeited: {half.ending.removeprefix(FORFEIT_PREFIX)}"
        if half.ending == NO_PIECES:
            return "all nerds taken" if not position.nerds else "all bullies taken"
        return f"{mover} cannot move" if half.ending == NO_MOVES else ENDINGS[half.ending]

    def order_text(self, order: Any) -> str:
        return f"{order.move} (end?)" if order.end else str(order.move)


def _board_tiles(half: int) -> Iterator[Tile | Label]:
    left = _board_left(half)
    for square in SQUARES:
        x, y = column_of(square), row_of(square)
        fill = DEAD if square == DEAD_SPACE else GROUND[(x + y) % 2]
        yield Tile("square", left + x, y, 1, 1, fill)
    for x, file in enumerate(FILES):
        yield _make_label(left + x + 0.5, SIDE + 0.45, COORDINATE_SIZE, file)
    yield _make_label(left + NURSE[0], NURSE[1], COORDINATE_SIZE, "nurse's office")
    for y in range(SIDE):
        yield _make_label(left - 0.5, y + 0.5, COORDINATE_SIZE, str(SIDE - y))


def _key_square(fill: str, left: float = 0, width: float = 1) -> Tile:
    """Return a square of the key, or a part of one."""
    return Tile("square", left, 0, width, 1, fill)


def _board_left(half: int) -> float:
    return (half - 1) * BOARD_DISTANCE


def _ids_of_board(half: int) -> Iterator[int]:
    first = half * BOARD
    yield from (first + square for square in SQUARES)
    yield from (first + what for what in (FROM, TO, *_WORDS))
    yield from range(first + NERDS_TAKEN, first + NERDS_TAKEN + NERDS)
    yield from range(first + BULLIES_TAKEN, first + BULLIES_TAKEN + BULLIES)


def _piece_sprite(half: Half, square: int) -> Sprite | None:
    if half.position.nerds >> square & 1:
        kind, side = "nerd", Side.NERDS
    elif half.position.bullies >> square & 1:
        kind, side = "bully", Side.BULLIES
    else:
        return None
    team = half.find_team(side)
    return Sprite(
        kind,
        _board_left(half.number) + column_of(square) + 0.5,
        row_of(square) + 0.5,
        PIECE,
        f"{kind}_{team}",
        facts=(f"{kind} {square_name(square)}", team, square_name(square), half.number),
    )


def _last_move(half: Half, what: int) -> Tile | None:
    if half.last is None:
        return None
    square, fill = (half.last[0], LAST_FROM) if what == FROM else (half.last[1], LAST_TO)
    left = _board_left(half.number)
    return Tile("square", left + column_of(square), row_of(square), 1, 1, fill)


def _captured_sprite(half: Half, what: int) -> Sprite | None:
    """Return a captured piece: nerds fill two rows from the left, bullies one from the right."""
    is_bully = what >= BULLIES_TAKEN
    place = what - (BULLIES_TAKEN if is_bully else NERDS_TAKEN)
    pieces = half.position.bullies if is_bully else half.position.nerds
    if place >= (BULLIES if is_bully else NERDS) - pieces.bit_count():
        return None
    kind, side = ("bully", Side.BULLIES) if is_bully else ("nerd", Side.NERDS)
    row, column = divmod(place, PATIENTS_IN_A_ROW)
    if is_bully:
        row, column = 1, PATIENTS_IN_A_ROW - 1 - place
    return Sprite(
        "patient",
        _board_left(half.number) + (column + 0.5) * CAPTURED_WIDTH,
        OFFICE + row * CAPTURED_WIDTH,
        CAPTURED_WIDTH * PIECE,
        f"{kind}_{half.find_team(side)}",
        facts=(f"{kind} at the nurse's", half.find_team(side), "the nurse's office", half.number),
    )


def _heading_label(half: Half, y: float, size: float, text: str) -> Label:
    name = f"board {half.number}"
    return _make_label(_board_left(half.number) + SIDE / 2, y, size, text, name)


def _make_label(x: float, y: float, size: float, text: str, name: str = "") -> Label:
    return Label("words", x, y, size, text, COORDINATES, (name,))


def count_captures(state: Boards, team: int) -> str:
    """Return what a team has captured on both boards, in words."""
    as_nerds, as_bullies = state.halves if team == 1 else reversed(state.halves)
    nerds = NERDS - as_bullies.position.nerds.bit_count()
    bullies = BULLIES - as_nerds.position.bullies.bit_count()
    return f"{pluralize(nerds, 'nerd')} and {bullies} {'bully' if bullies == 1 else 'bullies'}"


def shorten(name: str) -> str:
    """Return a name that leaves room for another one above a board."""
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1].rstrip()}…"


def _turn(half: Half) -> Tile | None:
    """Return the turn marker: a bar in the color of who moves, on that side of the board."""
    if half.ending:
        return None
    color = TEAM_COLORS[half.team_to_move - 1]
    return Tile("square", _board_left(half.number), -0.2, SIDE, 0.2, color, DEAD)


def _dirty_ids_of_move(event: Moved) -> Collection[int]:
    first = event.half * BOARD
    dirty_ids = {first + square for square in (event.source, event.target, *event.captured)}
    dirty_ids |= {first + what for what in (FROM, TO, *_WORDS)}
    if event.captured:
        dirty_ids.update(range(first + NERDS_TAKEN, first + NERDS_TAKEN + NERDS))
        dirty_ids.update(range(first + BULLIES_TAKEN, first + BULLIES_TAKEN + BULLIES))
    return dirty_ids


def _annotate_move(event: Moved) -> Sequence[Annotation]:
    first = event.half * BOARD
    piece = first + event.target
    text = f"{square_name(event.source)}-{square_name(event.target)}"
    if not event.captured:
        return (Annotation("offered" if event.ends else "moved", piece, 0, text),)
    text += "x" + ",".join(map(square_name, event.captured))
    if event.captured == (event.target,):  # from where it stood, onto the victim's square
        return (Annotation("hurled", first + event.source, piece, text),)
    victims = [first + square for square in event.captured]
    return Annotation("took", piece, victims[0], text), *(
        Annotation("captured", victim) for victim in victims
    )


def _annotate_offer(event: Offered | Declined) -> Sequence[Annotation]:
    does = "offers" if isinstance(event, Offered) else "declines"
    text = f"team {event.team} {does} to end the half"
    return (Annotation("offers", event.half * BOARD + STATUS, 0, text),)


SCENE = SmackScene
