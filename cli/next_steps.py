"""Suggest what to try after the verdict of `versus`: an opponent, or where a match was lost."""

from contextlib import suppress
from pathlib import Path

from cli.fault_lines import FaultPlaces
from engine.bots.finding import bot_path
from engine.bots.parameters import Number, read_parameters
from engine.catalog import find_game
from engine.errors import BadBot, BadReplay
from engine.replays.reading import Replay
from runners.configuration import bundled_bots_folder
from runners.planning import bots_folder, word_for
from runners.questions.versus import Answer
from runners.starter_bots import next_opponent, starter_bots
from runners.statistics.sequential import Verdict
from visualizer.model.story import losing_turn

MAX_PARAMETERS = 3
SHOWN_TURNS = 3
"""So many turns are looked at: a team does not decide in each of them."""


def next_steps(answer: Answer, places: FaultPlaces) -> list[str]:
    """Return lines on what to do after a verdict, with the commands to type."""
    if answer.hopeless is not None:
        return []
    is_better = answer.assessment.verdict is Verdict.BETTER
    lines = _after_a_win(answer, places) if is_better else _after_none(answer, places)
    return ["", *lines] if lines else []


def _after_a_win(answer: Answer, places: FaultPlaces) -> list[str]:
    """Return the next stronger starter bot, or what there is beyond the strongest."""
    a, b = answer.players
    order = _starters_beside(places.files.get(b), places.game)
    if b.name not in order:
        return []
    stronger = next_opponent(list(order), b.name, a.name)
    if stronger is not None:
        rival = word_for(order[stronger], places.game)
        command = places.command("versus", places.bot_argument(a), rival)
        return [f"now try {stronger}, the next stronger starter bot:  {command}"]
    everybody = places.command("tournament")
    hand_in = places.commands.of_bot("submit", places.bot_argument(a), "--server", "URL")
    return [
        f"{b.name} is the strongest starter bot of this game; what is left:",
        f"  all bots at once:       {everybody}",
        f"  hand it in to a server: {hand_in}",
    ]


def _starters_beside(file: Path | None, game: str) -> dict[str, Path]:
    """Return the starter bots in the folder of a bot, the weakest first.

    None if that is no folder of bots: there another bot may have the name of one of them.
    """
    ours = {bots_folder(game).resolve(), bundled_bots_folder(find_game(game)).resolve()}
    if file is None or file.parent.resolve() not in ours:
        return {}
    found = {name: bot_path(name, file.parent) for name in starter_bots(game)}
    return {name: path for name, path in found.items() if path is not None}


def _after_none(answer: Answer, places: FaultPlaces) -> list[str]:
    """Return where A lost a match, and how its numbers may become better ones."""
    a, _ = answer.players
    lines = []
    if (where := _lost_match_command(answer, places)) is not None:
        lines.append(f"look where it lost a match:  {where}")
    if ranges := _parameter_ranges(places.files.get(a)):
        arguments = [word for text in ranges for word in ("--param", text)]
        command = places.command("tune", places.bot_argument(a), *arguments)
        lines.append(f"look for better numbers:     {command}")
    return lines


def _lost_match_command(answer: Answer, places: FaultPlaces) -> str | None:
    """Return the command that asks A again where it lost the first match that it lost."""
    for key, team in answer.lost_by_a[:1]:
        turns = find_losing_turns(places.replay(key), team)
        if turns:
            place = f"--turns {turns[0]}-{turns[-1]} --team {team}"
            return places.commands.ask(places.bot_argument(answer.players[0]), key, place)
    return None


def _parameter_ranges(file: Path | None) -> list[str]:
    """Return a range around each parameter that a bot declares, as `tune` takes them."""
    declared: dict[str, Number] = {}
    with suppress(BadBot, OSError):
        declared = {} if file is None else read_parameters(file)
    return [_range(name, value) for name, value in list(declared.items())[:MAX_PARAMETERS]]


def _range(name: str, value: Number) -> str:
    ends: tuple[Number, Number] = (value - 1, value + 1) if value == 0 else (value / 2, value * 2)
    low, high = sorted(ends)
    if isinstance(value, int):
        low, high = int(low // 1), int(high)
    return f"{name}={low:g}..{high:g}"


def find_losing_turns(replay: Path, team: int) -> range | None:
    """Return the turns in which a team fell behind for good; None where there is no replay.

    They are the last ones where nothing is known of that: the team was never behind before the
    end, or the match is too long to be looked through.
    """
    try:
        last = Replay(replay).last_turn
    except BadReplay:
        return None
    turn = losing_turn(replay, team - 1) or last
    first = max(1, min(turn, last - SHOWN_TURNS + 1))
    return range(first, min(first + SHOWN_TURNS, last + 1))
