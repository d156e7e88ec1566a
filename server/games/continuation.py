"""Playing on from the middle of a game that is over, and how often somebody may begin a game so."""

from http import HTTPStatus
from pathlib import Path

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from engine.bots.finding import Copies
from engine.catalog import find_game
from engine.game import AnyGame
from engine.replays.decisions import Decision, encode
from engine.replays.public_copy import original_fingerprint
from engine.replays.reading import Replay
from engine.replays.resuming import decisions_before, require_played_so
from engine.replays.writing import Contestant
from engine.spec import MatchSpec, origin_of
from engine.streams import draw_seed
from runners.configuration import read_configuration
from runners.match_request import MatchRequest, RunOptions
from runners.planning import MatchPlan
from runners.team_counts import fewest_teams
from server.games.boards import load_board
from server.games.game_records import GameRecords
from server.games.game_rows import Participant, Terms, person_digest
from server.games.game_service import GameService, new_game_id
from server.http.errors import ActionRefused
from server.http.limits import RateLimits
from server.http.responses import json_response, seat_at
from server.identity.rate_limits import Asker

STARTER = "player_one"
"""The starter bot of every game, which takes the place of the people of a recorded match."""


class ContinueBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request to play on: from which step, and as which team."""

    step: int
    team: int


class Continued(msgspec.Struct, frozen=True):
    """The game that goes on."""

    id: str
    address: str
    """Where it is played; the cookie of the seat comes with the answer."""


REFUSAL_STATUSES = (
    HTTPStatus.NOT_FOUND,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
)
"""How a game may refuse to be gone on from."""


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """The match from which a game goes on."""

    spec: MatchSpec
    seats: tuple[Participant, ...]
    """Who played; there is a copy of every bot."""
    decisions: tuple[Decision, ...]
    """What was decided and counts."""
    fingerprint: str


class Continuation:
    """Makes games that go on from others."""

    def __init__(self, game_service: GameService, out: Path, limits: RateLimits) -> None:
        """`out`: the folder of results and of bots' copies."""
        self._game_service = game_service
        self._out = out
        self._records = GameRecords(out)
        self._limits = limits

    def play_on(self, game_id: str, body: ContinueBody, asker: Asker) -> str:
        """Begin a game with the first decisions of another one; return its id.

        Raises: ActionRefused for a game that is not over, or for what it does not have;
        NoSuchGame, TooMany.
        """
        self._limits.count("play_on", asker)
        with self._game_service.open_session(game_id) as session:
            if session.outcome is None:
                raise ActionRefused(
                    "the game is not over: its seed and what is hidden would be told"
                )
            _require_place(body, len(session.decisions) - 1, len(session.stored.seats))
            past = Past(
                spec=session.stored.spec,
                seats=session.stored.seats,
                decisions=tuple(session.decisions),
                fingerprint=self._records.compute_fingerprint(session),
            )
        return self._create_game(past, body, Terms(is_strangers=asker.is_stranger))

    def play_on_replay(self, replay: Replay, body: ContinueBody, asker: Asker | None = None) -> str:
        """Begin a game with the first decisions of a replay; return its id.

        `asker`: None for whoever runs this process, and may do it as often as they like.
        Raises: BadReplay for one that no rules made of its orders; ActionRefused, TooMany.
        """
        if asker is not None:
            self._limits.count("play_on", asker)
        load_board(replay.game)  # says which games people can play
        decisions = tuple(decisions_before(replay, None))
        # The last one has ended the match: after it there is nothing to decide.
        most = len(decisions) - (replay.outcome is not None)
        _require_place(body, most, len(replay.bots))
        require_played_so(replay, None)
        copies = Copies(self._out / "bots")
        past = Past(
            spec=replay.spec,
            seats=tuple(_make_participant(bot, copies) for bot in replay.bots),
            decisions=decisions,
            fingerprint=original_fingerprint(replay),
        )
        return self._create_game(past, body, Terms())

    def _create_game(self, past: Past, body: ContinueBody, terms: Terms) -> str:
        """Begin a game in which a person plays one team, and a bot each other one.

        The bot whose team the person takes over plays it again whenever the person wants.
        Random events from there on are drawn anew, since the seed of the recorded game is public.
        """
        game, new_id = find_game(past.spec.game), new_game_id()
        # Who sat where is of no account any more.
        own = [one for one in past.decisions[: body.step] if one.sits is None]
        seats = [
            _new_person(new_id, number)
            if number == body.team
            else (starter_bot(game, self._out) if seat.is_person else seat)
            for number, seat in enumerate(past.seats, 1)
        ]
        replaced = past.seats[body.team - 1]
        terms = replace(terms, substitute=None if replaced.is_person else replaced)
        spec = replace(
            past.spec,
            bots=tuple(seat.digest for seat in seats),
            seed=draw_seed(),
            origin=origin_of(past.fingerprint, len(own), past.spec.seed, past.spec.origin),
        )
        taken_over = [encode(one.to_record()).decode() for one in own]
        return self._game_service.create(spec, seats, new_id, terms, taken_over)


def continuation_response(
    request: Request, game_service: GameService, game_id: str, team: int
) -> Response:
    """Return the answer to whoever has begun a game so: where it is, and their seat."""
    response = json_response(Continued(id=game_id, address=f"/games/{game_id}"))
    seat_at(request, response, game_id, game_service.keys.new_token(game_id, (team,)))
    return response


def _require_place(body: ContinueBody, most: int, teams: int) -> None:
    """Raises: ActionRefused for a step or a team that the match does not have."""
    if not 0 <= body.step <= most:
        raise ActionRefused(f"step {body.step}: expected 0 to {most}; after that the match is over")
    if not 1 <= body.team <= teams:
        raise ActionRefused(f"team {body.team}: expected 1 to {teams}")


def _new_person(game_id: str, team: int) -> Participant:
    """Return the person who takes a team over."""
    digest = person_digest(game_id, team)
    return Participant(name=f"Player {team}", digest=digest, is_person=True)


def _make_participant(bot: Contestant, copies: Copies) -> Participant:
    """Return who played; a bot that does not run here stands for a person."""
    is_here = copies.has(bot.digest) and not bot.origin
    return Participant(name=bot.name, digest=bot.digest, is_person=not is_here)


def starter_bot(game: AnyGame, out: Path, name: str = STARTER) -> Participant:
    """Return a starter bot of a game; a copy is kept in the results. Raises: BadBot."""
    request = MatchRequest(
        game=game.name, players=(name,) * fewest_teams(game), run=RunOptions(out=out)
    )
    bot = MatchPlan(request, read_configuration()).contestants()[0]
    return Participant(name=bot.name, digest=bot.digest, is_person=False)
