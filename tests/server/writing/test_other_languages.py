"""Bots in other languages than Python are written on /write where the organizer has named these."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.bots.programs.languages import LANGUAGES_VARIABLE, find_languages
from runners.configuration import HOME
from tests import needs
from tests.server.members import Browser, Server, serving
from tests.server.writing.authors import API, call, make_draft, request
from tests.server.writing.test_running import over, read_notes, start_run

pytestmark = [pytest.mark.slow, needs.program("node", package="nodejs")]
FOLDER = HOME / "clients" / "player_node"


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow JavaScript, as an organizer does in a file."""
    node = find_languages().runtimes["node"]
    file = tmp_path / "languages.toml"
    environment = ", ".join(f'{name} = "{value}"' for name, value in node.environment.items())
    file.write_text(
        f'[runtimes.node]\nprogram = "{node.program}"\nhas_threads = true\n'
        f"environment = {{ {environment} }}\n"
    )
    monkeypatch.setenv(LANGUAGES_VARIABLE, str(file))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "results") as made:
        yield made


def in_javascript(browser: Browser, more: str = "") -> Any:
    """Return a draft with the files of our client; `more` is put before its main file."""
    draft = make_draft(browser)
    texts = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    texts["bot.js"] = more + texts["bot.js"]
    body = {
        "revision": draft["revision"],
        "name": draft["name"],
        "files": [{"name": name, "text": text} for name, text in texts.items()],
    }
    request(browser, "PUT", f"{API}/{draft['id']}", body)
    return draft


def run(browser: Browser, draft: Any) -> Any:
    """Return what came of a run."""
    begun = start_run(browser, draft, opponent="player_one")
    return over(browser, begun) | {"notes": read_notes(browser, begun)}


@pytest.mark.usefixtures("named")
def test_a_bot_in_javascript_is_checked_and_run(server: Server) -> None:
    ann = server.member("Ann")
    draft = in_javascript(ann, 'console.error("hello from node");\n')
    checked = request(ann, "POST", f"{API}/{draft['id']}/check", {})
    assert checked["is_ok"], checked
    ran = run(ann, draft)
    assert ran["state"] == "over"
    assert ran["winner"] == 1
    assert ran["notes"]["faults"] == []
    assert any("hello from node" in line["text"] for line in ran["notes"]["log"])


@pytest.mark.usefixtures("named")
def test_a_bot_that_does_not_start_says_why(server: Server) -> None:
    ann = server.member("Ann")
    draft = in_javascript(ann, "const = 1;\n")
    ran = run(ann, draft)
    assert ran["winner"] is None
    assert "Mine did not start" in ran["words"]
    assert "SyntaxError" in ran["words"]


def test_where_no_language_is_named_it_is_refused(server: Server) -> None:
    ann = server.member("Ann")
    draft = in_javascript(ann)
    status, answer = call(ann, "POST", f"{API}/{draft['id']}/runs", {"opponent": "player_one"})
    assert status == 422
    assert "its organizer has named no languages" in answer["findings"][0]["text"]
