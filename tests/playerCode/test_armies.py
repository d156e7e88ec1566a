"""The armies we ship: each plays without a fault, and against the template one wins."""

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots.finding import Copies, find_bots
from engine.catalog import find_game
from engine.game import Ask, Refusal
from engine.play_options import PlayOptions
from engine.referee import Job, Referee
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.settings import apply_changes, read_toml
from engine.spec import MatchSpec
from engine.streams import Streams
from runners.configuration import HOME, preset_path
from tests.loaded_bots import load_player

GAME = find_game("game_of_death")
ARMIES = {bot.name: bot for bot in find_bots(HOME / "playerCode" / GAME.bots)}
SMALL = apply_changes(GAME.settings(), read_toml(preset_path(GAME, "small")), source="small.toml")
PATIENT = msgspec.structs.replace(GAME.limits, cpu_ms=1_000, wall_ms=10_000, load_ms=30_000)


def play(out: Path, *names: str, max_turns: int, settings: Any = SMALL) -> MatchResult:
    for name in names:
        Copies(out / "bots").save(ARMIES[name])
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=msgspec.structs.replace(settings, max_turns=max_turns),
        limits=PATIENT,
        bots=tuple(ARMIES[name].digest for name in names),
        seed=1,
    )
    contestants = tuple(Contestant(name=name, digest=ARMIES[name].digest) for name in names)
    with closing(Referee(out)) as referee:
        return referee.play(
            Job(spec=spec, contestants=contestants, play=PlayOptions(keep_replay=False))
        )


def test_all_are_bots() -> None:
    numbered = ("one", "two", "three", "four", "five", "six", "seven", "eight")
    assert {"player_base", *(f"player_{number}" for number in numbered)} == set(ARMIES)
    assert [bot.flaw for bot in ARMIES.values() if bot.flaw] == []
    assert [bot.name for bot in ARMIES.values() if not (bot.title and bot.version)] == []


@pytest.mark.variants(2)
@pytest.mark.parametrize("name", ARMIES)
def test_an_army_plays_against_itself_without_a_fault(name: str, tmp_path: Path) -> None:
    result = play(tmp_path, name, name, max_turns=40)
    assert [team.details for team in result.teams if team.faults] == []
    assert result.reason != "no legal army"


@pytest.mark.slow
def test_four_of_them_play_each_other_without_a_change(tmp_path: Path) -> None:
    names = [name for name in ARMIES if name != "player_base"][:4]
    settings = apply_changes(
        GAME.settings(), read_toml(preset_path(GAME, "four_small")), source="four_small"
    )
    result = play(tmp_path, *names, max_turns=25, settings=settings)
    assert [team.details for team in result.teams if team.faults] == []
    assert result.reason == "last turn"


@pytest.mark.slow
def test_the_plain_army_beats_the_template(tmp_path: Path) -> None:
    assert play(tmp_path, "player_one", "player_base", max_turns=300).winner == 1


@pytest.mark.parametrize("sitter", ["player_seven", "player_eight"])
def test_an_army_that_never_moves_is_beaten_by_the_pikes(sitter: str, tmp_path: Path) -> None:
    result = play(tmp_path, "player_six", sitter, max_turns=600)
    assert (result.winner, result.reason) == (1, "no living shapes")


@pytest.mark.variants(4, all=10)
@pytest.mark.parametrize(
    "preset",
    [
        *("small", "four_small"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("standard", "four")),
    ],
)
@pytest.mark.parametrize("name", ARMIES)
def test_an_army_fits_wherever_the_homes_are_drawn(name: str, preset: str) -> None:
    check_that_it_fits(ARMIES[name].path, preset)


@pytest.mark.parametrize("preset", ["small", "standard"])
def test_so_does_the_army_of_the_rules(preset: str, tmp_path: Path) -> None:
    path = tmp_path / "player_scouts.py"
    path.write_text(code_in("rules/game_of_death.md")[0], encoding="utf-8")
    check_that_it_fits(path, preset)


@pytest.mark.parametrize("preset", ["small", "standard", "four_small"])
def test_shapes_of_the_guide_can_be_placed(preset: str, tmp_path: Path) -> None:
    head = "from engine.games.game_of_death.player import BasePlayer"
    player = """
class Player(BasePlayer):
    def design(self):
        self.place(Runner, 20, self.zone_rows[5])
"""
    path = tmp_path / "player_guide.py"
    imports = "from engine.games.game_of_death.flag_runner import FlagRunner"
    assert imports in (HOME / "docs" / "api" / "game_of_death.md").read_text(encoding="utf-8")
    parts = (head, imports, *code_in("api/game_of_death.md"), player)
    path.write_text("\n".join(parts), encoding="utf-8")
    check_that_it_fits(path, preset)


def code_in(document: str) -> list[str]:
    """Its examples in Python."""
    text = (HOME / "docs" / document).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def check_that_it_fits(path: Path, preset: str) -> None:
    settings: Any = apply_changes(
        GAME.settings(), read_toml(preset_path(GAME, preset)), source=preset
    )
    player = load_player(path, path.stem, GAME.player)
    teams = 4 if preset.startswith("four") else 2
    for row in settings.home_rows(teams):
        fixed = msgspec.structs.replace(settings, home_row_drawn=False, home_v=row)
        battle = GAME.new(fixed, teams)
        for event in GAME.start(battle, Streams(1)):
            battle.apply(event)
        answer = GAME.host(player, battle, 1, PATIENT).decide(0, None)
        plain = msgspec.json.decode(msgspec.json.encode(answer))
        order = GAME.check(battle, Ask(1), plain)
        assert not isinstance(order, Refusal), order.reason
