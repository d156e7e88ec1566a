"""What pages are told of each game's board: a module per game that has a page of its own.

`view` returns what is drawn, as a struct that is sent as JSON, and `words` says what happened. A
game without such a module is played by a form, if it can list its legal orders.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple, get_type_hints

import msgspec

from engine.catalog import find_game
from engine.errors import UsageError
from engine.game import AnyGame, Event, Game

BOARDS = ("smack", "smac", "slime_mind")
"""The games with a page of their own."""
FORM_NAME = "form"


class Choice(msgspec.Struct, frozen=True):
    """What may be ordered now for one ask of the viewer's teams."""

    team: int
    piece: int
    orders: list[Any]


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
    return Form(
        text=game.text(known),
        choices=[
            Choice(ask.team, ask.piece_id, list(game.legal_orders(known, ask) or ()))
            for ask in asks
            if ask.team in teams
        ],
        left=[
            game.describe(known, team) for team in range(1, len(game.standing(known).scores) + 1)
        ],
    )


def words(event: Event) -> str | None:
    """Return nothing: the text says where the game stands."""
    return None


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


def load_board(game: AnyGame) -> BoardPage:
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
    return BoardPage(FORM_NAME, partial(view, game), words)


def board_types() -> list[Any]:
    """Return the types of what is drawn, of each game that has a page of its own."""
    return [get_type_hints(load_board(find_game(game)).view)["return"] for game in BOARDS]
