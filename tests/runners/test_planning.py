"""Requests of a command line -> what exactly is to be played."""

from pathlib import Path
from typing import Any

import pytest

from engine.bots.finding import Copies
from engine.errors import BadBot, BadSettings, EngineFailure, UsageError
from runners.configuration import Configuration
from runners.match_request import MatchRequest, RunOptions
from runners.planning import MatchPlan, bots_folder, list_bots
from tests.game_packages import BIDS, BOT, Install
from tests.shell import BITER, WALKER

NEEDY = 'NEEDS = ["click"]\n' + WALKER


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots, in which we are."""
    folder = tmp_path / "playerCode"
    folder.mkdir()
    for name, source in {
        "player_base.py": WALKER,
        "player_biter.py": BITER,
        "player_broken.py": "def",
        "player_needy.py": NEEDY,
        "player_walker.py": WALKER,
        "walker.py": WALKER,
    }.items():
        (folder / name).write_text(source)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def a_plan(*players: str | None, **request: Any) -> MatchPlan:
    return MatchPlan(
        MatchRequest(
            **{
                "game": "slime_mind",
                "players": players,
                "seed": 7,
                "key": None,
                "packages": (),
                "run": RunOptions(out=Path("results")),
                **request,
            }
        ),
        Configuration(Path("config.toml")),
    )


def names(plan: MatchPlan) -> list[str]:
    return [contestant.name for contestant in plan.make_job().contestants]


def test_bots_are_drawn_but_for_the_template_and_what_cannot_play(home: Path) -> None:
    drawn = [frozenset(names(a_plan())) for _ in range(20)]
    assert set(drawn) == {frozenset({"player_biter", "player_walker"})}


def test_both_seats_are_drawn_in_every_order(home: Path) -> None:
    assert {tuple(names(a_plan())) for _ in range(60)} == {
        ("player_biter", "player_walker"),
        ("player_walker", "player_biter"),
    }


def test_who_is_named_is_not_drawn_as_the_other(home: Path) -> None:
    for _ in range(10):
        assert names(a_plan("player_biter", None)) == ["player_biter", "player_walker"]
        assert names(a_plan(None, "player_biter.py")) == ["player_walker", "player_biter"]


def test_a_bot_that_is_alone_plays_itself(home: Path) -> None:
    (home / "playerCode/player_walker.py").unlink()
    assert names(a_plan()) == ["player_biter", "player_biter"]


@pytest.mark.slow
def test_a_bot_is_drawn_once_its_packages_are_allowed(home: Path) -> None:
    drawn = {name for _ in range(12) for name in names(a_plan(packages=("click",)))}
    assert drawn == {"player_biter", "player_needy", "player_walker"}


def test_a_plan_draws_its_bots_once(home: Path) -> None:
    plan = a_plan()
    for _ in range(10):
        assert names(plan) == [bot.name for bot in plan.bots]


def test_the_template_and_a_broken_bot_may_be_named(home: Path) -> None:
    assert names(a_plan("player_base", "player_broken")) == ["player_base", "player_broken"]


def test_a_bot_of_player_code_goes_before_one_of_that_name_elsewhere(home: Path) -> None:
    (home / "player_walker.py").write_text(BITER)
    first, second = a_plan("player_walker.py", "./player_walker.py").make_job().contestants
    assert first.name == second.name == "player_walker"
    copies = Copies(home / "results/bots")
    assert copies.find_path(first.digest).read_text() == WALKER
    assert copies.find_path(second.digest).read_text() == BITER


def test_without_a_bot_to_draw_one_is_told_what_to_do(home: Path) -> None:
    for path in (home / "playerCode").iterdir():
        path.unlink()
    with pytest.raises(BadBot, match=r"copy player_base\.py to player_mine\.py"):
        a_plan().make_job()


def list_seated(home: Path, *players: str | None) -> list[str]:
    """Return who plays in a game for two to four."""
    folder = home / "playerCode" / BIDS
    folder.mkdir(exist_ok=True)
    for number in (1, 2, 3):
        (folder / f"player_{number}.py").write_text(BOT.format(f"return {number}"))
    return names(a_plan(*players, game=BIDS))


def test_as_many_play_as_have_a_seat_or_as_few_as_the_game_allows(
    home: Path, install: Install
) -> None:
    install("sealed-bids", BIDS, BIDS)
    assert len(list_seated(home)) == 2
    assert set(list_seated(home, "player_3")) > {"player_3"}
    assert list_seated(home, "player_1", "player_1", "player_2") == [
        "player_1",
        "player_1",
        "player_2",
    ]
    drawn = list_seated(home, None, "player_3", None)
    assert sorted(drawn) == ["player_1", "player_2", "player_3"]
    assert drawn[1] == "player_3"


def test_all_are_drawn_before_one_is_drawn_again(home: Path, install: Install) -> None:
    install("sealed-bids", BIDS, BIDS)
    drawn = list_seated(home, *[None] * 4)
    assert sorted(drawn[:3]) == ["player_1", "player_2", "player_3"]


@pytest.mark.parametrize(
    ("game", "count", "message"),
    [
        ("slime_mind", 3, "Slime Mind is played by 2 teams, not by 3"),
        (BIDS, 5, "Sealed Bids is played by 2 to 4 teams, not by 5"),
    ],
)
def test_more_than_the_game_can_have_are_refused(
    home: Path, install: Install, game: str, count: int, message: str
) -> None:
    install("sealed-bids", BIDS, BIDS)
    with pytest.raises(UsageError, match=message):
        a_plan(*["player_walker"] * count, game=game).make_job()


@pytest.mark.parametrize("word", ["", " "])
def test_an_empty_name_is_no_wish_for_a_random_bot(home: Path, word: str) -> None:
    with pytest.raises(BadBot, match="a bot's name is empty"):
        a_plan(word, None).make_job()


def test_bots_are_copied_before_they_play(home: Path) -> None:
    job = a_plan("player_biter", "player_walker").make_job()
    copies = Copies(home / "results/bots")
    assert [copies.find_path(bot.digest).read_text() for bot in job.contestants] == [BITER, WALKER]


def test_the_spec_says_all_that_decides_the_match(home: Path) -> None:
    rules = {"settings": ["rows=9"], "limits": ["cpu_ms=9"], "packages": ["click"]}
    job = a_plan("player_biter", "player_walker", **rules).make_job()
    spec = job.spec
    assert (spec.game, spec.seed, spec.settings.rows, spec.limits.cpu_ms) == ("slime_mind", 7, 9, 9)
    assert spec.bots == tuple(bot.digest for bot in job.contestants)
    assert "click" in spec.packages


def test_wrong_settings_are_refused_before_anything_is_written(home: Path) -> None:
    with pytest.raises(BadSettings):
        a_plan(preset="nope")
    with pytest.raises(UsageError, match="not installed here"):
        a_plan(packages=["no-such-package"])
    assert not (home / "results").exists()


def test_a_folder_that_cannot_be_written_is_refused(home: Path) -> None:
    (home / "results").write_text("in the way")
    with pytest.raises(UsageError, match="results cannot be written there: File exists"):
        a_plan().make_job()
    (home / "results").unlink()
    (home / "results").mkdir()
    (home / "results/bots").write_text("in the way")
    with pytest.raises(EngineFailure, match="results/bots"):
        a_plan().make_job()


def test_the_folder_of_bots_is_the_present_ones_or_else_that_beside_main(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert bots_folder("slime_mind") == Path("playerCode")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    beside = Path(__file__).parents[2] / "playerCode"
    assert bots_folder("slime_mind") == beside


def test_a_listing_has_flaws_and_all(home: Path) -> None:
    folder, bots = list_bots("slime_mind")
    assert folder == Path("playerCode")
    assert [bot.name for bot in bots if bot.flaw] == ["player_broken"]
    assert len(bots) == 5


def test_settings_and_limits_are_listed(home: Path) -> None:
    text = a_plan(preset="small", limits=["cpu_ms=9"]).settings_text()
    assert text.startswith("settings (--set)\n  columns = 16  width of the map, squares\n")
    assert "\n\nlimits (--limit)\n  cpu_ms = 9  CPU time for one order, milliseconds\n" in text
