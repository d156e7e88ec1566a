"""Visitors without an account write and run bots under the strict sandbox, as it is deployed."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.catalog import GAMES
from runners.configuration import HOME
from tests import needs
from tests.engine.bots.house import CannotHouse, as_ordinary_user
from tests.server.killable_server import KillableServer
from tests.server.writing.authors import API
from tests.shell import Shell, eventually

pytestmark = [pytest.mark.slow, needs.SANDBOX, pytest.mark.timeout(300)]
STRICT = ("--jobs", "0", "--sandbox", "strict", "--guests-write")
READS_WHAT_IS_NOT_ITS_OWN = """
from pathlib import Path
FOUND = Path("/etc/passwd").read_text()
"""


@pytest.fixture(scope="module")
def server() -> Iterator[KillableServer]:
    home = Path(tempfile.mkdtemp(prefix="strict-"))
    try:
        user = as_ordinary_user(home)
    except CannotHouse as reason:
        needs.skip(str(reason))
    shell = Shell(home)
    shutil.copytree(HOME / "playerCode", home / "playerCode", dirs_exist_ok=True)
    made = KillableServer(shell, home / "contest", *STRICT, user=user)
    made.start()
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(home, ignore_errors=True)


@pytest.mark.parametrize("game", GAMES)
def test_a_guest_writes_checks_and_runs_a_bot(server: KillableServer, game: str) -> None:
    guest = server.browser()
    draft = guest.post(API, json={"game": game, "template": "simple", "name": "Mine"}).json()
    path = f"{API}/{draft['id']}"
    assert guest.post(f"{path}/check", json={}).json()["is_ok"]
    opponent = guest.get(f"{path}/opponents").json()["opponents"][0]["id"]
    run = guest.post(f"{path}/runs", json={"opponent": opponent}).json()["id"]

    def look() -> dict[str, Any]:
        return dict(guest.get(f"/api/v1/runs/{run}").json())

    assert eventually(lambda: look()["state"] not in ("waiting", "playing"), 60)
    assert look()["state"] == "over"
    assert guest.get(f"/api/v1/runs/{run}/notes").json()["faults"] == []
    assert guest.post(f"{path}/hand-in", json={"ladder": "any"}).status_code == 401
    assert server.browser().get(path).status_code in (401, 404)


def test_what_a_guest_writes_reads_no_file_of_the_server(server: KillableServer) -> None:
    guest = server.browser()
    draft = guest.post(API, json={"game": "smack", "template": "simple", "name": "Mine"}).json()
    path = f"{API}/{draft['id']}"
    text = draft["files"][0]["text"] + READS_WHAT_IS_NOT_ITS_OWN
    files = [{"name": draft["main"], "text": text}]
    body = {"revision": draft["revision"], "name": "Mine", "files": files}
    assert guest.put(path, json=body).status_code == 200
    opponent = guest.get(f"{path}/opponents").json()["opponents"][0]["id"]
    run = guest.post(f"{path}/runs", json={"opponent": opponent}).json()["id"]
    notes = f"/api/v1/runs/{run}/notes"
    assert eventually(lambda: guest.get(notes).json()["faults"], 60)
    assert "PermissionError" in guest.get(notes).json()["faults"][0]["text"]
