"""Write and read decisions, in replays and databases: JSON lists whose first word is their kind.

`["!", order, order]` has an order per ask, `["!one", team, piece, order]` that of one ask while
others wait, `["!act", team, piece, name]` what somebody did besides ordering. `["!sits", team,
name, digest]` says who plays a team from here on: the rules know nothing of that.
"""

from typing import Any

import msgspec

from engine.fault import Cause, Fault
from engine.game import Act, AnyGame, Ask

DECIDED, DECIDED_ONE, ACTED, SITS = "!", "!one", "!act", "!sits"
DECISION_PREFIX = b'["!'
"""How a decision begins, and no event does."""

encode = msgspec.json.Encoder().encode
split_list = msgspec.json.Decoder(list[msgspec.Raw]).decode
decode_number = msgspec.json.Decoder(int).decode
read_text = msgspec.json.Decoder(str).decode


class FaultMark(msgspec.Struct):
    """A fault among the orders: its cause is of the record, its words are not."""

    fault: Cause


class SeatChange(msgspec.Struct, frozen=True, array_like=True):
    """Somebody else plays a team from here on, or who played it before is back."""

    team: int
    name: str
    digest: str
    """The digest of a bot; what stands for it of a person; empty if nobody sits there."""


class Decision(msgspec.Struct, frozen=True):
    """What was decided before the events that follow."""

    orders: tuple[Any, ...]
    """An order or a Fault per ask; of one ask alone if that is named; none of an act, and of a
    change of who sits."""
    ask: Ask | None = None
    act: Act | None = None
    sits: SeatChange | None = None

    def to_record(self) -> tuple[object, ...]:
        """Return the list that is written."""
        if self.sits is not None:
            return (SITS, self.sits.team, self.sits.name, self.sits.digest)
        if self.act is not None:
            return (ACTED, self.act.team, self.act.piece_id, self.act.name)
        orders = map(order_to_record, self.orders)
        if self.ask is not None:
            return (DECIDED_ONE, self.ask.team, self.ask.piece_id, *orders)
        return (DECIDED, *orders)


def order_to_record(order: object) -> object:
    return FaultMark(order.cause) if isinstance(order, Fault) else order


class DecisionReader:
    """Reads the decisions of a game, which may come from an untrusted file."""

    def __init__(self, game: AnyGame, teams: int) -> None:
        self._decode_order = msgspec.json.Decoder(game.order).decode
        self._teams = teams

    def read(self, content: bytes) -> Decision:
        """Raises: ValueError, msgspec.ValidationError for what nobody wrote."""
        tag, *fields = split_list(content)
        kind = msgspec.json.decode(tag, type=str)
        if kind == DECIDED:
            return Decision(tuple(self.order(bytes(order)) for order in fields))
        if kind == SITS:
            team, name, digest = fields
            return Decision(
                (), sits=SeatChange(self._decode_team(team), read_text(name), read_text(digest))
            )
        team, piece_id, what = fields
        key = self._decode_team(team), decode_number(piece_id)
        if kind == DECIDED_ONE:
            return Decision((self.order(bytes(what)),), ask=Ask(*key))
        if kind == ACTED:
            return Decision((), act=Act(*key, read_text(what)))
        raise ValueError(f"an entry {kind!r:.60}")

    def order(self, content: bytes) -> Any:
        """Return an order, or a Fault without words."""
        if content.startswith(b'{"fault"'):
            return Fault(msgspec.json.decode(content, type=FaultMark).fault)
        return self._decode_order(content)

    def _decode_team(self, content: msgspec.Raw) -> int:
        team = decode_number(content)
        if not 1 <= team <= self._teams:
            raise ValueError(f"an order of team {team}")
        return team
