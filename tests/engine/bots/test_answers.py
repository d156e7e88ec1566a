"""What is no plain value is refused under its own name, in a process and without one."""

from contextlib import closing
from typing import Any

import pytest

from engine.bots.forking import ForkLauncher
from engine.bots.local_seat import LocalSeat
from engine.bots.wire import EXPECTED, NotPlain, to_plain_value
from engine.catalog import GAMES
from engine.fault import Cause, Fault
from engine.game import Ask
from engine.games.game_of_death.player import BasePlayer as Army
from engine.games.game_of_death.player import Shape
from engine.games.slime_mind.player import BasePlayer as SlimePlayer
from engine.games.smac.player import BasePlayer as SmacPlayer
from engine.games.smack.player import BasePlayer as SmackPlayer
from engine.streams import Streams
from tests.engine.bots.matches import GAME, LENIENT, Table, a_bot

TOP = """
import array, collections, dataclasses, datetime, decimal, enum, fractions, uuid
import msgspec, numpy

class Word(str): pass
class Color(enum.Enum): RED = "LEFT"
class Side(enum.StrEnum): LEFT = "LEFT"
class Number(enum.IntEnum): TWO = 2
@dataclasses.dataclass
class Data: word: str = "LEFT"
class Struct(msgspec.Struct): word: str = "LEFT"
Pair = collections.namedtuple("Pair", "x y")
"""
REFUSED = {
    "b'LEFT'": "bytes",
    "b'\\x2c\\x41\\x53'": "bytes",  # base64 of LEFT would be read back as these
    "bytearray(b'LEFT')": "bytearray",
    "memoryview(b'LEFT')": "memoryview",
    "datetime.datetime(2026, 1, 1)": "datetime.datetime",
    "datetime.date(2026, 1, 1)": "datetime.date",
    "datetime.timedelta(1)": "datetime.timedelta",
    "decimal.Decimal('1')": "decimal.Decimal",
    "fractions.Fraction(1)": "fractions.Fraction",
    "uuid.UUID(int=1)": "uuid.UUID",
    "Color.RED": "bot.Color",
    "Word('LEFT')": "bot.Word",
    "Data()": "bot.Data",
    "Struct()": "bot.Struct",
    "msgspec.Raw(b'\"LEFT\"')": "msgspec.Raw",
    "msgspec.UNSET": "msgspec.UnsetType",
    "{'LEFT'}": "set",
    "frozenset(['LEFT'])": "frozenset",
    "array.array('b', [1])": "array.array",
    "collections.OrderedDict(word='LEFT')": "collections.OrderedDict",
    "collections.deque(['LEFT'])": "collections.deque",
    "numpy.bytes_(b'LEFT')": "bytes",
    "numpy.datetime64('2026-01-01')": "datetime.date",
    "numpy.longdouble(2)": "numpy.longdouble",
    "numpy.complex128(1)": "complex",
    "numpy.array([b'LEFT'])": "bytes",
    "numpy": "module",
    "1j": "complex",
    "print": "builtin_function_or_method",
    "...": "ellipsis",
    "object()": "object",
    "['place', b'1', 2]": "bytes",
    "{'orders': [['place', 1, {2}]]}": "set",
}
SENT = {
    "'LEFT'": "LEFT",
    "Side.LEFT": "LEFT",
    "Number.TWO": 2,
    "None": None,
    "True": True,
    "-1.5": -1.5,
    "1 << 70": 1 << 70,
    "['a', ('b', [None])]": ["a", ["b", [None]]],
    "Pair(1, 2)": [1, 2],
    "{'a': {Side.LEFT: 1}}": {"a": {"LEFT": 1}},
    "numpy.str_('LEFT')": "LEFT",
    "numpy.int64(2)": 2,
    "numpy.uint8(200)": 200,
    "numpy.float32(0.5)": 0.5,
    "numpy.bool_(True)": True,
    "numpy.array(3)": 3,
    "numpy.array([[1, 2], [3, 4]])": [[1, 2], [3, 4]],
    "{numpy.str_('a'): [('place', numpy.int64(1))]}": {"a": [["place", 1]]},
}
OTHERWISE = {
    "numpy.array([0.0, numpy.nan])": "nan is not a number that can be sent",
    "float('nan')": "nan is not a number that can be sent",
    "[float('-inf')]": "-inf is not a number that can be sent",
    "{1: 'LEFT'}": "a key of a dict must be a string, not 'int'",
    "{b'a': 'LEFT'}": "a key of a dict must be a string, not 'bytes'",
    "{(1, 2): 'LEFT'}": "a key of a dict must be a string, not 'tuple'",
    "'x' * 10_000": "an answer of over 4096 bytes",
    "'\\ud800'": "an answer cannot be sent: UnicodeEncodeError",
}
ALL = [*REFUSED, *SENT, *OTHERWISE]


@pytest.fixture(scope="module", params=["process", "in process"])
def answers(
    request: pytest.FixtureRequest, launcher: ForkLauncher, tmp_path_factory: Any
) -> dict[str, Any]:
    """Return what comes of each answer, of a seat of either kind."""
    decide = "self.count = getattr(self, 'count', -1) + 1\nreturn eval(ANSWERS[self.count])"
    # The one that is too long costs a process, and the count with it: it is asked last.
    asked = sorted(ALL, key=lambda words: "10_000" in words)
    bot = a_bot(tmp_path_factory.mktemp("bot"), decide, top=f"{TOP}\nANSWERS = {asked!r}")
    table = Table(launcher, bot, limits=LENIENT)
    seat: Any = table.seat
    if request.param == "in process":
        seat = LocalSeat(table.config, GAME)
        seat.prepare(table.board)
    found = {}
    with closing(seat):
        for words in asked:
            seat.put(Ask(1, table.slime.id), None)
            found[words] = seat.take()
    return found


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_no_plain_value_is_refused_by_its_name(
    message: str, answers: dict[str, Any]
) -> None:
    detail = f"'{REFUSED[message]}' is not an order; {EXPECTED}"
    assert answers[message] == Fault(Cause.UNREADABLE, detail)


@pytest.mark.parametrize("message", OTHERWISE)
def test_what_cannot_be_sent_is_refused_with_its_reason(
    message: str, answers: dict[str, Any]
) -> None:
    fault = answers[message]
    assert fault.cause is Cause.UNREADABLE
    assert fault.detail.startswith(OTHERWISE[message])


@pytest.mark.parametrize("text", SENT)
def test_a_plain_value_arrives_as_it_is(text: str, answers: dict[str, Any]) -> None:
    assert answers[text] == SENT[text]


class Slimes(SlimePlayer):
    def decide(self, slime: Any) -> Any:
        return b"LEFT"


class Nerds(SmackPlayer):
    def decide(self, board: Any) -> Any:
        return b"F1-G2"


class Microbes(SmacPlayer):
    def settle(self, sheet: Any) -> Any:
        return {"bid": 0, "centers": [[1, b"2"]]}


class Box(Shape):
    drawing = "####"

    def update(self) -> None:
        pass

    def die(self) -> None:
        pass


class Boxes(Army):
    def design(self) -> None:
        self.placed.append((Box, b"1", 2))  # type: ignore[arg-type]


PLAYERS = {"slime_mind": Slimes, "smack": Nerds, "smac": Microbes, "game_of_death": Boxes}


@pytest.mark.parametrize("name", GAMES)
def test_bytes_are_refused_as_bytes_in_every_game(name: str) -> None:
    game = GAMES[name]
    state = game.new(game.settings(), 2)
    for event in game.start(state, Streams(1)):
        state.apply(event)
    ask = next(ask for ask in game.asks(state) if ask.team == 1)
    host = game.host(PLAYERS[name], state, 1, game.limits)
    with pytest.raises(NotPlain, match="'bytes' is not an order"):
        to_plain_value(host.decide(ask.piece_id, game.view(state, ask)))
