"""The board of a game without a page of its own: its text, and a button for each legal order."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from engine.game import AnyGame, Event

NAME = "form"


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
