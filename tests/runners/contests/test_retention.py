"""Which replays are kept."""

from pathlib import Path
from typing import Any

import pytest

from engine.errors import EngineFailure
from runners.contests import retention
from runners.contests.ledger import Ledger
from runners.contests.retention import TournamentRetention
from runners.contests.tournament import Progress
from tests.runners.contests.fields import a_field, a_ledger, list_entries, play_all

FIELD = a_field(4, format="single_elimination")
RESULTS = play_all(FIELD)
ENTRIES = list_entries(FIELD, RESULTS)


class Made:
    """A tournament that was played, with a replay of each match."""

    field = FIELD

    def __init__(self, out: Path) -> None:
        self.matches = out / "matches"
        for entry in ENTRIES:
            folder = self.matches / entry.key
            folder.mkdir(parents=True)
            (folder / "replay.jsonl.gz").touch()
            (folder / "match.json").touch()

    def ledger(self) -> Ledger:
        return a_ledger(FIELD, RESULTS)

    def replays(self) -> set[str]:
        return {path.parent.name for path in self.matches.glob("*/replay.jsonl.gz")}


@pytest.fixture
def made(tmp_path: Path) -> Any:
    return Made(tmp_path)


def test_the_finals_are_kept_first(made: Any, tmp_path: Path) -> None:
    TournamentRetention(made, tmp_path, most=2).close()
    assert made.replays() == {e.key for e in ENTRIES if e.pairing.label == "final"}


def test_only_replays_go(made: Any, tmp_path: Path) -> None:
    TournamentRetention(made, tmp_path, most=1).close()
    assert len(list(made.matches.glob("*/match.json"))) == len(ENTRIES)


def test_replays_of_others_stay(made: Any, tmp_path: Path) -> None:
    other = made.matches / "another" / "replay.jsonl.gz"
    other.parent.mkdir()
    other.touch()
    TournamentRetention(made, tmp_path, most=1).close()
    assert other.exists()


def test_meanwhile_there_are_only_so_many_more(
    made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "CLEARED_EVERY", 3)
    saved, counts = TournamentRetention(made, tmp_path, most=1), []
    for entry in ENTRIES[:4]:
        saved.on_progress(Progress(entry, RESULTS[entry.key]))
        counts.append(len(made.replays()))
    assert counts == [len(ENTRIES), len(ENTRIES), 1, 1]


def test_a_replay_that_cannot_be_removed_is_told(made: Any, tmp_path: Path) -> None:
    replay = made.matches / ENTRIES[0].key / "replay.jsonl.gz"
    replay.unlink()
    replay.mkdir()
    with pytest.raises(EngineFailure, match="cannot be removed"):
        TournamentRetention(made, tmp_path, most=1).close()
