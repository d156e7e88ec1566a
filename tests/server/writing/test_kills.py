"""A server that is killed loses no draft; a run that it played says that it is lost."""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from runners.configuration import HOME
from runners.storage.database import Database
from runners.storage.schema import ensure_schema
from server.runs.run_rows import LOST_TEXT, Run, RunRows, State
from server.writing.drafts import Drafts, Owner
from tests import needs
from tests.server.killable_server import KillableServer
from tests.server.writing.authors import API
from tests.shell import WALKER, Shell, eventually

ANN = Owner(guest="Ann")
LINES = 2_000
SLOW_DECISION = """\
    def decide(self, slime):
        sum(range(300_000))
"""


def make_text(number: int) -> str:
    return f"# {number}\n" * LINES


def save_for_ever(path: str, draft_id: str) -> None:
    """Save one revision after the other until this process is killed."""
    drafts = Drafts(Database(Path(path)))
    while (draft := drafts.find(draft_id, ANN)) is not None:
        files = {"player_mine.py": make_text(draft.revision + 1)}
        drafts.save(draft, draft.revision, "Mine", files)


def test_a_kill_in_the_midst_of_saving_leaves_a_whole_revision(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with closing(Database(path)) as database:
        ensure_schema(database)
        drafts = Drafts(database)
        draft = drafts.add(ANN, "smack", "Mine", {"player_mine.py": make_text(1)})
        for _ in range(3):
            before = drafts.find(draft.id, ANN)
            assert before is not None
            context = multiprocessing.get_context("spawn")
            process = context.Process(target=save_for_ever, args=(str(path), draft.id))
            process.start()

            def has_gone_on(since: int = before.revision) -> bool:
                found = drafts.find(draft.id, ANN)
                return found is not None and found.revision > since + 5

            assert eventually(has_gone_on, 30)
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
            process.join()
            after = drafts.find(draft.id, ANN)
            assert after is not None
            assert after.files == {"player_mine.py": make_text(after.revision)}
            assert drafts.save(after, after.revision, "Mine", {"player_mine.py": make_text(0)})
            again = drafts.find(draft.id, ANN)
            assert again is not None
            again_text = {"player_mine.py": make_text(again.revision + 1)}
            drafts.save(again, again.revision, "Mine", again_text)


def test_a_run_that_a_killed_server_played_says_that_it_is_lost(database: Database) -> None:
    rows = RunRows(database)
    for state in State:
        run = Run(
            id=str(state),
            game="smack",
            names=("a", "b"),
            digests=("1", "2"),
            key="k",
            seed="1",
            folder="gone",
            state=state,
            words="as it was",
        )
        rows.add(run)
    rows.fail_unfinished()
    found = {str(state): rows.find(str(state)) for state in State}
    actual = {name: (run.state, run.words) for name, run in found.items() if run is not None}
    assert actual == {
        "waiting": (State.FAILED, LOST_TEXT),
        "playing": (State.FAILED, LOST_TEXT),
        "over": (State.OVER, "as it was"),
        "failed": (State.FAILED, "as it was"),
        "stopped": (State.STOPPED, "as it was"),
    }


@pytest.fixture
def killable(tmp_path: Path) -> Iterator[KillableServer]:
    shell = Shell(tmp_path)
    shutil.copytree(HOME / "playerCode", shell.home / "playerCode", dirs_exist_ok=True)
    made = KillableServer(shell, shell.home / "contest", "--jobs", "0")
    made.start()
    try:
        yield made
    finally:
        made.close()
        shell.kill_all()


@pytest.mark.slow
@needs.PROC
def test_a_server_is_killed_in_the_midst_of_a_run_and_the_author_goes_on(
    killable: KillableServer,
) -> None:
    ann = killable.browser()
    assert ann.post(killable.first_link, data={"name": "Ann"}).status_code == 200
    new = {"game": "slime_mind", "template": "simple", "name": "Mine"}
    draft = ann.post(API, json=new).json()
    path = f"{API}/{draft['id']}"

    def save(revision: int, text: str) -> int:
        body = {
            "revision": revision,
            "name": "Mine",
            "files": [{"name": draft["main"], "text": text}],
        }
        answer = ann.put(path, json=body)
        assert answer.status_code == 200, answer.text
        return int(answer.json()["revision"])

    def look(run: str) -> dict[str, Any]:
        return dict(ann.get(f"/api/v1/runs/{run}").json())

    def start() -> str:
        answer = ann.post(f"{path}/runs", json={"opponent": "player_two", "seed": "7"})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    slow = WALKER.replace("    def decide(self, slime):\n", SLOW_DECISION)
    assert slow != WALKER
    revision = save(draft["revision"], slow)
    run = start()
    notes = f"/api/v1/runs/{run}/notes"
    assert eventually(lambda: ann.get(notes).json().get("cpu"), 30)
    killable.restart()
    lost = look(run)
    assert (lost["state"], lost["words"]) == ("failed", LOST_TEXT)
    assert ann.get(notes).json()["is_over"]
    assert ann.get(path).json()["files"] == [{"name": draft["main"], "text": slow}]
    save(revision, WALKER)
    again = start()
    assert eventually(lambda: look(again)["state"] == "over", 30), look(again)
