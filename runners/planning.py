"""Wishes of a command line -> what exactly is to be played."""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, cycle
from pathlib import Path

import msgspec

from engine.bots.finding import TEMPLATE, Bot, Copies, find_bots, resolve
from engine.bots.imports import ALWAYS, with_dependencies
from engine.bots.sandbox import Level
from engine.catalogue import game_named
from engine.cut_off import find_cut_off
from engine.errors import BadBot, BadResult, EngineFailure, UsageError
from engine.files import make_folder
from engine.record import Contestant
from engine.referee import Job, continued_job, recorded_job
from engine.settings import listing
from engine.spec import MatchSpec
from runners.configuration import HOME, Choices, Configuration, limits_for, settings_for
from runners.multi_match import Series
from runners.team_counts import fewest_teams, require_teams


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for; None where it was left open."""

    game: str
    players: tuple[str | None, ...]
    """By their seats, as far as there are any with a wish."""
    seed: int
    key: str | None
    past: str | None = None
    """The match to go on with: a file, a key, or empty for the latest that was cut off."""
    past_before: int | None = None
    """The turn from which on its bots decide anew."""
    choices: Choices
    packages: Sequence[str]
    out: Path
    keep_replays: bool
    in_process: bool
    sandbox: Level = Level.DEFAULT


class Plan:
    """Wishes made definite: bots found and copied, settings checked."""

    def __init__(self, wishes: Wishes, configuration: Configuration) -> None:
        """Raises: BadSettings; UsageError for a package that is not installed."""
        self._wishes = wishes
        self._game = game_named(wishes.game)
        self._settings = settings_for(self._game, configuration, wishes.choices)
        self._limits = limits_for(self._game, configuration, wishes.choices)
        self._packages = with_dependencies(wishes.packages) if wishes.packages else ()

    @cached_property
    def bots(self) -> tuple[Bot, ...]:
        """The bots named, and for the others some drawn at random, different if possible.

        As many as there are wishes, or as the game needs at least. Raises: BadBot; UsageError
        for so many as the game cannot have.
        """
        folder, words = bots_folder(self._wishes.game), self._wishes.players
        teams = max(len(words), fewest_teams(self._game))
        require_teams(self._game, teams)
        named = [None if word is None else _named(word, folder) for word in words]
        named += [None] * (teams - len(words))
        drawable = [bot for bot in find_bots(folder) if not why_left_out(bot, self._packages)]
        random.SystemRandom().shuffle(drawable)
        drawn = chain((bot for bot in drawable if bot not in named), cycle(drawable))
        return tuple(bot or _draw(drawn, folder) for bot in named)

    def settings_text(self) -> str:
        """A listing of settings and limits."""
        settings, limits = listing(self._settings), listing(self._limits)
        return f"settings (--set)\n{settings}\n\nlimits (--limit)\n{limits}"

    def job(self) -> Job:
        """The one match to play. Raises: BadBot, BadResult, BadReplay."""
        wishes = self._wishes
        return msgspec.structs.replace(
            self._bare_job(),
            keep_replay=wishes.keep_replays,
            in_process=wishes.in_process,
            sandbox=wishes.sandbox,
            is_kept=not wishes.in_process,
        )

    def _bare_job(self) -> Job:
        """What is to be played, without how."""
        wishes = self._wishes
        if wishes.past is not None:
            path = find_cut_off(wishes.out, wishes.past)
            return self._with_those_named(continued_job(path, wishes.past_before))
        if wishes.key is not None:
            recorded = recorded_job(wishes.out, wishes.key)
            _require_same_rules(recorded.spec)
            return recorded
        contestants = self._contestants()
        return Job(spec=self._spec(contestants), contestants=contestants)

    def _with_those_named(self, job: Job) -> Job:
        """A recorded match, with other bots where some were named."""
        words, folder = dict(enumerate(self._wishes.players)), bots_folder(job.spec.game)
        if len(words) > len(job.contestants):
            raise UsageError(
                f"{len(words)} seats were named, and the match has {len(job.contestants)} teams"
            )
        contestants = tuple(
            recorded if (word := words.get(seat)) is None else self._kept(_named(word, folder))
            for seat, recorded in enumerate(job.contestants)
        )
        digests = tuple(contestant.digest for contestant in contestants)
        spec = msgspec.structs.replace(job.spec, bots=digests)
        return msgspec.structs.replace(job, spec=spec, contestants=contestants)

    def series(self, maps: int) -> Series:
        """Many matches of the same bots. Raises: BadBot."""
        contestants = self._contestants()
        return Series(
            spec=self._spec(contestants),
            contestants=contestants,
            maps=maps,
            seed=self._wishes.seed,
            keep_replays=self._wishes.keep_replays,
            in_process=self._wishes.in_process,
            sandbox=self._wishes.sandbox,
        )

    def _spec(self, contestants: tuple[Contestant, ...]) -> MatchSpec:
        return MatchSpec(
            game=self._game.name,
            rules_version=self._game.rules_version,
            settings=self._settings,
            limits=self._limits,
            bots=tuple(contestant.digest for contestant in contestants),
            packages=self._packages,
            seed=self._wishes.seed,
        )

    def _contestants(self) -> tuple[Contestant, ...]:
        return tuple(self._kept(bot) for bot in self.bots)

    def _kept(self, bot: Bot) -> Contestant:
        """A bot of which there is a copy. Raises: BadBot, EngineFailure, UsageError."""
        make_folder(self._wishes.out)
        try:
            Copies(self._wishes.out / "bots").keep(bot)
        except OSError as error:
            raise EngineFailure(f"{error.filename}: {error.strerror}") from error
        return contestant_of(bot)


def bots_folder(game: str) -> Path:
    """`playerCode` of the current folder, or else the one beside main.py."""
    here = Path("playerCode")
    return (here if here.is_dir() else HOME / "playerCode") / game_named(game).bots


def found_bots(game: str) -> tuple[Path, list[Bot]]:
    """All that is in the folder of bots, flaws and all."""
    folder = bots_folder(game)
    return folder, find_bots(folder)


def named_bots(words: Iterable[str], folder: Path) -> list[Bot]:
    """Raises: BadBot; UsageError for two of one name, as tables and results go by names."""
    bots: dict[str, Bot] = {}
    for word in words:
        bot = resolve(word, folder)
        if bot.name in bots:
            raise UsageError(
                f"two bots are called {bot.name}: {bots[bot.name].path} and {bot.path}; "
                "leave one out, or rename its file"
            )
        bots[bot.name] = bot
    return list(bots.values())


def all_bots(folder: Path, packages: Sequence[str]) -> tuple[list[Bot], list[str]]:
    """All bots of a folder that can play, and why the others do not."""
    found = [(bot, why_left_out(bot, packages)) for bot in find_bots(folder)]
    notes = [f"left out: {bot.name}, {why}" for bot, why in found if why]
    return [bot for bot, why in found if not why], notes


def why_left_out(bot: Bot, packages: Sequence[str]) -> str:
    """Why a bot does not play unless it is named; '' if it does."""
    if bot.name == TEMPLATE:
        return "it is the template"
    lacks = sorted(set(bot.needs) - {*ALWAYS, *packages})
    return bot.flaw or (f"needs {', '.join(lacks)} (--allow-package)" if lacks else "")


def _named(word: str, folder: Path) -> Bot:
    if not word.strip():
        raise BadBot("a bot's name is empty; leave the option out to draw a bot at random")
    return resolve(word, folder)


def _require_same_rules(spec: MatchSpec) -> None:
    ours = game_named(spec.game).rules_version
    if spec.rules_version != ours:
        raise BadResult(
            f"match {spec.key}: was played under version {spec.rules_version} of the rules of "
            f"{spec.game}; this is version {ours}, and it could end differently"
        )


def _draw(bots: Iterator[Bot], folder: Path) -> Bot:
    bot = next(bots, None)
    if bot is None:
        raise BadBot(
            f"no bot to draw in {folder}: copy {TEMPLATE}.py to player_mine.py and try again"
        )
    return bot


def contestant_of(bot: Bot) -> Contestant:
    """A bot as results name it."""
    return Contestant(
        name=bot.name, digest=bot.digest, title=bot.title, author=bot.author, version=bot.version
    )
