"""A match of any game resumes from wherever it was interrupted, as if it had never stopped."""

import zlib
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.catalog import GAMES
from engine.errors import BadReplay
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask
from engine.limits import Limits
from engine.replays.lines import GZIP_WINDOW_BITS
from engine.replays.reading import Replay
from engine.replays.resuming import require_continuable
from engine.spec import MatchSpec
from tests.contract.playing import counts_for
from tests.contract.samples import SAMPLES, Sample
from tests.engine.interrupted_matches import GoneOn, RestoredSeat, record
from tests.examples import examples


@pytest.fixture(scope="module", params=[*GAMES.values()], ids=[*GAMES])
def game(request: pytest.FixtureRequest) -> AnyGame:
    picked: AnyGame = request.param
    return picked


def players(sample: Sample, seed: int, teams: int) -> list[RestoredSeat]:
    """Deterministic ones, with dice of their own; some answers are bad, some are faults."""

    def player(dice: Random) -> RestoredSeat:
        def answer(ask: Ask, known: Any) -> Any:
            draw = dice.random()
            if draw < 0.05:
                return Fault(dice.choice([*Cause]), f"words {draw}")
            return None if draw < 0.08 else sample.answer(known, ask, dice)

        return RestoredSeat(answer)

    return [player(Random(f"{seed}/{team}")) for team in range(teams)]


def a_spec(game: AnyGame, board: Any, seed: int) -> MatchSpec:
    bots = tuple(f"bot {team}" for team in range(1, counts_for(game, board)[0] + 1))
    return MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=board,
        limits=Limits(),
        bots=bots,
        seed=seed,
    )


def inflate(path: Path) -> bytes:
    return zlib.decompressobj(GZIP_WINDOW_BITS).decompress(path.read_bytes())


def read(path: Path) -> Replay | None:
    """Return None for a file that was interrupted before its first line."""
    with suppress(BadReplay):
        return Replay(path)
    return None


@settings(
    max_examples=examples(15),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1), share=st.floats(0, 1))
def test_a_match_cut_off_anywhere_goes_on_to_what_it_would_have_been(
    game: AnyGame, tmp_path: Path, data: st.DataObject, seed: int, share: float
) -> None:
    sample = SAMPLES[game.name]
    spec = a_spec(game, data.draw(sample.settings), seed)
    teams = len(spec.bots)
    whole = tmp_path / "whole"
    fingerprint = record(whole, game, spec, players(sample, seed, teams))
    content = whole.read_bytes()
    cut = tmp_path / "cut"
    cut.write_bytes(content[: int(share * len(content))])
    replay = read(cut)
    if replay is None:
        assert b"\n" not in inflate(cut)
        return
    if replay.outcome is None:
        require_continuable(replay, None)
    gone_on = GoneOn(replay, players(sample, seed, teams))
    assert gone_on.fingerprint == fingerprint
    assert gone_on.continued.deviation is None
    assert list(gone_on.replay.record()) == list(Replay(whole).record())
    faults = [
        [msgspec.json.encode(aside) for aside in played.asides if hasattr(aside, "cause")]
        for played in (gone_on.replay, Replay(whole))
    ]
    assert faults[0] == faults[1]
