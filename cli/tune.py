"""Find better numbers for a bot that declares them: the command `tune`."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from msgspec.structs import replace

from cli.choices import complete_bots, option
from cli.store_options import RESULTS, StoreOptions
from engine.catalog import find_game
from engine.errors import UsageError
from engine.support.files import make_folder, write_whole
from engine.support.lazy_import import lazy_imports
from engine.support.signals import INTERRUPTED_EXIT_CODE
from engine.support.wording import did_you_mean, pluralize
from runners.configuration import read_configuration
from runners.durations import duration_estimate
from runners.team_counts import require_teams

if TYPE_CHECKING:
    from tqdm import tqdm

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import fault_lines, questions, versus
    from engine.bots import finding, launching
    from engine.bots import parameters as bot_parameters
    from report import charts
    from runners import lost_decisions, observers, planning, series
    from runners.execution import pool as pools
    from runners.questions import tuning as likenesses
    from runners.questions import tuning as tunings
    from runners.statistics import sequential, spsa


MAX_ITERATIONS, MAX_PAIRS = 10_000, 1_000
RANGE = re.compile(r"(?P<name>[^=]+)=(?P<low>[^=]+?)\.\.(?P<high>[^=]+)")
PICTURE = "progress.svg"


@click.command(
    epilog="Exit codes: 0 the tuned bot is better, 3 it is not better, 4 undecided, 1 a match "
    "could not be played, or the bot loses nearly all its decisions, 2 wrong usage, such as "
    "parameters that change nothing, 130 interrupted."
)
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@option(
    "--param",
    "ranges",
    multiple=True,
    required=True,
    metavar="NAME=LOW..HIGH",
    help="A number of the bot's PARAMS, and the range to look in: aggression=0.1..0.9. It begins "
    "at the bot's own value. May be repeated; whole numbers stay whole.",
)
@option(
    "--iterations",
    type=click.IntRange(1, MAX_ITERATIONS),
    default=100,
    help="How often two copies meet and the numbers move.",
)
@option(
    "--pairs",
    type=click.IntRange(1, MAX_PAIRS),
    default=4,
    help="Side-swapped pairs of matches in an iteration.",
)
@option(
    "--max-pairs",
    "most",
    type=click.IntRange(0, 100_000),
    default=500,
    help="At the end the tuned bot plays the one it began with until a sequential test decides, or "
    "so many pairs are played; 0: no such test.",
)
@RESULTS
@click.pass_context
def tune(context: click.Context, /, results: str, **asked: Any) -> None:
    """Find better numbers for a bot that declares them.

    At the top of its file: PARAMS = {"aggression": 0.5}; the bot reads them from there. Two copies
    with slightly different numbers meet again and again, and the numbers move towards those that
    win (SPSA). The same command resumes after a stop. The tuned bot is written beside a picture of
    the way, and is compared with your file as it was at the start; that stays as it is.
    """
    store = questions.parse_question_options(context)
    context.exit(tune_bot(TuneRequest(store=store, **asked)))


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
    tuning = make_tuning(asked)
    make_folder(tuning.folder)
    tuning.save_original()
    if not (asked.store.match.prints_json or asked.store.match.quiet):
        click.echo(f"progress: {tuning.folder / PICTURE}", err=True)
    try:
        progress = _go_on(asked, tuning)
    except KeyboardInterrupt:
        done = tuning.load_progress().iterations
        click.echo(f"stopped after {done} iterations; the same command resumes", err=True)
        return INTERRUPTED_EXIT_CODE
    values = tuning.write_tuned_bot(progress)
    if asked.store.match.prints_json and not asked.most:
        click.echo(msgspec.json.encode({"params": values, "file": str(tuning.tuned_path)}).decode())
    elif not asked.store.match.prints_json:
        click.echo(format_tuning(tuning, progress, values))
    return _compare(asked, tuning) if asked.most else 0


def _compare(asked: TuneRequest, tuning: tunings.Tuning) -> int:
    """Say whether the tuned bot is better, and return the exit code."""
    if (why := _why_no_comparison(asked, tuning)) is not None:
        json = msgspec.json.encode({"is_alike": True, "file": str(tuning.tuned_path)}).decode()
        click.echo(json if asked.store.match.prints_json else why)
        return versus.EXIT_CODES[sequential.Verdict.NO_BETTER]
    players = (str(tuning.tuned_path), str(tuning.original))
    test = sequential.SequentialTest()
    return versus.answer_question(
        versus.VersusQuestion(
            store=asked.store, players=players, test=test, most=asked.most, shows_next=False
        )
    )


def _why_no_comparison(asked: TuneRequest, tuning: tunings.Tuning) -> str | None:
    """Return why the tuned bot and the present one need not be compared; None if they must."""
    own = bot_parameters.read_parameters(tuning.original)
    found = bot_parameters.read_parameters(tuning.tuned_path)
    if own == found:
        return "the tuned numbers are those that the bot has: there is nothing to compare"
    with _temporary_pool(asked, tuning) as pool:
        alike = likenesses.measure_likeness(
            tuning.trial_pairs(), pool, lost_decisions.LossTally(keeps_going=True)
        )
    if not alike.is_alike:
        return None
    maps = pluralize(alike.maps, "map")
    return f"the tuned bot plays exactly as the present one on {maps}: there is nothing to compare"


def make_tuning(asked: TuneRequest) -> tunings.Tuning:
    """Return what is tuned. Raises: BadBot, UsageError."""
    match = asked.store.match
    require_teams(find_game(match.game), 2)
    bot = finding.resolve(asked.file, planning.bots_folder(match.game))
    declared = bot_parameters.read_parameters(bot.path)
    parameters = tuple(parse_parameter(text, declared) for text in asked.ranges)
    names = [parameter.name for parameter in parameters]
    if len(set(names)) < len(names):
        raise UsageError("--param: a parameter has two ranges; give each of them one")
    seed = series.USUAL_SEED if match.request.seed is None else match.request.seed
    request = replace(match.request, players=(str(bot.path),) * 2, seed=seed)
    plan = planning.MatchPlan(request, read_configuration())
    return tunings.Tuning(
        bot=bot.path,
        spsa=spsa.Spsa(parameters=parameters, iterations=asked.iterations),
        pairs=asked.pairs,
        spec=plan.spec(plan.contestants()),
        run=match.run,
    )


def parse_parameter(text: str, declared: dict[str, bot_parameters.Number]) -> spsa.Parameter:
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
    low, high = (_parse_number(text, found[end]) for end in ("low", "high"))
    start = declared[name]
    if not low < high:
        raise UsageError(f"--param {text}: {found['low']} is not below {found['high']}")
    if not low <= start <= high:
        raise UsageError(f"--param {text}: the bot's own value, {start}, is not in that range")
    is_whole = isinstance(start, int) and low.is_integer() and high.is_integer()
    return spsa.Parameter(name=name, low=low, high=high, start=start, is_whole=is_whole)


def _parse_number(text: str, word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = float("nan")
    if not -1e15 < number < 1e15:
        raise UsageError(f"--param {text}: '{word.strip()}' is not a number")
    return number


def _go_on(asked: TuneRequest, tuning: tunings.Tuning) -> tunings.Progress:
    launching.require(asked.store.match.run.play.sandbox)
    with (
        _temporary_pool(asked, tuning) as pool,
        questions.new_bar(asked.store, total=asked.iterations, unit="iteration") as bar,
    ):
        if not tuning.load_progress().iterations:
            _try_out(asked, tuning, pool)
        bar.update(tuning.load_progress().iterations)
        return tuning.go_on(pool, lambda progress: _show(tuning, progress, bar))


@contextmanager
def _temporary_pool(asked: TuneRequest, tuning: tunings.Tuning) -> Iterator[pools.Pool]:
    """Yield what plays; of its matches nothing stays."""
    make_folder(tuning.work)
    run = replace(asked.store.match.run, out=tuning.work)
    try:
        with pools.Pool(pools.executor_for(run)) as pool:
            yield pool
    finally:
        shutil.rmtree(tuning.work, ignore_errors=True)


def _try_out(asked: TuneRequest, tuning: tunings.Tuning, pool: pools.Pool) -> None:
    """Look whether each parameter changes how the bot plays, and how long that takes.

    Raises: UsageError if none does; GivenUp for a bot that loses nearly all its decisions.
    """
    run, match_s, idle = asked.store.match.run, 0.0, list[str]()
    for parameter in tuning.spsa.parameters:
        losses = lost_decisions.LossTally(keeps_going=run.keeps_going)
        found = likenesses.measure_likeness(tuning.plan_trial(parameter), pool, losses)
        if losses.hopeless is not None:
            # The error is for the bot, and not for its copy that played and is kept by nobody.
            bot = replace(losses.hopeless.bot, name=tuning.bot.stem)
            places = fault_lines.FaultPlaces.of_question(asked.store, {bot: tuning.bot})
            raise fault_lines.make_given_up(replace(losses.hopeless, bot=bot), places)
        match_s = max(match_s, found.match_s)
        idle += [_idle_text(parameter, found)] if found.is_alike else []
    if len(idle) == len(tuning.spsa.parameters):
        raise UsageError("\n  ".join(["nothing to tune:", *idle]))
    if asked.store.match.quiet:
        return
    for line in idle:
        observers.say(line)
    text = duration_estimate(2 * asked.pairs * asked.iterations, match_s, run.workers)
    if text is not None and asked.store.match.shows_progress:
        observers.say(text)


def _idle_text(parameter: spsa.Parameter, found: likenesses.Likeness) -> str:
    low, high = parameter.value(0), parameter.value(1)
    return (
        f"{parameter.name}: the bot plays exactly the same with {low:g} as with {high:g}, on "
        f'{pluralize(found.maps, "map")}; it has to read PARAMS["{parameter.name}"] when it decides'
    )


def _show(tuning: tunings.Tuning, progress: tunings.Progress, bar: tqdm[None]) -> None:
    """Draw how far it came, in the bar and in the picture."""
    picture = charts.tuning_chart(f"{tuning.bot.stem}, tuned", tuning.spsa, progress.path)
    write_whole(tuning.folder / PICTURE, picture.encode())
    values = tuning.spsa.values(progress.path[-1])
    shown = ", ".join(f"{name} {value:g}" for name, value in values.items())
    bar.set_postfix_str(shown, refresh=False)
    bar.update()


def format_tuning(
    tuning: tunings.Tuning, progress: tunings.Progress, values: dict[str, bot_parameters.Number]
) -> str:
    """Return what was found, for people."""
    width = max(len(name) for name in values)
    lines = [f"tuned in {progress.iterations} iterations, {progress.matches} matches", ""]
    for parameter in tuning.spsa.parameters:
        was, now = f"{parameter.start:g}", f"{values[parameter.name]:g}"
        lines.append(f"  {parameter.name:<{width}}  {was:>8} -> {now:<8}")
    if progress.lost:
        lines += ["", f"  faults of the copies: {lost_decisions.forfeits_text(progress.lost)}"]
    picture: Path = tuning.folder / PICTURE
    return "\n".join(
        [*lines, "", f"written to {tuning.tuned_path}", f"the way there: {picture}", ""]
    )
