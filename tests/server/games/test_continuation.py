"""How often games are begun from the middle of others, and by whom."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import Act
from server.games.game_sessions import BACK_MESSAGE, FINISH
from server.games.positions import load_position
from server.http.errors import ActionRefused
from tests.server.members import Browser, Server, serving
from tests.server.playing import start_game


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Server]:
    """Yield a server on which little is allowed."""
    limits = {"play_on.person": 2, "play_on.guest_address": 2, "play_on.all_guests": 3}
    with serving(tmp_path, limits=limits) as server:
        yield server


def a_game_that_is_over(server: Server) -> str:
    game = start_game(server.game_service, who="pb")
    for half in (1, 2):
        server.game_service.perform_act(game, Act(1, half, "resign"))
    return game


def play_on(browser: Browser, game: str) -> int:
    answer = browser.client.post(f"/api/v1/games/{game}/continue", json={"step": 0, "team": 1})
    return int(answer.status_code)


def test_who_has_no_account_uses_up_nothing_of_those_who_have(limited: Server) -> None:
    game = a_game_that_is_over(limited)
    visitor, ann, ben = limited.browser(), limited.member("Ann"), limited.member("Ben")
    assert [play_on(visitor, game) for _ in range(3)] == [200, 200, 429]
    assert [play_on(ann, game) for _ in range(3)] == [200, 200, 429]
    assert play_on(ben, game) == 200


def test_those_without_an_account_have_a_limit_in_all(limited: Server) -> None:
    game = a_game_that_is_over(limited)
    there = [limited.browser(f"192.0.2.{number}") for number in range(3)]
    assert [play_on(browser, game) for browser in there for _ in range(2)] == [
        *(200, 200),
        *(200, 429),
        *(429, 429),
    ]
    assert play_on(limited.member("Ann"), game) == 200


def a_game_of_nobody(server: Server, browser: Browser) -> str:
    path = f"/api/v1/games/{a_game_that_is_over(server)}/continue"
    return str(browser.client.post(path, json={"step": 0, "team": 1}).json()["id"])


def are_saved(server: Server, *games: str) -> list[bool]:
    return [server.storage.find_game(game) is not None for game in games]


def days_later(server: Server, days: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tidy up as the server does so many days from now."""
    monkeypatch.setattr(server.game_service, "_now", lambda: time.time() + days * 86_400)
    server.game_service.tidy()


def test_games_of_nobody_end_when_nobody_plays_them(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobodys = a_game_of_nobody(server, server.browser())
    anns = a_game_of_nobody(server, server.member("Ann"))
    others = start_game(server.game_service, who="pb")
    server.browser().get(f"/games/{nobodys}")
    days_later(server, 0.9, monkeypatch)
    assert are_saved(server, nobodys, anns, others) == [True, True, True]
    days_later(server, 1.1, monkeypatch)
    assert are_saved(server, nobodys, anns, others) == [False, True, True]
    assert server.browser().get(f"/games/{nobodys}").status_code == 404


def test_games_of_nobody_that_are_over_are_shown_for_some_days(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_game_of_nobody(server, server.browser())
    for half in (1, 2):
        server.game_service.perform_act(game, Act(1, half, "resign"))
    assert server.browser().get(f"/games/{game}/replay").status_code == 200
    days_later(server, 6.9, monkeypatch)
    assert are_saved(server, game) == [True]
    days_later(server, 7.1, monkeypatch)
    assert are_saved(server, game) == [False]
    assert server.browser().get(f"/games/{game}/replay").status_code == 404


def test_the_games_of_nobody_that_were_played_last_are_kept(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.games.game_service.MAX_KEPT_GUEST_GAMES", 2)
    games = [a_game_of_nobody(server, server.browser()) for _ in range(3)]
    server.game_service.tidy()
    assert are_saved(server, *games) == [False, True, True]


def test_a_rematch_of_nobodys_game_is_nobodys(server: Server) -> None:
    visitor = server.browser()
    game = a_game_of_nobody(server, visitor)
    for half in (1, 2):
        server.game_service.perform_act(game, Act(1, half, "resign"))
    rematch = server.game_service.create_rematch(game, [1])
    assert rematch is not None
    assert rematch in [one[0] for one in server.storage.find_guest_games()]


def test_a_rematch_of_a_game_that_went_on_begins_with_a_seed_of_its_own(server: Server) -> None:
    game = a_game_of_nobody(server, server.browser())
    for half in (1, 2):
        server.game_service.perform_act(game, Act(1, half, "resign"))
    rematch = server.game_service.create_rematch(game, [1])
    assert rematch is not None
    specs = [stored.spec for one in (game, rematch) if (stored := server.storage.find_game(one))]
    assert [spec.origin is None for spec in specs] == [False, True]


def test_the_bot_that_somebody_replaced_finishes_the_game_when_they_want(server: Server) -> None:
    service, browser = server.game_service, server.browser()
    past = start_game(service, who="pb", ply_limit=3)
    for half in (1, 2):
        service.perform_act(past, Act(1, half, "resign"))
    path = f"/api/v1/games/{past}/continue"
    game = browser.client.post(path, json={"step": 0, "team": 2}).json()["id"]
    assert load_position(service, game, (2,)).seats[1].substitute is None
    service.perform_act(game, Act(2, 0, FINISH))
    assert load_position(service, game, (2,)).seats[1].substitute == "bot 2"
    with service.open_session(game) as session:
        assert session.is_played_by_bot(2)
    service.perform_act(game, Act(2, 0, BACK_MESSAGE))
    assert load_position(service, game, (2,)).seats[1].substitute is None
    with pytest.raises(ActionRefused):  # whoever has begun without a bot has none
        service.perform_act(start_game(service, who="pb"), Act(1, 0, FINISH))
