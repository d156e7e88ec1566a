"""Format the summary of a match, for people and for scripts."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from cli.fault_lines import FaultPlaces, forfeits_text
from cli.sandbox_warnings import gaps_of
from engine.result import MatchResult, TeamResult
from engine.streams import seed_text
from engine.support.sanitizing import printable_lines
from engine.support.wording import counted

MAY_DIFFER = (
    "which stays the result: a bot is not deterministic (it uses the clock or its own random "
    "numbers), or exceeded a time limit"
)

TITLE = len("remaining")
"""Columns for the title of a line."""
INDENT = " " * (2 + TITLE + 2)
"""The beginning of further lines below a title."""
LONGEST_ANSWER = 120
"""Characters of an answer that are shown."""


def match_summary(result: MatchResult, places: FaultPlaces) -> str:
    """Return who won a match, why it ended, what went wrong, and what to do next."""
    width = max(len(_full_name(team)) for team in result.teams)
    lines = [f"match {result.key}, seed {seed_text(result.spec.seed)}", ""]
    for number, team in enumerate(result.teams, 1):
        line = f"  team {number}  {_full_name(team):<{width}}  {team.score:>9.1f}  "
        lines.append(f"{line}{_mark(result, number)}".rstrip())
    lines += ["", _line("ended", f"{result.reason}, in turn {result.turns}")]
    rows = (
        ("remaining", _remaining),
        ("faults", _faults),
        ("refused", _refused),
        ("cpu", _cpu),
        ("http", _http),
    )
    for title, words in rows:
        lines += _per_team(title, zip(_short_names(result), map(words, result.teams), strict=True))
    lines += _resumed(result)
    lines += _compared(result)
    lines += [
        _line("void", f"try {number}: {why}; all was played again")
        for number, why in enumerate(result.void_tries, 1)
    ]
    lines += [_line("sandbox", words) for words in gaps_of(result.sandbox)]
    lines += ["", *_next_steps(result, places)]
    return printable_lines("\n".join(lines))


def _resumed(result: MatchResult) -> list[str]:
    """Return where it was interrupted, and whether its players are what they were."""
    if result.continued is None:
        return []
    turn = result.continued.turn
    lines = [_line("resumed", f"in turn {turn}; the recorded orders were used before")]
    if (deviation := result.continued.deviation) is not None:
        name = _short_names(result)[deviation.team - 1]
        lines.append(
            _line(
                "",
                f"{name} gave other answers now, first in turn {deviation.turn}: "
                f"{_shortened(deviation.now)}; recorded: {_shortened(deviation.recorded)}",
            )
        )
    return lines


def _shortened(answer: str) -> str:
    """Return an answer as it is shown: most orders are short; a whole army is not."""
    return answer if len(answer) <= LONGEST_ANSWER else f"{answer[: LONGEST_ANSWER - 1]}…"


def _mark(result: MatchResult, number: int) -> str:
    """Return who won, or shares the best score; of more than two the others' places too."""
    scores = [team.score for team in result.teams]
    place = 1 + sum(score > scores[number - 1] for score in scores)
    if place == 1:
        return "winner" if number in result.winners else "draw"
    return f"place {place}" if len(scores) > 2 else ""


def _compared(result: MatchResult) -> list[str]:
    """Return what this playing is, where it is not the match's result."""
    lines = []
    if result.in_process:
        lines.append(_line("unrated", f"played in process, stored separately in {result.folder}"))
    if result.differs:
        lines.append(_line("again", f"differs from the first playing, {MAY_DIFFER}"))
    elif result.first_fingerprint is not None:
        lines.append(_line("again", "identical to the first playing, which stays the result"))
    return lines


def _next_steps(result: MatchResult, places: FaultPlaces) -> list[str]:
    steps, commands = [], places.commands
    if result.replay is not None:
        steps.append(f"watch it:       {commands.watch(result.replay)}")
    if not result.in_process:
        origins = sorted({str(team.bot.origin) for team in result.teams if not team.ran_here})
        again = commands.again(result.key, origins)
        steps.append(f"play it again:  {again}")
        if result.faults:
            steps.append(f"bots' logs in:  {result.folder}")
    return steps + [f"look at it:     {look}" for look in looks(result, places)]


def looks(result: MatchResult, places: FaultPlaces) -> list[str]:
    """Return the command that shows the first fault of each team that has one."""
    if result.replay is None:
        return []
    replay = Path(result.replay)
    found = (
        places.look_in(replay, team.bot, number)
        for number, team in enumerate(result.teams, 1)
        if team.faults
    )
    return [look for look in found if look is not None]


def as_json(result: MatchResult) -> str:
    """Return one match for scripts."""
    return msgspec.json.encode(result.as_written()).decode()


def _per_team(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines of each team that has any; the title stands before the first."""
    lines = []
    for name, words in rows:
        if words:
            lines.append(_line(title, f"{name}: {words}"))
            title = ""
    return lines


def _short_names(result: MatchResult) -> list[str]:
    """Return names of the teams that differ."""
    names = [str(team.bot.name) for team in result.teams]
    if len(set(names)) == len(names):
        return names
    return [f"{name} (team {number})" for number, name in enumerate(names, 1)]


def _full_name(team: TeamResult) -> str:
    bot = team.bot
    called = " ".join(filter(None, (bot.title and f"'{bot.title}'", bot.version)))
    author = bot.author and f"by {bot.author}"
    return " ".join(filter(None, (bot.name, called, author)))


def _remaining(team: TeamResult) -> str:
    return team.left


def _faults(team: TeamResult) -> str:
    """Return the forfeited turns by cause, with the words of the first of each."""
    if not team.faults:
        return ""
    restarts = f"; restarted {times_in_words(team.restarts)}" if team.restarts else ""
    details = [f"{cause}: {words}" for cause, words in team.details.items() if words]
    return f"\n{INDENT}  ".join([f"{forfeits_text(team.faults)}{restarts}", *details])


def _refused(team: TeamResult) -> str:
    """Return the orders that were not taken: legal, but perhaps not what was meant."""
    if not team.refused:
        return ""
    count = counted(team.refused, "order")
    return f"\n{INDENT}  ".join([f"{count}, the rest was played; the first:", *team.refusals])


def _http(team: TeamResult) -> str:
    """Return where a bot was asked that did not run here, and how long its answers took."""
    return "" if team.ran_here else f"asked at {team.bot.origin}: {_times(team)} of wall time"


def _cpu(team: TeamResult) -> str:
    return _times(team) if team.ran_here else ""


def _times(team: TeamResult) -> str:
    cpu = team.cpu
    if not cpu.calls:
        return "no call returned"
    return (
        f"p95 {time_in_words(cpu.p95_us)}, max {time_in_words(cpu.max_us)}, "
        f"median {time_in_words(cpu.median_us)}; "
        f"{counted(cpu.calls, 'call')}, {cpu.total_ms / 1000:.2f} s"
    )


def times_in_words(count: int) -> str:
    """Return `once`, `3 times` and so on."""
    return "once" if count == 1 else f"{count} times"


def time_in_words(us: int) -> str:
    """Return a short time: `86 us`, `1.2 ms`."""
    return f"{us} us" if us < 1_000 else f"{us / 1_000:.1f} ms"


def _line(title: str, words: str) -> str:
    return f"  {title:<{TITLE}}  {words}"
