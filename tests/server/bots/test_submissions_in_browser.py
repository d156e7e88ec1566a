"""An author's way through the pages, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runners.storage.ladder_tables import VersionState
from tests.server.bots.submitting import GOOD, await_checks
from tests.server.conftest import Serve, new_page
from tests.server.members import Server

BROKEN = GOOD.replace(b"self.board", b"self.bord", 1)
DROP = """(files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    document.getElementById("drop").dispatchEvent(
        new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def author(server: Server, serve: Serve, chromium: Any) -> Iterator[Any]:
    """Return a page of somebody who is signed in; `home` is the address of the server."""
    server.member("Ann")
    home = serve(server.game_service, server.site)
    context = chromium.new_context(viewport={"width": 390, "height": 844}, base_url=home)
    server.sign_in(context, "Ann", home)
    yield new_page(context)
    context.close()


def submit(page: Any) -> None:
    page.get_by_role("button", name="Submit", exact=True).click()


def test_a_bot_is_handed_in_mended_and_watched(author: Any, server: Server, tmp_path: Path) -> None:
    (tmp_path / "player_mine.py").write_bytes(BROKEN)
    author.goto("/submit")
    author.get_by_label("The bot's name").fill("Muncher")
    author.get_by_label("A file player_*.py").set_input_files(tmp_path / "player_mine.py")
    submit(author)
    author.get_by_role("heading", name="Muncher, version 1").wait_for()
    author.get_by_text("Did you mean: 'board'?").first.wait_for()
    (tmp_path / "player_mine.py").write_bytes(GOOD)
    author.get_by_role("link", name="Submit another version").click()
    assert author.get_by_label("The bot's name").input_value() == "Muncher"
    author.get_by_label("A file player_*.py").set_input_files(tmp_path / "player_mine.py")
    submit(author)
    author.get_by_text("This is the version that plays.").wait_for()
    author.get_by_role("link", name="Watch its first match").click()
    author.locator("body:not(.loading) #board").wait_for()
    assert "Muncher : player_one" in author.title()
    assert author.errors == []


@pytest.mark.slow
def test_files_are_dropped_and_a_folder_is_chosen(
    author: Any, server: Server, tmp_path: Path
) -> None:
    author.goto("/submit")
    author.evaluate(DROP, [["player_mine.py", GOOD.decode()], ["paths.py", "x = 1"]])
    author.get_by_text("Dropped: 2 files (player_mine.py, paths.py)").wait_for()
    submit(author)
    author.get_by_role("heading", name="mine, version 1").wait_for()
    assert await_checks(server, "mine").state is VersionState.ACTIVE
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "__init__.py").write_bytes(GOOD)
    author.goto("/submit")
    author.get_by_label("or a folder").set_input_files(tmp_path / "other")
    submit(author)
    author.get_by_role("heading", name="other, version 1").wait_for()
    assert author.errors == []


@pytest.mark.slow
def test_what_is_dropped_and_refused_is_said_without_leaving_the_page(author: Any) -> None:
    author.goto("/submit")
    author.get_by_label("The bot's name").fill("Kept")
    author.evaluate(DROP, [["notes.txt", "no bot"]])
    author.get_by_text("Dropped: notes.txt").wait_for()
    submit(author)
    author.get_by_role("alert").filter(has_text="there is no .py file").wait_for()
    assert author.get_by_label("The bot's name").input_value() == "Kept"


@pytest.mark.slow
def test_without_scripts_the_form_and_the_checks_work(
    author: Any, server: Server, chromium: Any, tmp_path: Path
) -> None:
    author.goto("/submit")
    bare = chromium.new_context(
        java_script_enabled=False, storage_state=author.context.storage_state()
    ).new_page()
    (tmp_path / "player_mine.py").write_bytes(GOOD)
    bare.goto(author.url)
    bare.get_by_label("A file player_*.py").set_input_files(tmp_path / "player_mine.py")
    submit(bare)
    bare.get_by_text("This is the version that plays.").wait_for()
    bare.context.close()
