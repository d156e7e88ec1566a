"""Series of drafts: their verdict as it grows, and what ends them."""

import re
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from runners.configuration import HOME
from runners.statistics.sequential import SequentialTest
from runners.storage.database import now
from runners.storage.game_tables import draft_series
from server.runs.run_rows import LOST_TEXT, State
from server.writing.draft_series import LARGE_ELO, SeriesAnswer, SeriesRows
from tests.server.members import Browser, Server, serving
from tests.server.writing.authors import API, call, make_draft, request, save_text
from tests.server.writing.test_running import BOT, a_draft
from tests.shell import eventually

PAGE = HOME / "server" / "templates" / "write.html"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served") / "results") as made:
        yield made


@pytest.fixture
def ann(server: Server) -> Browser:
    return server.member(f"Ann {time.monotonic_ns() % 10**9}")


def series_of(browser: Browser, draft: Any, **body: Any) -> str:
    made = request(browser, "POST", f"{API}/{draft['id']}/versus", body)
    return str(made["id"])


def state_of(browser: Browser, series: str) -> Any:
    return request(browser, "GET", f"/api/v1/versus/{series}")


def test_a_series_ends_with_a_verdict(ann: Browser) -> None:
    draft = a_draft(ann, "pass")
    request(ann, "POST", f"{API}/{draft['id']}/versions")
    save_text(ann, {**draft, "revision": 2}, BOT.format(body="pass  # the same"))
    series = series_of(ann, draft, against="version/1", games=5)
    assert eventually(lambda: state_of(ann, series)["state"] == "over", 60)
    found = state_of(ann, series)
    assert (found["played"], found["of"]) == (4, 4)
    assert found["wins"] + found["draws"] + found["losses"] == 4
    assert found["against"] == "Red Ant v1"
    assert "2 side-swapped pairs" in found["verdict"]
    assert found["low"] is None or found["low"] <= found["high"]


def test_a_series_ends_early_where_it_is_decided(ann: Browser) -> None:
    draft = make_draft(ann, "Strong", template="player_seven")
    series = series_of(ann, draft, against="player_one", games=60)
    assert eventually(lambda: state_of(ann, series)["state"] == "over", 120)
    found = state_of(ann, series)
    assert found["is_decided"]
    assert found["played"] < 60
    assert found["verdict"].startswith("Strong is better than player_one: ")


def test_a_series_is_stopped_and_what_was_played_counts(ann: Browser) -> None:
    draft = a_draft(ann, "for n in range(20_000): pass")
    series = series_of(ann, draft, against="player_two", games=100)
    status, answer = call(
        ann, "POST", f"{API}/{draft['id']}/versus", {"against": "player_two", "games": 4}
    )
    assert (status, "a series of yours is not over" in answer["error"]) == (429, True)
    request(ann, "DELETE", f"/api/v1/versus/{series}")
    found = state_of(ann, series)
    assert (found["state"], found["verdict"].startswith("It was stopped.")) == ("stopped", True)
    series_of(ann, draft, against="player_two", games=2)


def test_a_series_is_its_authors_alone(ann: Browser, server: Server) -> None:
    draft = a_draft(ann, "pass")
    series = series_of(ann, draft, against="player_two", games=2)
    other = server.member(f"Eve {time.monotonic_ns() % 10**9}")
    assert call(other, "GET", f"/api/v1/versus/{series}")[0] == 404
    assert call(other, "DELETE", f"/api/v1/versus/{series}")[0] == 404
    assert call(server.browser(), "GET", f"/api/v1/versus/{series}")[0] == 401


def test_source_that_cannot_be_read_is_not_played(ann: Browser) -> None:
    draft = make_draft(ann)
    save_text(ann, draft, "def decide(:\n")
    status, answer = call(ann, "POST", f"{API}/{draft['id']}/versus", {"against": "player_one"})
    assert (status, len(answer["findings"])) == (422, 1)


def test_what_a_killed_server_has_left_says_that_it_is_lost(server: Server) -> None:
    rows = SeriesRows(server.storage.database)
    for name in ("one", "two"):
        rows.add(SeriesAnswer(id=name, draft="none", against="x", of=4, state=State.PLAYING))
    rows.fail_unfinished()
    found = rows.find("one")
    assert found is not None
    assert (found.state, found.verdict) == (
        State.FAILED,
        "The server was ended meanwhile: start it again.",
    )
    rows.add(SeriesAnswer(id="old", draft="none", against="x", of=4, state=State.PLAYING))
    is_old = draft_series.c.id == "old"
    old = now() - timedelta(hours=1)
    server.storage.database.write(update(draft_series).where(is_old).values(changed_at=old))
    lost = rows.find("old")
    assert lost is not None
    assert lost.state is State.FAILED
    assert LOST_TEXT


def test_the_fewest_games_that_are_offered_can_decide() -> None:
    offered = re.findall(r"<option(?: selected)?>(\d+)</option>", PAGE.read_text(encoding="utf-8"))
    test = SequentialTest(elo1=LARGE_ELO)
    assert 2 * test.likely_pairs(400, 1_000) <= min(map(int, offered))
