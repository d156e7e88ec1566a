"""Reports of tournaments, from their ledgers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import reporting
from engine.errors import EngineFailure
from reporting import FOLDER, write_report
from runners.commands import Commands
from runners.store import KeptResult
from runners.tournament.ledger import Ledger
from runners.tournament.plan import Field
from tests.engine.recorded import record
from tests.runners.tournament.fields import a_field, a_ledger, played


class Played:
    """A tournament whose results are made up."""

    def __init__(self, field: Field, results: dict[str, KeptResult]) -> None:
        self.field = field
        self.results = results

    def ledger(self) -> Ledger:
        return a_ledger(self.field, self.results)


def a_tournament(size: int = 4, **changes: Any) -> Played:
    field = a_field(size, **changes)
    return Played(field, played(field))


def report_of(tournament: Any, out: Path, pages: int = 10) -> Path:
    return write_report(tournament, out, Commands(), pages).parent


def rows(site: Path, name: str) -> Any:
    return json.loads((site / f"files/{name}.json").read_text())


@pytest.mark.parametrize(
    "form",
    ["round_robin", "swiss", "single_elimination", "double_elimination", "gauntlet", "ladder"],
)
def test_every_format_has_a_report(form: str, tmp_path: Path) -> None:
    site = report_of(a_tournament(5, format=form), tmp_path)
    assert site == tmp_path / "spring" / FOLDER
    assert rows(site, "standings")[0]["name"] == "bot_0"
    has_drawing = form not in ("round_robin", "gauntlet")
    assert (site / "rounds.html").exists() is has_drawing


def test_swiss_rounds_are_grouped_by_points_and_those_of_a_ladder_are_not(tmp_path: Path) -> None:
    swiss = report_of(a_tournament(5, format="swiss"), tmp_path / "swiss")
    groups = re.findall(r'class="group"[^>]*>([^<]*)<', (swiss / "rounds.html").read_text())
    assert groups[:5] == ["0 points", "1 point", "0 points", "2 points", "1 point"]
    ladder = report_of(a_tournament(5, format="ladder"), tmp_path / "ladder")
    assert 'class="group"' not in (ladder / "rounds.html").read_text()


def test_a_tournament_that_was_only_begun_has_a_report(tmp_path: Path) -> None:
    site = report_of(Played(a_field(3), {}), tmp_path)
    assert [row["state"] for row in rows(site, "matches")] == ["open"] * 6


def test_tables_of_three_have_a_report(tmp_path: Path) -> None:
    site = report_of(a_tournament(5, format="round_robin", table=3), tmp_path)
    assert len(rows(site, "teams")) == 3 * len(rows(site, "matches")) == 90
    assert [row["mean_place"] for row in rows(site, "standings")] == [1, 1.5, 2, 2.5, 3]
    # Who finished above whom, and not what share of a whole table one took.
    first = rows(site, "crosstable")[0]
    assert [first[f"against {other}"] for other in range(2, 6)] == [1, 1, 1, 1]
    board = (site / "index.html").read_text()
    assert "tables of 3" in board
    assert "between" in board
    assert "drawn" not in board


@pytest.mark.parametrize("form", ["swiss", "ladder", "gauntlet"])
def test_every_format_that_has_tables_has_a_report_of_them(form: str, tmp_path: Path) -> None:
    site = report_of(a_tournament(7, format=form, table=3), tmp_path)
    assert rows(site, "standings")[0]["name"] == "bot_0"
    assert (site / "rounds.html").exists() is (form != "gauntlet")


def test_forfeits_are_reported(tmp_path: Path) -> None:
    field = a_field(4, quarantine=1)
    site = report_of(Played(field, played(field, breaks=[3])), tmp_path)
    assert {row["state"] for row in rows(site, "matches")} == {"played", "forfeited"}
    assert [row["is_quarantined"] for row in rows(site, "standings")] == [False] * 3 + [True]


def test_a_report_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    report_of(Played(a_field(3), {}), tmp_path)
    site = report_of(a_tournament(3), tmp_path)
    assert {row["state"] for row in rows(site, "matches")} == {"played"}
    assert [path.name for path in site.parent.iterdir()] == [FOLDER]


def test_a_report_that_fails_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = report_of(a_tournament(3), tmp_path)
    before = (site / "index.html").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reporting, "write_site", fail)
    with pytest.raises(EngineFailure, match="No space"):
        report_of(a_tournament(2), tmp_path)
    assert (site / "index.html").read_bytes() == before
    assert [path.name for path in site.parent.iterdir()] == [FOLDER]


def test_a_kept_replay_becomes_a_page(tmp_path: Path) -> None:
    tournament = a_tournament(3)
    key = next(iter(tournament.ledger())).key
    replay = tmp_path / f"matches/{key}/replay.jsonl.gz"
    replay.parent.mkdir(parents=True)
    record(replay)
    site = report_of(tournament, tmp_path, pages=200)
    assert [path.name for path in (site / "replays").iterdir()] == [f"{key}.html"]
    assert f'href="replays/{key}.html"' in (site / "replays.html").read_text()


def test_many_replays_are_made_into_pages_side_by_side(tmp_path: Path) -> None:
    tournament = a_tournament(3)
    keys = [entry.key for entry in tournament.ledger()]
    for key in keys:
        replay = tmp_path / f"matches/{key}/replay.jsonl.gz"
        replay.parent.mkdir(parents=True)
        record(replay)
    site = report_of(tournament, tmp_path)
    assert {path.stem for path in (site / "replays").iterdir()} == set(keys)


def test_a_bound_makes_no_upset(tmp_path: Path) -> None:
    """The best never lost: it is "at least" so good, and nobody's equal."""
    site = report_of(a_tournament(4), tmp_path)
    assert "upset" not in (site / "replays.html").read_text()


def test_a_damaged_replay_is_as_good_as_gone(tmp_path: Path) -> None:
    tournament = a_tournament(3)
    key = next(iter(tournament.ledger())).key
    folder = tmp_path / "matches" / key
    folder.mkdir(parents=True)
    (folder / "replay.jsonl.gz").write_bytes(b"nonsense")
    site = report_of(tournament, tmp_path)
    assert list((site / "replays").iterdir()) == []


def test_no_more_pages_than_wanted(tmp_path: Path) -> None:
    site = report_of(a_tournament(4), tmp_path, pages=2)
    assert (site / "replays.html").read_text().count("<article") == 2
