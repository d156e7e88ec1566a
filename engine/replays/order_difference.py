"""Find the first order in which two playings of a match differ."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import msgspec

from engine.fault import Fault
from engine.game import Ask
from engine.replays.decisions import Decision, encode, order_as_written
from engine.replays.reading import Replay


class OrderDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The first order that two playings do not have in common."""

    turn: int
    team: int
    piece_id: int
    before: str
    now: str


def first_different_order(before: Replay, now: Replay) -> OrderDifference | None:
    """Return where two playings of the same game, settings and seed part; None if they do not."""
    state = before.game.new(before.spec.settings, len(before.bots))
    for one, other in zip_longest(before.entries(), now.entries()):
        if isinstance(one, Decision) and isinstance(other, Decision):
            if encode(one.as_written()) == encode(other.as_written()):
                continue
            asks = before.game.asks(state) if one.ask is None else (one.ask,)
            return next(_differences(state.turn, asks, one, other), None)
        if one != other or isinstance(one, Decision):
            return None  # nothing that bots ordered
        state.apply(one)
    return None


def _differences(
    turn: int, asks: Sequence[Ask], one: Decision, other: Decision
) -> Iterator[OrderDifference]:
    for ask, before, now in zip(asks, one.orders, other.orders, strict=False):
        if encode(order_as_written(before)) != encode(order_as_written(now)):
            yield OrderDifference(
                turn=turn,
                team=ask.team,
                piece_id=ask.piece_id,
                before=order_in_words(before),
                now=order_in_words(now),
            )


def order_in_words(order: object) -> str:
    """Return an order as people read it; of a fault its cause."""
    if type(order) is Fault:
        return f"no order ({order.cause})"
    return order if isinstance(order, str) else encode(order).decode()
