"""Tuning the parameters of a bot: pairs of matches between disturbed copies, if these differ."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random

import msgspec

from engine.bots.finding import Copies, read_bot
from engine.bots.parameters import Number, read_parameters, write_variant
from engine.errors import BadBot, EngineFailure
from engine.fault import Cause
from engine.referee import Job
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.result_folder import OutName
from engine.spec import MatchSpec
from engine.streams import derive_seed
from engine.support.files import write_whole
from runners.execution.pool import Pool, describe_error
from runners.lost_decisions import LossTally
from runners.match_request import RunOptions
from runners.planning import make_contestant
from runners.statistics.spsa import Parameter, Shares, Spsa

STATE = "tuning.json"
KEY_LETTERS = 8


class Progress(msgspec.Struct, kw_only=True):
    """How far a tuning came; as it is kept, so that it can be resumed."""

    path: list[Shares]
    """The middle before each iteration, and after the last one."""
    leads: list[float] = []
    """What came of each iteration: 1 if the first copy took all, -1 if none."""
    matches: int = 0
    lost: dict[Cause, int] = {}
    """The decisions that the copies lost, by cause."""

    @property
    def iterations(self) -> int:
        return len(self.leads)


class Tuning(msgspec.Struct, frozen=True, kw_only=True):
    """What is tuned, and how."""

    bot: Path
    spsa: Spsa
    pairs: int
    """Side-swapped pairs of matches in an iteration."""
    spec: MatchSpec
    """The spec of a match of the bot against itself, with the seed of all maps together."""
    run: RunOptions

    @property
    def key(self) -> str:
        """Return what is equal for two tunings of which one continues the other."""
        parts = (self.spec.key, self.pairs, msgspec.json.encode(self.spsa).decode())
        return sha256(repr(parts).encode()).hexdigest()[:KEY_LETTERS]

    @property
    def folder(self) -> Path:
        """Return where all of it is kept."""
        return self.run.out / OutName.TUNE / f"{self.bot.stem}-{self.key}"

    @property
    def tuned_path(self) -> Path:
        """Return where the tuned bot is written."""
        return self.folder / f"{self.bot.stem}_tuned{self.bot.suffix}"

    @property
    def original(self) -> Path:
        """Return where the bot lies as it was at the start: see `save_original`."""
        return self.folder / "original" / self.bot.name

    def save_original(self) -> None:
        """Copy the bot, so that whoever goes on writing at it changes nothing here.

        Raises: BadBot where it has changed since the tuning was planned.
        """
        shutil.rmtree(self.original.parent, ignore_errors=True)
        write_variant(self.bot, {}, self.original)
        if read_bot(self.original).digest not in self.spec.bots:
            raise BadBot(f"{self.bot}: was changed while it was being read; start again")

    def load_progress(self) -> Progress:
        """Return how far it came. Raises: EngineFailure for a file that nobody of us wrote."""
        file = self.folder / STATE
        try:
            return msgspec.json.decode(file.read_bytes(), type=Progress)
        except FileNotFoundError:
            return Progress(path=[self.spsa.start])
        except (OSError, msgspec.MsgspecError) as error:
            raise EngineFailure(
                f"{file}: cannot be read: {error}; remove it to begin anew"
            ) from error

    def go_on(self, pool: Pool, watch: Callable[[Progress], object]) -> Progress:
        """Play what is missing; `watch` is told after each iteration. Raises: EngineFailure."""
        progress = self.load_progress()
        while progress.iterations < self.spsa.iterations:
            self._run_iteration(progress, pool)
            write_whole(self.folder / STATE, msgspec.json.encode(progress))
            watch(progress)
        shutil.rmtree(self.work, ignore_errors=True)
        return progress

    @property
    def work(self) -> Path:
        """Return the folder of the matches, of which nothing stays."""
        return self.folder / "work"

    def write_tuned_bot(self, progress: Progress) -> dict[str, Number]:
        """Write the tuned bot; return its parameters."""
        values = self.spsa.values(self.spsa.answer(progress.path))
        write_variant(self.original, values, self.tuned_path)
        return values

    def plan_trial(self, parameter: Parameter) -> Iterator[tuple[Job, Job]]:
        """Yield side-swapped pairs of the bot with the least and the greatest value."""
        low = self._copy({parameter.name: parameter.value(0)}, "a")
        high = self._copy({parameter.name: parameter.value(1)}, "b")
        return self.make_side_swapped_pairs(f"trial/{parameter.name}", low, high)

    def trial_pairs(self) -> Iterator[tuple[Job, Job]]:
        """Yield side-swapped pairs of the bot with its own numbers and the tuned ones."""
        own, found = self._copy({}, "a"), self._copy(read_parameters(self.tuned_path), "b")
        return self.make_side_swapped_pairs("trial", own, found)

    def make_side_swapped_pairs(
        self, name: str, one: Contestant, other: Contestant
    ) -> Iterator[tuple[Job, Job]]:
        """Yield the side-swapped pairs of matches that two copies play under a name."""
        for pair in range(self.pairs):
            seed = derive_seed(self.spec.seed, f"tune/{name}/{pair}")
            yield self._make_job(seed, one, other), self._make_job(seed, other, one)

    def _run_iteration(self, progress: Progress, pool: Pool) -> None:
        number, middle = progress.iterations, progress.path[-1]
        chance = Random(derive_seed(self.spec.seed, f"tune/{number}"))
        copies = self.spsa.copies(middle, number, chance)
        one, other = (
            self._copy(self.spsa.values(shares), name)
            for shares, name in zip(copies, "ab", strict=True)
        )
        lead = 0.0
        if one.digest != other.digest:
            lead = self._play(progress, one, other, pool)
            progress.matches += 2 * self.pairs
        progress.leads.append(lead)
        progress.path.append(self.spsa.next_middle(middle, copies, number, lead))

    def _copy(self, values: Mapping[str, Number], name: str) -> Contestant:
        """Write a copy of the bot, and keep it for those that play."""
        copy = self.work / f"copies/{self.bot.stem}_{name}{self.bot.suffix}"
        shutil.rmtree(copy, ignore_errors=True)
        write_variant(self.original, values, copy)
        bot = read_bot(copy)
        Copies(self.work / "bots").save(bot)
        return make_contestant(bot)

    def _play(self, progress: Progress, one: Contestant, other: Contestant, pool: Pool) -> float:
        """Return the lead of the first: 1 if it took all points, -1 if none."""
        jobs = list(
            chain.from_iterable(self.make_side_swapped_pairs(str(progress.iterations), one, other))
        )
        lead, lost = 0.0, Counter(progress.lost)
        for copy, result in _play_jobs(jobs, pool):
            if result.winner is not None:
                lead += 1 if jobs[copy].contestants[result.winner - 1] is one else -1
            for team in result.teams:
                lost.update(team.faults)
        progress.lost = dict(lost)
        return lead / len(jobs)

    def _make_job(self, seed: int, *seated: Contestant) -> Job:
        digests = tuple(contestant.digest for contestant in seated)
        return Job(
            spec=msgspec.structs.replace(self.spec, bots=digests, seed=seed),
            contestants=seated,
            play=msgspec.structs.replace(self.run.play.for_rated_match, keep_replay=False),
        )


class Likeness(msgspec.Struct, frozen=True, kw_only=True):
    """What some side-swapped pairs showed of two copies."""

    is_alike: bool
    """Whether it never mattered which of them sat where: everything happened the same."""
    maps: int
    match_s: float
    """How long a match took, on average."""


def measure_likeness(pairs: Iterable[tuple[Job, Job]], pool: Pool, losses: LossTally) -> Likeness:
    """Play pairs until one shows a difference. Raises: EngineFailure.

    `losses` is told of all sides: both are the same bot.
    """
    seconds: list[float] = []
    is_alike = True
    for pair in pairs:
        results = [result for _, result in _play_jobs(pair, pool)]
        for result in results:
            losses.add(result.key, (0,) * len(result.teams), result.teams)
            seconds.append(result.wall_ms / 1_000)
        is_alike = len({result.fingerprint for result in results}) == 1
        if not is_alike:
            break
    count = len(seconds)
    return Likeness(is_alike=is_alike, maps=count // 2, match_s=sum(seconds) / max(1, count))


def _play_jobs(jobs: Iterable[Job], pool: Pool) -> Iterator[tuple[int, MatchResult]]:
    for number, result in pool.play_all(jobs):
        if not isinstance(result, MatchResult):
            raise EngineFailure(f"a match could not be played: {describe_error(result)}")
        yield number, result
