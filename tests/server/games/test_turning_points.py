"""How a game turned: who led from when, and the turn in which it was won."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.game import Ask
from tests.server.members import Server, serving
from tests.server.playing import start_game
from visualizer.model.story import LeadChange, TurningPoints, compute_turning_points, turning_points


def points(turn: int | None, winner: int | None, *leads: tuple[int, int]) -> TurningPoints:
    """Return how a match turned, but for its key moments."""
    changes = [LeadChange(turn=at, team=team) for at, team in leads]
    return TurningPoints(turn=turn, winner=winner, leads=changes, moments=[])


@pytest.mark.parametrize(
    ("scores", "winners", "expected"),
    [
        ([(0, 0), (2, 0), (2, 1), (2, 3), (2, 4)], [2], points(3, 2, (3, 2))),
        ([(0, 0), (1, 0), (1, 1), (2, 1)], [1], points(3, 1)),  # who was level leads anew
        ([(0, 0), (0, 3), (1, 3), (2, 3)], [1], points(2, 1)),  # the others resigned
        ([(0, 0), (0, 3), (0, 5)], [1], points(None, 1)),  # it gained nothing at all
        ([(0, 0), (1, 0), (1, 1)], [], points(None, None)),  # a draw
        ([(2, 0), (3, 0)], [1], points(None, 1)),  # it led from the beginning
        ([(0, 0, 0, 0), (1, 0, 2, 0)], [1, 3], points(None, None)),  # two have won together
        ([], [1], points(None, 1)),
    ],
)
def test_where_a_match_turned(
    scores: list[tuple[float, ...]], winners: list[int], expected: TurningPoints
) -> None:
    assert replace(compute_turning_points(scores, winners), moments=[]) == expected


def test_only_the_last_of_many_changes_are_told() -> None:
    scores = [(turn % 2, (turn + 1) % 2) for turn in range(100)]
    found = compute_turning_points(scores, [1])
    assert len(found.leads) == 12
    assert found.leads[-1].turn == 99


def test_a_replay_that_is_gone_tells_nothing(tmp_path: Path) -> None:
    assert turning_points(tmp_path / "none", [1]) == points(None, 1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "results") as served:
        yield served


def test_a_game_says_how_it_turned_once_it_is_over(server: Server) -> None:
    visitor = server.browser()
    game_id = start_game(server.game_service, "smac", last_turn=3)
    path = f"/api/v1/games/{game_id}/turning_points"
    assert visitor.get(path).status_code == 422
    assert visitor.get("/api/v1/games/nowhere/turning_points").status_code == 404
    assert "How it turned" not in visitor.get(f"/games/{game_id}/plain").text
    play_to_end(server, game_id)
    answer: dict[str, Any] = json.loads(visitor.get(path).text)
    assert answer["winner"] in (None, 1, 2)
    assert all(1 <= one["turn"] <= 3 for one in answer["leads"])
    assert 'id="band"' in visitor.get(f"/games/{game_id}").text
    if answer["leads"]:
        page = visitor.get(f"/games/{game_id}/plain").text
        assert re.search(rf'href="/games/{game_id}/watch#t=\d+"', page)


def play_to_end(server: Server, game_id: str) -> None:
    """Order nothing for both until a game is over."""
    while True:
        with server.game_service.open_session(game_id) as session:
            if session.outcome is not None:
                return
            steps = [(ask, session.ask_step(ask)) for ask in session.stepper.asks]
        for ask, step in steps:
            server.game_service.answer(game_id, Ask(ask.team, ask.piece_id), step, {})
