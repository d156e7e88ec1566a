"""The way of a newcomer on a real server, from an invitation to a place on a ladder."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from runners.configuration import HOME
from tests.server.killable_server import KillableServer
from tests.server.writing.browsing import is_saved, open_editor, put, read_saved_text
from tests.shell import Shell

LADDER = "Spring"
BOT, AUTHOR = "Red Ant", "Ann"
TEMPLATE_LINE = "        self.rounds += 1\n"
FAULT = "        courage = 10 // (self.board.turn - 5)\n        print(courage)\n"
PATIENCE_MS, LOOK_MS = 120_000, 1_000


@contextmanager
def server_with_ladder(home: Path) -> Iterator[tuple[KillableServer, str]]:
    """Serve a ladder with the starter bots; yield the server and the path of an invitation."""
    shell = Shell(home)
    shutil.copytree(HOME / "playerCode", home / "playerCode", dirs_exist_ok=True)
    server = KillableServer(shell, home / "contest", "--jobs", "1")
    server.start()
    try:
        with server.browser() as organizer:
            organizer.post(server.first_link, data={"name": "Olga"}).raise_for_status()
            settings = ("--preset", "small", "--set", "max_turns=60")
            made = shell.run("admin", "ladder", LADDER, "--out", str(server.out), *settings)
            assert made.code == 0, made.err
            invited = organizer.post("/admin/invitations", data={"note": "class", "days": "1"})
        link = re.search(r'value="http://[^/"]+(/welcome/[^"]+)"', invited.text)
        assert link is not None
        yield server, link[1]
    finally:
        server.close()
        shell.kill_all()


def walk(page: Any, invitation: str, picture: Callable[[str], None]) -> None:
    """Go the whole way; `picture` is called with the name of what is shown then."""
    page.goto(invitation)
    page.get_by_label("Name").fill(AUTHOR)
    with page.expect_navigation():
        page.get_by_role("button", name="Join").click()
    page.goto("/write")
    page.get_by_role("button", name="Write a bot for Slime Mind").wait_for()
    picture("open")

    open_editor(page)
    page.locator("#draft-name").fill(BOT)
    code = read_saved_text(page)
    assert 'AUTHOR = "you"' in code
    code = code.replace('AUTHOR = "you"', f'AUTHOR = "{AUTHOR}"')
    write(page, code)
    picture("change")

    run(page)
    page.wait_for_timeout(2_000)  # the match is shown while it is played
    picture("run")

    assert TEMPLATE_LINE in code
    write(page, code.replace(TEMPLATE_LINE, TEMPLATE_LINE + FAULT))
    run(page)
    fault = page.locator("#output .fault").first
    fault.locator(".to-line").click()
    page.locator("#output li.now").first.wait_for()
    picture("fail")

    write(page, code.replace(TEMPLATE_LINE, TEMPLATE_LINE + FAULT.replace("- 5", "+ 5")))
    page.get_by_role("button", name="Run again from turn 5").click()
    page.locator("#output .fault").first.wait_for(state="detached")
    is_over(page)
    picture("mend")

    page.get_by_role("tab", name="Better?").click()
    page.locator("#versus-opponent").select_option("player_one")
    page.locator("#versus-games").select_option("30")
    page.get_by_role("button", name="Better?").click()
    page.locator("#versus-verdict").filter(has_text="better").wait_for(timeout=PATIENCE_MS)
    picture("compare")

    page.get_by_role("button", name="Hand in").first.click()
    dialog = page.get_by_role("dialog", name="Hand in")
    dialog.get_by_label("Ladder").select_option(label=LADDER)
    dialog.get_by_role("button", name="Hand in").click()
    dialog.locator("#checks[data-state=active]").wait_for(timeout=PATIENCE_MS)
    picture("hand_in")

    page.goto("/contests")
    page.get_by_role("link", name=LADDER).first.click()
    rated = page.locator("tr").filter(has_text=BOT).locator(".whisker")
    for _ in range(PATIENCE_MS // LOOK_MS):
        if rated.count():
            break
        page.wait_for_timeout(LOOK_MS)
        page.reload()
    rated.wait_for(state="attached")
    picture("climb")


def write(page: Any, text: str) -> None:
    """Replace the code, and look at its beginning."""
    put(page, text)
    page.keyboard.press("Escape")  # a list of names
    page.keyboard.press("Control+Home")
    is_saved(page)


def run(page: Any) -> None:
    """Run the bot until the match is over."""
    page.get_by_role("button", name="Run", exact=False).first.click()
    is_over(page)


def is_over(page: Any) -> None:
    """Wait until a match is over."""
    page.locator("#came").filter(has_text="turns").wait_for(timeout=PATIENCE_MS)
