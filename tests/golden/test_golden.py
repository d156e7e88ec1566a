"""The golden matches: the rules, the dice and the file format are what they were."""

from pathlib import Path

import msgspec
import pytest

from engine.bots.forking import ForkLauncher
from engine.catalog import GAMES
from engine.fault import Cause, Fault
from engine.replays.decisions import Decision
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.spec import decode_spec
from tests.golden.record import MATCHES, RecordedKey, key_path, make_spec, record, replay_path

ANEW = "if this was meant: python3 -m tests.golden.record, in a commit that says why"


@pytest.mark.parametrize("name", MATCHES)
def test_the_rules_say_of_a_golden_match_what_they_said_then(name: str) -> None:
    assert verify(Replay(replay_path(name))) is None, ANEW


@pytest.mark.parametrize("name", MATCHES)
def test_a_golden_match_is_played_again_as_it_was(name: str, tmp_path: Path) -> None:
    launcher = ForkLauncher()
    record(name, tmp_path / "again", tmp_path, launcher)
    launcher.close()
    then, now = Replay(replay_path(name)), Replay(tmp_path / "again")
    assert (now.spec, now.bots) == (then.spec, then.bots), ANEW
    assert list(now.record()) == list(then.record()), ANEW


@pytest.mark.parametrize("name", MATCHES)
def test_a_golden_match_is_small_and_of_the_present_bots(name: str) -> None:
    assert replay_path(name).stat().st_size < 20_000
    assert Replay(replay_path(name)).spec == make_spec(name)[0], ANEW


@pytest.mark.parametrize("name", GAMES)
def test_a_key_is_what_it_was_when_it_was_recorded(name: str) -> None:
    """A default has changed where this fails: see docs/adding_a_game.md."""
    recorded = msgspec.json.decode(key_path(name).read_bytes(), type=RecordedKey)
    assert decode_spec(recorded.spec).key == recorded.key, ANEW


def test_every_kind_of_event_has_happened() -> None:
    entries = [entry for name in MATCHES for entry in Replay(replay_path(name)).entries()]
    happened = {type(entry).__name__ for entry in entries if not isinstance(entry, Decision)}
    known = {kind.__name__ for kind in Replay(replay_path("small")).game.event.__args__}
    assert happened == known
    orders = [order for entry in entries if isinstance(entry, Decision) for order in entry.orders]
    causes = {order.cause for order in orders if isinstance(order, Fault)}
    assert causes == {Cause.ILLEGAL, Cause.EXCEPTION, Cause.UNREADABLE, Cause.EXIT, Cause.OUT}
