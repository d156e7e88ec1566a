"""Check a bot before it plays: the command `check`."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from cli.choices import complete_bots, option
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse
from engine.catalog import find_game
from engine.errors import Stopped
from engine.fault import Cause
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line, printable_lines
from engine.support.typed_commands import shorten_path
from engine.support.wording import pluralize, times_in_words, write_time
from runners.arguments import CHECKED_TURNS
from runners.commands import Commands, commands_for, format_command, place_words
from runners.configuration import read_configuration

with lazy_imports():  # they take a while, and --help needs none of them
    from engine.bots import finding, syntax_hints
    from runners import planning
    from runners.authoring import check as bot_checks
    from runners.authoring import check_report


UNFIT = 1
"""The exit code for a bot that loses decisions."""
WIDTH = len("deterministic")
MIN_SHOWN_BUILD_MS = 1_000
COLORS = {"ok": "green", "note": "yellow", "FAIL": "red"}
WITHOUT_EFFECT = tuple(
    name for name in (*FOR_ONE_MATCH, *FOR_SERIES) if name not in ("shows_logs", "jobs")
)


@click.command(
    epilog="Exit codes: 0 it plays without a fault, 1 it loses decisions, 2 wrong usage, "
    "130 interrupted."
)
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@option(
    "--turns",
    type=click.IntRange(*CHECKED_TURNS),
    default=50,
    help="How much of each match is played; 8 seconds at most.",
)
@click.pass_context
def check(context: click.Context, /, file: str, turns: int) -> None:
    """Check a bot: does it play, how fast, what is wrong.

    It is loaded and plays the beginning of three matches as in earnest, in a process of its own
    under its limits: in both seats against others, and against itself. The first one is played
    twice, to see whether it orders the same again. Nothing of that is kept as a result.
    """
    assert context.parent is not None
    refuse(context.parent, WITHOUT_EFFECT, "check plays matches of its own")
    options: MatchOptions = context.obj
    try:
        report = bot_checks.check(options.request, file, read_configuration(), turns=turns)
    except KeyboardInterrupt:
        again = format_command(sys.argv)
        raise Stopped(
            f"stopped; nothing of a check is kept as a result; check it again with:  {again}"
        ) from None
    if options.prints_json:
        click.echo(msgspec.json.encode(report).decode())
    else:
        commands = commands_for(sys.argv[0], options.out)
        click.echo(as_text(report, commands, shows_log=options.shows_logs))
    context.exit(0 if report.is_fit else UNFIT)


def as_text(
    report: check_report.CheckReport, commands: Commands, *, shows_log: bool = False
) -> str:
    """Return a report for people; a terminal shows it in colors."""
    title = find_game(report.game).title
    path = one_line(shorten_path(Path(report.path)))
    is_python = not finding.is_program(Path(report.path))
    version = f", in {syntax_hints.THIS_PYTHON}" if is_python else ""
    lines = [f"{report.bot} ({path}), a bot of {title}{version}", ""]
    lines += _describe_loading(report) if report.is_loaded else []
    for problem in report.problems:
        lines += _problem_lines(problem)
        if (fault := problem.recorded) is not None and problem.cause is not Cause.OUT:
            place = place_words(fault.turn, fault.team, fault.piece)
            word = planning.word_for(Path(report.path), report.game)
            command = commands.ask(word, fault.replay, f"{place} --bot-logs")
            lines.append(_format_line("", "", f"look at it: {command}"))
    lines += [_format_line("note", "", warning) for warning in report.warnings]
    if shows_log and report.printed:
        lines += ["", "it printed, to begin with:", printable_lines(report.printed)]
    return "\n".join([*lines, "", _verdict_text(report)])


def _describe_loading(report: check_report.CheckReport) -> list[str]:
    """Return what there is to say of a bot that was loaded."""
    limits, cpu = report.limits, report.cpu
    first = report.first_decision_us
    matches = "; ".join(map(_describe_match, report.matches))
    slowest = "; ".join(
        f"match {call.match}, {call.place}: {write_time(call.us)}" for call in report.slowest
    )
    loads = f"in {report.load_ms} of {limits.load_ms} ms"
    if report.build_ms >= MIN_SHOWN_BUILD_MS:
        loads += f", after a build of {report.build_ms / check_report.US_PER_MS:.1f} s"
    lines = [_format_line(_mark(report.load_ms, limits.load_ms), "loads", loads)]
    if 0 < report.decisions <= report.lost:
        lost = "it orders nothing that counts: it lost each of its"
        lines.append(
            _format_line("FAIL", "plays", f"{lost} {pluralize(report.decisions, 'decision')}")
        )
        lines.append(_format_line("", "", matches))
    else:
        if first is not None:
            lines.append(_format_line("ok", "decides", f"first in {write_time(first)}"))
        mark, lost = "ok", ""
        if report.lost:
            lost = f"but loses {report.lost} of {pluralize(report.decisions, 'decision')}: "
            mark = "FAIL"
        lines.append(_format_line(mark, "plays", lost + matches))
    if first is not None:
        median, p95, most = map(write_time, (cpu.median_us, cpu.p95_us, cpu.max_us))
        text = f"median {median}, p95 {p95}, max {most} of {report.longest_ms} ms"
        mark = _mark(cpu.max_us, report.longest_ms * check_report.US_PER_MS)
        lines.append(_format_line(mark, "time", f"{text}; {pluralize(cpu.calls, 'call')}"))
        lines.append(_format_line("", "slowest", slowest))
    if report.matches:
        text = f"about {report.projected_s:.1f} of {limits.bank_s} s, sleep included"
        lines.append(_format_line(_mark(report.projected_s, limits.bank_s), "whole match", text))
    if report.memory_mb is not None:
        used = f"{report.memory_mb:.1f} of {limits.memory_mb} MB"
        lines.append(_format_line(_mark(report.memory_mb, limits.memory_mb), "memory", used))
    if report.is_deterministic:
        lines.append(_format_line("ok", "deterministic", "the same match again: the same orders"))
    if report.printed_bytes:
        lines.append(_format_line("ok", "prints", pluralize(report.printed_bytes, "byte")))
    return lines


def _describe_match(match: check_report.CheckMatch) -> str:
    text = f"as team {match.team} against {match.opponent}, {pluralize(match.turns, 'turn')}"
    limit = f" in the {bot_checks.MATCH_S:g} seconds that a check plays"
    return text + (limit if match.is_cut_short else "")


def _mark(used: float, limit: float) -> str:
    """Return how what was used stands to its limit."""
    if used > limit:
        return "FAIL"
    return "note" if used > check_report.WARNING_SHARE * limit else "ok"


def _problem_lines(problem: check_report.Problem) -> list[str]:
    times = "" if problem.times == 1 else f", {times_in_words(problem.times)} in all"
    return [
        _format_line("FAIL", problem.cause, problem.detail or "no more is known"),
        *(_format_line("", "", f"    {line}") for line in problem.excerpt),
        _format_line("", "", f"in {problem.where}{times}".replace("in while", "while")),
        _format_line("", "", f"what to do: {problem.fix}"),
    ]


def _verdict_text(report: check_report.CheckReport) -> str:
    if report.is_fit:
        return click.style("it plays without a fault", fg="green", bold=True)
    if not report.is_loaded:
        return click.style("it cannot play", fg="red", bold=True)
    if report.problems[-1].cause is Cause.BANK_EMPTY and not report.lost:
        return click.style("its time would be over before the match is", fg="red", bold=True)
    if not report.lost:
        return click.style("nearly all of its orders are refused", fg="red", bold=True)
    lost = f"it loses {report.lost} of {pluralize(report.decisions, 'decision')}"
    return click.style(lost, fg="red", bold=True)


def _format_line(mark: str, title: str, text: str) -> str:
    """Return a line of the report."""
    shown = click.style(f"{mark:<4}", fg=COLORS.get(mark), bold=mark == "FAIL")
    return f"  {shown}  {title:<{WIDTH}}  {text}".rstrip()
