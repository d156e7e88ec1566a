"""What a search bot would have ordered at a place of a game that is over."""

import json
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from server.games import advice
from server.games.advice import MAX_CONCURRENT_REQUESTS, Advice, AdviceBody, AdviceState, Advisor
from server.games.game_service import GameService
from server.http.errors import ActionRefused, TooMany
from server.http.limits import RateLimits
from server.identity.rate_limits import Asker
from tests.server.members import Server, serving
from tests.server.playing import SilentBotSeats, a_game_service, start_game
from tests.shell import eventually

MOVES = 6


@pytest.fixture
def game_service(tmp_path: Path) -> GameService:
    return a_game_service(tmp_path / "games.sqlite")


def play_to_end(game_service: GameService) -> str:
    """Return a game of Smack! that ended after some moves on its first board."""
    game_id = start_game(game_service, ply_limit=MOVES)
    play_on(game_service, game_id)
    return game_id


def play_on(game_service: GameService, game_id: str) -> None:
    """Make first moves until a game is over."""
    while True:
        with game_service.open_session(game_id) as session:
            if session.outcome is not None:
                return
            ask = session.stepper.asks[0]
            step = session.ask_step(ask)
            move = str(session.stepper.state.halves[ask.piece_id - 1].position.moves()[0])
        game_service.answer(game_id, ask, step, move)


@pytest.fixture
def advisor(game_service: GameService, tmp_path: Path) -> Iterator[Advisor]:
    made = Advisor(game_service, tmp_path / "out", RateLimits())
    yield made
    made.close()


def test_a_bot_is_asked_once_in_its_sandbox_and_its_answer_kept(
    game_service: GameService, advisor: Advisor, tmp_path: Path
) -> None:
    game_id = play_to_end(game_service)
    with game_service.open_session(game_id) as session:
        first = session.decisions[0]
    body = AdviceBody(step=0, team=1)
    waiting = advisor.advice(game_id, body, Asker("", "somebody"))
    assert waiting.state is AdviceState.WAITING
    assert waiting.bot == "player_three"
    found: list[Advice] = []

    def is_done() -> bool:
        found.append(advisor.advice(game_id, body, Asker("", "somebody else")))
        return found[-1].state is AdviceState.DONE

    assert eventually(is_done)
    assert found[-1].turn == waiting.turn
    assert found[-1].played == advice._order_text(first.orders[0])
    assert found[-1].order.count("-") == 1
    assert found[-1].is_same == (found[-1].order == found[-1].played)

    again = Advisor(
        game_service, tmp_path / "out", RateLimits()
    )  # of a server that was started anew
    assert again.advice(game_id, body, Asker("", "somebody")) == found[-1]
    assert again._bots is None  # nobody was asked


def test_nobody_is_helped_in_a_game_that_is_played(
    game_service: GameService, advisor: Advisor
) -> None:
    game_id = start_game(game_service)
    with pytest.raises(ActionRefused, match="not over"):
        advisor.advice(game_id, AdviceBody(step=0, team=1), Asker("", "somebody"))


@pytest.mark.parametrize(("step", "team"), [(-1, 1), (10_000, 1), (0, 0), (0, 3)])
def test_a_place_that_is_not_there_is_refused(
    game_service: GameService, advisor: Advisor, step: int, team: int
) -> None:
    with pytest.raises(ActionRefused, match="no such place"):
        advisor.advice(
            play_to_end(game_service), AdviceBody(step=step, team=team), Asker("", "somebody")
        )


def test_after_the_last_decision_nothing_is_asked(
    game_service: GameService, advisor: Advisor
) -> None:
    game_id = play_to_end(game_service)
    with game_service.open_session(game_id) as session:
        last = len(session.decisions)
    with pytest.raises(ActionRefused, match="decided nothing after that"):
        advisor.advice(game_id, AdviceBody(step=last, team=1), Asker("", "somebody"))


class Silent(SilentBotSeats):
    """A bot that thinks for ever."""

    def __init__(self, *_: object, **__: object) -> None: ...
    def close(self) -> None: ...


def test_few_wait_at_once_and_one_of_each(
    game_service: GameService, advisor: Advisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "BotSeats", Silent)
    game_id = play_to_end(game_service)
    with game_service.open_session(game_id) as session:
        own = [n for n, one in enumerate(session.decisions) if one.ask and one.ask.team == 1]
    assert len(own) > 2
    advisor.advice(game_id, AdviceBody(step=own[0], team=1), Asker("", "ann"))
    with pytest.raises(TooMany):
        advisor.advice(game_id, AdviceBody(step=own[1], team=1), Asker("", "ann"))
    again = advisor.advice(
        game_id, AdviceBody(step=own[0], team=1), Asker("", "ben")
    )  # the same place
    assert again.state is AdviceState.WAITING
    for number in range(MAX_CONCURRENT_REQUESTS - 1):
        other = play_to_end(game_service)
        advisor.advice(other, AdviceBody(step=0, team=1), Asker("", f"person {number}"))
    with pytest.raises(TooMany):
        advisor.advice(play_to_end(game_service), AdviceBody(step=0, team=1), Asker("", "cem"))


class Failing(Silent):
    """A bot whose process is lost."""

    def ask(self, *_: Any, **__: Any) -> "Future[str]":
        failed = Future[str]()
        failed.set_exception(RuntimeError("it was killed"))
        return failed


def test_where_a_bot_cannot_be_asked_one_may_ask_again(
    game_service: GameService, advisor: Advisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(advice, "BotSeats", Failing)
    monkeypatch.setattr(advisor, "_report", said.append)
    game_id = play_to_end(game_service)
    for _ in range(2):
        found = advisor.advice(game_id, AdviceBody(step=0, team=1), Asker("", "ann"))
        assert found.state is AdviceState.WAITING
    assert len(said) == 2
    assert "it was killed" in said[0]


def test_programs_ask_for_it(tmp_path: Path) -> None:
    with serving(tmp_path / "results") as server:
        game_id = start_game_of_ann(server)
        path = f"/api/v1/games/{game_id}/advice"
        post = server.browser().client.post
        assert post(path, json={"step": 0, "team": 9}).status_code == 422
        assert post(path, json={"step": 0}).status_code == 400
        assert post("/api/v1/games/none/advice", json={"step": 0, "team": 1}).status_code == 404
        assert eventually(
            lambda: json.loads(post(path, json={"step": 0, "team": 1}).text)["state"] == "done"
        )
        server.web._advisor.close()


def start_game_of_ann(server: Server) -> str:
    game_id = start_game(server.game_service, ply_limit=MOVES)
    play_on(server.game_service, game_id)
    return game_id
