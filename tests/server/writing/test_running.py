"""Checks and runs of drafts: what is found, what is told of a match, and what can be stopped."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.replays.reading import Replay
from engine.replays.writing import NotesAside
from server.runs.runs import MAX_RUNS_PER_USER, OWN_WAIT
from tests.server.members import Browser, Server, serving
from tests.server.writing.authors import API, call, make_draft, request, save_text
from tests.shell import eventually

BOT = """
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        {body}
        return "RIGHT"
"""
SHORT = {"opponent": "player_two", "seed": "7"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served") / "results") as made:
        yield made


@pytest.fixture
def ann(server: Server) -> Browser:
    found = server.site.people.find_person_by_name("Ann")
    return server.member(f"Ann {time.monotonic_ns() % 10**9}" if found else "Ann")


def a_draft(browser: Browser, body: str, name: str = "Red Ant") -> Any:
    draft = make_draft(browser, name)
    save_text(browser, draft, BOT.format(body=body))
    return draft


def start_run(browser: Browser, draft: Any, **body: Any) -> Any:
    return request(browser, "POST", f"{API}/{draft['id']}/runs", SHORT | body)


def over(browser: Browser, run: Any) -> Any:
    """Return a run once it is over."""
    found: list[Any] = []

    def is_over() -> bool:
        found.append(request(browser, "GET", f"/api/v1/runs/{run['id']}"))
        return found[-1]["state"] not in ("waiting", "playing")

    assert eventually(is_over, 90)
    return found[-1]


def read_notes(browser: Browser, run: Any, start: int = 0) -> Any:
    return request(browser, "GET", f"/api/v1/runs/{run['id']}/notes?start={start}")


def test_what_is_printed_logged_and_used_stands_by_its_turn(ann: Browser) -> None:
    draft = a_draft(ann, 'print("at", slime.id); self.log.info("a line", key="plan")')
    run = start_run(ann, draft)
    assert (run["state"], run["position"]) in (("waiting", 1), ("waiting", 0), ("playing", 0))
    done = over(ann, run)
    assert done["state"] == "over", done
    assert done["seed"] == "7"
    notes = read_notes(ann, run)
    assert notes["is_over"]
    assert notes["faults"] == []
    first = [one for one in notes["log"] if one["turn"] == 1]
    assert {one["kind"] for one in first} == {"print", "info"}
    assert first[0]["text"] in (f"at {first[0]['piece']}", "plan: a line")
    assert [one["turn"] for one in notes["cpu"]] == sorted({one["turn"] for one in notes["cpu"]})
    assert all(one["ms"] > 0 for one in notes["cpu"])
    assert notes["cpu_limit_ms"] == 50
    assert read_notes(ann, run, notes["next"])["log"] == []


def test_a_fault_stands_at_its_line_and_turn_with_the_values_that_mattered(ann: Browser) -> None:
    draft = a_draft(ann, "near = [slime.id]; far = near[self.board.turn]")
    done = over(ann, start_run(ann, draft))
    assert "lost by exception" in done["words"]
    fault = read_notes(ann, done)["faults"][0]
    assert (fault["turn"], fault["file"], fault["line"]) == (1, "player_red_ant.py", 7)
    assert fault["text"].startswith("exception: IndexError")
    assert {"name": "near", "value": f"[{fault['piece']}]"} in fault["values"]
    assert not any(" object at 0x" in one["value"] for one in fault["values"])
    assert "IndexError" in fault["traceback"]
    assert fault["hint"]


def test_a_bot_that_does_not_load_says_where(ann: Browser) -> None:
    draft = make_draft(ann, "Red Ant")
    save_text(ann, draft, "x = {}\n" + BOT.format(body="pass") + "\ny = x['a']\n")
    done = over(ann, start_run(ann, draft))
    assert (done["state"], done["winner"]) == ("over", None)
    assert "Red Ant did not start: load error: KeyError" in done["words"]
    (fault,) = read_notes(ann, done)["faults"]
    assert (fault["turn"], fault["line"]) == (0, 11)
    assert {"name": "x", "value": "{}"} in fault["values"]


def test_a_call_that_takes_too_long_says_where_it_was(ann: Browser) -> None:
    draft = a_draft(ann, "n = 0\n        while slime.id == 1: n += 1")
    done = over(ann, start_run(ann, draft))
    fault = read_notes(ann, done)["faults"][0]
    assert fault["text"].startswith("timeout")
    assert fault["line"] == 8
    assert "n" in {one["name"] for one in fault["values"]}


def test_a_draft_of_several_files_names_the_file_of_a_fault(ann: Browser) -> None:
    draft = make_draft(ann, "Red Ant")
    files = [
        {"name": "player_red_ant.py", "text": "from .far import go\n" + BOT.format(body="go(1)")},
        {"name": "far.py", "text": "def go(n):\n    return n / 0\n"},
    ]
    body = {"revision": 1, "name": "Red Ant", "files": files}
    request(ann, "PUT", f"{API}/{draft['id']}", body)
    done = over(ann, start_run(ann, draft))
    fault = read_notes(ann, done)["faults"][0]
    assert (fault["file"], fault["line"]) == ("far.py", 2)
    assert fault["values"] == [{"name": "n", "value": "1"}]


def test_source_that_cannot_be_read_is_not_run(ann: Browser) -> None:
    draft = make_draft(ann, "Red Ant")
    save_text(ann, draft, "def decide(:\n")
    status, answer = call(ann, "POST", f"{API}/{draft['id']}/runs", SHORT)
    assert status == 422
    (finding,) = answer["findings"]
    assert (finding["file"], finding["line"], finding["severity"]) == (
        "player_red_ant.py",
        1,
        "error",
    )
    checked = request(ann, "POST", f"{API}/{draft['id']}/check")
    assert checked == {"is_ok": False, "findings": [finding]}


def test_the_check_plays_a_little_and_lists_what_it_found(ann: Browser, server: Server) -> None:
    good = request(ann, "POST", f"{API}/{a_draft(ann, 'pass')['id']}/check")
    assert good["is_ok"], good
    assert good["findings"][-1]["severity"] == "note"
    assert "decisions in 3 matches, 0 lost" in good["findings"][-1]["text"]
    runs = server.site.runs.runs
    before = set(runs._held)
    bad = request(ann, "POST", f"{API}/{a_draft(ann, 'slime.wings')['id']}/check")
    assert set(runs._held) == before  # nothing of it is left
    assert {path.name for path in (runs.folder / "bots").iterdir() if path.is_dir()} == before
    assert not bad["is_ok"]
    error = bad["findings"][0]
    assert (error["file"], error["line"], error["severity"]) == ("player_red_ant.py", 7, "error")
    assert "AttributeError" in error["text"]


def test_opponents_are_starters_open_bots_and_own_versions(ann: Browser) -> None:
    draft = a_draft(ann, "pass")
    request(ann, "POST", f"{API}/{draft['id']}/versions", {"note": "calm"})
    found = request(ann, "GET", f"{API}/{draft['id']}/opponents")
    assert [one["strength"] for one in found["opponents"] if one["kind"] == "starter"] == list(
        range(1, 9)
    )
    assert found["opponents"][-1] == {
        "id": "version/1",
        "name": "version 1: calm",
        "kind": "version",
        "strength": None,
    }
    assert found["presets"][0] == "small"
    done = over(ann, start_run(ann, draft, opponent="version/1"))
    assert "against Red Ant v1" in done["words"]


def test_what_an_opponent_logs_is_not_recorded(ann: Browser, server: Server) -> None:
    draft = a_draft(ann, 'self.log.info("secret")')
    request(ann, "POST", f"{API}/{draft['id']}/versions")
    done = over(ann, start_run(ann, draft, opponent="version/1"))
    run = server.site.runs.runs.find(done["id"])
    assert run is not None
    asides = Replay(server.site.runs.runs.replay(run)).asides
    assert {one.team for one in asides if isinstance(one, NotesAside)} == {1}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"opponent": "nobody"}, "there is no opponent 'nobody'"),
        ({"opponent": "../player_one"}, "there is no opponent"),
        ({"opponent": "ladder/none"}, "does not let people play"),
        ({"opponent": "version/9"}, "there is no version 9"),
        ({"opponent": "version/x"}, "there is no version x"),
        ({"opponent": "player_one", "seed": "lucky"}, "'lucky' is not a seed"),
        ({"opponent": "player_one", "preset": "people"}, "there is no preset 'people'"),
    ],
)
def test_what_cannot_be_run_is_refused(ann: Browser, body: Any, message: str) -> None:
    draft = a_draft(ann, "pass")
    status, answer = call(ann, "POST", f"{API}/{draft['id']}/runs", body)
    assert (status, message in answer["error"]) == (422, True), answer


def test_a_run_goes_on_from_a_turn_of_another_one(ann: Browser) -> None:
    draft = a_draft(ann, 'print("first")')
    first = over(ann, start_run(ann, draft))
    save_text(ann, {**draft, "revision": 2}, BOT.format(body='print("second")'))
    after = {"run": first["id"], "turn": 30}
    again = over(ann, request(ann, "POST", f"{API}/{draft['id']}/runs", {"after": after}))
    assert again["state"] == "over", again
    assert again["seed"] == first["seed"]
    texts = {one["text"] for one in read_notes(ann, again)["log"]}
    assert texts == {"second"}
    for turn, words in ((10_000, "that run has turns 1 to"), (0, ">= 1")):
        body = {"after": {"run": first["id"], "turn": turn}}
        status, answer = call(ann, "POST", f"{API}/{draft['id']}/runs", body)
        assert status in (400, 422)
        assert words in answer["error"]


def test_runs_are_their_authors_alone(server: Server, ann: Browser) -> None:
    draft = a_draft(ann, "pass")
    run = start_run(ann, draft)
    other, nobody = server.member(f"Eve {time.monotonic_ns() % 10**9}"), server.browser()
    for browser, expected in ((other, 404), (nobody, 401)):
        for method, path in (
            ("GET", f"/api/v1/runs/{run['id']}/notes"),
            ("DELETE", f"/api/v1/runs/{run['id']}"),
            ("POST", f"{API}/{draft['id']}/check"),
            ("GET", f"{API}/{draft['id']}/opponents"),
        ):
            assert call(browser, method, path)[0] == expected, path
    opponent = a_draft(other, "pass")
    body = {"after": {"run": run["id"], "turn": 1}}
    assert call(other, "POST", f"{API}/{opponent['id']}/runs", body)[0] == 404
    over(ann, run)


def test_a_run_can_be_stopped(ann: Browser, server: Server) -> None:
    said = list(server.said)
    draft = a_draft(ann, "for n in range(20_000): pass")
    first, second = start_run(ann, draft), start_run(ann, draft, seed="8")
    request(ann, "DELETE", f"/api/v1/runs/{second['id']}")
    assert request(ann, "GET", f"/api/v1/runs/{second['id']}")["state"] == "stopped"
    assert eventually(lambda: read_notes(ann, first)["cpu"] != [], 60)
    request(ann, "DELETE", f"/api/v1/runs/{first['id']}")
    stopped = request(ann, "GET", f"/api/v1/runs/{first['id']}")
    assert (stopped["state"], stopped["words"]) == ("stopped", "It was stopped.")
    assert over(ann, start_run(ann, draft, seed="9", preset="small"))["state"] == "over"
    assert server.said == said


def test_of_one_author_few_runs_wait(ann: Browser) -> None:
    draft = a_draft(ann, "for n in range(20_000): pass")
    runs = [start_run(ann, draft, seed=str(seed)) for seed in range(MAX_RUNS_PER_USER)]
    status, answer = call(ann, "POST", f"{API}/{draft['id']}/runs", SHORT)
    assert (status, answer["error"]) == (429, OWN_WAIT)
    for run in runs:
        request(ann, "DELETE", f"/api/v1/runs/{run['id']}")


def test_guests_run_what_they_write(tmp_path: Path) -> None:
    with serving(tmp_path, guests_write=True) as server:
        guest = server.browser()
        done = over(guest, start_run(guest, a_draft(guest, 'open("/etc/passwd").read()')))
        assert done["state"] == "over"
        assert "forbidden operation" in read_notes(guest, done)["faults"][0]["text"]
