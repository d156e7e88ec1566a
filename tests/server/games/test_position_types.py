"""The types that scripts are checked by are those of what a server sends of a game."""

from pathlib import Path

import pytest

from engine.catalog import find_game
from engine.game import Act
from engine.games.smack import rules
from engine.streams import Streams
from server.games.boards import view
from server.games.clocks import read_control
from server.games.game_rows import Premoves, Terms
from server.games.game_service import GameService
from server.games.positions import load_position
from tests import needs
from tests.server.playing import Now, a_game_service, nearest_food, start_game
from tests.web_check import differences

pytestmark = needs.NPM_PACKAGES


@pytest.fixture
def game_service(path: Path, now: Now) -> GameService:
    return a_game_service(path, now=now)


def test_positions_are_of_the_type_of_the_scripts(
    game_service: GameService, tmp_path: Path
) -> None:
    game = start_game(game_service, terms=Terms(clock=read_control("10+5")))
    game_service.conversations.say(game, 1, "hello")
    begun = load_position(game_service, game, (1,), 0)
    for board in (1, 2):
        game_service.perform_act(game, Act(1, board, rules.RESIGN))
    over = load_position(game_service, game, (1,), 0)
    assert all((begun.asks, begun.acts, begun.clocks, begun.messages, over.outcome, over.happened))
    values = {"begun": ("Position", begun), "over": ("Position", over)}
    assert differences(tmp_path / "check", "shared/types.d.ts", values) == ""
    boards = {"begun": ("ShownBoards", begun.board), "over": ("ShownBoards", over.board)}
    assert differences(tmp_path / "boards", "boards/types.d.ts", boards) == ""


def test_positions_of_slime_mind_are_of_the_type_of_the_scripts(
    path: Path, now: Now, tmp_path: Path
) -> None:
    game_service = a_game_service(path, nearest_food, now)
    game = start_game(game_service, "slime_mind", "pb")
    orders = ((1, "EAT"), (3, ["GO", 0, 0]))
    game_service.save_premoves(game, 1, Premoves(turn=1, orders=orders))
    begun = load_position(game_service, game, (1,), 0)
    assert begun.premoves[0].orders == orders
    values = {"begun": ("Position", begun)}
    assert differences(tmp_path / "check", "shared/types.d.ts", values) == ""
    boards = {"map": ("MapShown", begun.board)}
    assert differences(tmp_path / "boards", "boards/types.d.ts", boards) == ""


def test_forms_are_of_the_type_of_the_scripts(tmp_path: Path) -> None:
    game = find_game("smack")
    state = game.new(game.settings(), 2)
    for event in game.start(state, Streams(0)):
        state.apply(event)
    form = view(game, state, 1, (1, 2), ())
    assert all(choice.orders for choice in form.choices)
    assert differences(tmp_path, "boards/types.d.ts", {"form": ("Form", form)}) == ""
