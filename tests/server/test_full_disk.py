"""A disk that is full: the server says so, acknowledges nothing, and goes on when there is room."""

import os
import subprocess
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from server.app import Web
from server.storage import Storage
from tests.server.members import HOST
from tests.server.playing import a_lobby, begin
from tests.test_crash_recovery import mount


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can mount")
def test_an_order_that_cannot_be_written_is_not_acknowledged(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    mount(folder, "size=4m")
    try:
        path = folder / "games.sqlite"
        lobby, said = a_lobby(path), list[str]()
        lobby.on_failure = said.append
        game = begin(lobby)
        web = Web(lobby, [HOST])
        with TestClient(web.app, base_url=f"http://{HOST}") as client:
            client.get(f"/games/{game}?key={lobby.new_key(game, [1, 2])}")
            body = {"team": 1, "piece": 1, "step": 0, "order": "A6-B6"}
            address = f"/api/v1/games/{game}/orders"
            fill(folder / "fill")
            answer = client.post(address, json=body)
            assert answer.status_code == 503
            assert "try again later" in answer.text
            assert "full" in said[0]
            assert client.get(f"/api/v1/games/{game}").json()["step"] == 0  # it can be watched
            assert Storage(path).decisions(game) == []
            (folder / "fill").unlink()
            assert client.post(address, json=body).json() == {"step": 1}
        assert len(Storage(path).decisions(game)) == 1
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(path: Path) -> None:
    """Write until nothing more can be written."""
    with path.open("wb", buffering=0) as file:
        while True:
            try:
                file.write(bytes(4096))
            except OSError:
                return
