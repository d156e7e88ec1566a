"""The bots of SMAC that we ship: each plays without a fault, and to a plan."""

import builtins
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots.finding import find_bots
from engine.catalog import find_game
from engine.games.smac import events as ev
from engine.games.smac.orders import REFUSED_LINES
from engine.games.smac.pieces import Fight, Selection, Special
from engine.games.smac.player import BasePlayer, SmacHost
from engine.games.smac.settings import Characteristics, Settings
from engine.games.smac.state import NOBODY, Dish
from engine.limits import Limits
from engine.streams import Streams
from runners.configuration import HOME
from runners.series import A
from tests.engine.games.smac.dishes import a_dish, block
from tests.loaded_bots import load_player
from tests.playerCode.series import faults, play_series

GAME = find_game("smac")
BOTS = {bot.name: bot for bot in find_bots(HOME / "playerCode" / GAME.bots)}
NUMBERED = sorted(BOTS.keys() - {"player_base"})
BETTER = sorted(BOTS.keys() - {"player_base", "player_one"})
TEMPLATES = HOME / "resources/templates/smac"
AUTHORED = [
    *(bot.path for bot in BOTS.values()),
    TEMPLATES / "search.py",
    TEMPLATES / "learning/__init__.py",
]
SHORT = Settings(last_turn=8, victory_from_turn=8, specials_from_turn=2)
"""Few turns, and specials in most of them."""


def host(name: str, dish: Dish, team: int = 1) -> SmacHost:
    return make_host(BOTS[name].path, dish, team)


def make_host(path: Path, dish: Dish, team: int) -> SmacHost:
    limits = msgspec.structs.replace(GAME.limits, bank_s=2)  # some search as long as they may
    return SmacHost(load_player(path, path.stem, BasePlayer), dish, team, limits, GAME)


def answer(name: str, dish: Dish) -> dict[str, Any]:
    """Return what the bot orders as team 1."""
    orders = host(name, dish).decide(0, None)
    assert isinstance(orders, dict)
    return orders


def events_of_a_match(names: list[str], settings: Settings) -> list[Any]:
    """All that happens in a match in this process."""
    dish, streams, events = GAME.new(settings, len(names)), Streams(3), []
    hosts = [host(name, dish, team) for team, name in enumerate(names, 1)]

    def advance(more: Any) -> None:
        for event in more:
            dish.apply(event)
            events.append(event)

    advance(GAME.start(dish, streams))
    while GAME.outcome(dish) is None:
        asks = GAME.asks(dish)
        answers = [msgspec.to_builtins(hosts[ask.team - 1].decide(0, None)) for ask in asks]
        orders = [GAME.check(dish, ask, given) for ask, given in zip(asks, answers, strict=True)]
        advance(GAME.play(dish, orders, streams))
    return events


def at_war(**changes: Any) -> Dish:
    """Team 1 and an enemy that is one empty column away, and strong in attack."""
    levels = {
        1: Characteristics(stacking=2, jump=1),
        2: Characteristics(stacking=2, jump=1, attack=2),
    }
    dish = a_dish(levels=changes.pop("levels", levels), **changes)
    return block(block(dish, 1, 2, 5), 2, 7, 5, radius=2)


def test_there_are_five_bots_and_a_template_and_all_are_bots() -> None:
    assert set(BOTS) == {
        "player_base",
        *(f"player_{n}" for n in ("one", "two", "three", "four", "five")),
    }
    assert [
        bot.name
        for bot in BOTS.values()
        if bot.flaw or not (bot.title and bot.author and bot.version)
    ] == []


@pytest.mark.parametrize(
    "better",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "player_five" else ())
        for name in BETTER
    ],
)
def test_every_other_one_beats_the_random_one(better: str, tmp_path: Path) -> None:
    limits = Limits(cpu_ms=10_000, wall_ms=60_000, load_ms=30_000, bank_s=4)
    pair = (BOTS[better], BOTS["player_one"])
    played = play_series(GAME, SHORT, limits, pair, tmp_path)
    assert [one.share(A) for one in played] == [1.0, 1.0]
    assert [faults(one.result) for one in played] == [[], []]


@pytest.mark.variants(1)
@pytest.mark.parametrize("teams", [2, 3, 6])
def test_the_bots_play_each_other_at_tables_of_any_size(teams: int) -> None:
    names = [BETTER[team % len(BETTER)] for team in range(teams)]
    events = events_of_a_match(names, SHORT)
    skipped = [skip for event in events if isinstance(event, ev.Skipped) for skip in event.skips]
    # What a sheet has taken is carried out: but a center that another was earlier at.
    assert [skip for skip in skipped if not skip.order.startswith("center")] == []
    assert {event.team for event in events if isinstance(event, ev.SpecialUsed)} == set(
        range(1, teams + 1)
    )


def test_nothing_is_added_up_that_differs_between_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    """`sum` of floats is compensated from Python 3.12 on; `math.fsum` is exact in all of them."""
    added = list[Any]()

    def whole_sum(numbers: Iterable[Any], start: Any = 0) -> Any:
        total = plain_sum(numbers, start)
        assert not isinstance(total, float)
        added.append(total)
        return total

    plain_sum = builtins.sum
    with monkeypatch.context() as patches:
        patches.setattr(builtins, "sum", whole_sum)
        events_of_a_match(["player_base", *NUMBERED], SHORT)
    assert added


@pytest.mark.parametrize("path", AUTHORED, ids=lambda path: path.stem)
def test_no_bot_or_template_writes_a_line_that_is_refused(path: Path) -> None:
    dish, streams, refused = GAME.new(SHORT, 2), Streams(3), []
    rival = BOTS["player_four"].path
    hosts = [make_host(file, dish, team) for team, file in enumerate((path, rival), 1)]

    def advance(events: Iterator[Any]) -> None:
        for event in events:
            dish.apply(event)

    advance(GAME.start(dish, streams))
    while GAME.outcome(dish) is None:
        orders = []
        for ask in GAME.asks(dish):
            answer = msgspec.to_builtins(hosts[ask.team - 1].decide(0, None))
            refused += answer.get(REFUSED_LINES, {"first": ()})["first"]
            orders.append(GAME.check(dish, ask, answer))
        advance(GAME.play(dish, orders, streams))
    assert refused == []


@pytest.mark.parametrize("name", NUMBERED)
def test_a_bot_that_is_left_alone_plays_on(name: str) -> None:
    dish = block(a_dish(turn=9, early_elimination=False), 1, 5, 5)
    dish.team(1).selection = Selection(Special.NUKE, 7)
    dish.apply(ev.WentOut(2))
    assert answer(name, dish)["orders"]


@pytest.mark.parametrize("name", BETTER)
def test_a_bot_raises_its_center_as_soon_as_it_can(name: str) -> None:
    dish = block(a_dish(levels={1: Characteristics(stacking=2)}), 1, 5, 5)
    assert ["place", 5, 5] in answer(name, block(dish, 2, 5, 10))["orders"]


def test_the_spreader_takes_land_with_what_the_fortress_raises_its_stacks_with() -> None:
    levels = {1: Characteristics(stacking=3, jump=1, productivity=3)}
    dish = block(block(a_dish(levels=levels, points=2), 1, 4, 4, radius=2), 2, 10, 10)
    block(dish, 1, 4, 4, height=2)
    [[_, x, y]] = answer("player_two", dish)["orders"]
    assert dish.owners[y * dish.side + x] == NOBODY
    assert ["place", 4, 4] in answer("player_three", dish)["orders"]


def test_the_fortress_arms_itself_against_an_attacker_that_is_near() -> None:
    assert answer("player_three", at_war())["orders"][0] == ["evolve", "defense"]
    alone = block(block(a_dish(points=6), 1, 2, 2), 2, 10, 10)
    assert answer("player_three", alone)["orders"][0] == ["evolve", "jump"]


def test_the_fortress_keeps_its_shell_until_somebody_attacks() -> None:
    dish = at_war(turn=9)
    dish.team(1).selection = Selection(Special.SHELL, 7)
    assert "use" not in answer("player_three", dish)
    dish.apply(ev.Fought(Fight(8, 5 * 12 + 3, 1, (1, 1), 3, 1, 1)))
    assert answer("player_three", dish)["use"] == {"special": "SHELL", "target": None}


def test_the_raider_takes_the_stacks_that_hold_up_the_most() -> None:
    levels = {
        1: Characteristics(stacking=2, jump=1, attack=4, cinit=4),
        2: Characteristics(stacking=2),
    }
    dish = at_war(levels=levels, points=12)
    block(block(dish, 2, 7, 5, height=2), 1, 3, 5)
    orders = answer("player_four", dish)["orders"]
    raids = [(x, y) for order, x, y in (o for o in orders if len(o) == 3) if x >= 5]
    assert raids[0] == (5, 5)  # beside three of height 2


def test_the_raider_aims_its_nuke_where_it_costs_most() -> None:
    dish = block(block(at_war(turn=9), 2, 7, 5, radius=3), 2, 7, 5, radius=2, height=2)
    dish.team(1).selection = Selection(Special.NUKE, 7)
    used = answer("player_four", dish)
    assert used["use"] == {"special": "NUKE", "target": (7, 5)}
    assert used["select"] == "BLIGHT"


@pytest.mark.parametrize("bank_s", [0.0, 60.0])
def test_the_searcher_plays_on_when_its_time_is_used_up(bank_s: float) -> None:
    one = host("player_five", block(block(a_dish(), 1, 2, 5), 2, 7, 5))
    player: Any = one._player
    player.limits = msgspec.structs.replace(GAME.limits, bank_s=60, cpu_ms=60)
    player._used_s = 60 - bank_s
    orders = one.decide(0, None)
    assert isinstance(orders, dict)
    assert orders["orders"]


def test_the_searcher_finds_that_an_attack_pays_where_one_does() -> None:
    levels = {
        1: Characteristics(stacking=2, jump=1, attack=4, cinit=4),
        2: Characteristics(stacking=2),
    }
    dish = block(block(at_war(levels=levels, points=12), 2, 7, 5, height=2), 1, 3, 5)
    one = host("player_five", dish)
    player: Any = one._player
    player.limits = msgspec.structs.replace(GAME.limits, bank_s=600, cpu_ms=2_000)
    assert player._best(time.process_time() + 2).raids > 0
