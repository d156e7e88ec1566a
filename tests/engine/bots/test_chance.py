"""No bot foresees chance: what it finds, tries and observes leads nowhere."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.bots import local_seat, process_seat
from engine.games.slime_mind.settings import Settings
from engine.limits import Limits
from engine.streams import draw_seed, stream_key
from tests.engine.bots.bad_bots import bad_bot_path
from tests.engine.bots.contained import STEADY
from tests.engine.bots.matches import DUEL, Arena, a_bot

PATIENT = Limits(cpu_ms=60_000, wall_ms=200_000, load_ms=60_000, bank_s=600)
"""Time enough to try all that the bots below want to try."""
MAP = Settings(max_turns=3, slime_pairs=1)
"""The usual map, with 44 plants."""
Play = Callable[..., str]


@pytest.fixture
def play(arena: Arena, tmp_path: Path) -> Play:
    """Plays a bad bot in a process of its own, and returns what it printed."""

    def play_match(name: str, seed: int) -> str:
        steady = a_bot(tmp_path, STEADY, name="player_steady")
        result = arena.play(bad_bot_path(name), steady, limits=PATIENT, settings=MAP, seed=seed)
        assert result.faults == 0, result.teams[0].details
        return arena.log(result)

    return play_match


@pytest.mark.slow
def test_a_seed_that_we_drew_is_not_found_by_trying_a_million(play: Play) -> None:
    log = play("guesses_the_seed", draw_seed())
    assert "has tried them all" in log
    assert "escaped" not in log


@pytest.mark.slow
def test_a_seed_that_somebody_typed_is_found(play: Play) -> None:
    """The help of --seed says so; and it shows that the test above tests something."""
    assert "escaped: the match's seed is 77777\n" in play("guesses_the_seed", 77_777)


def test_no_number_in_the_process_of_a_bot_leads_to_the_map_or_the_plants(play: Play) -> None:
    log = play("foresees_chance", draw_seed())
    tried = re.search(r"has tried (\d+) numbers, and left 0", log)
    assert tried is not None, log
    assert int(tried[1]) > 100
    assert "escaped" not in log


def test_whoever_knew_the_seed_would_foresee_the_map_and_the_plants(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows that the test above tests something."""
    monkeypatch.setattr(process_seat, "derive_seed", lambda seed, name: seed)
    log = play("foresees_chance", seed := draw_seed())
    assert f"escaped: the map is that of {seed}\n" in log
    assert "escaped: it knows what the plants will do\n" in log


def test_whoever_knew_the_key_of_a_stream_would_foresee_the_plants(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot's seed must therefore never be such a key."""
    key = lambda seed, name: int.from_bytes(stream_key(seed, "plants"), "big")  # noqa: E731
    monkeypatch.setattr(process_seat, "derive_seed", key)
    assert "escaped: it knows what the plants will do\n" in play("foresees_chance", draw_seed())


NUMPY = """
import numpy

COMMANDS = ("UP", "DOWN", "LEFT", "RIGHT")
"""
LONG = replace(DUEL, max_turns=30)


@pytest.mark.parametrize("in_process", [False, True])
def test_numpy_draws_by_all_bits_of_the_seed_of_a_bot(
    in_process: bool, arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = a_bot(tmp_path, "return COMMANDS[numpy.random.randint(4)]", top=NUMPY)
    seeds = [1, *(1 | 1 << bit for bit in (31, 32, 64, 127))]
    fingerprints = set()
    for one in seeds:
        for module in (process_seat, local_seat):
            monkeypatch.setattr(module, "derive_seed", lambda seed, name, one=one: one)
        result = arena.play(bot, bot, in_process=in_process, settings=LONG)
        fingerprints.add(result.fingerprint)
    assert len(fingerprints) == len(seeds)
