"""The army in docs/api/game_of_death.md is one."""

import re
from pathlib import Path

import pytest

import bootstrap
from engine.bots.local_seat import LocalSeat
from engine.bots.process_seat import SeatConfig
from engine.catalog import find_game
from engine.match import play_match
from engine.settings import apply_changes, read_toml
from engine.spec import MatchSpec
from tests.shell import Shell

GUIDE = (bootstrap.HOME / "docs" / "api" / "game_of_death.md").read_text(encoding="utf-8")
ARMY = re.compile(
    r"^```python\n# (playerCode/game_of_death/\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
MILITIA = bootstrap.HOME / "playerCode" / "game_of_death" / "player_one.py"
DOMINOES = MILITIA.with_name("player_four.py")
GAME = find_game("game_of_death")
SMALL = ("-g", "game_of_death", "--preset", "small")


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A house in which the army was copied out of the document."""
    shell = Shell(tmp_path_factory.mktemp("army"))
    ((name, source),) = ARMY.findall(GUIDE)
    shell.bot(name, source)
    return shell


@pytest.mark.parametrize("preset", ["small", pytest.param("standard", marks=pytest.mark.slow)])
def test_the_army_of_the_document_can_be_played_wherever_the_homes_are(
    shell: Shell, preset: str
) -> None:
    done = shell.run("design", "player_mine", "--preset", preset)
    assert (done.code, done.err) == (0, "")
    assert "no mistakes: it can be played" in done.out


def test_the_army_of_the_document_plays_in_a_process_of_its_own_without_a_fault(
    shell: Shell,
) -> None:
    bots = ("-1", "player_mine", "-2", str(MILITIA))
    result = shell.json(*SMALL, *bots, "--seed", "1", "--set", "max_turns=40")
    assert result["turns"] == 40
    assert result["teams"][0]["faults"] == {}


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_the_army_of_the_document_beats_the_dominoes(shell: Shell) -> None:
    preset = bootstrap.HOME / "resources/presets/game_of_death/small.toml"
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=apply_changes(GAME.settings(), read_toml(preset), source=str(preset)),
        limits=GAME.limits,
        bots=("player_mine", "player_four"),
        seed=1,
    )
    own = shell.home / "playerCode" / "game_of_death" / "player_mine.py"
    seats = [a_seat(spec, bot, team) for team, bot in enumerate((own, DOMINOES), 1)]
    assert play_match(GAME, spec, seats).winner == 1


def a_seat(spec: MatchSpec, bot: Path, team: int) -> LocalSeat:
    entry = SeatConfig(
        name=bot.stem,
        bot=bot,
        log=Path(),
        team=team,
        game=spec.game,
        match_seed=spec.seed,
        limits=spec.limits,
    )
    return LocalSeat(entry, GAME)
