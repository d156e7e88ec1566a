"""Play a bot again whenever its file is saved, and show what differs: the command `watch`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from cli import seats
from cli.choices import complete_bots, option
from cli.options import MatchOptions, is_said, refuse
from cli.seats import PLAYERS
from engine.catalog import find_game
from engine.errors import BadBot, EngineFailure, SlimeMindError, Stopped, UsageError
from engine.game import Ask
from engine.replays.decisions import Decision, encode, order_to_record
from engine.replays.reading import Replay
from engine.result_folder import REPLAY, OutName
from engine.streams import draw_seed, seed_text
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line
from engine.support.signals import INTERRUPTED_EXIT_CODE
from runners.configuration import read_configuration
from runners.team_counts import fewest_teams, require_teams
from visualizer.watching.render import Render

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import fault_lines, match, match_summary
    from engine import result as results
    from engine.bots import finding
    from engine.replays import reading
    from runners import lost_decisions, planning, single_match
    from runners.authoring import workbench as order_words
    from visualizer.drawing import custom_sprites
    from visualizer.watching import viewer_process


IGNORED = (
    *("runner", "matches", "jobs", "secret", "keeps_going", "key", "past", "past_before"),
    *("in_process", "replay", "drawings", *PLAYERS),
)
FOLDER = OutName.WATCH
"""The folder of what is played so, in that of --out: none of it is a result."""
POLL_INTERVAL_S = 0.2
"""Time between two looks at the files."""
Digests = tuple[str, ...] | None
"""What the files of the bots hold; None where one of them cannot be read."""
Wait = Callable[[Digests], bool]
"""Waits until the files hold something else than what was played; returns False at the end."""


@click.command(epilog="Exit codes: 0 the viewer was closed, 2 wrong usage, 130 interrupted.")
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@option(
    "--against",
    metavar="BOT",
    multiple=True,
    help="Who plays against it; may be repeated where more than two play; default: one that is "
    "drawn, and then stays.",
)
@option(
    "--team",
    type=click.IntRange(1),
    default=1,
    help="The team that BOT plays.",
)
@click.pass_context
def watch(context: click.Context, /, file: str, against: tuple[str, ...], team: int) -> None:
    """Play a bot again whenever its file is saved.

    Always on the same map (--seed), in the sandbox. The window, or the page of --render web, stays
    open at the same turn. Below each result stands the first order that is another one now.
    """
    assert context.parent is not None
    refuse(context.parent, IGNORED, "watch plays single matches, again and again")
    if is_said(context.parent, "render") and context.obj.render is Render.TERMINAL:
        raise UsageError(
            "--render terminal: watch prints what changed in the terminal; choose window or web"
        )
    context.exit(play_on_each_save(Rerun.from_options(context.obj, file, against, team)))


class Rerun(msgspec.Struct, frozen=True, kw_only=True):
    """What is played again and again."""

    options: MatchOptions
    team: int
    files: tuple[Path, ...]
    """The files and folders whose change is a reason to play again, that of the bot first."""

    @classmethod
    def from_options(
        cls, options: MatchOptions, file: str, against: tuple[str, ...], team: int
    ) -> Rerun:
        """Return what was asked for, with a seed and opponents that stay. Raises: UsageError."""
        request = options.request
        teams = max(len(against) + 1, fewest_teams(find_game(request.game)))
        require_teams(find_game(request.game), teams)
        if team > teams:
            raise UsageError(f"--team {team}: this match has teams 1 to {teams}")
        others: list[str | None] = [*against, *[None] * (teams - 1 - len(against))]
        players = (*others[: team - 1], file, *others[team - 1 :])
        play = replace(request.run.play, keep_notes=True)
        run = replace(request.run, out=request.run.out / FOLDER, play=play)
        seed = draw_seed() if request.seed is None else request.seed
        request = replace(request, players=players, seed=seed, run=run)
        bots = planning.MatchPlan(request, read_configuration()).bots
        request = replace(request, players=tuple(str(bot.path) for bot in bots))
        files = tuple(bot.path for bot in bots)
        return cls(options=replace(options, request=request), team=team, files=files)


class PlayedMatch(msgspec.Struct, frozen=True):
    """One of the playings, and its replay."""

    result: results.MatchResult
    replay: reading.Replay


def play_on_each_save(rerun: Rerun, wait: Wait | None = None) -> int:
    """Play, and again on each save, until the viewer is closed. Return the exit code."""
    options = rerun.options
    with viewer_process.viewer_for(options.render, options.out, match.tell) as viewer:
        try:
            _play_again_and_again(
                rerun, viewer, wait or (lambda played: wait_for_save(rerun, viewer, played))
            )
        except (KeyboardInterrupt, Stopped):
            return INTERRUPTED_EXIT_CODE
        finally:
            if viewer.complaint:
                match.tell(viewer.complaint)
    return 0


def _play_again_and_again(
    rerun: Rerun, viewer: viewer_process.Viewer | viewer_process.HiddenViewer, wait: Wait
) -> None:
    before: PlayedMatch | None = None
    seed = rerun.options.request.seed
    if not rerun.options.quiet:
        match.tell(f"seed {seed_text(seed or 0)}; Ctrl-C ends it")
    while True:
        played = file_digests(rerun)
        try:
            now = play(rerun, viewer)
        except (BadBot, EngineFailure) as problem:  # the next save may mend it
            click.echo(f"{_clock_text()}  not played: {problem}")
        else:
            click.echo(match_report(rerun, before, now))
            match.show_logs([now.result], rerun.options)
            before = now
        if not wait(played):
            return


def play(rerun: Rerun, viewer: viewer_process.Viewer | viewer_process.HiddenViewer) -> PlayedMatch:
    """Play once. Raises: BadBot, EngineFailure, Stopped."""
    options = rerun.options
    plan = planning.MatchPlan(options.request, read_configuration())
    pictures = match.load_pictures(plan, options)  # a wrong one is told before anything is kept
    seats.save_own_sprites(plan.bots, options.out)
    job = replace(plan.make_job(), is_kept=False)
    custom_sprites.save_match_sprites(pictures, options.out, job.spec.key)
    result = single_match.play_single_match(
        job, options.out, shows_progress=options.shows_progress, live=viewer.live
    )
    return PlayedMatch(result, reading.Replay(Path(result.folder) / REPLAY))


def wait_for_save(
    rerun: Rerun, viewer: viewer_process.Viewer | viewer_process.HiddenViewer, played: Digests
) -> bool:
    """Wait until a file holds something else; return False once the viewer is closed."""
    while not viewer.is_closed:
        now = file_digests(rerun)
        if now is not None and now != played:
            return True
        time.sleep(POLL_INTERVAL_S)
    return False


def file_digests(rerun: Rerun) -> Digests:
    """Return what the files hold now; an editor may be about to write one of them."""
    try:
        return tuple(map(finding.compute_bot_digest, rerun.files))
    except (SlimeMindError, OSError):
        return None


def match_report(rerun: Rerun, before: PlayedMatch | None, now: PlayedMatch) -> str:
    """Return what came out, and what is not as it was before."""
    lines = [f"{_clock_text()}  {_outcome_text(now.result, rerun.team)}"]
    lines += [f"  {text}" for text in _fault_texts(now.result.teams[rerun.team - 1])]
    lines += [f"  look at it: {command}" for command in _fault_commands(rerun, now.result)]
    if before is not None:
        lines += [
            f"  before: {_outcome_text(before.result, rerun.team)}",
            f"  {_describe_difference(before, now)}",
        ]
    return "\n".join(lines)


def _fault_texts(team: results.TeamResult) -> list[str]:
    """Return the faults of a team by cause, with the words of the first of each."""
    return [
        f"{lost_decisions.forfeits_text({cause: count})}: {one_line(team.details.get(cause, ''))}"
        for cause, count in team.faults.items()
    ]


def _fault_commands(rerun: Rerun, result: results.MatchResult) -> list[str]:
    """Return the command that shows the first fault of each team that has one."""
    options = rerun.options
    bots = (team.bot for team in result.teams)
    places = fault_lines.FaultPlaces(
        commands=match.commands(options),
        game=options.game,
        files=dict(zip(bots, rerun.files, strict=True)),
    )
    return match_summary.first_fault_commands(result, places)


def _outcome_text(result: results.MatchResult, team: int) -> str:
    """Return `won in turn 40 (elimination), 26 : 3`."""
    verb = "won" if team in result.winners else "lost" if result.winners else "drawn"
    scores = " : ".join(f"{each.bot.name} {each.score:g}" for each in result.teams)
    return f"{verb} in turn {result.turns} ({result.reason}); {one_line(scores)}"


def _describe_difference(before: PlayedMatch, now: PlayedMatch) -> str:
    if before.result.fingerprint == now.result.fingerprint:
        return "every order is the same as before"
    difference = first_different_order(before.replay, now.replay)
    if difference is None:
        return "the matches differ, though no order does"
    return difference_text(difference, now.result)


class OrderDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The first order that two playings do not have in common."""

    turn: int
    team: int
    piece_id: int
    before: str
    now: str


def first_different_order(before: Replay, now: Replay) -> OrderDifference | None:
    """Return where two playings of the same game, settings and seed part; None if they do not."""
    state = before.game.new(before.spec.settings, len(before.bots))
    for one, other in zip_longest(before.entries(), now.entries()):
        if isinstance(one, Decision) and isinstance(other, Decision):
            if encode(one.to_record()) == encode(other.to_record()):
                continue
            asks = before.game.asks(state) if one.ask is None else (one.ask,)
            return next(_find_differences(state.turn, asks, one, other), None)
        if one != other or isinstance(one, Decision):
            return None  # nothing that bots ordered
        state.apply(one)
    return None


def _find_differences(
    turn: int, asks: Sequence[Ask], one: Decision, other: Decision
) -> Iterator[OrderDifference]:
    for ask, before, now in zip(asks, one.orders, other.orders, strict=False):
        if encode(order_to_record(before)) != encode(order_to_record(now)):
            yield OrderDifference(
                turn=turn,
                team=ask.team,
                piece_id=ask.piece_id,
                before=order_words.in_words(before),
                now=order_words.in_words(now),
            )


def difference_text(found: OrderDifference, result: results.MatchResult) -> str:
    """Return where two playings part, in a line."""
    piece = f", piece {found.piece_id}" if found.piece_id else ""
    name = one_line(result.teams[found.team - 1].bot.name)
    before, now = one_line(found.before), one_line(found.now)
    return f"first other order: turn {found.turn}, {name}{piece}: {now}, before {before}"


def _clock_text() -> str:
    return time.strftime("%H:%M:%S")
