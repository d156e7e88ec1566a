"""Playing on from the middle of a game that is over, as if somebody had done otherwise."""

import tempfile
import time
from collections import deque
from http import HTTPStatus
from pathlib import Path

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from engine.bots.finding import Copies
from engine.catalogue import game_named
from engine.decisions import Decision, encode
from engine.game import AnyGame
from engine.origin import origin_of
from engine.replay import Replay
from engine.resumed_match import decisions_before, require_played_so
from engine.spec import MatchSpec
from engine.streams import draw_seed
from runners.configuration import read_configuration
from runners.match_request import MatchRequest
from runners.planning import MatchPlan
from runners.run_options import RunOptions
from runners.team_counts import fewest_teams
from server.answers import seat_at, sent
from server.boards import board_of
from server.history import record_match
from server.lobby import Lobby, new_game_id
from server.rooms import Refused, Room
from server.storage import SeatedOne, person_digest

STARTER = "player_one"
"""The starter bot of every game, which plays for the people of then."""


MOST_NEW, WINDOW_S = 30, 600
"""Nobody begins more games this way within so many seconds: whoever can watch one may do it."""


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


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """The match from which a game goes on."""

    spec: MatchSpec
    seats: tuple[SeatedOne, ...]
    """Who played; there is a copy of every bot."""
    decisions: tuple[Decision, ...]
    """What was decided and counts."""
    fingerprint: str


class Continuing:
    """Makes games that go on from others."""

    def __init__(self, lobby: Lobby, out: Path) -> None:
        """`out`: the folder of results and of bots' copies."""
        self._lobby = lobby
        self._out = out
        self._begun_at = deque[float](maxlen=MOST_NEW)

    def play_on(self, game_id: str, step: int, team: int) -> str:
        """Begin a game with the first decisions of another one; return its id.

        Raises: Refused for a game that is not over, or for what it does not have; Unknown.
        """
        with self._lobby.room(game_id) as room:
            if room.outcome is None:
                raise Refused("the game is not over: its seed and what is hidden would be told")
            past = _past_of_room(room)
        if not 0 <= step < len(past.decisions):
            raise Refused(f"step {step}: expected 0 to {len(past.decisions) - 1}")
        return self._begin(past, step, team)

    def play_on_replay(self, replay: Replay, step: int, team: int) -> str:
        """Begin a game with the first decisions of a replay; return its id.

        Raises: BadReplay for one that no rules made of its orders; Refused.
        """
        board_of(replay.game)  # says which games people can play
        require_played_so(replay, None)
        past = _past_of_replay(replay, Copies(self._out / "bots"))
        most = len(past.decisions) - (replay.outcome is not None)
        if not 0 <= step <= most:
            raise Refused(f"step {step}: expected 0 to {most}; after that the match is over")
        return self._begin(past, step, team)

    def _begin(self, past: Past, step: int, team: int) -> str:
        """Begin a game in which a person plays one team, and a bot each other one.

        What chance brings from then on is drawn anew, since the seed of then is public. Raises:
        Refused.
        """
        now = time.monotonic()
        if len(self._begun_at) == MOST_NEW and now - self._begun_at[0] < WINDOW_S:
            raise Refused("too many games were begun so; please wait some minutes")
        if not 1 <= team <= len(past.seats):
            raise Refused(f"team {team}: expected 1 to {len(past.seats)}")
        game, new_id = game_named(past.spec.game), new_game_id()
        # Who sat where is of no account any more.
        kept = [one for one in past.decisions[:step] if one.sits is None]
        seats = [
            SeatedOne(name=f"Player {team}", digest=person_digest(new_id, team), is_person=True)
            if number == team
            else (starter_bot(game, self._out) if seat.is_person else seat)
            for number, seat in enumerate(past.seats, 1)
        ]
        spec = replace(
            past.spec,
            bots=tuple(seat.digest for seat in seats),
            seed=draw_seed(),
            origin=origin_of(past.fingerprint, len(kept), past.spec.seed, past.spec.origin),
        )
        taken_over = [encode(one.as_written()).decode() for one in kept]
        self._begun_at.append(now)
        return self._lobby.create(spec, seats, new_id, taken_over=taken_over)


def continued(request: Request, lobby: Lobby, game_id: str, team: int) -> Response:
    """Return the answer to whoever has begun a game so: where it is, and their seat."""
    response = sent(Continued(id=game_id, address=f"/games/{game_id}"))
    seat_at(request, response, game_id, lobby.new_token(game_id, (team,)))
    return response


def _past_of_room(room: Room) -> Past:
    with tempfile.TemporaryDirectory() as folder:
        fingerprint = room.record(Path(folder) / "replay")
    return Past(
        spec=room.stored.spec,
        seats=room.stored.seats,
        decisions=tuple(room.decisions),
        fingerprint=fingerprint,
    )


def _past_of_replay(replay: Replay, copies: Copies) -> Past:
    """Return what a replay tells; a bot of which there is no copy here stands for a person."""
    decisions = tuple(decisions_before(replay, None))
    with tempfile.TemporaryDirectory() as folder:
        fingerprint = record_match(replay.spec, replay.bots, decisions, Path(folder) / "replay")
    seats = tuple(
        SeatedOne(name=bot.name, digest=bot.digest, is_person=not copies.has(bot.digest))
        for bot in replay.bots
    )
    return Past(spec=replay.spec, seats=seats, decisions=decisions, fingerprint=fingerprint)


def starter_bot(game: AnyGame, out: Path) -> SeatedOne:
    """Return the starter bot of a game; a copy is kept in the results. Raises: BadBot."""
    request = MatchRequest(
        game=game.name, players=(STARTER,) * fewest_teams(game), run=RunOptions(out=out)
    )
    bot = MatchPlan(request, read_configuration()).contestants()[0]
    return SeatedOne(name=bot.name, digest=bot.digest, is_person=False)
