"""What programs can do with Slime Mind: play, read replays, rate. See docs/library.md.

All that these functions return is plain: dataclasses of numbers, texts, tuples and dictionaries.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import isnan
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from engine import ENGINE_VERSION
from engine.bots.launching import require
from engine.catalog import DEFAULT_GAME, GAMES, find_game
from engine.errors import BadArgument, EngineFailure, SlimeMindError, UsageError
from engine.referee import Referee
from engine.replays.decisions import Decision
from engine.replays.reading import Replay as RecordedMatch
from engine.result import MatchResult
from engine.streams import seed_text
from engine.bots.hosting import structs_to_dicts
from engine.support.wording import short_repr
from runners.arguments import (
    MAP_PAIRS,
    MATCHES,
    ROUNDS,
    CountRange,
    match_request,
    require_count,
    require_path,
    require_text,
)
from runners.authoring.hosted_bot import BotFailed, HostedBot
from runners.configuration import DEFAULT_OUT, UNCONFIGURED
from runners.contests.tournament_request import why_no_name
from runners.contests.organizer import Organizer
from runners.contests.standings import overview_of
from runners.contests.tournament_request import TournamentRequest
from runners.execution.pool import Pool, executor_for
from runners.formats import FORMATS
from runners.multi_match import play_series as play_whole_series
from runners.planning import MatchPlan
from runners.questions.versus import ask, results_in_order
from runners.series import USUAL_SEED
from runners.statistics.scores import PairwiseResults
from runners.statistics.ratings import rate as rate_entrants
from runners.statistics.scores import Score, SideSwappedSet
from runners.statistics.sequential import SequentialTest
from runners.storage.kept_series import with_saved_secret
from runners.storage.store import default_url, open_store
from runners.team_counts import require_teams
from slime_mind_arena.tree import use_top_level

__all__ = ["BotFailed", "HostedBot", "SlimeMindError"]  # which are defined elsewhere

__version__ = ENGINE_VERSION

Place = str | PathLike[str]
"""A path, or of a bot its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """One team's side of a match."""

    number: int
    """From 1."""
    bot: str
    """The name of its file."""
    author: str
    """Who wrote it, as the file says; '' if it does not."""
    score: float
    """In the game's own points."""
    faults: Mapping[str, int]
    """How many decisions were lost, by cause."""
    out: str | None
    """Why the bot was asked no more; None if it was asked to the end."""
    cpu_ms: int
    """The CPU time of all its decisions, milliseconds; wall time of a bot over HTTP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The result of a match."""

    key: str
    """What it is known by: the same bots, settings and seed have the same key."""
    game: str
    """The name of the game, such as `smac`."""
    seed: str
    """As `play` and --seed take it: a number, or hexadecimal digits after `0x`."""
    turns: int
    """How many turns it had."""
    reason: str
    """Why it ended."""
    teams: tuple[Team, ...]
    """Each team's side, team 1 first."""
    winners: tuple[int, ...]
    """The numbers of the teams that won; () for a draw."""
    replay: Path | None
    """Its replay, where one was kept."""

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each team, team 1 first, in the game's own points."""
        return tuple(team.score for team in self.teams)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """How strong a bot is, on the scale of Elo."""

    bot: str
    """The name of the bot."""
    elo: float | None
    """The estimate, whose mean is 1500; None where no matches link it to others."""
    low: float | None
    """Where its 95 % interval begins; None if it has no limit on this side."""
    high: float | None
    """Where the interval ends; None if it has no limit on this side."""
    games: int
    """The matches that count for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Whether bot A is better than bot B."""

    verdict: str
    """better, worse, no better (by 20 Elo) or not decided."""
    words: str
    """The verdict as a sentence."""
    pairs: int
    """Side-swapped pairs that count."""
    repeated: int
    """Pairs of games that were both seen before: they do not count."""
    elo: float | None
    """The lead of A; None where one of them won everything."""
    low: float | None
    """Where the 95 % interval begins; None if it has no limit on this side."""
    high: float | None
    """Where it ends: the interval holds at any moment; None if it has no limit on this side."""
    chance: float
    """How likely A is better, if that was an even chance before the first pair."""
    keys: tuple[str, ...]
    """The keys of the matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A bot in the table of a tournament."""

    rank: int
    """Its place, from 1."""
    bot: str
    """The name of the bot."""
    points: float
    """The share of matches won in each pairing, in sum; a draw counts half."""
    wins: int
    """Matches that it won."""
    draws: int
    """Matches that nobody won."""
    losses: int
    """Matches that another bot won."""
    mean_score: float
    """The mean of its scores, in the game's own points."""
    rating: Rating
    """How strong it is by these matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A tournament that was played."""

    name: str
    """The name under which it goes on."""
    format: str
    """Who meets whom: `round_robin`, `swiss`, ..."""
    played: int
    """The matches that have a result."""
    standings: tuple[Standing, ...]
    """The best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a match."""

    kind: str
    """The name of its type, as in the replay."""
    fields: Mapping[str, object]
    """Its values by name, as docs/protocol.md lists them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What happened in a turn."""

    number: int
    """The turn, from 1; 0 is what happens before the first."""
    events: tuple[Event, ...]
    """What happened, in order."""


class Replay:
    """A recorded match."""

    def __init__(self, path: Place) -> None:
        """Raises: SlimeMindError for what is no replay."""
        self._recorded = RecordedMatch(Path(require_path(path, "replay")))
        self.game: str = self._recorded.spec.game
        """The name of the game."""
        self.seed: str = seed_text(self._recorded.spec.seed)
        """The seed, as `play` takes it."""
        self.bots: tuple[str, ...] = tuple(bot.name for bot in self._recorded.bots)
        """The names of the bots, team 1 first."""
        self.last_turn: int = self._recorded.last_turn
        """The last turn that was recorded."""
        self.settings: dict[str, Any] = msgspec.to_builtins(self._recorded.spec.settings)
        """All settings of the match, by name."""

    def state(self, turn: int) -> Any:
        """Return the board at the end of a turn (0: before the first): dictionaries and lists.

        Raises: SlimeMindError for a turn that there is not, and for a damaged replay.
        """
        number = require_count(turn, "turn", CountRange(0, self.last_turn))
        return structs_to_dicts(self._recorded.state_at(number))

    def turns(self) -> Iterator[Turn]:
        """Yield what happened, turn by turn. Raises: SlimeMindError for a damaged replay."""
        number, events = 0, list[Event]()
        for line in range(self._recorded.line_count):
            turn = self._recorded.turn_of_line(line)
            if turn != number:
                yield Turn(number=number, events=tuple(events))
                number, events = turn, []
            events += [
                _event(entry)
                for entry in self._recorded.entries_of_line(line)
                if not isinstance(entry, Decision)
            ]
        yield Turn(number=number, events=tuple(events))


def games() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(GAMES)


def play(
    *bots: Place,
    game: str = DEFAULT_GAME,
    seed: int | str | None = None,
    preset: str | None = None,
    settings: Mapping[str, object] | None = None,
    out: Place = DEFAULT_OUT,
) -> Match:
    """Play a match between bots, by name or path, as `main.py` does: each in its own sandbox.

    `seed`: None for a new one. `settings`: those that differ from the preset, by name; the
    command line's config.toml has no effect. `out`: the folder of results. Raises: SlimeMindError.
    """
    request = match_request(bots, game=game, out=out, seed=seed, preset=preset, settings=settings)
    plan = MatchPlan(request, UNCONFIGURED)
    with closing(Referee(request.run.out)) as referee:
        return _match(referee.play(plan.make_job()))


def play_series(
    *bots: Place,
    maps: int = 10,
    game: str = DEFAULT_GAME,
    seed: int | str | None = None,
    preset: str | None = None,
    settings: Mapping[str, object] | None = None,
    out: Place = DEFAULT_OUT,
    jobs: int = 1,
) -> tuple[Match, ...]:
    """Play each of so many maps once in every rotation of the seats; `jobs` matches at once.

    Raises: SlimeMindError, also where a match could not be played.
    """
    request = match_request(
        bots, game=game, out=out, seed=seed, preset=preset, settings=settings, jobs=jobs
    )
    series = MatchPlan(request, UNCONFIGURED).series(require_count(maps, "maps", MATCHES))
    played = play_whole_series(series, shows_progress=False)
    if played.failures:
        raise EngineFailure("; ".join(played.failures))
    return tuple(_match(one.result) for one in played.played)


def compare(
    a: Place,
    b: Place,
    *,
    most: int = 1_000,
    game: str = DEFAULT_GAME,
    seed: int | str | None = None,
    preset: str | None = None,
    settings: Mapping[str, object] | None = None,
    out: Place = DEFAULT_OUT,
    jobs: int = 1,
) -> Comparison:
    """Play side-swapped pairs, at most so many, until it is known which bot is better: `versus`.

    What was played is kept: the same call resumes, or just returns the answer again.
    Raises: SlimeMindError, also where a match could not be played; KeyboardInterrupt.
    """
    seed = USUAL_SEED if seed is None else seed
    request = match_request(
        (a, b), game=game, out=out, seed=seed, preset=preset, settings=settings, jobs=jobs
    )
    require_teams(find_game(game), 2)
    require(request.run.play.sandbox)
    series = MatchPlan(request, UNCONFIGURED).series(require_count(most, "most", MATCHES))
    with (
        closing(open_store(default_url(request.run.out, game))) as store,
        Pool(executor_for(request.run)) as pool,
    ):
        saved = with_saved_secret(series, store)
        results = results_in_order([saved.make_job(one) for one in saved.fixtures()], store, pool)
        answer = ask(saved, SequentialTest(), results, lambda running: None)
    found = answer.assessment
    if answer.hopeless is not None:
        raise EngineFailure(f"{answer.hopeless.bot.name} loses nearly all its decisions")
    return Comparison(
        verdict=found.verdict.value,
        words=found.describe(*(player.name for player in answer.players)),
        pairs=found.pairs,
        repeated=found.repeated,
        elo=found.elo.best,
        low=found.elo.low,
        high=found.elo.high,
        chance=found.chance,
        keys=answer.keys,
    )


def play_tournament(
    *bots: Place,
    name: str,
    format: str = "round_robin",  # noqa: A002 - as --format
    maps: int = 1,
    rounds: int | None = None,
    game: str = DEFAULT_GAME,
    preset: str | None = None,
    settings: Mapping[str, object] | None = None,
    out: Place = DEFAULT_OUT,
    jobs: int = 1,
) -> Tournament:
    """Play a tournament, or what is missing of it: one of the same name goes on.

    Raises: SlimeMindError; KeyboardInterrupt, after which what was played is kept.
    """
    match = match_request(bots, game=game, out=out, preset=preset, settings=settings, jobs=jobs)
    said: dict[str, object] = {"games": require_count(maps, "maps", MAP_PAIRS)}
    said["format"] = require_text(format, "format")
    if format not in FORMATS:
        raise BadArgument(f"format: {format!r:.60}: expected one of {', '.join(FORMATS)}")
    if rounds is not None:
        said["rounds"] = require_count(rounds, "rounds", ROUNDS)
    if why := why_no_name(require_text(name, "name")):
        raise BadArgument(why)
    named = [require_path(bot, "bot") for bot in bots]
    request = TournamentRequest(name=name, bots=named, said=said, match=match)
    organizer = Organizer(request, UNCONFIGURED, default_url(match.run.out, game))
    with organizer.open(match.run) as tournament:
        tournament.play(match.run)
        overview = overview_of(tournament.ledger())
        plan = tournament.field.plan
    ratings = {rating.entrant: rating for rating in overview.ratings}
    return Tournament(
        name=plan.name,
        format=plan.format,
        played=overview.standings.played,
        standings=tuple(
            Standing(
                rank=row.rank,
                bot=row.bot.name,
                points=row.points,
                wins=row.wins,
                draws=row.draws,
                losses=row.losses,
                mean_score=row.mean_score,
                rating=_rating(row.bot.name, ratings[row.number]),
            )
            for row in overview.standings.rows
        ),
    )


def rate(results: Iterable[tuple[Sequence[str], Sequence[float]]]) -> dict[str, Rating]:
    """Rate whoever met: each result is the names of the teams, and their scores.

    Ratings are of Bradley and Terry, on the scale of Elo around 1500, with 95 % intervals from a
    bootstrap. Raises: SlimeMindError for a result with fewer than two teams, or without all scores.
    """
    if not isinstance(results, Iterable):
        raise BadArgument(f"results: {short_repr(results)}: expected pairs of names and scores")
    numbers: dict[str, int] = {}
    tally = PairwiseResults()
    for number, result in enumerate(results):
        names, points = _names_and_points(number, result)
        seats = tuple(numbers.setdefault(name, len(numbers)) for name in names)
        tally.add(SideSwappedSet(seed=number, scores=(Score(seats, points),)))
    found = rate_entrants(tally, numbers.values()).ratings
    by_number = {rating.entrant: rating for rating in found}
    return {name: _rating(name, by_number[number]) for name, number in numbers.items()}


def host(bot: Place, start: Mapping[str, object]) -> HostedBot:
    """Let a bot of yours play a match that is played elsewhere, such as on a server.

    `start` is the message of the protocol; `answer` of what is returned takes each ask. The bot
    runs in this process, without limits and without a sandbox. Raises: SlimeMindError if there is
    no such bot, it cannot play, or another module is called `engine`.
    """
    try:
        use_top_level()  # a bot imports `engine`
    except ImportError as error:
        raise UsageError(f"bots import `engine`, and here {error}") from error
    return HostedBot(Path(require_path(bot, "bot")), start)


def read_replay(of: Place | Match) -> Replay:
    """Return a recorded match, by its file, or of a match that was played.

    Raises: SlimeMindError for what is no replay, and for a match of which none was kept.
    """
    if isinstance(of, Match):
        if of.replay is None:
            raise UsageError(f"match {of.key} has no replay")
        of = of.replay
    return Replay(of)


def _match(result: MatchResult) -> Match:
    return Match(
        key=result.key,
        game=result.spec.game,
        seed=seed_text(result.spec.seed),
        turns=result.turns,
        reason=result.reason,
        teams=tuple(
            Team(
                number=number,
                bot=team.bot.name,
                author=team.bot.author,
                score=team.score,
                faults={str(cause): count for cause, count in team.faults.items()},
                out=team.out,
                cpu_ms=team.cpu.total_ms,
            )
            for number, team in enumerate(result.teams, 1)
        ),
        winners=result.winners,
        replay=None if result.replay is None else Path(result.replay),
    )


def _names_and_points(number: int, result: Any) -> tuple[Sequence[str], tuple[float, ...]]:
    """Return who met, and their scores. Raises: BadArgument, naming the result by its number."""
    try:
        names, scores = result
        points = tuple(map(float, scores))
        is_whole = 2 <= len(names) == len(points) and not any(map(isnan, points))
        if is_whole and not {str, bytes} & {type(names), type(scores)}:
            return [require_text(name, "a name") for name in names], points
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadArgument(f"result {number}: expected two names or more, each with its score")


def _rating(name: str, found: Any) -> Rating:
    return Rating(bot=name, elo=found.elo, low=found.low, high=found.high, games=found.games)


def _event(event: msgspec.Struct) -> Event:
    return Event(kind=type(event).__name__, fields=structs_to_dicts(event))
