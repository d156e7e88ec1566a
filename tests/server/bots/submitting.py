"""Handing in bots, for tests: forms with files, and waiting for the checks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runners.storage.ladder_tables import VersionState
from server.bots.bots import Version
from tests.server.members import HOST, Browser, Page, Server
from tests.shell import eventually

HOME = Path(__file__).parents[3]
GOOD = (HOME / "playerCode" / "player_two.py").read_bytes()
ORIGIN = {"origin": f"http://{HOST}"}


def ladder_id(server: Server, name: str = "Slime Mind") -> str:
    (found,) = [one for one in server.site.contests.ladders.all() if one.name == name]
    return found.id


def hand_in(
    browser: Browser, files: Mapping[str, bytes], headers: Mapping[str, str] = ORIGIN, **fields: str
) -> Page:
    """Send the form of the page, as a browser does."""
    sent = [("files", (name, content)) for name, content in files.items()]
    return browser.client.post("/submit", data=fields, files=sent, headers=dict(headers))


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}", "content-type": "application/json"}


def await_checks(server: Server, name: str, number: int = 1, game: str = "slime_mind") -> Version:
    """Return a version once its checks have ended."""
    bots = server.site.bots.bots
    bot = bots.find_bot_by_name(game, name)
    assert bot is not None

    def version() -> Version:
        found = bots.find_version(bot.id, number)
        assert found is not None
        return found

    assert eventually(lambda: version().state is not VersionState.CHECKING)
    return version()


def steps(server: Server, version: Version) -> dict[str, tuple[str, str]]:
    found = server.site.bots.bots.find_checks(version.id)
    return {one.name: (one.state.value, one.words) for one in found}


def make_token(server: Server, name: str) -> str:
    return server.site.tokens.create_token(server.person_id(name), "a test")


def read_json(answer: Any) -> dict[str, Any]:
    found: dict[str, Any] = answer.json()
    return found
