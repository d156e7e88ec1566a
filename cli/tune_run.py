"""Tuning a bot: from the ranges that were typed to a tuned file and a verdict."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace
from tqdm import tqdm

from cli.fault_lines import FaultPlaces, GivenUp, forfeits_text, given_up
from cli.questions import new_bar
from cli.store_options import StoreOptions
from cli.versus_run import EXIT_CODES, Question, answer_question
from engine.bots.finding import resolve
from engine.bots.launching import require
from engine.bots.parameters import Number, parameters_of
from engine.catalogue import game_named
from engine.errors import UsageError
from engine.support.did_you_mean import did_you_mean
from engine.support.files import make_folder, write_whole
from engine.support.signals import INTERRUPTED
from engine.support.wording import counted
from report.tuning_chart import tuning_chart
from runners.configuration import read_configuration
from runners.durations import announced
from runners.execution.pool import Pool, executor_for
from runners.lost_decisions import LossTally, LostDecisions
from runners.observers import say
from runners.planning import MatchPlan, bots_folder
from runners.questions.likeness import Likeness, likeness
from runners.questions.tuning import Progress, Tuning
from runners.schedules import USUAL_SEED
from runners.statistics.sequential import SequentialTest, Verdict
from runners.statistics.spsa import Parameter, Spsa
from runners.team_counts import require_teams

RANGE = re.compile(r"(?P<name>[^=]+)=(?P<low>[^=]+?)\.\.(?P<high>[^=]+)")
PICTURE = "progress.svg"


class TuneRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be tuned."""

    store: StoreOptions
    file: str
    ranges: tuple[str, ...]
    iterations: int
    pairs: int
    most: int
    """Pairs of the test at the end, at most; 0: none."""


def tune_bot(asked: TuneRequest) -> int:
    """Tune as far as needed, say what was found, and return the exit code.

    Raises: UsageError where the numbers change nothing; GivenUp where the bot cannot play.
    """
    tuning = tuning_of(asked)
    make_folder(tuning.folder)
    if not (asked.store.match.prints_json or asked.store.match.quiet):
        click.echo(f"progress: {tuning.folder / PICTURE}", err=True)
    try:
        progress = _go_on(asked, tuning)
    except KeyboardInterrupt:
        done = tuning.progress().iterations
        click.echo(f"stopped after {done} iterations; the same command resumes", err=True)
        return INTERRUPTED
    values = tuning.write_tuned(progress)
    if asked.store.match.prints_json and not asked.most:
        click.echo(msgspec.json.encode({"params": values, "file": str(tuning.tuned)}).decode())
    elif not asked.store.match.prints_json:
        click.echo(tuned_text(tuning, progress, values))
    return _compare(asked, tuning) if asked.most else 0


def _compare(asked: TuneRequest, tuning: Tuning) -> int:
    """Say whether the tuned bot is better, and return the exit code."""
    if (why := _why_alike(asked, tuning)) is not None:
        json = msgspec.json.encode({"is_alike": True, "file": str(tuning.tuned)}).decode()
        click.echo(json if asked.store.match.prints_json else why)
        return EXIT_CODES[Verdict.NO_BETTER]
    players = (str(tuning.tuned), str(tuning.bot))
    test = SequentialTest()
    return answer_question(
        Question(store=asked.store, players=players, test=test, most=asked.most, shows_next=False)
    )


def _why_alike(asked: TuneRequest, tuning: Tuning) -> str | None:
    """Return why the tuned bot and the present one need not be compared; None if they must."""
    own, found = parameters_of(tuning.bot), parameters_of(tuning.tuned)
    if own == found:
        return "the tuned numbers are those that the bot has: there is nothing to compare"
    with _playing(asked, tuning) as pool:
        alike = likeness(tuning.trial_of_tuned(), pool, LossTally(keeps_going=True))
    if not alike.is_alike:
        return None
    maps = counted(alike.maps, "map")
    return f"the tuned bot plays exactly as the present one on {maps}: there is nothing to compare"


def tuning_of(asked: TuneRequest) -> Tuning:
    """Return what is tuned. Raises: BadBot, UsageError."""
    match = asked.store.match
    require_teams(game_named(match.game), 2)
    bot = resolve(asked.file, bots_folder(match.game))
    declared = parameters_of(bot.path)
    parameters = tuple(parameter_of(text, declared) for text in asked.ranges)
    names = [parameter.name for parameter in parameters]
    if len(set(names)) < len(names):
        raise UsageError("--param: a parameter has two ranges; give each of them one")
    seed = USUAL_SEED if match.request.seed is None else match.request.seed
    request = replace(match.request, players=(str(bot.path),) * 2, seed=seed)
    plan = MatchPlan(request, read_configuration())
    return Tuning(
        bot=bot.path,
        spsa=Spsa(parameters=parameters, iterations=asked.iterations),
        pairs=asked.pairs,
        spec=plan.spec(plan.contestants()),
        run=match.run,
    )


def parameter_of(text: str, declared: dict[str, Number]) -> Parameter:
    """Return `aggression=0.1..0.9` as a parameter. Raises: UsageError."""
    found = RANGE.fullmatch(text)
    if found is None:
        raise UsageError(f"--param {text}: expected NAME=LOW..HIGH, such as aggression=0.1..0.9")
    name = found["name"].strip()
    if name not in declared:
        names = ", ".join(declared) or "none"
        raise UsageError(
            f"--param {name}: the bot's PARAMS have no such name; there are: {names}"
            f"{did_you_mean(name, list(declared))}"
        )
    low, high = (_number(text, found[end]) for end in ("low", "high"))
    start = declared[name]
    if not low < high:
        raise UsageError(f"--param {text}: {found['low']} is not below {found['high']}")
    if not low <= start <= high:
        raise UsageError(f"--param {text}: the bot's own value, {start}, is not in that range")
    is_whole = isinstance(start, int) and low.is_integer() and high.is_integer()
    return Parameter(name=name, low=low, high=high, start=start, is_whole=is_whole)


def _number(text: str, word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = float("nan")
    if not -1e15 < number < 1e15:
        raise UsageError(f"--param {text}: '{word.strip()}' is not a number")
    return number


def _go_on(asked: TuneRequest, tuning: Tuning) -> Progress:
    require(asked.store.match.run.play.sandbox)
    with (
        _playing(asked, tuning) as pool,
        new_bar(asked.store, total=asked.iterations, unit="iteration") as bar,
    ):
        if not tuning.progress().iterations:
            _try_out(asked, tuning, pool)
        bar.update(tuning.progress().iterations)
        return tuning.go_on(pool, lambda progress: _show(tuning, progress, bar))


@contextmanager
def _playing(asked: TuneRequest, tuning: Tuning) -> Iterator[Pool]:
    """Yield what plays; of its matches nothing stays."""
    make_folder(tuning.work)
    run = replace(asked.store.match.run, out=tuning.work)
    try:
        with Pool(executor_for(run)) as pool:
            yield pool
    finally:
        shutil.rmtree(tuning.work, ignore_errors=True)


def _try_out(asked: TuneRequest, tuning: Tuning, pool: Pool) -> None:
    """Look whether each parameter changes how the bot plays, and how long that takes.

    Raises: UsageError if none does; GivenUp for a bot that loses nearly all its decisions.
    """
    run, match_s, idle = asked.store.match.run, 0.0, list[str]()
    for parameter in tuning.spsa.parameters:
        losses = LossTally(keeps_going=run.keeps_going)
        found = likeness(tuning.trial(parameter), pool, losses)
        if losses.hopeless is not None:
            raise _given_up(asked, tuning, losses.hopeless)
        match_s = max(match_s, found.match_s)
        idle += [_idle_text(parameter, found)] if found.is_alike else []
    if len(idle) == len(tuning.spsa.parameters):
        raise UsageError("\n  ".join(["nothing to tune:", *idle]))
    if asked.store.match.quiet:
        return
    for line in idle:
        say(line)
    words = announced(2 * asked.pairs * asked.iterations, match_s, run.workers)
    if words is not None and asked.store.match.shows_progress:
        say(words)


def _idle_text(parameter: Parameter, found: Likeness) -> str:
    low, high = parameter.value(0), parameter.value(1)
    return (
        f"{parameter.name}: the bot plays exactly the same with {low:g} as with {high:g}, on "
        f'{counted(found.maps, "map")}; it has to read PARAMS["{parameter.name}"] when it decides'
    )


def _given_up(asked: TuneRequest, tuning: Tuning, lost: LostDecisions) -> GivenUp:
    """Return the error for a bot, and not for its copy that played and is kept by nobody."""
    bot = replace(lost.bot, name=tuning.bot.stem)
    places = FaultPlaces.of_question(asked.store, {bot: tuning.bot})
    return given_up(replace(lost, bot=bot), places)


def _show(tuning: Tuning, progress: Progress, bar: "tqdm[None]") -> None:
    """Draw how far it came, in the bar and in the picture."""
    picture = tuning_chart(f"{tuning.bot.stem}, tuned", tuning.spsa, progress.path)
    write_whole(tuning.folder / PICTURE, picture.encode())
    values = tuning.spsa.values(progress.path[-1])
    shown = ", ".join(f"{name} {value:g}" for name, value in values.items())
    bar.set_postfix_str(shown, refresh=False)
    bar.update()


def tuned_text(tuning: Tuning, progress: Progress, values: dict[str, Number]) -> str:
    """Return what was found, for people."""
    width = max(len(name) for name in values)
    lines = [f"tuned in {progress.iterations} iterations, {progress.matches} matches", ""]
    for parameter in tuning.spsa.parameters:
        was, now = f"{parameter.start:g}", f"{values[parameter.name]:g}"
        lines.append(f"  {parameter.name:<{width}}  {was:>8} -> {now:<8}")
    if progress.lost:
        lines += ["", f"  faults of the copies: {forfeits_text(progress.lost)}"]
    picture: Path = tuning.folder / PICTURE
    return "\n".join([*lines, "", f"written to {tuning.tuned}", f"the way there: {picture}", ""])
