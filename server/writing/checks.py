"""The check of a draft: its source at once, and then a few short matches as `main.py check` does.

Matches are played in a process that plays runs, in the sandbox, when it is their author's turn.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.bots.finding import Bot, Copies, is_packed_program, read_bot
from engine.bots.sandbox import Level
from engine.play_options import PlayOptions
from engine.referee import Job
from engine.support.wording import pluralize
from runners.authoring.check import jobs_of_check, play_check
from runners.authoring.check_report import CheckReport, Problem
from runners.configuration import preset_names, read_configuration
from runners.execution.local_executor import referee_here
from runners.match_request import MatchRequest, RunOptions
from server.bots.examining import examine_source, flaws_of_source
from server.bots.uploads import BadUpload, main_file
from server.writing.bodies import DraftFinding, Severity
from server.writing.draft_files import upload
from server.writing.drafts import Draft

TURNS = 30
MATCH_S = 2.0
"""Limits of each short match: somebody waits for it."""
IN_LINE = re.compile(r" in line (\d+)")
QUICK_PRESETS = ("small", "short", "standard")
"""The presets that are played where none is named, as far as a game has them: quick ones first."""
NOT_OFFERED = ("people", "four", "four_small")
"""Presets for people, and for more than two teams."""
US_PER_MS = 1_000


class PlannedCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The short matches of a draft, of whose bots there are copies where runs are played."""

    bot: Bot
    jobs: list[tuple[Job, int]]
    main: str

    @property
    def digests(self) -> list[str]:
        """Return those of all bots that play."""
        return sorted({digest for job, _ in self.jobs for digest in job.spec.bots})


def findings_in_source(files: Mapping[str, str]) -> list[DraftFinding]:
    """Return what is wrong with the source, which is parsed in a confined child.

    Raises: EngineFailure.
    """
    main = main_file(files)
    try:
        packed = upload(files).packed
    except BadUpload as error:
        return [_make_finding("", None, str(error))]
    if is_packed_program(packed):
        found = examine_source(packed, ())
        return [] if found.is_good else [_make_finding(main, None, found.words)]
    return [
        _make_finding(
            main if not packed.is_folder or name == "__init__.py" else name, _line_in(flaw), flaw
        )
        for name, flaw in flaws_of_source(packed, ())
    ]


def plan_check(draft: Draft, folder: Path, level: Level) -> PlannedCheck:
    """Return the matches of a check; `folder` is that of runs.

    Raises: BadUpload, BadBot, UsageError, EngineFailure.
    """
    packed = upload(draft.files).packed
    copies = Copies(folder / "bots")
    copies.unpack(packed.digest, packed)
    entry = copies.find_path(packed.digest)
    path = entry.parent if packed.is_folder else entry
    run = RunOptions(out=folder, play=PlayOptions(sandbox=level))
    request = MatchRequest(game=draft.game, preset=quick_presets(draft.game)[0] or None, run=run)
    bot = replace(read_bot(path), name=draft.name)
    jobs = jobs_of_check(request, bot, read_configuration())
    return PlannedCheck(
        bot=bot,
        jobs=[(_rename_bot(job, bot), team) for job, team in jobs],
        main=main_file(draft.files),
    )


def _rename_bot(job: Job, bot: Bot) -> Job:
    """Return a match in which a bot is called as its author calls it, and not as its copy."""
    contestants = tuple(
        replace(one, name=bot.name) if one.digest == bot.digest else one for one in job.contestants
    )
    return replace(job, contestants=contestants)


def play_planned(check: PlannedCheck) -> list[DraftFinding]:
    """Play short matches in a process that plays runs, and return what they say.

    Raises: SlimeMindError.
    """
    report = play_check(referee_here(), check.bot, check.jobs, None, turns=TURNS, match_s=MATCH_S)
    return list(_findings_from_report(report, check))


def quick_presets(game: str) -> list[str]:
    """Return the presets of a game, the one for quick matches first; '' is the game's own."""
    there = [name for name in preset_names(game) if name not in NOT_OFFERED]
    quick = [name for name in QUICK_PRESETS if name in there]
    return [*quick, *(name for name in there if name not in quick)] or [""]


def _findings_from_report(report: CheckReport, check: PlannedCheck) -> Iterator[DraftFinding]:
    for problem in report.problems:
        yield _finding_from_problem(problem, check)
    for warning in report.warnings:
        yield _about_all(Severity.WARNING, warning)
    if report.is_loaded:
        matches = pluralize(len(report.matches), "match")
        yield _about_all(
            Severity.NOTE,
            f"{pluralize(report.decisions, 'decision')} in {matches}, {report.lost} lost; its "
            f"slowest call took {report.cpu.max_us / US_PER_MS:.1f} of {report.limits.cpu_ms} ms",
        )


def _finding_from_problem(problem: Problem, check: PlannedCheck) -> DraftFinding:
    place = re.compile(
        rf"{re.escape(check.bot.name)}(?:\.py)?(?:/(?P<file>[^(),:]*))?, line (?P<line>\d+)"
    )
    places = list(place.finditer(problem.detail))
    file, line = "", None
    if places:
        file, line = places[-1]["file"] or check.main, int(places[-1]["line"])
    times = f", {pluralize(problem.times, 'time')}" if problem.times > 1 else ""
    return DraftFinding(
        file=file,
        line=line,
        severity=Severity.ERROR,
        text=f"{problem.cause}: {problem.detail} ({problem.where}{times})",
        hint=problem.fix,
    )


def _make_finding(file: str, line: int | None, message: str) -> DraftFinding:
    text, _, hint = message.partition("; ")
    return DraftFinding(file=file, line=line, severity=Severity.ERROR, text=text, hint=hint)


def _about_all(severity: Severity, text: str) -> DraftFinding:
    return DraftFinding(file="", line=None, severity=severity, text=text, hint="")


def _line_in(flaw: str) -> int | None:
    found = IN_LINE.search(flaw)
    return int(found[1]) if found else None
