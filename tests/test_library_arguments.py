"""Every mistake in a call of the library is a SlimeMindError, in a sentence."""

import inspect
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec
import numpy as np
import pytest

import slime_mind_arena
from engine.bots.programs.protocol import VERSION
from engine.catalog import find_game
from engine.errors import BadArgument
from engine.limits import Limits
from engine.spec import MatchSpec
from engine.stepper import Stepper
from engine.streams import MAX_SEED
from report import notebook
from runners.configuration import read_configuration
from slime_mind_arena import SlimeMindError
from slime_mind_arena.testing import Workbench

FUNCTIONS = {
    name: function
    for name in slime_mind_arena.__all__
    if isinstance(function := getattr(slime_mind_arena, name), FunctionType)
}
HUGE = 10**5_000
NO_TEXTS: tuple[object, ...] = (None, 5, True, b"x", ["x"], {"x": 1}, object())
NO_PATHS = (*NO_TEXTS, "a\0b", "\ud800", "x" * 5_000)
NO_COUNTS: tuple[object, ...] = (0, -1, 1.5, True, "1", None, float("inf"), HUGE, -HUGE, [1], b"1")
NO_SEEDS: tuple[object, ...] = (
    *(-1, 2**128, 1.5, True, "", "-1", "x", "0x", str(2**128), b"7", [7], HUGE, float("nan")),
    *(np.int64(-1), np.bool_(True), np.array([7]), object()),
)
WRONG: dict[str, tuple[object, ...]] = {
    "bots": (*NO_PATHS, "", "nobody", "player_one/nobody", "playerCode"),
    "a": (*NO_PATHS, "", "nobody"),
    "b": (*NO_PATHS, "", "nobody"),
    "game": (*NO_TEXTS, "", "chess", HUGE),
    "seed": NO_SEEDS,
    "preset": (*NO_TEXTS[1:], "", "tiny", "../small"),
    "settings": (
        *(5, "max_turns=3", ["max_turns"], [("max_turns", 3)], {5: 3}, {None: 3}, {"": 3}),
        *({"turns": 3}, {"max_turns": 0}, {"max_turns": 1.5}, {"max_turns": None}),
        *({"max_turns": True}, {"max_turns": HUGE}, {"max_turns": object()}, {"max_turns": [3]}),
        *({"max_turns": "\ud800"}, {"\ud800": 3}, {"max_turns=": 3}, {"max_turns": float("nan")}),
        *({"max_turns": "3\nrows = 5"}, {"max_turns": {"max_turns": 3}}, {"a\0b": 3}),
    ),
    "out": (*NO_PATHS, "/dev/null", "/proc/results"),
    "jobs": (*NO_COUNTS, 1_001),
    "maps": (*NO_COUNTS, 1_000_001),
    "most": (*NO_COUNTS, 1_000_001),
    "rounds": (0, -1, 1.5, True, "1", HUGE, 3),  # of a round robin they follow from its bots
    "name": (*NO_TEXTS, "", "..", "a/b", "a b", "matches", "x" * 61, "\ud800"),
    "format": (*NO_TEXTS, "", "league"),
    "results": (
        *(None, 5, "ab", b"ab", {"a": 1}, [5], [None], [("a", "b")], [(("a",), (1,))]),
        *([(("a", "b"), (1,))], [(("a", "b"), (1, None))], [(("a", "b"), (1, float("nan")))]),
        *([(("a", 5), (1, 2))], [(("a", ["b"]), (1, 2))], [("ab", (1, 2))], [(("a", "b"), "12")]),
        *([(("a", "b"), (1, 2), 3)], [(("a", "b"), (1, HUGE))], [{"a": 1, "b": 2}]),
    ),
    "of": (*NO_PATHS, "nothing.jsonl", "", ".", __file__),
    "bot": (*NO_PATHS, "", "nobody", ".", __file__),
    "start": (None, 5, "start", [], {}, {"game": "smack"}, object(), {5: 5}),
}
"""Of each parameter of the library what it does not take."""
CALLS = [
    pytest.param(function, parameter.name, id=f"{name}-{parameter.name}")
    for name, function in FUNCTIONS.items()
    for parameter in inspect.signature(function).parameters.values()
]
QUICK: Mapping[str, Any] = {"preset": "small", "settings": {"max_turns": 3}}


def a_start(**changes: object) -> dict[str, Any]:
    """Return the start of a match of Smack!, as a server tells it."""
    game = find_game("smack")
    spec = MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=game.settings(),
        limits=Limits(),
        bots=("a", "b"),
        seed=7,
    )
    stepper = Stepper(game, spec, listeners={})
    stepper.start()
    start = {"protocol": VERSION, "game": "smack", "rules_version": game.rules_version, "team": 1}
    state = json.loads(msgspec.json.encode(stepper.state))
    return start | {"seed": "7", "limits": {}, "notes": False, "state": state} | changes


def call(function: Callable[..., Any], name: str, value: object, out: Path) -> object:
    """Call a function of the library with one wrong argument."""
    right: dict[str, Any] = {
        "bots": ["player_one", "player_two"],
        "a": "player_one",
        "b": "player_two",
        "name": "cup",
        "out": out,
        "results": [],
        "of": "nothing",
        "bot": "playerCode/smack/player_one.py",
        "start": a_start() if name == "bot" else None,
        **QUICK,
    }
    taken = inspect.signature(function).parameters
    words = {key: given for key, given in right.items() if key in taken}
    bots = words.pop("bots", ())
    if name == "bots":
        bots = [value, "player_two"]
    else:
        words[name] = value
    return function(*bots, **words)


@pytest.mark.parametrize(("function", "name"), CALLS)
def test_what_a_parameter_does_not_take_is_refused_in_a_sentence(
    function: Callable[..., Any], name: str, tmp_path: Path
) -> None:
    for value in WRONG[name]:
        with pytest.raises(SlimeMindError) as caught:
            call(function, name, value, tmp_path)
        assert 10 < len(str(caught.value)) < 2_000


def test_the_seed_of_a_match_plays_it_again(tmp_path: Path) -> None:
    play = partial(slime_mind_arena.play, "player_one", "player_two", out=tmp_path, **QUICK)
    drawn = play()
    for seed in (drawn.seed, int(drawn.seed, 16)):
        assert play(seed=seed).key == drawn.key
    of_numpy: Any = np.int64(7)
    assert play(seed="7").key == play(seed=of_numpy).key


def test_no_file_of_configuration_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[limits]\ncpu_ms = 0\n", encoding="utf-8")
    monkeypatch.setattr(read_configuration, "__defaults__", (config,))
    bench = Workbench(tmp_path)
    calls: list[Callable[[str], object]] = [
        partial(slime_mind_arena.play, out=tmp_path),
        partial(slime_mind_arena.play_series, out=tmp_path),
        partial(slime_mind_arena.play_tournament, name="cup", out=tmp_path),
        partial(notebook.play, out=tmp_path),
        bench.check,
    ]
    try:
        for called in calls:
            with pytest.raises(SlimeMindError, match="no bot 'nobody'"):
                called("nobody")
    finally:
        bench.close()


def test_what_a_hosted_bot_is_asked_wrongly_is_refused_in_a_sentence() -> None:
    bot = slime_mind_arena.host("playerCode/smack/player_one.py", a_start())
    asks: list[Any] = [
        *(None, 5, "ask", [], {}, {"events": []}, {"events": [], "piece": "x"}),
        *({"events": 5, "piece": 0}, {"events": [{"type": "none"}], "piece": 0}),
    ]
    for ask in asks:
        with pytest.raises(SlimeMindError, match="is not a message of this match"):
            bot.answer(ask)


@pytest.mark.parametrize(
    "changes",
    [
        *({"team": 0}, {"team": 3}, {"team": "1"}, {"seed": "-1"}, {"seed": 7}, {"state": {}}),
        *({"state": 5}, {"game": "chess"}, {"game": 5}, {"rules_version": 0}, {"limits": 5}),
    ],
    ids=str,
)
def test_a_start_of_no_match_is_refused_in_a_sentence(changes: dict[str, object]) -> None:
    with pytest.raises(SlimeMindError):
        slime_mind_arena.host("playerCode/smack/player_one.py", a_start(**changes))


def test_a_replay_has_the_turns_it_has(tmp_path: Path) -> None:
    match = slime_mind_arena.play("player_one", "player_two", seed=7, out=tmp_path, **QUICK)
    replay = slime_mind_arena.read_replay(match)
    assert replay.state(3) == replay.state(np.int64(3))  # type: ignore[arg-type]
    turns: list[Any] = [-1, 4, 1.5, True, "1", None, HUGE, -HUGE, [1]]
    for turn in turns:
        with pytest.raises(SlimeMindError, match="expected a whole number from 0 to 3"):
            replay.state(turn)


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_no_match_has_a_seed_of_which_it_could_not_be_verified(seed: int) -> None:
    with pytest.raises(BadArgument, match="is not a seed"):
        MatchSpec(game="smack", rules_version=1, settings=None, limits=Limits(), bots=(), seed=seed)
