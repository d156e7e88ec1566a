"""Tuning: parameters of a source, SPSA, and a tuning that is stopped and resumed."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.tune import parse_parameter
from engine.bots.finding import read_bot
from engine.bots.parameters import read_parameters, with_values, write_variant
from engine.catalog import find_game
from engine.errors import BadBot, EngineFailure, UsageError
from engine.replays.writing import Contestant
from engine.spec import MatchSpec
from report.charts import tuning_chart
from runners.match_request import RunOptions
from runners.questions.tuning import STATE, Progress, Tuning
from runners.statistics.spsa import Parameter, Shares, Spsa
from tests.shell import QUICK, Shell

SOURCE = '''"""Words: ä."""
from engine.games.slime_mind.player import BasePlayer

PARAMS: dict[str, float] = {"å": 1, "aggression": 0.2,  # how bold
    "fear": -3,}


class Player(BasePlayer):
    def decide(self, slime):
        return "LEFT" if PARAMS["aggression"] > 0.3 else "UP"
'''


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "player_mine.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_the_parameters_of_a_bot_are_read_without_running_it(bot: Path) -> None:
    bot.write_text(f"{SOURCE}\nraise SystemExit", encoding="utf-8")
    assert read_parameters(bot) == {"å": 1, "aggression": 0.2, "fear": -3}


def test_other_values_change_nothing_else_of_the_source(bot: Path) -> None:
    changed = with_values(bot, SOURCE.encode(), {"aggression": 0.75, "fear": 4, "å": 2})
    expected = SOURCE.replace("0.2", "0.75").replace("-3", "4").replace('"å": 1', '"å": 2')
    assert changed.decode() == expected


def test_a_variant_of_a_folder_has_all_its_files(tmp_path: Path) -> None:
    bot, copy = tmp_path / "player_mine", tmp_path / "copy"
    (bot / "inner").mkdir(parents=True)
    (bot / "__init__.py").write_text(SOURCE, encoding="utf-8")
    (bot / "inner/__init__.py").write_text("PARAMS = {'fear': 1}")
    write_variant(bot, {"fear": 9}, copy)
    assert read_parameters(copy)["fear"] == 9
    assert (copy / "inner/__init__.py").read_text() == "PARAMS = {'fear': 1}"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1", "declares no parameters"),
        ("PARAMS = dict(a=1)", "declares no parameters"),
        ("PARAMS = {'a': 'b'}", "line 1: 'a' is not a number"),
        ("PARAMS = {'a': True}", "'a' is not a number"),
        ("PARAMS = {1: 2}", "a key that is no text"),
        ("PARAMS = {**other}", "a key that is no text"),
        ("PARAMS = {", "cannot be read"),
    ],
)
def test_what_is_no_declaration_is_said_to_be_none(bot: Path, source: str, message: str) -> None:
    bot.write_text(source)
    with pytest.raises(BadBot, match=message):
        read_parameters(bot)


def test_a_range_is_read_and_whole_numbers_stay_whole() -> None:
    declared: dict[str, int | float] = {"aggression": 0.5, "depth": 3}
    assert parse_parameter("aggression=0.1..0.9", declared) == Parameter(
        name="aggression", low=0.1, high=0.9, start=0.5
    )
    assert parse_parameter("depth=1..8", declared).is_whole
    assert not parse_parameter("depth=1..8.5", declared).is_whole
    assert parse_parameter("depth=-1e1..8", declared).low == -10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("aggression", "expected NAME=LOW..HIGH"),
        ("aggression=1-2", "expected NAME=LOW..HIGH"),
        ("agression=0..1", "the bot's PARAMS have no such name; there are: aggression; did you"),
        ("aggression=1..0", "1 is not below 0"),
        ("aggression=0.6..0.9", "the bot's own value, 0.5, is not in that range"),
        ("aggression=zero..one", "'zero' is not a number"),
        ("aggression=0..nan", "'nan' is not a number"),
        ("aggression=0..inf", "'inf' is not a number"),
    ],
)
def test_a_wrong_range_is_refused_with_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_parameter(text, {"aggression": 0.5})
    assert message in str(refused.value)


def spsa(iterations: int = 100) -> Spsa:
    return Spsa(
        parameters=(
            Parameter(name="aggression", low=0, high=1, start=0.2),
            Parameter(name="fear", low=-10, high=10, start=-3, is_whole=True),
        ),
        iterations=iterations,
    )


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_the_better_numbers_through_the_noise_of_matches(seed: int) -> None:
    search, chance = spsa(200), Random(seed)
    best = (0.7, 0.6)
    path = [search.start]
    for iteration in range(search.iterations):
        copies = search.copies(path[-1], iteration, chance)
        one, other = (
            -sum((at - peak) ** 2 for at, peak in zip(copy, best, strict=True)) for copy in copies
        )
        wins = sum(chance.random() < 0.5 + 2 * (one - other) for _ in range(8))
        path.append(search.next_middle(path[-1], copies, iteration, wins / 4 - 1))
    for found, start, peak in zip(search.answer(path), search.start, best, strict=True):
        assert abs(found - peak) < 0.6 * abs(start - peak)


def test_numbers_never_leave_their_range() -> None:
    search = spsa(10)
    for middle in ((0.0, 1.0), (1.0, 0.0)):
        for lead in (-1.0, 1.0):
            copies = search.copies(middle, 0, Random(1))
            for shares in (*copies, search.next_middle(middle, copies, 0, lead)):
                assert all(0 <= share <= 1 for share in shares)
                values = search.values(shares)
                assert 0 <= values["aggression"] <= 1
                assert values["fear"] in range(-10, 11)


def test_copies_differ_in_a_whole_number_however_long_it_takes() -> None:
    search = spsa(1_000)
    one, other = search.copies((0.5, 0.5), 999, Random(1))
    assert search.values(one)["fear"] != search.values(other)["fear"]


class Judged(Tuning, frozen=True, kw_only=True):
    """A tuning whose matches are not played: the bolder copy takes all."""

    def _play(self, progress: Any, one: Contestant, other: Contestant, pool: Any) -> float:
        bold = [
            read_parameters(self.work / f"copies/player_mine_{name}.py")["aggression"]
            for name in "ab"
        ]
        return 1.0 if bold[0] > bold[1] else -1.0


def a_tuning(bot: Path, out: Path, iterations: int = 12) -> Tuning:
    game = find_game("slime_mind")
    spec = MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=game.settings(),
        limits=game.limits,
        bots=(read_bot(bot).digest,) * 2,
        seed=7,
    )
    run = RunOptions(out=out)
    tuning = Judged(bot=bot, spsa=spsa(iterations), pairs=2, spec=spec, run=run)
    tuning.save_original()
    return tuning


class Killed(BaseException):
    pass


def test_a_tuning_that_was_killed_goes_on_as_if_it_had_not_been(bot: Path, tmp_path: Path) -> None:
    def kill(progress: Progress) -> None:
        if progress.iterations == 5:
            raise Killed

    pool: Any = None
    whole = a_tuning(bot, tmp_path / "whole").go_on(pool, lambda progress: None)
    cut = a_tuning(bot, tmp_path / "cut")
    with pytest.raises(Killed):
        cut.go_on(pool, kill)
    assert cut.load_progress().iterations == 5
    assert cut.go_on(pool, lambda progress: None) == whole
    assert whole.iterations == 12
    assert whole.path[-1][0] > whole.path[0][0]
    assert not cut.work.exists()


def test_the_tuned_bot_stands_beside_the_present_one(bot: Path, tmp_path: Path) -> None:
    tuning = a_tuning(bot, tmp_path)
    pool: Any = None
    values = tuning.write_tuned_bot(tuning.go_on(pool, lambda progress: None))
    assert read_parameters(tuning.tuned_path) == {"å": 1, **values}
    assert values["aggression"] > 0.2
    assert bot.read_text(encoding="utf-8") == SOURCE


def test_what_is_changed_meanwhile_is_in_no_copy_and_not_in_the_tuned_bot(
    bot: Path, tmp_path: Path
) -> None:
    tuning = a_tuning(bot, tmp_path)
    bot.write_text(SOURCE + "\n# changed\n", encoding="utf-8")
    pool: Any = None
    values = tuning.write_tuned_bot(tuning.go_on(pool, lambda progress: None))
    assert tuning.original.read_text(encoding="utf-8") == SOURCE
    assert read_parameters(tuning.tuned_path) == {"å": 1, **values}
    with pytest.raises(BadBot, match="was changed while it was being read"):
        tuning.save_original()


def test_another_range_is_another_tuning(bot: Path, tmp_path: Path) -> None:
    assert a_tuning(bot, tmp_path).key == a_tuning(bot, tmp_path / "elsewhere").key
    assert a_tuning(bot, tmp_path).key != a_tuning(bot, tmp_path, iterations=13).key


def test_a_damaged_state_is_named(bot: Path, tmp_path: Path) -> None:
    tuning = a_tuning(bot, tmp_path)
    (tuning.folder / STATE).write_text("{")
    with pytest.raises(EngineFailure, match="remove it to begin anew"):
        tuning.load_progress()


def test_the_picture_shows_each_parameter_and_names_nothing_as_markup() -> None:
    path: list[Shares] = [(0.2, 0.35), (0.3, 0.4), (0.25, 0.45)]
    picture = tuning_chart("<b>", spsa(), path)
    assert picture.count("<polyline") == 2
    assert "2 of 100 iterations" in picture
    assert "&lt;b&gt;" in picture
    assert "<b>" not in picture


@pytest.mark.slow
def test_tuning_from_the_command_line_ends_with_a_verdict(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    (tmp_path / "results").mkdir()  # so that nobody is warned of root
    eats = "plant = self.board.nearest_plant(slime); eats = self.board.bite(slime, plant) or 'UP'"
    bold = 'return eats if PARAMS["aggression"] > 0.2 else "MERGE"'
    head, _ = SOURCE.split("        return")
    shell.bot("player_mine.py", f"{head}        {eats}\n        {bold}\n")
    parts = ("--param", "aggression=0..1", "--iterations", "3", "--pairs", "1", "--max-pairs", "2")
    done = shell.run("tune", "player_mine", *QUICK, "-j", "1", *parts)
    assert done.code in (0, 3, 4)
    assert "tuned in 3 iterations, 6 matches" in done.out
    assert "player_mine_tuned against player_mine: " in done.out
    again = shell.run("tune", "player_mine", *QUICK, "-j", "1", *parts)
    assert (again.code, again.out) == (done.code, done.out)
    (folder,) = (tmp_path / "results/tune").iterdir()
    names = {path.name for path in folder.iterdir()}
    assert names == {"original", "progress.svg", "tuning.json", "player_mine_tuned.py"}
