"""Finds out what exactly is played from what was asked for: bots copied, settings checked."""

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, cycle
from pathlib import Path

import msgspec
from msgspec import UNSET

from engine.bots.finding import (
    TEMPLATE,
    Bot,
    BotReader,
    Copies,
    bot_path,
    find_bots,
    resolve,
)
from engine.bots.imports import ALWAYS_ALLOWED, with_dependencies
from engine.bots.parsing import is_unparsable
from engine.catalog import OURS, find_game, find_publisher
from engine.errors import BadBot, BadResult, EngineFailure, UsageError
from engine.referee import Job, load_recorded_job, load_resumed_job
from engine.replays.interrupted import find_interrupted
from engine.replays.writing import Contestant
from engine.settings import settings_table
from engine.spec import MatchSpec
from engine.streams import draw_seed
from engine.support.files import make_folder
from engine.support.typed_commands import shorten_path
from runners.configuration import Configuration, bundled_bots_folder
from runners.match_request import MatchRequest, limits_for, settings_for
from runners.series import Series
from runners.team_counts import fewest_teams, require_playable_by


class MatchPlan:
    """A request made definite: bots found and copied, settings checked."""

    def __init__(self, request: MatchRequest, configuration: Configuration) -> None:
        """Raises: BadSettings; UsageError for a package that is not installed."""
        self._request = request
        self._game = find_game(request.game)
        self._settings = settings_for(request, configuration)
        self._limits = limits_for(request, configuration)
        self._packages = with_dependencies(request.packages) if request.packages else ()
        self._seed = draw_seed() if request.seed is None else request.seed
        self._files: dict[Contestant, Path] = {}
        """The own files of the bots that were found and copied."""
        self.notes: list[str] = []
        """Notes for the user on the match that is played."""

    @cached_property
    def bots(self) -> tuple[Bot, ...]:
        """The bots named, and for the other seats some drawn at random, different if possible.

        As many as seats were named, or as the game needs at least. Raises: BadBot; UsageError
        for so many as the game, or its settings, cannot have.
        """
        folder, players = bots_folder(self._request.game), self._request.players
        teams = max(len(players), fewest_teams(self._game))
        require_playable_by(self._game, self._settings, teams)
        with BotReader() as reader:
            named = [
                None if word is None else _resolve_seat(word, folder, reader) for word in players
            ]
            named += [None] * (teams - len(players))
            found = reader.find(folder) if None in named else []  # the others cost no time then
        drawable = [bot for bot in found if not why_left_out(bot, self._packages)]
        random.SystemRandom().shuffle(drawable)
        drawn = chain((bot for bot in drawable if bot not in named), cycle(drawable))
        return tuple(bot or _draw(drawn, folder) for bot in named)

    def settings_text(self) -> str:
        """Return a listing of settings and limits."""
        settings, limits = settings_table(self._settings), settings_table(self._limits)
        return f"settings (--set)\n{settings}\n\nlimits (--limit)\n{limits}"

    def settings_json(self) -> str:
        """Return settings and limits for scripts."""
        game, settings = self._request.game, msgspec.to_builtins(self._settings)
        limits = msgspec.to_builtins(self._limits)
        listed = {"game": game, "settings": settings, "limits": limits}
        return msgspec.json.encode(listed).decode()

    def make_job(self) -> Job:
        """Return the one match to play. Raises: BadBot, BadResult, BadReplay."""
        play, bare = self._request.run.play, self._bare_job()
        return msgspec.structs.replace(
            bare,
            own_files=self._own_files(bare) if play.in_process else bare.own_files,
            play=msgspec.structs.replace(play, keep_notes=play.keep_notes is not False),
            is_kept=not play.in_process,
        )

    def _bare_job(self) -> Job:
        """Return what is to be played, without the run options."""
        request = self._request
        if request.past is not None:
            path = find_interrupted(request.run.out, request.past)
            return self._replace_bots(load_resumed_job(path, request.past_before))
        if request.key is not None:
            recorded = load_recorded_job(request.run.out, request.key)
            _require_same_rules(recorded.spec)
            return recorded
        contestants = self.contestants()
        return Job(
            spec=self.spec(contestants),
            contestants=contestants,
            own_files=self._files,
            must_start=tuple(range(1, len(contestants) + 1)),
        )

    def _own_files(self, job: Job) -> dict[Contestant, Path]:
        """Return the files of the bots; of a record of those that are still what was played."""
        files, folder = dict(job.own_files), bots_folder(job.spec.game)
        for contestant in set(job.contestants) - files.keys():
            with suppress(BadBot):
                bot = resolve(contestant.name, folder)
                if bot.digest == contestant.digest:
                    files[contestant] = bot.path
                else:
                    copy = Copies(self._request.run.out / "bots").find_path(contestant.digest)
                    self.notes.append(f"{bot.path}: was changed since; its copy is played: {copy}")
        return files

    def _replace_bots(self, job: Job) -> Job:
        """Return a recorded match, with other bots where some were named."""
        players, folder = dict(enumerate(self._request.players)), bots_folder(job.spec.game)
        if len(players) > len(job.contestants):
            raise UsageError(
                f"{len(players)} seats were named, and the match has {len(job.contestants)} teams"
            )
        with BotReader() as reader:
            contestants = tuple(
                recorded
                if (word := players.get(seat)) is None
                else self._copy_bot(_resolve_seat(word, folder, reader))
                for seat, recorded in enumerate(job.contestants)
            )
        digests = tuple(contestant.digest for contestant in contestants)
        return msgspec.structs.replace(
            job,
            spec=msgspec.structs.replace(job.spec, bots=digests),
            contestants=contestants,
            own_files=self._files,
            must_start=tuple(seat + 1 for seat, word in players.items() if word is not None),
        )

    def series(self, maps: int) -> Series:
        """Return many matches of the same bots. Raises: BadBot."""
        contestants, secret = self.contestants(), self._request.secret
        return Series(
            spec=self.spec(contestants),
            contestants=contestants,
            maps=maps,
            secret=draw_seed() if secret is None else secret,
            is_secret_said=secret is not None,
            run=self._request.run,
            own_files=self._files,
        )

    def spec(self, contestants: tuple[Contestant, ...]) -> MatchSpec:
        return MatchSpec(
            game=self._game.name,
            rules_version=self._game.rules_version,
            settings=self._settings,
            limits=self._limits,
            bots=tuple(contestant.digest for contestant in contestants),
            packages=self._packages,
            seed=self._seed,
            publisher=find_publisher(self._game.name),
        )

    def contestants(self) -> tuple[Contestant, ...]:
        return tuple(self._copy_bot(bot) for bot in self.bots)

    def _copy_bot(self, bot: Bot) -> Contestant:
        """Keep a copy of a bot, and return it. Raises: BadBot, EngineFailure, UsageError."""
        make_folder(self._request.run.out)
        try:
            Copies(self._request.run.out / "bots").save(bot)
        except OSError as error:
            raise EngineFailure(f"{error.filename}: {error.strerror}") from error
        contestant = make_contestant(bot)
        self._files[contestant] = bot.path
        return contestant


def bots_folder(game: str) -> Path:
    """Return `playerCode` of the current folder, or else what comes with us or with a package."""
    own = Path("playerCode", find_game(game).bots)
    is_own = (Path("playerCode") if game in OURS else own).is_dir()
    return own if is_own else bundled_bots_folder(find_game(game))


def word_for(bot: Path, game: str) -> str:
    """Return what to type for a bot: its name if it is in the folder of bots, else its path."""
    found = bot_path(bot.stem, bots_folder(game))
    is_there = found is not None and found.resolve() == bot.resolve()
    return bot.stem if is_there else shorten_path(bot)


def list_bots(game: str, word: str | None = None) -> tuple[Path, list[Bot]]:
    """Return all bots of the folder, or those that a word means; flawed ones too.

    Raises: BadBot.
    """
    folder = bots_folder(game)
    if word is None:
        return folder, find_bots(folder)
    inside = _find_bots_folder(word, folder)
    if inside is not None:
        return inside, find_bots(inside)
    bot = resolve(word, folder)
    return bot.path.parent, [bot]


def resolve_bots(
    names: Iterable[str], folder: Path, packages: Sequence[str], *, takes_flawed: bool = False
) -> tuple[list[Bot], list[str]]:
    """Return the bots named, and why others are left out. A folder stands for all bots in it.

    `takes_flawed` is as in `all_bots`.
    Raises: BadBot; UsageError for two of one name, as tables and results go by names.
    """
    bots, notes = dict[str, Bot](), list[str]()
    with BotReader() as reader:
        meant = [_resolve_word(word, folder, packages, reader, takes_flawed) for word in names]
    for found, left_out in meant:
        notes += left_out
        for bot in found:
            if bot.name in bots:
                other = bots[bot.name].path
                if other == bot.path:
                    raise UsageError(f"{bot.name} is named twice: name each bot once")
                raise UsageError(
                    f"two bots are called {bot.name}: {other} and {bot.path}; "
                    "leave one out, or rename its file"
                )
            bots[bot.name] = bot
    return list(bots.values()), notes


def _resolve_word(
    word: str, folder: Path, packages: Sequence[str], reader: BotReader, takes_flawed: bool
) -> tuple[list[Bot], list[str]]:
    """Raises: BadBot, also for a folder without a bot that can play."""
    inside = _find_bots_folder(word, folder)
    if inside is None:
        return [reader.resolve(word, folder)], []
    bots, notes = all_bots(inside, packages, takes_flawed=takes_flawed)
    if not bots:
        none = (
            f"{inside}: no bot in this folder can play; files named player_NAME.py are looked for"
        )
        raise BadBot("; ".join([none, *notes]))
    return bots, notes


def _find_bots_folder(word: str, folder: Path) -> Path | None:
    """Return the folder of bots that a word means; None where it means a bot, or nothing."""
    path = Path(word)
    try:
        return path if word and path.is_dir() and bot_path(word, folder) is None else None
    except (OSError, ValueError):  # not a name that a file could have
        return None


def all_bots(
    folder: Path, packages: Sequence[str], *, takes_flawed: bool = False
) -> tuple[list[Bot], list[str]]:
    """Return all bots of a folder that can play, and why the others do not.

    With `takes_flawed` also those whose flaw is in their source: a tournament loads each of them
    anyway, and then knows more of what is wrong.
    """
    found = [(bot, why_left_out(bot, packages)) for bot in find_bots(folder)]
    if takes_flawed:
        found = [(bot, "" if _is_worth_loading(bot) else why) for bot, why in found]
    notes = [f"left out: {bot.name}, {why}" for bot, why in found if why]
    return [bot for bot, why in found if not why], notes


def _is_worth_loading(bot: Bot) -> bool:
    """Return whether loading a flawed bot would say more: not of what no parser survives."""
    return bool(bot.flaw and bot.digest) and not is_unparsable(bot.flaw)


def why_left_out(bot: Bot, packages: Sequence[str]) -> str:
    """Return why a bot does not play unless it is named; '' if it does."""
    if bot.name == TEMPLATE:
        return "it is the template"
    if bot.origin:
        return "it is asked over HTTP, and plays only where it is named"
    lacks = sorted(set(bot.needs) - {*ALWAYS_ALLOWED, *packages})
    return bot.flaw or (f"needs {', '.join(lacks)} (--allow-package)" if lacks else "")


def _resolve_seat(word: str, folder: Path, reader: BotReader) -> Bot:
    if not word.strip():
        raise BadBot("a bot's name is empty; leave the option out to draw a bot at random")
    inside = _find_bots_folder(word, folder)
    names = "" if inside is None else ", ".join(bot.path.name for bot in find_bots(inside))
    if names:
        raise BadBot(f"{word}: a folder of bots, and a seat takes one of them: {names}")
    return reader.resolve(word, folder)


def _require_same_rules(spec: MatchSpec) -> None:
    ours = find_game(spec.game).rules_version
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


def make_contestant(bot: Bot) -> Contestant:
    """Return a bot as results name it."""
    return Contestant(
        name=bot.name,
        digest=bot.digest,
        title=bot.title,
        author=bot.author,
        version=bot.version,
        origin=bot.origin or UNSET,
    )
