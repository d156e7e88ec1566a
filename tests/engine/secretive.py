"""Matches of bots that leave secrets wherever their words are kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.bot_output import LogLine
from engine.catalog import GAMES
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask
from engine.games.game_of_death.settings import Settings
from engine.match import play_match
from engine.replays.reading import Replay
from engine.replays.writing import (
    Aside,
    Contestant,
    Continued,
    ContinuedAside,
    Deviation,
    FaultAside,
    NotesAside,
    Recorder,
)
from tests.contract.playing import a_spec
from tests.engine.recorded import read_lines
from tests.engine.seats import Answer, ScriptedSeat

MARKER = "a secret of team"
"""Stands in everything of a bot that is its author's alone."""
BOARD = Settings(
    width=20,
    height=12,
    zone_width=7,
    home_u=0,
    home_v=4,
    home_width=2,
    home_height=2,
    home_row_drawn=False,
    max_turns=8,
    disclosure_pct=0,
)
"""A small battlefield, on which code is disclosed after the first kill."""


def make_code(team: int, number: int) -> str:
    return f'class Type{number}(Shape):\n    """{MARKER} {team}, type {number}"""\n'


def with_code(answer: Any, team: int) -> Any:
    """Return an answer, with source in it if it is a design."""
    if not isinstance(answer, dict) or "types" not in answer:
        return answer
    types = [
        [name, mask, make_code(team, number)] for number, (name, mask) in enumerate(answer["types"])
    ]
    return {**answer, "types": types}


class Recording(Recorder):
    """Adds words of the bots whenever something happens."""

    def on_event(self, event: Any) -> None:
        super().on_event(event)
        for aside in make_asides(self._turn):
            self._write(msgspec.json.encode(aside))


def make_asides(turn: int) -> Sequence[Aside]:
    """Return all kinds of asides in which words of two bots are kept."""
    return [aside for team in (1, 2) for aside in _asides(turn, team, f"{MARKER} {team}, words")]


def _asides(turn: int, team: int, message: str) -> tuple[Aside, ...]:
    deviation = Deviation(turn=turn, team=team, piece_id=0, recorded=message, now=message)
    return (
        FaultAside(turn, team, 0, Cause.EXCEPTION, message, 1, Fault(Cause.EXCEPTION, message)),
        NotesAside(turn, team, 0, (LogLine("info", message),)),
        ContinuedAside(Continued(turn=turn, deviation=deviation)),
    )


def record_match(game: AnyGame, board: Any, answers: Sequence[Answer], path: Path) -> Replay:
    """Play and record a match."""
    spec = a_spec(game, board, 7, len(answers))
    bots = [Contestant(name=digest, digest=digest) for digest in spec.bots]
    recorder = Recording(game, spec, bots, path)
    play_match(game, spec, [ScriptedSeat(answer) for answer in answers], [recorder])
    recorder.close()
    return Replay(path)


def battle_in(path: Path) -> Replay:
    """Return a battle in which one type of team 2 is disclosed to team 1, and nothing to team 2."""
    answers = [_fighting(team) for team in (1, 2)]
    replay = record_match(GAMES["game_of_death"], BOARD, answers, path)
    assert replay.state_at(replay.last_turn).disclosed == [(1,), ()]
    return replay


def _fighting(team: int) -> Answer:
    """Let two blocks of team 1 shoot at a shape of team 2; its other one is out of their way."""
    places = [[0, 4, 3], [0, 4, 6]] if team == 1 else [[1, 5, 5], [1, 5, 4], [0, 4, 0]]

    def answer(ask: Ask, known: Any) -> Any:
        if not ask.piece_id:
            types = [["Type0", ["###"] * 3], ["Type1", ["##"]]]
            return with_code({"types": types, "placements": places}, team)
        return "attack forward" if team == 1 and known.turn % 2 else "rest"

    return answer


def read_text(path: Path) -> str:
    """Return all that is in a replay."""
    return b"\n".join(read_lines(path)).decode()


def secrets_in(text: str) -> set[str]:
    """Return which secrets a text tells: `1, words`, `2, type 0`."""
    kinds = ("words", "type 0", "type 1")
    wanted = {f"{team}, {kind}" for team in (1, 2) for kind in kinds}
    return {secret for secret in wanted if f"{MARKER} {secret}" in text}
