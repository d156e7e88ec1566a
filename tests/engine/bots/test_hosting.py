"""Functions as bots, as kaggle-environments has them."""

from pathlib import Path
from typing import Any

import pytest

from engine.bots.hosting import Fields
from slime_mind_arena import Match, play

SHORT: dict[str, dict[str, object]] = {"slime_mind": {"max_turns": 5}, "smac": {"last_turn": 16}}


def play_function(folder: Path, code: str, game: str = "slime_mind", **options: Any) -> Match:
    """Return a match of a function against itself."""
    file = folder / "player_agent.py"
    file.write_text(code, encoding="utf-8")
    settings = SHORT[game]
    return play(file, file, game=game, settings=settings, out=folder / "results", **options)


def test_what_is_in_it_can_be_read_as_attributes() -> None:
    fields = Fields({"team": 1})
    assert fields.team == fields["team"] == 1
    with pytest.raises(AttributeError, match="there is no turn here; there are: team"):
        _ = fields.turn


def test_a_function_plays_and_is_shown_the_board_by_names(tmp_path: Path) -> None:
    match = play_function(
        tmp_path,
        "def agent(observation, configuration):\n"
        "    slime = observation.slimes[observation.piece]\n"
        "    assert slime.team == observation['team']\n"
        "    assert observation.step == observation.turn\n"
        "    assert configuration.max_turns == 5\n"
        "    return 'LEFT' if slime.x else 'RIGHT'\n",
    )
    assert [team.faults for team in match.teams] == [{}, {}]


def test_a_function_may_take_the_observation_alone(tmp_path: Path) -> None:
    match = play_function(tmp_path, "def agent(observation):\n    return 'MERGE'\n")
    assert [team.faults for team in match.teams] == [{}, {}]


def test_a_function_plays_games_of_whole_teams(tmp_path: Path) -> None:
    match = play_function(
        tmp_path,
        "def agent(observation):\n    return {'orders': [], 'use': None, 'select': None}\n",
        game="smac",
    )
    assert all(set(team.faults) <= {"wrong type", "illegal order"} for team in match.teams)
    assert match.turns > 1


def test_what_it_raises_is_a_fault_at_its_line(tmp_path: Path) -> None:
    match = play_function(tmp_path, "def agent(observation):\n    return observation.slimey\n")
    assert all(set(team.faults) == {"exception"} for team in match.teams)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("agent = 3\n", "no class Player"),
        ("def other(observation):\n    return 'LEFT'\n", "no class Player"),
    ],
    ids=["a number", "another name"],
)
def test_what_is_no_function_of_that_name_is_refused(tmp_path: Path, code: str, why: str) -> None:
    with pytest.raises(Exception, match=why):
        play_function(tmp_path, code)


def test_the_game_of_death_takes_none(tmp_path: Path) -> None:
    file = tmp_path / "player_agent.py"
    file.write_text("def agent(observation):\n    return 'LEFT'\n", encoding="utf-8")
    with pytest.raises(Exception, match="no class Player"):
        play(file, file, game="game_of_death", out=tmp_path / "results")
