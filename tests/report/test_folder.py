"""Reports of tournaments, from their ledgers."""

import base64
import json
import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bootstrap import HOME
from engine.errors import EngineFailure
from engine.replays.reading import Replay
from report import folder, replays
from report.folder import FOLDER, write_report
from report.replays import MAX_PAGES_MADE_HERE, Recording, watching_page
from runners.commands import Commands
from runners.contests.ledger import Ledger
from runners.contests.plan import Field
from runners.formats import FORMATS
from runners.storage.store import StoredResult
from tests.engine.recorded import record
from tests.engine.secretive import battle_in, secrets_in
from tests.runners.contests.fields import a_field, a_ledger, play_all

BEGUN_AT = datetime(2027, 5, 28, 16, tzinfo=UTC)


class Played:
    """A tournament whose results are made up."""

    def __init__(self, field: Field, results: dict[str, StoredResult]) -> None:
        self.field = field
        self.results = results

    def begun_at(self) -> datetime | None:
        return BEGUN_AT

    def ledger(self) -> Ledger:
        return a_ledger(self.field, self.results)


def a_tournament(size: int = 4, **changes: Any) -> Played:
    field = a_field(size, **changes)
    return Played(field, play_all(field))


def make_report(tournament: Any, out: Path, pages: int = 10) -> Path:
    return write_report(tournament, out, Commands(), pages).parent


def rows(site: Path, name: str) -> Any:
    return json.loads((site / f"files/{name}.json").read_text())


@pytest.mark.parametrize(
    ("form", "table"),
    [*((name, 2) for name in FORMATS), *((name, 3) for name in ("swiss", "ladder", "gauntlet"))],
)
def test_every_format_has_a_report(form: str, table: int, tmp_path: Path) -> None:
    site = make_report(a_tournament(7, format=form, table=table), tmp_path)
    assert site == tmp_path / "spring" / FOLDER
    assert rows(site, "standings")[0]["name"] == "bot_0"
    has_drawing = form not in ("round_robin", "gauntlet")
    assert (site / "rounds.html").exists() is has_drawing


def test_a_report_opens_with_its_day_and_its_podium(tmp_path: Path) -> None:
    site = make_report(a_tournament(), tmp_path)
    page = (site / "index.html").read_text()
    podium = page[page.index('class="podium"') : page.index("</ol>")]
    assert re.findall("<bdi>(bot_[^<]*)</bdi>", podium) == [
        row["name"] for row in rows(site, "standings")[:3]
    ]
    assert "28 May 2027" in page[: page.index("podium")]
    assert page.index("maps follow from secret") > page.index("As files")


def test_swiss_rounds_are_grouped_by_points_and_those_of_a_ladder_are_not(tmp_path: Path) -> None:
    swiss = make_report(a_tournament(5, format="swiss"), tmp_path / "swiss")
    groups = re.findall(r'class="group"[^>]*>([^<]*)<', (swiss / "rounds.html").read_text())
    assert groups[:5] == ["0 points", "1 point", "0 points", "2 points", "1 point"]
    ladder = make_report(a_tournament(5, format="ladder"), tmp_path / "ladder")
    assert 'class="group"' not in (ladder / "rounds.html").read_text()


def test_a_tournament_that_was_only_begun_has_a_report(tmp_path: Path) -> None:
    site = make_report(Played(a_field(3), {}), tmp_path)
    assert [row["state"] for row in rows(site, "matches")] == ["open"] * 6


def test_what_was_left_stands_with_each_match(tmp_path: Path) -> None:
    tournament = a_tournament(2)
    key, result = next(iter(tournament.results.items()))
    winner, loser = result.teams
    text = "3 Runner: 9 cells, may read Guard"
    teams = (msgspec.structs.replace(winner, left=text), loser)
    tournament.results[key] = msgspec.structs.replace(result, teams=teams)
    site = make_report(tournament, tmp_path)
    assert (site / "matches/1.html").read_text().count(text) == 1
    assert [row["left"] for row in rows(site, "teams") if row["key"] == key] == [text, ""]


def test_tables_of_three_have_a_report(tmp_path: Path) -> None:
    site = make_report(a_tournament(5, format="round_robin", table=3), tmp_path)
    assert len(rows(site, "teams")) == 3 * len(rows(site, "matches")) == 90
    assert [row["mean_place"] for row in rows(site, "standings")] == [1, 1.5, 2, 2.5, 3]
    # Who finished above whom, and not what share of a whole table one took.
    first = rows(site, "crosstable")[0]
    assert [first[f"against {other}"] for other in range(2, 6)] == [1, 1, 1, 1]
    board = (site / "index.html").read_text()
    assert "3-player matches" in board
    assert "between" in board
    assert "drawn" not in board


def test_forfeits_are_reported(tmp_path: Path) -> None:
    field = a_field(4, quarantine=1)
    site = make_report(Played(field, play_all(field, breaks=[3])), tmp_path)
    assert {row["state"] for row in rows(site, "matches")} == {"played", "forfeited"}
    assert [row["is_quarantined"] for row in rows(site, "standings")] == [False] * 3 + [True]


def test_a_report_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    make_report(Played(a_field(3), {}), tmp_path)
    site = make_report(a_tournament(3), tmp_path)
    assert {row["state"] for row in rows(site, "matches")} == {"played"}
    assert [path.name for path in site.parent.iterdir()] == [FOLDER]


def test_a_report_that_fails_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_report(a_tournament(3), tmp_path)
    before = (site / "index.html").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folder, "write_site", fail)
    with pytest.raises(EngineFailure, match="No space"):
        make_report(a_tournament(2), tmp_path)
    assert (site / "index.html").read_bytes() == before
    assert [path.name for path in site.parent.iterdir()] == [FOLDER]


def find_pages(site: Path) -> dict[str, Path]:
    """The pages to watch matches, by the keys of these."""
    return {path.stem: path for path in (site / "replays").glob("*.html")}


def record_matches(tournament: Played, out: Path, most: int) -> list[str]:
    """Record the first matches of a tournament; their keys."""
    keys = [entry.key for entry in tournament.ledger()][:most]
    for key in keys:
        replay = out / f"matches/{key}/replay.jsonl.gz"
        replay.parent.mkdir(parents=True)
        record(replay)
    return keys


def test_a_kept_replay_becomes_a_page(tmp_path: Path) -> None:
    tournament = a_tournament(3)
    (key,) = record_matches(tournament, tmp_path, 1)
    site = make_report(tournament, tmp_path, pages=200)
    assert list(find_pages(site)) == [key]
    assert f'href="replays/{key}.html"' in (site / "replays.html").read_text()


def test_many_replays_are_made_into_pages_side_by_side(tmp_path: Path) -> None:
    tournament = a_tournament(3)
    keys = record_matches(tournament, tmp_path, 100)
    assert len(keys) > MAX_PAGES_MADE_HERE
    assert set(find_pages(make_report(tournament, tmp_path))) == set(keys)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the pages that are made, and not just kept."""
    keys: list[str] = []

    def make(recording: Recording) -> bytes | None:
        keys.append(recording.key)
        return watching_page(recording)

    monkeypatch.setattr(replays, "watching_page", make)
    return keys


def test_pages_that_are_up_to_date_are_kept(tmp_path: Path, made: list[str]) -> None:
    tournament = a_tournament(3)
    keys = record_matches(tournament, tmp_path, 2)
    before = {
        key: page.read_bytes()
        for key, page in find_pages(make_report(tournament, tmp_path)).items()
    }
    assert sorted(made) == sorted(keys)
    made.clear()
    again = find_pages(make_report(tournament, tmp_path))
    assert made == []
    assert {key: page.read_bytes() for key, page in again.items()} == before


def spoil_the_record(out: Path, site: Path, key: str) -> None:
    (site / "replays/made_from.json").write_text("[")


def remove_the_page(out: Path, site: Path, key: str) -> None:
    (site / f"replays/{key}.html").unlink()


def print_something(out: Path, site: Path, key: str) -> None:
    (out / f"matches/{key}/1-ann.log").write_text("hello")


@pytest.mark.parametrize(
    "change",
    [
        spoil_the_record,
        remove_the_page,
        print_something,
        pytest.param(None, id="of what makes pages"),
    ],
)
def test_a_page_that_would_come_out_otherwise_is_made_anew(
    tmp_path: Path,
    made: list[str],
    change: Callable[[Path, Path, str], None] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournament = a_tournament(3)
    (key,) = record_matches(tournament, tmp_path, 1)
    site = make_report(tournament, tmp_path)
    if change is None:
        monkeypatch.setattr(replays, "_page_digest", lambda: "of tomorrow")
    else:
        change(tmp_path, site, key)
    make_report(tournament, tmp_path)
    assert made == [key, key]


def test_a_new_picture_of_a_bot_makes_its_pages_anew(tmp_path: Path) -> None:
    replay, bot = tmp_path / "replay.jsonl.gz", "0123456789abcdef"
    record(replay)
    recording = Recording(key="key", replay=replay, out=tmp_path, bots=(bot,), again="")
    before = recording.compute_stamp()
    picture = tmp_path / "sprites" / bot / "base.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes((HOME / "images/slime_blue.png").read_bytes())
    assert before is not None
    assert recording.compute_stamp() not in (before, None)


def test_a_page_whose_replay_is_gone_goes_too(tmp_path: Path) -> None:
    tournament = a_tournament(3)
    (key,) = record_matches(tournament, tmp_path, 1)
    make_report(tournament, tmp_path)
    (tmp_path / f"matches/{key}/replay.jsonl.gz").unlink()
    assert find_pages(make_report(tournament, tmp_path)) == {}


def test_a_damaged_replay_is_as_good_as_gone(tmp_path: Path) -> None:
    tournament = a_tournament(3)
    key = next(iter(tournament.ledger())).key
    folder = tmp_path / "matches" / key
    folder.mkdir(parents=True)
    (folder / "replay.jsonl.gz").write_bytes(b"nonsense")
    assert find_pages(make_report(tournament, tmp_path)) == {}


def test_no_more_pages_than_wanted(tmp_path: Path) -> None:
    site = make_report(a_tournament(4), tmp_path, pages=2)
    assert (site / "replays.html").read_text().count("<article") == 2


def test_a_public_page_has_no_source_and_ones_own_has_what_was_disclosed(tmp_path: Path) -> None:
    battle = battle_in(tmp_path / "replay.jsonl.gz")
    found = [
        secrets_in(all_in(watching_page(a_recording(battle, is_public=is_public)) or b""))
        for is_public in (True, False)
    ]
    assert found == [set(), {"1, words", "2, words", "2, type 1"}]


def a_recording(replay: Replay, *, is_public: bool) -> Recording:
    return Recording(
        key="key",
        replay=replay.path,
        out=replay.path.parent,
        bots=tuple(bot.digest for bot in replay.bots),
        again="again",
        is_public=is_public,
    )


def all_in(page: bytes) -> str:
    """Return a page, and what it holds in compressed blocks."""
    parts = [page]
    for block in re.findall(rb"[A-Za-z0-9+/]{40,}={0,2}", page):
        with suppress(ValueError, zlib.error):
            parts.append(zlib.decompress(base64.b64decode(block)))
    return b"\n".join(parts).decode(errors="replace")
