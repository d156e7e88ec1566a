"""The board of Slime Mind, and `apply`: the only code that changes it."""

from copy import copy

import msgspec
from msgspec.structs import replace

from engine.game import Event, MatchEnded, find_appliers
from engine.games.slime_mind import events
from engine.games.slime_mind.pieces import Piece, Plant, Rock, Slime
from engine.games.slime_mind.settings import Settings

TEAMS = (1, 2)
# rules 2.3: the four sides, and the eight squares around.
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))


class Board(msgspec.Struct, dict=True):
    """The map and its pieces. Piece dicts are in ascending order of ids.

    `queue` holds the slimes still to act this turn, the one acting now first. Derived from the
    piece dicts, and therefore not in replays: `at` maps (x, y) to the piece there, `slimes_of` a
    team to its number of slimes.
    """

    settings: Settings
    turn: int = 0
    next_id: int = 1
    slimes: dict[int, Slime] = {}
    plants: dict[int, Plant] = {}
    rocks: dict[int, Rock] = {}
    queue: list[int] = []
    ending: MatchEnded | None = None

    def __post_init__(self) -> None:
        self.at: dict[tuple[int, int], Piece] = {}
        for pieces in (self.slimes, self.plants, self.rocks):
            for piece in pieces.values():
                self.at[piece.x, piece.y] = piece
        self.slimes_of = dict.fromkeys(TEAMS, 0)
        for slime in self.slimes.values():
            self.slimes_of[slime.team] += 1

    def copy(self) -> "Board":
        """Return a copy. Pieces are never changed, only replaced, so both boards share them."""
        copied = copy(self)
        copied.slimes, copied.plants, copied.rocks = (
            {**self.slimes},
            {**self.plants},
            {**self.rocks},
        )
        copied.queue = [*self.queue]
        copied.at, copied.slimes_of = {**self.at}, {**self.slimes_of}
        return copied

    def apply(self, event: Event) -> None:
        """Apply an event. Raises: KeyError for an event or a piece that is not of this board."""
        _APPLY[type(event)](self, event)

    def is_on_map(self, x: int, y: int) -> bool:
        """Return whether there is such a square."""
        return 0 <= x < self.settings.columns and 0 <= y < self.settings.rows

    def is_empty(self, x: int, y: int) -> bool:
        """Return whether the square is on the map and free."""
        return (x, y) not in self.at and self.is_on_map(x, y)

    def empty_around(self, x: int, y: int) -> list[tuple[int, int]]:
        """Return the empty squares among the eight around, row by row.

        The order counts: chance picks one of them by its place.
        """
        return [(x + dx, y + dy) for dx, dy in AROUND if self.is_empty(x + dx, y + dy)]


def _apply_rock_placed(board: Board, event: events.RockPlaced) -> None:
    rock = event.rock
    board.rocks[rock.id] = board.at[rock.x, rock.y] = rock
    board.next_id = rock.id + 1


def _apply_plant_placed(board: Board, event: events.PlantPlaced) -> None:
    _put_plant(board, event.plant)
    board.next_id = event.plant.id + 1


def _apply_slime_placed(board: Board, event: events.SlimePlaced) -> None:
    _add_slime(board, event.slime)


def _apply_queued(board: Board, event: events.Queued) -> None:
    board.queue = list(event.slimes)


def _apply_grown(board: Board, event: events.Grown) -> None:
    plant = board.plants[event.plant]
    _put_plant(board, replace(plant, level=event.level, max_hp=event.max_hp, current_hp=event.hp))


def _apply_ready_ended(board: Board, event: events.ReadyEnded) -> None:
    _put_slime(board, replace(board.slimes[event.slime], ready_to_merge=False))


def _apply_levelled(board: Board, event: events.Levelled) -> None:
    slime = board.slimes[event.slime]
    _put_slime(
        board,
        replace(
            slime,
            level=event.level,
            attack=event.attack,
            max_hp=event.max_hp,
            current_hp=event.hp,
        ),
    )


def _apply_moved(board: Board, event: events.Moved) -> None:
    slime = board.slimes[event.slime]
    del board.at[slime.x, slime.y]
    _put_slime(board, replace(slime, x=event.x, y=event.y))
    board.queue.pop(0)


def _apply_bitten(board: Board, event: events.Bitten) -> None:
    plant = board.plants.get(event.target)
    if plant is not None:
        _put_plant(board, replace(plant, current_hp=event.target_hp))
    else:
        _put_slime(board, replace(board.slimes[event.target], current_hp=event.target_hp))
    _put_slime(board, replace(board.slimes[event.slime], xp=event.xp, current_hp=event.hp))
    board.queue.pop(0)


def _apply_split(board: Board, event: events.Split) -> None:
    _put_slime(board, replace(board.slimes[event.slime], xp=event.xp))
    _add_slime(board, event.child)
    board.queue.pop(0)


def _apply_readied(board: Board, event: events.Readied) -> None:
    _put_slime(board, replace(board.slimes[event.slime], ready_to_merge=True))
    board.queue.pop(0)


def _apply_merged(board: Board, event: events.Merged) -> None:
    _remove_slime(board, event.absorbed)
    _put_slime(board, replace(board.slimes[event.slime], xp=event.xp, current_hp=event.hp))


def _apply_nothing(board: Board, event: events.Nothing | events.RoundLost) -> None:
    board.queue.pop(0)


def _apply_died(board: Board, event: events.Died) -> None:
    plant = board.plants.pop(event.piece, None)
    if plant is None:
        _remove_slime(board, event.piece)
    else:
        del board.at[plant.x, plant.y]


def _apply_match_ended(board: Board, event: MatchEnded) -> None:
    board.ending = event
    board.queue = []


def _put_plant(board: Board, plant: Plant) -> None:
    board.plants[plant.id] = board.at[plant.x, plant.y] = plant


def _put_slime(board: Board, slime: Slime) -> None:
    board.slimes[slime.id] = board.at[slime.x, slime.y] = slime


def _add_slime(board: Board, slime: Slime) -> None:
    _put_slime(board, slime)
    board.slimes_of[slime.team] += 1
    board.next_id = slime.id + 1


def _remove_slime(board: Board, slime_id: int) -> None:
    slime = board.slimes.pop(slime_id)
    del board.at[slime.x, slime.y]
    board.slimes_of[slime.team] -= 1
    if slime_id in board.queue:  # rules 4.4
        board.queue.remove(slime_id)


_APPLY = find_appliers(globals())
