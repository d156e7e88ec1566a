"""A match that was recorded under version 2 of the rules: it shows, and is not verified."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.replay import cli as command
from engine.errors import BadReplay
from engine.game import MatchEnded
from engine.games.game_of_death import events as ev
from engine.replays.reading import Replay
from engine.replays.verifying import verify

OLD = Path(__file__).parent / "version_2.jsonl.gz"
"""Four teams of 18 cells; recorded by version 1.1.0."""


def test_it_can_be_watched_to_its_end() -> None:
    state = Replay(OLD).state_at(208)
    assert state.ending == MatchEnded((3.0, 2.0, 1.0, 0.0), "one team is left")
    # What the rules count since version 3 was not recorded then.
    assert state.hp_taken == [0, 0, 0, 0]
    assert sum(map(sum, state.killed)) == 15
    happened = {type(entry) for entry in Replay(OLD).entries()}
    assert {ev.Damaged, ev.Killed, ev.Defeated, ev.FlagDelivered} <= happened


def test_why_it_is_not_verified_is_said_and_what_to_do() -> None:
    text = "was played under version 2 .* this is version 4. It can be watched and exported; "
    with pytest.raises(BadReplay, match=text + "to verify it, install the release .* 1.1.0"):
        verify(Replay(OLD))


@pytest.mark.parametrize("ending", ["html", "png"])
def test_it_can_be_exported(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"match.{ending}"
    result = CliRunner().invoke(command, [str(OLD), "--export", str(file)])
    assert result.exit_code == 0, result.output
    assert file.stat().st_size > 10_000
