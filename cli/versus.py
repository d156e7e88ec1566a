"""Test whether bot A is better than bot B (SPRT): the command `versus`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from math import exp
from pathlib import Path
from shutil import get_terminal_size
from tempfile import TemporaryDirectory
from typing import Any

import click
import msgspec
from click.decorators import FC

from cli.choices import complete_bots, option
from cli.store_options import CLUSTER, RESULTS, StoreOptions, sandbox_lines
from engine.catalog import find_game
from engine.errors import UsageError
from engine.result_folder import live_file
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line
from engine.support.signals import INTERRUPTED_EXIT_CODE
from engine.support.wording import pluralize
from runners.configuration import read_configuration
from runners.durations import format_duration
from runners.statistics.sequential import SHARES, Assessment, RunningTest, SequentialTest, Verdict
from runners.team_counts import require_teams

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import fault_lines, next_steps, questions
    from engine.bots import finding
    from runners import git_version, observers, planning
    from runners import series as match_series
    from runners.execution import pool as pools
    from runners.questions import versus as pair_test
    from runners.storage import kept_series
    from runners.storage import store as stores


USUAL = SequentialTest()
MAX_PAIRS = 100_000
WHY_SO_MANY = "; so many are needed if one of the two wins all of them"
WON_ALL, CLEAR = float("inf"), 100.0
"""Leads in Elo for which it is said beforehand how many matches are likely."""
LINE = "{desc}"
"""Of the bar only what is said beside it: one line, which is written anew."""
EXIT_CODES = {Verdict.BETTER: 0, Verdict.WORSE: 3, Verdict.NO_BETTER: 3, Verdict.UNDECIDED: 4}
OUTCOMES = ("0:2", "0.5:1.5", "1:1", "1.5:0.5", "2:0")


def _number_option(name: str, usual: float, text: str) -> Callable[[FC], FC]:
    return option(name, type=float, default=usual, help=text)


@click.command(
    epilog="Exit codes: 0 A is better, 3 A is not better, 4 undecided, 1 a match could not be "
    "played, or a bot loses nearly all its decisions, 2 wrong usage, 130 interrupted."
)
@click.argument("a", required=False, shell_complete=complete_bots)
@click.argument("b", required=False, shell_complete=complete_bots)
@option(
    "--new",
    metavar="BOT",
    help="Instead of A and B: a bot of yours as its files are now, with --old.",
)
@option(
    "--old",
    metavar="GIT_REF",
    help="The commit, branch or tag of the bot's own git repository at which it is its opponent.",
)
@_number_option("--elo0", USUAL.elo0, "Hypothesis 0: A is better by this Elo difference, or less.")
@_number_option("--elo1", USUAL.elo1, "Hypothesis 1: A is better by this Elo difference, or more.")
@_number_option("--alpha", USUAL.alpha, "Rate of wrong answers if hypothesis 0 is true.")
@_number_option("--beta", USUAL.beta, "Rate of wrong answers if hypothesis 1 is true.")
@option(
    "--max-pairs",
    "most",
    type=click.IntRange(1, MAX_PAIRS),
    default=1_000,
    help="The test ends undecided after so many side-swapped pairs.",
)
@RESULTS
@CLUSTER
@click.pass_context
def versus(
    context: click.Context,
    /,
    a: str | None,
    b: str | None,
    new: str | None,
    old: str | None,
    most: int,
    **others: Any,
) -> None:
    """Is A better than B? A sequential test (SPRT).

    `versus --new BOT --old HEAD` asks whether what you changed since a commit makes it better.

    Side-swapped pairs of matches (a map twice, with sides swapped) are played until it decides.
    What was played is kept: the same command resumes, or just prints the answer again.
    """
    options = with_quick_preset(questions.parse_question_options(context))
    test = SequentialTest(**{name: others[name] for name in SequentialTest.__struct_fields__})
    with resolving_players(options, (a, b), new, old) as players:
        asked = VersusQuestion(store=options, players=players, test=test, most=most)
        context.exit(answer_question(asked))


class VersusQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: who is to be better than whom, and when the test ends."""

    store: StoreOptions
    players: tuple[str, str]
    test: SequentialTest
    most: int
    """Pairs, after which it ends undecided."""
    shows_next: bool = True
    """Whether it is said what to do next."""


@contextmanager
def resolving_players(
    options: StoreOptions, named: tuple[str | None, str | None], new: str | None, old: str | None
) -> Iterator[tuple[str, str]]:
    """Yield A and B. An old version lies in a folder meanwhile. Raises: UsageError."""
    first, second = named
    if new is None and old is None:
        if first is None or second is None:
            raise UsageError("name two bots: versus A B; or versus --new BOT --old GIT_REF")
        _require_two_bots(options, first, second)
        yield first, second
        return
    if new is None or old is None or first is not None:
        raise UsageError("--new BOT and --old GIT_REF stand together, and without A and B")
    with TemporaryDirectory(prefix="slime-mind-") as folder:
        now, before = git_version.old_version(new, options.match.game, old, Path(folder))
        yield str(now), str(before)


def _require_two_bots(options: StoreOptions, first: str, second: str) -> None:
    """Raises: UsageError for a bot against itself: which of the two won would say nothing."""
    folder = planning.bots_folder(options.match.game)
    a, b = (finding.bot_path(name, folder) for name in (first, second))
    if a is not None and b is not None and a.resolve() == b.resolve():
        raise UsageError(
            f"versus {first} {second}: both are {a.name}, so neither can be better; compare it "
            f"with another one, or with what it was: versus --new {first} --old HEAD"
        )


def with_quick_preset(options: StoreOptions) -> StoreOptions:
    """Return options with the preset that a slow game names, unless settings were chosen."""
    match = options.match
    preset = find_game(match.game).quick_preset
    if preset is None or match.request.changes_settings or read_configuration().settings:
        return options
    if not match.quiet:
        click.echo(
            f"--preset {preset}: its matches are shorter than the usual ones (--preset standard)",
            err=True,
        )
    request = msgspec.structs.replace(match.request, preset=preset)
    return msgspec.structs.replace(options, match=msgspec.structs.replace(match, request=request))


def answer_question(asked: VersusQuestion) -> int:
    """Play as far as needed, print the answer, and return the exit code."""
    # Where more than two play, who sits beside them would decide.
    require_teams(find_game(asked.store.match.game), 2)
    series = questions.plan_series(asked.store, asked.players, asked.most)
    answer, was_stopped = find_answer(asked, series)
    if asked.store.match.prints_json:
        click.echo(msgspec.json.encode(answer).decode())
    else:
        places = fault_lines.FaultPlaces.of_question(asked.store, series.own_files)
        lines = [
            answer_text(answer, places, is_verbose=asked.store.match.verbose),
            *sandbox_lines(asked.store),
        ]
        if asked.shows_next and not was_stopped:
            lines += next_steps.next_steps(answer, places)
        click.echo("\n".join(lines))
    if was_stopped:
        click.echo("stopped; the same command resumes", err=True)
    return INTERRUPTED_EXIT_CODE if was_stopped else exit_code(answer)


def exit_code(answer: pair_test.Answer) -> int:
    """Return the code of a verdict; there is none on a bot that loses nearly all decisions."""
    if answer.hopeless is not None:
        return fault_lines.CANNOT_PLAY
    return EXIT_CODES[answer.assessment.verdict]


def find_answer(
    asked: VersusQuestion, series: match_series.Series
) -> tuple[pair_test.Answer, bool]:
    """Return the answer as far as it is known, and whether it was stopped on the way."""
    test = asked.test
    try:
        with (
            questions.open_store_and_pool(asked.store, is_watched=True) as (store, pool),
            questions.new_bar(asked.store, total=asked.most, unit="pair", form=LINE) as bar,
        ):

            def watch(running: RunningTest) -> None:
                if not bar.disable:
                    rate = bar.format_dict["rate"]
                    line = progress_line(asked, running.assess(), rate and 1 / rate)
                    width = get_terminal_size().columns - 1
                    bar.set_description_str(line[:width], refresh=False)
                bar.update()

            saved = kept_series.with_saved_secret(series, store)
            return pair_test.ask(saved, test, _play_series(asked, saved, store, pool), watch), False
    except KeyboardInterrupt:
        with closing(stores.open_store(asked.store.url)) as store:
            saved = kept_series.with_saved_secret(series, store)
            return pair_test.answer_so_far(saved, test, store), True


def _play_series(
    asked: VersusQuestion, series: match_series.Series, store: stores.Store, pool: pools.Pool
) -> Iterator[stores.StoredResult]:
    """Yield the results of a series in order, and say once how long that takes."""
    match = asked.store.match
    is_wanted = match.shows_progress and match.run.cluster is None
    matches = 2 * asked.test.likely_pairs(WON_ALL, asked.most)
    jobs = [series.make_job(fixture) for fixture in series.fixtures()]
    if is_wanted and not store.load_results([jobs[0].spec.key]):
        observers.say(opening_line(asked, [one.name for one in series.contestants]))
    live = live_file(match.run.out, jobs[0].spec.key)
    with observers.Forecast(
        matches, match.run.workers, is_wanted=is_wanted, why=WHY_SO_MANY, live=live
    ) as forecast:
        for result in pair_test.results_in_order(jobs, store, pool):
            forecast.add_match(result.teams)
            yield result


def opening_line(asked: VersusQuestion, names: Sequence[str]) -> str:
    """Return what is compared, and how many matches are likely, for who waits for the first."""
    a, b = map(one_line, names)
    few, more = (2 * asked.test.likely_pairs(elo, asked.most) for elo in (WON_ALL, CLEAR))
    return (
        f"is {a} better than {b}? {few} matches if one wins all of them, about {more} with a lead "
        f"of {CLEAR:g} Elo, at most {2 * asked.most}; the first one is timed"
    )


def progress_line(asked: VersusQuestion, found: Assessment, pair_s: float | None) -> str:
    """Return how it stands; `pair_s` is how long a pair takes, None as long as that is unknown."""
    points = 2 * float(SHARES @ found.counts)
    line = f"{points:g}:{2 * found.pairs - points:g}, {found.elo}, {_format_chance(found)}"
    if pair_s is None or not found.pairs:
        return line
    pairs = asked.test.pairs_until_verdict(found.counts, asked.most) - found.pairs
    return f"{line}, {format_duration(max(1, pairs * pair_s))} left"


def answer_text(
    answer: pair_test.Answer, places: fault_lines.FaultPlaces, *, is_verbose: bool = False
) -> str:
    """Return the answer for people."""
    found = answer.assessment
    a, b = (one_line(player.name) for player in answer.players)
    counts = ", ".join(
        f"{count} of {name}" for name, count in zip(OUTCOMES, found.counts, strict=True) if count
    )
    all_pairs = found.pairs + found.repeated
    played = pluralize(all_pairs, "side-swapped pair")
    matches = f"{answer.matches} matches, {answer.distinct} distinct games"
    again = pluralize(found.repeated, "pair")
    lines = [
        f"{a} against {b}: {played}, {matches}",
        "",
        f"  pairs  {counts or 'none'}",
        *[f"  again  {again} of games that were seen before: not counted"] * bool(found.repeated),
        f"  lead   {found.elo}, {_format_chance(found)}",
        *_test_lines(found),
        *fault_lines.loss_lines(answer.lost_decisions, places),
        "",
        found.describe(a, b)
        if answer.hopeless is None
        else fault_lines.why_given_up(answer.hopeless),
    ]
    if answer.secret is not None and is_verbose:
        lines.append(f"maps follow from secret {answer.secret}, seed {answer.seed}")
    is_open = found.verdict is Verdict.UNDECIDED and not found.is_exhausted
    if is_open and found.pairs and answer.hopeless is None:
        lines.append(f"more pairs may decide it: --max-pairs {2 * all_pairs}")
    return "\n".join(lines)


def _format_chance(found: Assessment) -> str:
    """Return how likely A is better, never as if that were certain."""
    percent = min(max(100 * found.chance, 0.1), 99.9)
    than = f" by {found.elo0:g} Elo" if found.elo0 else ""
    return f"{percent:.{1 if min(percent, 100 - percent) < 1 else 0}f} % likely better{than}"


def _test_lines(found: Assessment) -> list[str]:
    """Return how far both tests are."""
    better, worse, limit = map(exp, (*found.wealth, found.wealth_limit))
    more = f" by more than {found.elo0:g}" if found.elo0 else ""
    ends = (
        f"{found.lower:.2f}: not better by {found.elo1:g} Elo",
        f"{found.upper:+.2f}: better{more}",
    )
    return [
        f"  bets   {better:.3g} on better, {worse:.3g} on worse ({limit:.3g} wins)",
        f"  LLR    {found.llr:+.2f} ({', '.join(ends)})",
    ]
