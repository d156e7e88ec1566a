"""Results in words: what a terminal shows at the end."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from engine.bots.fault import Cause
from engine.bots.finding import DIGEST_LETTERS, TEMPLATE, Bot
from engine.bots.sandbox import DANGER, ENCLOSES, PURPOSE, Failings, Layer, Level
from engine.bots.wire import one_line
from engine.record import ContinuedAside
from engine.replay import Replay
from engine.result import MatchResult, Protection, TeamResult
from engine.settings import listing
from engine.verifying import Difference
from runners.commands import Commands

MAY_DIFFER = "which stays the result: a bot uses the clock or chance of its own, or was out of time"

LONGEST_ANSWER = 120
"""Of what is shown, characters."""


def match_summary(result: MatchResult, commands: Commands) -> str:
    """One match: who won, why it ended, what went wrong, and what to do next."""
    width = max(len(_full_name(team)) for team in result.teams)
    lines = [f"match {result.key}, seed {result.spec.seed}", ""]
    for number, team in enumerate(result.teams, 1):
        line = f"  team {number}  {_full_name(team):<{width}}  {team.score:>9.1f}  "
        lines.append(f"{line}{_mark(result, number)}".rstrip())
    lines += ["", f"  ended  {result.reason}, in turn {result.turns}"]
    for title, words in (("left", _left), ("lost", _lost), ("cpu", _cpu)):
        lines += _per_team(title, zip(_short_names(result), map(words, result.teams), strict=True))
    lines += _gone_on(result)
    lines += _compared(result)
    lines += gaps_of(result.sandbox)
    lines += ["", *_next_steps(result, commands)]
    return "\n".join(lines)


def _gone_on(result: MatchResult) -> list[str]:
    """Where it had been cut off, and whether its players are what they were."""
    if result.continued is None:
        return []
    lines = [f"  went on  in turn {result.continued.turn}; before, the recorded orders counted"]
    if (deviation := result.continued.deviation) is not None:
        name = _short_names(result)[deviation.team - 1]
        lines.append(
            f"         {name} now answered otherwise, first in turn {deviation.turn}: "
            f"{_shortened(deviation.now)}; recorded: {_shortened(deviation.recorded)}"
        )
    return lines


def _shortened(answer: str) -> str:
    """Most orders are short; a whole army is not."""
    return answer if len(answer) <= LONGEST_ANSWER else f"{answer[: LONGEST_ANSWER - 1]}…"


def _mark(result: MatchResult, number: int) -> str:
    """The winner, or those who share the best score; of more than two the others' places too."""
    scores = [team.score for team in result.teams]
    place = 1 + sum(score > scores[number - 1] for score in scores)
    if place == 1:
        return "winner" if result.winner == number else "draw"
    return f"place {place}" if len(scores) > 2 else ""


def _compared(result: MatchResult) -> list[str]:
    """What this playing is, where it is not the match's result."""
    lines = []
    if result.in_process:
        lines.append(f"  apart  no result, as nobody judged it: kept in {result.folder}")
    if result.differs:
        lines.append(f"  again  came out differently from the first playing, {MAY_DIFFER}")
    elif result.first_fingerprint is not None:
        lines.append("  again  came out the same as the first playing, which stays the result")
    return lines


def gaps_of(protection: Protection) -> list[str]:
    """A line on what this machine does not hold bots back from."""
    if protection.level is Level.OFF or not protection.failings:
        return []
    dangers = ", ".join(DANGER[layer] for layer in protection.failings)
    return [f"  sandbox  incomplete: a bot {dangers} (python3 main.py sandbox)"]


def sandbox_table(failings: Failings, enclosures: Mapping[Level, str]) -> str:
    """Every layer and every enclosure: whether it holds here, what for, and if not, why."""
    lines = []
    for layer in Layer:
        state = "does not hold" if layer in failings else "holds"
        lines.append(f"  {layer:<8} {state:<14} {PURPOSE[layer]}")
        if layer in failings:
            lines.append(f"  {'':<8} {'':<14} because: {failings[layer]}; a bot {DANGER[layer]}")
    lines += ["", "What can be put around each bot:"]
    for level, why in enclosures.items():
        state = "does not hold" if why else "holds"
        lines.append(f"  --sandbox {level:<7} {state:<14} {ENCLOSES[level]}")
        lines += [f"  {'':<17} {'':<14} because: {why}"] if why else []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        lines.append("You are root: better play strangers' bots as an ordinary user.")
    return "\n".join(["What confines a bot on this machine:", *lines])


def _next_steps(result: MatchResult, commands: Commands) -> list[str]:
    steps = []
    if result.replay is not None:
        steps.append(f"watch it:       {commands.watch(result.replay)}")
    if not result.in_process:
        steps.append(f"play it again:  {commands.again(result.key)}")
        if result.faults:
            steps.append(f"bots' logs in:  {result.folder}")
    return steps


def as_json(result: MatchResult) -> str:
    """One match for scripts."""
    return msgspec.json.encode(result).decode()


def bots_table(folder: Path, bots: Sequence[Bot]) -> str:
    """A line per file that could be meant as a bot."""
    if not bots:
        return f"no bots in {folder}: files named player_*.py are looked for"
    files = [one_line(bot.path.name) for bot in bots]
    width = max(map(len, files))
    lines = [f"bots in {folder}:"]
    for file, bot in zip(files, bots, strict=True):
        lines.append(f"  {file:<{width}}  {bot.digest:<{DIGEST_LETTERS}}  {_about(bot)}".rstrip())
    return "\n".join(lines)


def _about(bot: Bot) -> str:
    if bot.flaw:
        return f"NO BOT: {bot.flaw}"
    needs = f"needs {', '.join(bot.needs)}" if bot.needs else ""
    template = "the template: copy it" if bot.name == TEMPLATE else ""
    author = bot.author and f"by {bot.author}"
    return ", ".join(filter(None, (bot.title, bot.version, author, needs, template)))


def bot_logs(folder: Path) -> str:
    """What the bots of a match printed."""
    logs = sorted(folder.glob("*.log"))
    parts = [f"==> {log} <==\n{log.read_text(encoding='utf-8')}" for log in logs]
    return "\n".join(parts) or "the bots printed nothing"


def _per_team(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """A line (or several) per team that has something to say; the title stands before the first."""
    lines = []
    for name, words in rows:
        if words:
            lines.append(f"  {title:<5}  {name}: {words}")
            title = ""
    return lines


def _short_names(result: MatchResult) -> list[str]:
    """Names of the teams that tell them apart."""
    names = [str(team.bot.name) for team in result.teams]
    if len(set(names)) == len(names):
        return names
    return [f"{name} (team {number})" for number, name in enumerate(names, 1)]


def _full_name(team: TeamResult) -> str:
    bot = team.bot
    called = " ".join(filter(None, (bot.title and f"'{bot.title}'", bot.version)))
    author = bot.author and f"by {bot.author}"
    return " ".join(filter(None, (bot.name, called, author)))


def _left(team: TeamResult) -> str:
    return team.left


def _lost(team: TeamResult) -> str:
    """Rounds lost by reason, with the words of the first of each."""
    if not team.faults:
        return ""
    restarts = f"; restarted {_times(team.restarts)}" if team.restarts else ""
    details = [f"{cause}: {words}" for cause, words in team.details.items() if words]
    return f"\n{'':<11}".join([f"{rounds_lost(team.faults)}{restarts}", *details])


def _cpu(team: TeamResult) -> str:
    cpu = team.cpu
    if not cpu.calls:
        return "no call that came back"
    return (
        f"median {_time(cpu.median_us)}, p95 {_time(cpu.p95_us)}, max {_time(cpu.max_us)}; "
        f"{cpu.calls} calls, {cpu.total_ms / 1000:.2f} s"
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _time(us: int) -> str:
    return f"{us} us" if us < 1_000 else f"{us / 1_000:.1f} ms"


def rounds_lost(faults: Mapping[Cause, int]) -> str:
    total = sum(faults.values())
    parts = ", ".join(f"{count} {cause}" for cause, count in sorted(faults.items()))
    return f"{total} {'round' if total == 1 else 'rounds'} ({parts})"


def replay_info(replay: Replay) -> str:
    """Header and result of a recorded match."""
    spec = replay.spec
    game = f"{replay.game.title}, rules version {spec.rules_version}"
    lines = [
        str(replay.path),
        f"  {game}, engine {replay.engine}, key {spec.key}, seed {spec.seed}",
    ]
    scores = replay.outcome.scores if replay.outcome else [None] * len(replay.bots)
    for team, (bot, score) in enumerate(zip(replay.bots, scores, strict=True), 1):
        points = "" if score is None else f"{score:>10.1f}"
        lines.append(f"  team {team}: {bot.name:<20}{points}  {bot.digest}")
    lines.append(f"  {_ending(replay)}")
    lines += [
        f"  was cut off, and went on in turn {aside.continued.turn}"
        for aside in replay.asides
        if isinstance(aside, ContinuedAside)
    ]
    lines += [f"settings\n{listing(spec.settings)}", f"limits\n{listing(spec.limits)}"]
    return "\n".join(lines)


def difference_text(replay: Replay, difference: Difference | None) -> str:
    """What verifying found."""
    if difference is None:
        cut = "" if replay.outcome else " (it was cut off: what there is of it)"
        return f"{replay.path}: the rules say the same, event for event{cut}"
    return (
        f"{replay.path}: differs first in turn {difference.turn}\n"
        f"  recorded: {difference.recorded}\n"
        f"  replayed: {difference.replayed}"
    )


def _ending(replay: Replay) -> str:
    if replay.outcome is None:
        return f"cut off in turn {replay.last_turn}"
    winner = replay.outcome.winner
    what = "a draw" if winner is None else f"won by team {winner}, {replay.bots[winner - 1].name}"
    return f"{what}; ended by {replay.outcome.reason} in turn {replay.last_turn}"
