"""Playing on from the middle of a game that is over, as if somebody had done otherwise."""

import tempfile
import time
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.decisions import encode
from engine.game import AnyGame
from engine.origin import origin_of
from engine.streams import draw_seed
from runners.configuration import read_configuration
from runners.match_request import MatchRequest
from runners.planning import MatchPlan
from runners.run_options import RunOptions
from runners.team_counts import fewest_teams
from server.lobby import Lobby, new_game_id
from server.rooms import Refused, Room
from server.storage import SeatedOne, person_digest

STARTER = "player_one"
"""The starter bot of every game, which plays for the people of then."""


MOST_NEW, WINDOW_S = 30, 600
"""So many games may be begun so within so many seconds: whoever can watch one may do it."""


class ContinueBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request to play on: from which step, and as which team."""

    step: int
    team: int


class Continued(msgspec.Struct, frozen=True):
    """The game that goes on."""

    id: str
    address: str
    """Where it is played; the cookie of the seat comes with the answer."""


REFUSING = (HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY)
"""How a game may refuse to be gone on from."""


class Continuing:
    """Makes games that go on from others."""

    def __init__(self, lobby: Lobby, starter: Callable[[AnyGame], SeatedOne]) -> None:
        """`starter` returns the bot that plays for the people of then."""
        self._lobby = lobby
        self._starter = starter
        self._begun_at = deque[float](maxlen=MOST_NEW)

    def play_on(self, game_id: str, step: int, team: int) -> str:
        """Begin a game with the first decisions of another one; return its id.

        A person plays one team, a bot each other one: its own if it had one. What chance brings
        after those decisions is drawn anew, since the seed of then is public. Raises: Refused for
        a game that is not over, or for what it does not have; Unknown.
        """
        now = time.monotonic()
        if len(self._begun_at) == MOST_NEW and now - self._begun_at[0] < WINDOW_S:
            raise Refused("too many games were begun so; please wait some minutes")
        new_id = new_game_id()
        with self._lobby.room(game_id) as room:
            if room.outcome is None:
                raise Refused("the game is not over: its seed and what is hidden would be told")
            if not 0 <= step < len(room.decisions):
                raise Refused(f"step {step}: expected 0 to {len(room.decisions) - 1}")
            # Who sat where is of no account any more.
            kept = [one for one in room.decisions[:step] if one.sits is None]
            if not 1 <= team <= len(room.stored.seats):
                raise Refused(f"team {team}: expected 1 to {len(room.stored.seats)}")
            seats = [
                self._seat(room, number, is_mine=number == team, game_id=new_id)
                for number in range(1, len(room.stored.seats) + 1)
            ]
            spec = room.stored.spec
            new = replace(
                spec,
                bots=tuple(seat.digest for seat in seats),
                seed=draw_seed(),
                origin=origin_of(fingerprint_of(room), len(kept), spec.seed, spec.origin),
            )
            taken_over = [encode(one.as_written()).decode() for one in kept]
        self._begun_at.append(now)
        return self._lobby.create(new, seats, new_id, taken_over=taken_over)

    def _seat(self, room: Room, team: int, *, is_mine: bool, game_id: str) -> SeatedOne:
        seat = room.stored.seats[team - 1]
        if is_mine:
            digest = person_digest(game_id, team)
            return SeatedOne(name=f"Player {team}", digest=digest, is_person=True)
        return self._starter(room.game) if seat.is_person else seat


def fingerprint_of(room: Room) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return room.record(Path(folder) / "replay")


def starter_bot(game: AnyGame, out: Path) -> SeatedOne:
    """Return the starter bot of a game; a copy is kept in the results. Raises: BadBot."""
    request = MatchRequest(
        game=game.name, players=(STARTER,) * fewest_teams(game), run=RunOptions(out=out)
    )
    bot = MatchPlan(request, read_configuration()).contestants()[0]
    return SeatedOne(name=bot.name, digest=bot.digest, is_person=False)
