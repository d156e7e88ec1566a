"""A server whose package with a game is uninstalled says what is missing, and loses nothing."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from tests.game_packages import NAME, Install, forget
from tests.server.contests.field import bot_in, ladder_in
from tests.server.members import Browser, Server, page_text
from tests.server.playing import a_spec, make_seats

WHY = "the game connect_four is that of connect-four 1.0, and installed is none: pip install"


def statuses(browser: Browser, paths: Sequence[str]) -> dict[str, int]:
    return {path: browser.get(path).status_code for path in paths}


def begin_anew(server: Server, browser: Browser) -> tuple[Server, Browser]:
    """Begin the server anew, as after something was installed."""
    forget()
    server.close()
    again = Server(server.folder)
    back = again.browser()
    back.client.cookies = browser.client.cookies
    return again, back


def test_pages_say_what_is_missing_and_nothing_is_lost(install: Install, tmp_path: Path) -> None:
    install()
    server = Server(tmp_path / "server")
    ann = server.member("Ann")
    person, database = server.person_id("Ann"), server.storage.database
    ladder = ladder_in(database, NAME, name="Fours")
    bot = bot_in(database, person, "dropper", game=NAME)
    seats = make_seats("pp")
    spec = replace(a_spec(NAME, seats), publisher="connect-four 1.0")
    game = server.game_service.create(spec, seats, "f" * 16, None)
    server.site.open_games.adopt(game, (1,), person)
    gone = (f"/contests/{ladder.id}", f"/bots/{bot.id}", f"/games/{game}", f"/games/{game}/plain")
    others = ("/", "/contests", "/lobby", "/bots", "/me", "/players")
    assert statuses(ann, [*gone, *others]) == dict.fromkeys((*gone, *others), 200)
    info = tmp_path / "connect_four-1.0.dist-info"
    info.rename(tmp_path / "away")
    server, ann = begin_anew(server, ann)
    assert statuses(ann, [*gone, *others]) == {
        **dict.fromkeys(gone, 409),
        **dict.fromkeys(others, 200),
    }
    assert f"Fours cannot be shown: {WHY}" in page_text(ann.get("/contests"))
    for path in (gone[0], gone[2], f"/api/v1/games/{game}"):
        assert WHY in page_text(ann.get(path))
    (tmp_path / "away").rename(info)
    server, ann = begin_anew(server, ann)
    assert statuses(ann, gone) == dict.fromkeys(gone, 200)
    assert "cannot be shown" not in page_text(ann.get("/contests"))
    server.close()
