"""Format the summary of a match, played or recorded, for people and for scripts."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from cli.fault_lines import FaultPlaces
from cli.logs import explain_exception
from cli.sandbox_warnings import protection_warnings
from engine.fault import Cause
from engine.replays.public_copy import why_not_as_copied
from engine.replays.reading import Replay
from engine.replays.verifying import Difference
from engine.replays.writing import ContinuedAside, display_names
from engine.result import MatchResult, TeamResult
from engine.settings import settings_table
from engine.streams import seed_hash, seed_text
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line, printable_lines
from engine.support.wording import pluralize, times_in_words, write_number, write_time
from runners.lost_decisions import forfeits_text

with lazy_imports():  # it takes a while, and only a match that is over needs it
    from visualizer.model import story

MAY_DIFFER = (
    "which stays the result: a bot is not deterministic (it uses the clock or its own random "
    "numbers), or exceeded a time limit"
)

TITLE_WIDTH = len("remaining")
"""Columns for the title of a line."""
INDENT = " " * (2 + TITLE_WIDTH + 2)
"""The beginning of further lines below a title."""
MAX_ANSWER_LENGTH = 120
"""Characters of an answer that are shown."""
FINGERPRINT_LETTERS = 64


def match_summary(
    result: MatchResult,
    places: FaultPlaces,
    *,
    is_verbose: bool = False,
    warns_of_root: bool = True,
) -> str:
    """Return who won a match, why, what went wrong, and what to do next.

    `is_verbose`: with its key and seed, the time that bots took, and all that can be done next.
    """
    width = max(len(_full_name(team)) for team in result.teams)
    lines = [_headline_text(result), ""]
    for number, team in enumerate(result.teams, 1):
        line = f"  team {number}  {_full_name(team):<{width}}  {_points_text(result, team):>9}  "
        lines.append(f"{line}{_mark(result, number)}".rstrip())
    lines.append("")
    teams, names = result.teams, display_names([team.bot for team in result.teams])
    rows = [
        ("remaining", [team.left for team in teams]),
        ("faults", [_faults_text(result, number) for number in range(1, len(teams) + 1)]),
        ("refused", [_format_refusals(team) for team in teams]),
    ]
    if is_verbose:
        rows += [
            ("cpu", [_times_text(team) if team.ran_here else "" for team in teams]),
            ("http", ["" if team.ran_here else _http_text(team) for team in teams]),
        ]
    for title, texts in rows:
        lines += _per_team(title, zip(names, texts, strict=True))
    lines += _resumption_lines(result)
    lines += _comparison_lines(result)
    lines += [
        _format_line("void", f"try {number}: {why}; all was played again")
        for number, why in enumerate(result.void_tries, 1)
    ]
    lines += [
        _format_line("sandbox", warning)
        for warning in protection_warnings(result.sandbox, warns_of_root=warns_of_root)
    ]
    if is_verbose:
        lines.append(_format_line("match", f"{result.key}, seed {seed_text(result.spec.seed)}"))
    steps = _next_steps(result, places)
    lines += ["", *(steps if is_verbose else [" ".join(step.split()) for step in steps[-1:]])]
    return printable_lines("\n".join(lines).replace("\n\n\n", "\n\n"))


def _headline_text(result: MatchResult) -> str:
    """Return who won, why, and by what: as its replay tells, else in the words of the rules."""
    if result.replay is not None and (line := story.tell_end(Path(result.replay))):
        return line
    names = display_names([team.bot for team in result.teams])
    teams = list(enumerate(result.teams, 1))
    first = [team for number, team in teams if number in result.winners]
    others = [team for number, team in teams if number not in result.winners]
    scores = " to ".join(_points_text(result, team) for team in (*first, *others))
    who = " and ".join(names[number - 1] for number in result.winners)
    return f"{f'{who} won' if who else 'a draw'}, {scores}: {result.reason}, in turn {result.turns}"


def _points_text(result: MatchResult, team: TeamResult) -> str:
    """Return a score, with decimals where the match had some."""
    is_whole = all(float(one.score).is_integer() for one in result.teams)
    return write_number(team.score, 0 if is_whole else 1)


def _resumption_lines(result: MatchResult) -> list[str]:
    """Return where it was interrupted, and whether its players are what they were."""
    if result.continued is None:
        return []
    turn = result.continued.turn
    lines = [_format_line("resumed", f"in turn {turn}; the recorded orders were used before")]
    if (deviation := result.continued.deviation) is not None:
        name = display_names([team.bot for team in result.teams])[deviation.team - 1]
        lines.append(
            _format_line(
                "",
                f"{name} gave other answers now, first in turn {deviation.turn}: "
                f"{_shorten(deviation.now)}; recorded: {_shorten(deviation.recorded)}",
            )
        )
    return lines


def _shorten(answer: str) -> str:
    """Return an answer as it is shown: most orders are short; a whole army is not."""
    return answer if len(answer) <= MAX_ANSWER_LENGTH else f"{answer[: MAX_ANSWER_LENGTH - 1]}…"


def _mark(result: MatchResult, number: int) -> str:
    """Return who won, or shares the best score; of more than two the others' places too."""
    scores = [team.score for team in result.teams]
    rank = 1 + sum(score > scores[number - 1] for score in scores)
    if rank == 1:
        return "winner" if number in result.winners else "draw"
    return f"place {rank}" if len(scores) > 2 else ""


def _comparison_lines(result: MatchResult) -> list[str]:
    """Return what this playing is, where it is not the match's result."""
    lines = []
    if result.in_process:
        lines.append(
            _format_line("unrated", f"played in process, stored separately in {result.folder}")
        )
    if result.differs:
        lines.append(_format_line("again", f"differs from the first playing, {MAY_DIFFER}"))
    elif result.first_fingerprint is not None:
        lines.append(
            _format_line("again", "identical to the first playing, which stays the result")
        )
    return lines


def _next_steps(result: MatchResult, places: FaultPlaces) -> list[str]:
    """Return what can be done next, what comes first at the end."""
    steps, commands = [], places.commands
    if not result.in_process:
        origins = sorted({str(team.bot.origin) for team in result.teams if not team.ran_here})
        again = commands.play_again_command(result.key, origins)
        steps.append(f"play it again:  {again}")
        if result.faults:
            steps.append(f"bots' logs in:  {result.folder}")
    if result.replay is not None:
        steps.append(f"watch it:       {commands.watch(result.replay)}")
    return steps + [f"look at it:     {hint}" for hint in first_fault_commands(result, places)]


def first_fault_commands(result: MatchResult, places: FaultPlaces) -> list[str]:
    """Return the command that shows the first fault of each team that has one."""
    if result.replay is None:
        return []
    replay = Path(result.replay)
    found = (
        places.replay_fault_command(replay, team.bot, number)
        for number, team in enumerate(result.teams, 1)
        if team.faults
    )
    return [hint for hint in found if hint is not None]


def as_json(result: MatchResult) -> str:
    """Return one match for scripts."""
    return msgspec.json.encode(result.with_text_seed()).decode()


def _per_team(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines of each team that has any; the title stands before the first."""
    lines = []
    for name, text in rows:
        if text:
            lines.append(_format_line(title, f"{name}: {text}"))
            title = ""
    return lines


def _full_name(team: TeamResult) -> str:
    bot = team.bot
    file = bot.title and f"({bot.name})"
    author = bot.author and f"by {bot.author}"
    return " ".join(filter(None, (bot.title or bot.name, file, bot.version, author)))


def _faults_text(result: MatchResult, number: int) -> str:
    """Return the forfeited turns by cause, with the words of the first of each."""
    team = result.teams[number - 1]
    if not team.faults:
        return ""
    restarts = f"; restarted {times_in_words(team.restarts)}" if team.restarts else ""
    details = list[str]()
    for cause, message in team.details.items():
        details += [f"{cause}: {message}"] if message else []
        if cause is Cause.EXCEPTION:
            details += [f"    {line}" for line in explain_exception(result.folder, number)]
    return f"\n{INDENT}  ".join([f"{forfeits_text(team.faults)}{restarts}", *details])


def _format_refusals(team: TeamResult) -> str:
    """Return the orders that were not taken: legal, but perhaps not what was meant."""
    if not team.refused:
        return ""
    count = pluralize(team.refused, "order")
    return f"\n{INDENT}  ".join([f"{count}, the rest was played; the first:", *team.refusals])


def _http_text(team: TeamResult) -> str:
    """Return where a bot was asked that did not run here, and how long its answers took."""
    return f"asked at {team.bot.origin}: {_times_text(team)} of wall time"


def _times_text(team: TeamResult) -> str:
    cpu = team.cpu
    if not cpu.calls:
        return "no call returned"
    return (
        f"p95 {write_time(cpu.p95_us)}, max {write_time(cpu.max_us)}, "
        f"median {write_time(cpu.median_us)}; "
        f"{pluralize(cpu.calls, 'call')}, {cpu.total_ms / 1000:.2f} s"
    )


def _format_line(title: str, text: str) -> str:
    return f"  {title:<{TITLE_WIDTH}}  {text}"


def replay_summary(replay: Replay) -> str:
    """Return who played a recorded match, and how it ended."""
    names = " against ".join(map(one_line, display_names(replay.bots)))
    return printable_lines(f"{replay.path}\n  {names}: {_ending_text(replay)}")


def replay_info(replay: Replay) -> str:
    """Return the header and the result of a recorded match."""
    spec = replay.spec
    game = f"{replay.game.title}, rules version {spec.rules_version}"
    lines = [
        str(replay.path),
        f"  {game}, engine {replay.engine}, key {spec.key}, seed {seed_text(spec.seed)}",
    ]
    if spec.origin is not None:
        step, fingerprint = spec.origin.step, one_line(spec.origin.fingerprint)[:16]
        lines.append(
            f"  goes on from decision {step} of the match with the fingerprint {fingerprint}"
        )
    if replay.copy is not None:
        lines.append(f"  a public copy of the match with the fingerprint {original_text(replay)}")
    scores = replay.outcome.scores if replay.outcome else [None] * len(replay.bots)
    for team, (bot, score) in enumerate(zip(replay.bots, scores, strict=True), 1):
        points = "" if score is None else f"{write_number(score, replay.game.score_decimals):>10}"
        lines.append(f"  team {team}: {bot.name:<20}{points}  {bot.digest}")
    lines.append(f"  {_ending_text(replay)}")
    lines += [
        f"  was interrupted, and resumed in turn {aside.continued.turn}"
        for aside in replay.asides
        if isinstance(aside, ContinuedAside)
    ]
    lines += [
        f"settings\n{settings_table(spec.settings)}",
        f"limits\n{settings_table(spec.limits)}",
    ]
    return printable_lines("\n".join(lines))


def difference_text(replay: Replay, difference: Difference | None) -> str:
    """Return what verifying found."""
    if difference is None:
        cut = "" if replay.outcome else " (it was interrupted: as far as it was recorded)"
        identical = f"{replay.path}: verified: identical, event for event{cut}"
        return "\n".join([identical, *_fingerprint_lines(replay)])
    return (
        f"{replay.path}: first difference in turn {difference.turn}\n"
        f"  recorded: {one_line(difference.recorded)}\n"
        f"  replayed: {one_line(difference.replayed)}"
    )


def _fingerprint_lines(replay: Replay) -> list[str]:
    """Return the fingerprint, and of a public copy what it could be compared with, and what not."""
    found = replay.fingerprint
    if replay.copy is None:
        return [f"  fingerprint: {found}"]
    why_not = why_not_as_copied(replay)
    if why_not is not None:
        return [f"  not the public copy that was made: {one_line(why_not)}"]
    if replay.copy.original == found:
        return [f"  fingerprint: {found}, that of the match: its whole record is here"]
    return [
        f"  a public copy, whose own fingerprint is {found}",
        f"  fingerprint of the match, as the copy says: {original_text(replay)}",
        "  not verified: the source of bots, of which it has the SHA-256 alone",
    ]


def original_text(replay: Replay) -> str:
    """Return the fingerprint of the match of which a replay is the public copy."""
    return "" if replay.copy is None else one_line(replay.copy.original)[:FINGERPRINT_LETTERS]


def format_seed_hash(replay: Replay, expected: str | None) -> str:
    """Return the SHA-256 of a replay's seed, and whether it is the one that was announced."""
    found = seed_hash(replay.spec.seed)
    if expected is None:
        return f"  SHA-256 of the seed: {found}"
    if found == expected:
        return f"  SHA-256 of the seed: {found}, as announced"
    return f"  the seed is not the one announced: its SHA-256 is {found}, not {expected}"


def _ending_text(replay: Replay) -> str:
    if replay.outcome is None:
        return f"interrupted in turn {replay.last_turn}"
    if line := story.tell_end(replay.path):
        return line
    winners = [f"team {team}, {replay.bots[team - 1].name}" for team in replay.outcome.winners]
    what = f"won by {' and '.join(winners)}" if winners else "a draw"
    return f"{what}; ended by {one_line(replay.outcome.reason)} in turn {replay.last_turn}"
