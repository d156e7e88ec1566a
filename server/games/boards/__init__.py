"""What pages are told of each game's board: a module per game that has a page of its own.

`view` returns what is drawn, as a struct that is sent as JSON, and `words` says what happened. A
game without such a module is played by a form, if it can list its legal orders.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, get_type_hints

import msgspec

from engine.catalog import DEFAULT_GAME_OF_PEOPLE, GAMES, OURS, describe_game
from engine.description import load_part
from engine.errors import UsageError
from engine.game import AnyGame, Ask, Event, Game
from visualizer.scene import AnyScene, Grid, Square, scene_class

FORM_NAME = "form"


class Choice(msgspec.Struct, frozen=True):
    """What may be ordered now for one ask of the viewer's teams."""

    team: int
    piece: int
    orders: list[Any]
    words: list[str]
    """Each order in words."""
    squares: list[list[list[tuple[int, str]]]]
    """What is clicked for each, one after the other: several where any will do, by board, name."""


class Form(msgspec.Struct, frozen=True):
    """The board as text, and what may be ordered."""

    text: str
    choices: list[Choice]
    left: list[str]
    """What each team has, team 1 first."""


def view(
    game: AnyGame,
    known: Any,
    viewer: int | None,
    teams: Collection[int],
    observed: Sequence[Sequence[Event]],
) -> Form:
    """Return a game's board as whoever plays these teams sees it."""
    asks = () if game.outcome(known) else game.asks(known)
    count = len(game.standing(known).scores)
    scene = scene_class(game.name)(known.settings, count)
    return Form(
        text=game.text(known),
        choices=[_list_choice(game, scene, known, ask) for ask in asks if ask.team in teams],
        left=[game.describe(known, team) for team in range(1, count + 1)],
    )


def _list_choice(game: AnyGame, scene: AnyScene, known: Any, ask: Ask) -> Choice:
    orders = list(game.legal_orders(known, ask) or ())
    return Choice(
        ask.team,
        ask.piece_id,
        orders,
        words=[describe_order(msgspec.to_builtins(order)) for order in orders],
        squares=[
            [
                _name_squares(scene.grids, squares)
                for squares in scene.order_squares(known, ask, one)
            ]
            for one in orders
        ],
    )


def _name_squares(grids: Sequence[Grid], squares: Sequence[Square]) -> list[tuple[int, str]]:
    """Return squares as pages know them: the number of its board, and its name there."""
    return [
        (board, grid.names[row * grid.columns + column] if grid.names else f"{column}, {row}")
        for x, y in squares
        for board, grid in enumerate(grids, 1)
        for column, row in [(int(x - grid.left), int(y - grid.top))]
        if 0 <= column < grid.columns and 0 <= row < grid.rows
    ]


def describe_order(order: object) -> str:
    """Return an order in words: of one with fields, those that say something."""
    if isinstance(order, dict):
        return " ".join(str(value) for value in order.values() if value not in (False, None, ""))
    return str(order)


def words(event: Event) -> str | None:
    """Return nothing: the text says where the game stands."""
    return None


class BoardPage(NamedTuple):
    """A game's board for a page."""

    name: str
    """The name of its styles, and of how it is played."""
    script: str
    """What `bundle_path` takes."""
    view: Callable[[Any, int | None, Collection[int], Sequence[Sequence[Event]]], object]
    """What is drawn: of the state that a viewer knows, who that is, which teams it plays, and all
    that it was told, decision by decision."""
    words: Callable[[Event], str | None]
    """What happened, in words; None for what nobody wants to hear."""


def has_board(game: AnyGame) -> bool:
    """Return whether people can play a game."""
    is_listed = not game.has_designs and type(game).legal_orders is not Game.legal_orders
    described = describe_game(game.name)
    return bool(described.board or described.board_script) or is_listed


def find_games_of_people() -> list[AnyGame]:
    """Return the games that people can play, that for beginners first."""
    games = [game for game in GAMES.values() if has_board(game)]
    return sorted(games, key=lambda game: game.name != DEFAULT_GAME_OF_PEOPLE)


def require_board(name: str) -> AnyGame:
    """Return a game that people can play. Raises: UsageError."""
    game = GAMES.get(name)
    if game is None or not has_board(game):
        names = ", ".join(game.name for game in find_games_of_people())
        raise UsageError(f"{name!r:.60} is not a game of people: expected one of {names}")
    return game


@cache
def load_board(game: AnyGame) -> BoardPage:
    """Raises: UsageError for a game that people cannot play."""
    described = describe_game(game.name)
    name = game.name if game.name in OURS and described.board else FORM_NAME
    script = f"packages/{game.name}.js" if described.board_script else f"play_{name}"
    if described.board:
        module = load_part(described.board)
        return BoardPage(name, script, module.view, module.words)
    if not has_board(game):
        hint = (
            " (an army of it is drawn on the page /design of `serve`)" if game.has_designs else ""
        )
        raise UsageError(
            f"{game.title} has no board for people: its orders cannot be listed{hint}; "
            f"{', '.join(one.name for one in find_games_of_people())} have one"
        )
    return BoardPage(name, script, partial(view, game), words)


def board_types() -> list[Any]:
    """Return the types of what is drawn, of each game of ours that has a page of its own."""
    boards = [load_part(described.board) for described in OURS.values() if described.board]
    return [get_type_hints(board.view)["return"] for board in boards]
