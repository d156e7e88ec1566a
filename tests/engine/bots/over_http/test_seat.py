"""A bot that is asked over HTTP, at its seat: what it is told, and what its mistakes cost."""

import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots.over_http.address import parse_address
from engine.bots.over_http.seat import HttpSeat
from engine.bots.process_seat import SeatConfig
from engine.bots.wire import NOTES_BYTES, REPLY_OVERHEAD
from engine.errors import UsageError
from engine.fault import Cause, Fault
from engine.game import Ask
from engine.games.slime_mind.events import Moved
from engine.limits import Limits
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.streams import Streams
from tests.engine.bots.matches import DUEL, GAME, LENIENT, Arena
from tests.engine.bots.over_http.servers import HELLO, Act, Server, answer, respond, serving, then

TOO_MANY = LENIENT.answer_bytes + REPLY_OVERHEAD
STRICT = Limits(wall_ms=300, load_ms=500, max_restarts=1, bank_s=1)


class Table:
    """A seat by itself, on a board with one slime of each team."""

    def __init__(self, url: str, limits: Limits, *, plays: str = "slime_mind") -> None:
        config = SeatConfig(
            name="far", bot=Path(), log=Path(), team=1, game=GAME.name, match_seed=1, limits=limits
        )
        self.board = GAME.new(DUEL, 2)
        for event in GAME.start(self.board, Streams(1)):
            self.board.apply(event)
        self.slime = next(slime for slime in self.board.slimes.values() if slime.team == 1)
        self.seat = HttpSeat(config, parse_address(url), plays)
        self.seat.prepare(self.board)

    def ask(self) -> object:
        self.seat.put(Ask(1, self.slime.id), None)
        return self.seat.take()

    def fault(self) -> Fault:
        found = self.ask()
        assert isinstance(found, Fault), found
        return found


Sit = Callable[..., tuple[Table, Server]]


@pytest.fixture
def sit() -> Iterator[Sit]:
    """Seat a bot at a server that does this."""
    with ExitStack() as stack:

        def take_seat(act: Act = answer, limits: Limits = LENIENT) -> tuple[Table, Server]:
            server = stack.enter_context(serving(act))
            table = Table(server.url, limits)
            stack.callback(table.seat.close)
            return table, server

        yield take_seat


def test_it_is_told_of_the_start_of_each_decision_and_of_the_end(sit: Sit) -> None:
    table, server = sit()
    assert table.seat.start() is None
    assert table.ask() == "LEFT"
    table.board.apply(Moved(table.slime.id, 3, 3))
    assert table.ask() == "LEFT"
    table.seat.close()
    start, first, second, end = messages = server.messages
    assert [message["type"] for message in messages] == ["start", "ask", "ask", "end"]
    assert len({message["match"] for message in messages}) == 1
    assert {message["team"] for message in messages} == {1}
    assert (start["protocol"], start["game"]) == (1, "slime_mind")
    assert first["nonce"] != second["nonce"]
    place: Any = second["state"]
    assert place["slimes"][str(table.slime.id)][2:4] == [3, 3]
    assert end["state"] == place
    assert server.connections == 1


def test_two_seats_of_a_bot_are_told_apart_by_their_match(sit: Sit) -> None:
    table, server = sit()
    other = Table(server.url, LENIENT)
    assert [table.ask(), other.ask()] == ["LEFT", "LEFT"]
    other.seat.close()
    assert len({message["match"] for message in server.messages}) == 2


def test_legal_answers_are_listed_for_who_wants_them(sit: Sit) -> None:
    def act(connection: socket.socket, body: bytes) -> None:
        if b'"type":"start"' in body:
            respond(connection, b'{"type":"hello","protocol":1,"legal":true}')
        else:
            answer(connection, body)

    table, server = sit(act)
    table.ask()
    legal = GAME.legal_orders(table.board, Ask(1, table.slime.id))
    assert server.messages[-1]["legal"] == [*msgspec.to_builtins(legal)]


@pytest.mark.parametrize(
    ("hello", "cause", "text"),
    [
        (b'{"type":"hello","protocol":2}', Cause.WRONG_TYPE, "it speaks version 2 of the protocol"),
        (
            b'{"type":"hello","protocol":1,"wants":"events"}',
            Cause.WRONG_TYPE,
            "over HTTP each ask has the whole state",
        ),
        (b'{"type":"ready"}', Cause.UNREADABLE, 'expected {"type":"hello","protocol":1}'),
        (b"<html>", Cause.UNREADABLE, "received: '<html>'"),
        (b"[" * 3_000, Cause.UNREADABLE, "received: '[[["),
        (b"\xff", Cause.UNREADABLE, r"received: '\\xff'"),
    ],
)
def test_who_does_not_say_hello_cannot_play(
    sit: Sit, hello: bytes, cause: Cause, text: str
) -> None:
    table, _ = sit(lambda connection, body: respond(connection, hello))
    fault = table.seat.start()
    assert fault is not None
    assert fault.cause is cause
    assert text in fault.detail
    assert table.fault() == fault


def test_who_is_late_or_gone_at_the_start_cannot_play(sit: Sit) -> None:
    table, server = sit(lambda connection, body: time.sleep(2), STRICT)
    assert table.seat.start() == Fault(Cause.LOAD_TIMEOUT, "no whole answer after 500 ms")
    server.close()
    fault = Table(server.url, LENIENT).seat.start()
    assert fault is not None
    assert fault.cause is Cause.UNREACHABLE


def test_a_bot_of_another_game_is_not_asked(sit: Sit) -> None:
    _, server = sit()
    fault = Table(server.url, LENIENT, plays="smack").seat.start()
    message = "bot.toml: it plays smack, and this is a match of slime_mind"
    assert fault == Fault(Cause.WRONG_TYPE, message)
    assert server.connections == 0


def test_a_late_answer_costs_its_decision_and_counts_for_no_other(sit: Sit) -> None:
    is_late = iter((True, False))

    def act(connection: socket.socket, body: bytes) -> None:
        if next(is_late):
            time.sleep(0.5)
        answer(connection, body)

    limits = msgspec.structs.replace(STRICT, bank_s=60)
    table, _ = sit(then(act), limits)
    assert table.fault() == Fault(Cause.TIMEOUT, "no whole answer after 300 ms")
    assert table.ask() == "LEFT"
    assert table.seat.restarts == 0


def test_the_time_of_its_answers_is_taken_off_its_bank(sit: Sit) -> None:
    table, _ = sit(then(lambda connection, body: time.sleep(5)), STRICT)
    causes = [table.fault().cause for _ in range(5)]
    assert causes == [Cause.TIMEOUT] * 3 + [Cause.BANK_EMPTY] * 2
    assert table.seat.out == Fault(Cause.BANK_EMPTY, "used its 1 s, which over HTTP are wall time")
    assert len(table.seat.call_us) == 4


def test_a_bot_that_is_gone_too_often_is_out(sit: Sit) -> None:
    table, _ = sit(then(lambda connection, body: connection.close()), STRICT)
    assert [table.fault().cause for _ in range(3)] == [Cause.UNREACHABLE] * 2 + [Cause.OUT]
    assert table.seat.restarts == 1


def answer_with(**words: object) -> Act:
    """Answer with the nonce of the ask, and these words."""

    def act(connection: socket.socket, body: bytes) -> None:
        nonce = msgspec.json.decode(body)["nonce"]
        respond(connection, msgspec.json.encode({"nonce": nonce, **words}))

    return then(act)


@pytest.mark.parametrize(
    ("act", "cause", "text"),
    [
        (answer_with(type="failed", error="oh\nno"), Cause.EXCEPTION, "oh no"),
        (
            answer_with(type="answer", nonce=7, answer="UP"),
            Cause.UNREADABLE,
            "an answer with the nonce 7",
        ),
        (answer_with(type="answer"), Cause.UNREADABLE, "missing required field `answer`"),
        (
            answer_with(type="answer", answer="x" * TOO_MANY),
            Cause.UNREADABLE,
            "an answer of over 4096 bytes",
        ),
        (
            answer_with(type="answer", answer="x" * (TOO_MANY + NOTES_BYTES)),
            Cause.UNREADABLE,
            "bytes, or too many headers",
        ),
        (
            then(lambda connection, body: respond(connection, HELLO)),
            Cause.UNREADABLE,
            'expected {"type":"answer"',
        ),
        (
            then(lambda connection, body: respond(connection, b"", "500 no")),
            Cause.EXCEPTION,
            "answered with status 500 (Internal Server Error)",
        ),
    ],
)
def test_a_wrong_answer_costs_one_decision(sit: Sit, act: Act, cause: Cause, text: str) -> None:
    table, server = sit(act)
    fault = table.fault()
    assert fault.cause is cause
    assert text in fault.detail
    server.act = answer
    assert table.ask() == "LEFT"


def test_a_resumed_match_takes_up_what_was_counted(sit: Sit) -> None:
    table, _ = sit()
    table.seat.restore(2, Fault(Cause.OUT, "gone"))
    assert (table.seat.restarts, table.seat.out) == (2, Fault(Cause.OUT, "gone"))
    assert table.fault() == Fault(Cause.OUT, "gone")


# -- matches ------------------------------------------------------------------------------------


def far_bot(folder: Path, url: str, name: str = "player_far") -> Path:
    path = folder / name
    path.mkdir()
    text = f'game = "slime_mind"\nname = "Far"\nurl = "{url}"\n'
    (path / "bot.toml").write_text(text, encoding="utf-8")
    return path


def play_over_http(arena: Arena, *bots: Path, origins: Sequence[str]) -> Any:
    return arena.play(*bots, http_origins=tuple(origins))


def test_a_match_is_played_recorded_and_verified(
    arena: Arena, tmp_path: Path, steady: Path
) -> None:
    with serving(answer) as server:
        bot = far_bot(tmp_path, server.url)
        result = play_over_http(arena, bot, steady, origins=[server.url.rstrip("/")])
    assert not result.faults
    assert server.messages[-1]["type"] == "end"
    assert result.teams[0].bot.origin == server.url.rstrip("/")
    replay = Replay(Path(result.replay))
    assert [bot.origin for bot in replay.bots] == [server.url.rstrip("/"), msgspec.UNSET]
    assert verify(replay) is None


def test_what_is_not_allowed_is_not_asked(arena: Arena, tmp_path: Path, steady: Path) -> None:
    with serving(answer) as server:
        origin = server.url.rstrip("/")
        bot = far_bot(tmp_path, server.url)
        for origins in ([], [origin.replace("http:", "https:")], [f"{origin}1"]):
            with pytest.raises(UsageError, match=f"--allow-http {origin} allows it"):
                play_over_http(arena, bot, steady, origins=origins)
        assert server.connections == 0


def test_a_bot_that_goes_away_loses_its_decisions_and_the_match_goes_on(
    arena: Arena, tmp_path: Path, steady: Path
) -> None:
    with serving(then(lambda connection, body: connection.close())) as server:
        bot = far_bot(tmp_path, server.url)
        result = play_over_http(arena, bot, steady, origins=[server.url.rstrip("/")])
    assert set(result.teams[0].faults) == {Cause.UNREACHABLE}
    assert not result.teams[1].faults


def test_it_does_not_play_in_our_own_process(arena: Arena, tmp_path: Path, steady: Path) -> None:
    bot = far_bot(tmp_path, "http://127.0.0.1:1/")
    with pytest.raises(UsageError, match="ask --debug are for bots in Python"):
        arena.play(bot, steady, in_process=True)
