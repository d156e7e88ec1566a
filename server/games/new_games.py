"""What a new game is played with: its settings, and the bots that can sit in it."""

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.bots.finding import Bot, Copies
from engine.catalog import describe_game, find_game
from engine.errors import BadBot, EngineFailure, SlimeMindError
from engine.spec import MatchSpec
from runners.configuration import read_configuration
from runners.contests.persistence import find_tournament
from runners.contests.standings import overview_of
from runners.match_request import MatchRequest, RunOptions
from runners.planning import MatchPlan, all_bots, bots_folder
from runners.starter_bots import starter_bots
from runners.storage.store import Store, default_url, existing_store
from server.games.boards import load_board
from server.games.clocks import Kind, read_control
from server.games.game_rows import Participant, Terms, person_digest
from server.games.open_games import OpenGame, SeatKind, WaitingSeat
from server.games.recorded_matches import starter_bot

IN_WORDS = {
    "pace=free": "each board at its own pace",
    "columns": "{} columns",
    "rows": "{} rows",
    "max_turns": "{} turns",
    "slime_pairs": "{} slimes a team",
    "plant_pairs": "{} pairs of plants",
    "rock_pairs": "{} pairs of rocks",
}
"""What settings mean: of one value, or of any."""


REMOTE_BOT = "{} (remote bot)"
"""What a program that plays with a token is called wherever players are named: at the board, in
lists and in the record. No account has such a name (server/identity/names.py)."""
LADDER = "ladder/"
"""What stands before the id of a ladder bot, where a form names it."""


class OpenBot(msgspec.Struct, frozen=True, kw_only=True):
    """A ladder bot whose author lets people play against it."""

    id: str
    name: str
    author: str
    digest: str
    """The digest of the version that is met."""
    elo: float | None
    """Its latest rating; None before the first."""

    @property
    def title(self) -> str:
        """Return what it is called where bots of several authors sit."""
        return f"{self.name} by {self.author}"


class Offered(msgspec.Struct, frozen=True):
    """A bot that can be asked to a game."""

    value: str
    """What a form sends."""
    words: str


class Opponents:
    """The bots that can be asked to a game."""

    def __init__(
        self, out: Path, open_bots: Callable[[str], Sequence[OpenBot]] = lambda game: ()
    ) -> None:
        """`out`: the folder of results and of bots' copies.

        `open_bots` returns the ladder bots of a game that people may play against.
        """
        self._out = out
        self.open_bots = open_bots
        self._strengths: dict[str, tuple[int, dict[str, float]]] = {}

    def list_names(self, game: str) -> list[str]:
        """Return the names of the bots that can play, the strongest first.

        By the ratings of the latest tournament; those without one by the strength of starter bots.
        """
        return [bot.name for bot in self._bots_by_strength(game)]

    def list_opponents(self, game: str) -> list[Offered]:
        """Return the same with what each is called, and how strong starter bots are.

        Their strength is their place by measured win rates (docs/api/), from 1 for the weakest.
        """
        order = starter_bots(game)
        return [Offered(bot.name, _bot_text(bot, order)) for bot in self._bots_by_strength(game)]

    def find_middle_bot(self, game: str) -> str:
        """Return the name of the starter bot of middle strength, or else of any bot."""
        names = self.list_names(game)
        there = [name for name in starter_bots(game) if name in names] or names
        return there[len(there) // 2] if there else ""

    def _bots_by_strength(self, game: str) -> list[Bot]:
        ratings, order = self._find_ratings(game), starter_bots(game)

        def strength(bot: Bot) -> tuple[float, int, str]:
            place = order.index(bot.name) if bot.name in order else -1
            return -ratings.get(bot.digest, -1e9), -place, bot.name

        return sorted(self._all_bots(game), key=strength)

    def ladder_bots(self, game: str) -> list[Offered]:
        """Return the ladder bots that people may play against, the strongest first."""
        return [
            Offered(LADDER + bot.id, bot.title + ("" if bot.elo is None else f" ({bot.elo:.0f})"))
            for bot in self.open_bots(game)
        ]

    def seat(self, game: str, name: str, *, shows_title: bool = False) -> WaitingSeat:
        """Return a seat with a bot, of which a copy is kept. Raises: BadBot, EngineFailure.

        The name comes from a form: it is looked for among those listed, and is never a path.
        `shows_title`: people at the board read its title rather than the name of its file.
        """
        if name.startswith(LADDER):
            return self._ladder_seat(game, name.removeprefix(LADDER))
        bot = next((bot for bot in self._all_bots(game) if bot.name == name), None)
        if bot is None:
            raise BadBot(f"there is no bot {name!r:.60} that plays {find_game(game).title}")
        try:
            Copies(self._out / "bots").save(bot)
        except OSError as error:
            raise EngineFailure(f"{error.filename}: {error.strerror}") from error
        called = (shows_title and bot.title) or bot.name
        return WaitingSeat(kind=SeatKind.BOT, name=called, digest=bot.digest)

    def _ladder_seat(self, game: str, bot_id: str) -> WaitingSeat:
        bot = next((bot for bot in self.open_bots(game) if bot.id == bot_id), None)
        if bot is None:
            raise BadBot("its author does not let people play against this bot any more")
        return WaitingSeat(kind=SeatKind.BOT, name=bot.title, digest=bot.digest)

    def substitute(self, game: str) -> Participant:
        """Return who plays for somebody who is away: the strongest ladder bot, or the starter."""
        for bot in self.open_bots(game):
            return Participant(name=bot.title, digest=bot.digest, is_person=False)
        return starter_bot(find_game(game), self._out)

    def game_terms(self, game: OpenGame) -> Terms:
        """Return the clock of a game, who plays for whoever is away, and whether it is rated."""
        if game.clock == Kind.NONE:
            is_strangers = game.made_by is None
            return Terms(is_rated=game.is_rated, is_strangers=is_strangers, asks_consent=True)
        substitute = self.substitute(game.spec.game)
        clock = read_control(game.clock)
        return Terms(clock=clock, substitute=substitute, is_rated=game.is_rated, asks_consent=True)

    def spec(self, game: str, *, is_rated: bool = False) -> MatchSpec:
        """Return what a game of people is played with. Raises: UsageError."""
        load_board(find_game(game))
        wanted = MatchRequest(game=game, run=RunOptions(out=self._out))
        request = for_people(wanted, is_rated=is_rated)
        return MatchPlan(request, read_configuration()).spec(())

    def _all_bots(self, game: str) -> Sequence[Bot]:
        return all_bots(bots_folder(game), ())[0]

    def _find_ratings(self, game: str) -> dict[str, float]:
        """Return the ratings of the latest tournament, by digest; none where there was none."""
        with suppress(SlimeMindError):  # results that cannot be read say nothing of strength
            store = existing_store(default_url(self._out, game))
            if store is not None:
                with closing(store):
                    self._read_ratings(game, store)
        return self._strengths.get(game, (0, {}))[1]

    def _read_ratings(self, game: str, store: Store) -> None:
        """Rate the entrants of the latest tournament, unless there is no result since."""
        count = store.count()
        if self._strengths.get(game, (-1, {}))[0] == count:
            return
        ledger = find_tournament(store, None).ledger()
        entrants, ratings = ledger.field.entrants, overview_of(ledger).ratings
        rated = {
            entrants[one.entrant].bot.digest: one.elo for one in ratings if one.elo is not None
        }
        self._strengths[game] = (count, rated)


def match_spec_and_seats(game: OpenGame) -> tuple[MatchSpec, list[Participant]]:
    """Return what is played, and who sits where, once all seats are taken."""
    seats = [
        Participant(name=seat.name, digest=seat.digest, is_person=False)
        if seat.kind is SeatKind.BOT
        else Participant(
            name=REMOTE_BOT.format(seat.name) if seat.kind is SeatKind.REMOTE else seat.name,
            digest=person_digest(game.id, team),
            is_person=True,
            is_remote=seat.kind is SeatKind.REMOTE,
        )
        for team, seat in enumerate(game.seats, 1)
    ]
    return replace(game.spec, bots=tuple(one.digest for one in seats)), seats


def non_default_settings(spec: MatchSpec) -> list[str]:
    """Return the settings that are not the game's own: in words, or as --set takes them."""
    usual = type(spec.settings)()
    values = msgspec.structs.asdict(spec.settings)
    return [
        _setting_in_words(name, value)
        for name, value in values.items()
        if value != getattr(usual, name)
    ]


def for_people(request: MatchRequest, *, is_rated: bool = False) -> MatchRequest:
    """Return a request with what people play where it says nothing else."""
    description = describe_game(request.game)
    casual = () if is_rated else description.casual_settings
    settings = (*casual, *request.settings)
    preset = request.preset or description.people_preset
    return replace(request, preset=preset, settings=settings)


def _setting_in_words(name: str, value: object) -> str:
    template = IN_WORDS.get(f"{name}={value}") or IN_WORDS.get(name, f"{name}={{}}")
    return template.format(value)


def _bot_text(bot: Bot, order: Sequence[str]) -> str:
    """Return what a bot is called, and its strength if it is one of the starter bots."""
    called = f"{bot.title} ({bot.name})" if bot.title else bot.name
    if bot.name not in order:
        return called
    return f"{called}: strength {order.index(bot.name) + 1} of {len(order)}"
