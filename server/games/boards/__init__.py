"""What pages are told of each game's board: a module per game that has a page of its own.

`view` returns what is drawn, as a struct that is sent as JSON, and `words` says what happened. A
game without such a module is played by a form, if it can list its legal orders.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple, get_type_hints

from engine.catalog import game_named
from engine.errors import UsageError
from engine.game import AnyGame, Event, Game
from server.games.boards import form

BOARDS = ("smack", "smac", "slime_mind")
"""The games with a page of their own."""


class BoardPage(NamedTuple):
    """A game's board for a page."""

    name: str
    """The name of its scripts and styles."""
    view: Callable[[Any, int | None, Collection[int], Sequence[Sequence[Event]]], object]
    """What is drawn: of the state that a viewer knows, who that is, which teams it plays, and all
    that it was told, decision by decision."""
    words: Callable[[Event], str | None]
    """What happened, in words; None for what nobody wants to hear."""


def has_board(game: AnyGame) -> bool:
    """Return whether people can play a game."""
    is_listed = not game.has_designs and type(game).legal_orders is not Game.legal_orders
    return game.name in BOARDS or is_listed


def board_of(game: AnyGame) -> BoardPage:
    """Raises: UsageError for a game that people cannot play."""
    if game.name in BOARDS:
        module = import_module(f"{__name__}.{game.name}")
        return BoardPage(game.name, module.view, module.words)
    if not has_board(game):
        hint = (
            " (an army of it is drawn on the page /design of `serve`)" if game.has_designs else ""
        )
        raise UsageError(
            f"{game.title} has no board for people: its orders cannot be listed{hint}; "
            f"{', '.join(BOARDS)} have one"
        )
    return BoardPage(form.NAME, partial(form.view, game), form.words)


def board_types() -> list[Any]:
    """Return the types of what is drawn, of each game that has a page of its own."""
    return [get_type_hints(board_of(game_named(game)).view)["return"] for game in BOARDS]
