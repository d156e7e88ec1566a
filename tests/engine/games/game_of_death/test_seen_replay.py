"""A battle as one army knew it, of two armies and of four."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.errors import UsageError
from engine.game import Stage
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.settings import Settings
from engine.match import play_match
from engine.replays.public_copy import write_team_view_replay
from engine.replays.reading import Replay
from engine.replays.writing import Contestant, Recorder
from tests.contract.playing import a_spec
from tests.contract.samples import an_army_or_an_act
from tests.engine.games.game_of_death.test_army import GAME
from tests.engine.seats import ScriptedSeat
from visualizer.scene import scene_class

NUMBERS: dict[str, Any] = {
    "width": 20, "height": 20, "zone_width": 7, "home_u": 0, "home_v": 8, "home_width": 2,
    "home_height": 2, "home_row_drawn": False, "sight": 16, "max_turns": 12,
}  # fmt: skip


def a_replay(folder: Path, teams: int) -> Replay:
    dice = Random(3)
    seats = [
        ScriptedSeat(lambda ask, known: an_army_or_an_act(known, ask, dice)) for _ in range(teams)
    ]
    spec = a_spec(GAME, Settings(**NUMBERS), 7, teams)
    bots = [Contestant(name=f"bot {n}", digest="0" * 16) for n in range(1, teams + 1)]
    path = folder / "whole.jsonl.gz"
    recorder = Recorder(GAME, spec, bots, path)
    play_match(GAME, spec, seats, (recorder,))
    recorder.close()
    return Replay(path)


@pytest.mark.parametrize("teams", [2, 4])
def test_it_shows_the_own_shapes_and_what_they_see_of_others(tmp_path: Path, teams: int) -> None:
    whole = a_replay(tmp_path, teams)
    path = tmp_path / "seen.jsonl.gz"
    write_team_view_replay(whole, teams, path)
    seen = Replay(path)
    assert (seen.last_turn, seen.outcome) == (whole.last_turn, whole.outcome)
    events = [event for event in seen.entries() if not isinstance(event, Stage)]
    assert {getattr(event, "team", teams) for event in events} <= {teams, *_defeated_teams(events)}
    scene: Any = scene_class(GAME.name)(seen.spec.settings, teams)
    kinds = set()
    for turn in range(1, whole.last_turn + 1):
        state: Any = seen.state_at(turn)
        assert {state.piece_team(one) for one in state.shapes} <= {teams}
        assert state.turn == turn
        kinds |= {getattr(scene.thing(state, one), "kind", None) for one in scene.ids(state)}
        assert dict(scene.panel(state, 1))["shapes"] == "?"
        assert dict(scene.panel(state, teams))["shapes"] == len(list(state.living_shapes(teams)))
    assert {"shape", "hostile", "home", "flag"} <= kinds


def _defeated_teams(events: list[Any]) -> set[int]:
    return {event.team for event in events if isinstance(event, ev.Defeated)}


def test_a_team_that_there_is_not_is_refused(tmp_path: Path) -> None:
    whole = a_replay(tmp_path, 2)
    with pytest.raises(UsageError, match=r"--as-team 3: the match has teams 1 to 2"):
        write_team_view_replay(whole, 3, tmp_path / "seen.jsonl.gz")
