"""Small pictures of boards, and a member's games with them on the first page."""

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from engine.game import Ask
from server.games.clocks import read_control
from server.games.game_rows import Terms
from server.games.recorded_matches import SIZE, _make_view
from tests.server.members import Browser, Server, page_text, serving
from tests.server.playing import start_game


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "results") as served:
        yield served


def start_game_of_ann(server: Server, game: str = "smack", clock: str = "none") -> str:
    """Begin a game of Ann, team 1, and Ben."""
    game_id = start_game(server.game_service, game, terms=Terms(clock=read_control(clock)))
    for team, name in enumerate(("Ann", "Ben"), 1):
        server.site.open_games.own(game_id, team, server.person_id(name))
    return game_id


def move(server: Server, game_id: str) -> None:
    """Make the first move of the first board."""
    with server.game_service.open_session(game_id) as session:
        ask = session.stepper.asks[0]
        order = str(session.stepper.state.halves[0].position.moves()[0])
    server.game_service.answer(game_id, ask, 0, order)


def boards_on(browser: Browser) -> list[str]:
    """Return the addresses of the pictures of boards on the first page."""
    return re.findall(r'<img src="(/games/[^"]+)"', browser.get("/").text)


def test_a_board_is_drawn_for_each_step_and_kept_by_the_browser(server: Server) -> None:
    ann = server.member("Ann")
    server.member("Ben")
    game_id = start_game_of_ann(server)
    (path,) = boards_on(ann)
    first = ann.get(path)
    assert first.headers["content-type"] == "image/png"
    assert "immutable" in first.headers["cache-control"]
    width, height = Image.open(BytesIO(first.content)).size
    assert width <= SIZE[0]
    assert height <= SIZE[1]
    assert len(first.content) < 20_000

    move(server, game_id)
    assert ann.get(path).headers["cache-control"] == "no-store"  # the board of another step
    (moved,) = boards_on(ann)
    assert moved != path
    assert ann.get(moved).content != first.content
    assert ann.get("/games/nowhere/board.png").status_code == 404


@pytest.mark.parametrize("game", ["smack", "smac", "slime_mind"])
def test_every_board_of_people_has_a_picture(server: Server, game: str) -> None:
    ann = server.member("Ann")
    server.member("Ben")
    start_game_of_ann(server, game)
    (path,) = boards_on(ann)
    assert ann.get(path).status_code == 200
    assert server.browser().get(path).status_code == 200


def test_who_plays_sees_what_their_team_knows_and_others_what_the_public_does(
    server: Server,
) -> None:
    server.member("Ann")
    server.member("Ben")
    game_id = start_game_of_ann(server, "smac")
    for team in (1, 2):
        server.game_service.answer(game_id, Ask(team, 0), 0, {})
    with server.game_service.open_session(game_id) as session:
        seen = {teams: _make_view(session, teams) for teams in ((), (1,), (2,), (1, 2))}
        for teams, viewer in (((), None), ((1,), 1), ((2,), 2), ((1, 2), None)):
            assert seen[teams].observed == session.observed[viewer]
    assert len({one.name for one in seen.values()}) == 3  # two who share a screen see no secret


def test_a_members_first_page_has_their_games_with_boards(server: Server) -> None:
    ann, ben = server.member("Ann"), server.member("Ben")
    assert boards_on(ann) == []
    assert "How to begin" in ann.text("/")
    slow, quick = start_game_of_ann(server, clock="3d"), start_game_of_ann(server, clock="10+5")
    server.game_service.conversations.say(slow, 1, "hello")
    for game_id in (slow, quick):
        move(server, game_id)
    others = [start_game_of_ann(server) for _ in range(4)]

    page = ben.get("/")
    boards = boards_on(ben)
    assert len(boards) == 4
    assert boards[0].startswith(f"/games/{quick}/")  # where there is the least time
    assert boards[1].startswith(f"/games/{slow}/")
    text = page_text(page)
    assert re.search(r"turn \d+ · (9:\d\d|10:0\d) left", text)
    assert re.search(r"(2 d 23 h|3 d 0 h) left", text)
    assert "1 new message" in text
    assert "More games of yours" in text
    for game_id in others:
        assert f'href="/games/{game_id}"' in page.text
    assert len(page.content) < 50_000
    assert page.text.count("<img ") == 4

    games = json.loads(ben.get("/api/v1/games").text)["games"]
    assert len(games) == 6
    assert games[0]["id"] == quick
    assert games[0]["board"] == boards[0]
    assert games[0]["is_clock_running"]
    assert games[0]["last"]
    assert games[0]["last"] in text
    assert len(json.loads(ann.get("/api/v1/games").text)["games"]) == 6
    assert server.browser().get("/api/v1/games").status_code == 401
