"""What a browser sends again, or by two clicks, is done once."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from server.http import guard
from server.http.guard import FORM, AnswerOnce

KEY = {"idempotency-key": "1"}
ANN, BOB = {"cookie": "session=ann"}, {"authorization": "Bearer bob"}
ONCE = b"name=Ann&once=1234-5678-9012-3456"


class Counting:
    """Does something at each request, and answers with how often, and with what it was sent."""

    def __init__(self) -> None:
        self.done = 0
        self.status = 200
        self.may_answer = asyncio.Event()
        self._once = AnswerOnce(self._answer)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.done += 1
        said = f"{self.done} {(await Request(scope, receive).body()).decode()}"
        await self.may_answer.wait()
        await PlainTextResponse(said, self.status)(scope, receive, send)

    async def post(self, headers: Mapping[str, str], body: bytes = b"", path: str = "/do") -> str:
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "POST", "path": path, "headers": raw}
        sent = list[Any]()

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": body}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._once(scope, receive, send)
        return f"{sent[0]['status']} {sent[1]['body'].decode()}".strip()

    def post_all(self, *requests: tuple[Any, ...]) -> list[str]:
        """Send all at once: each waits before it is answered until all were sent."""

        async def post_at_once() -> list[str]:
            sending = [asyncio.create_task(self.post(*one)) for one in requests]
            await asyncio.sleep(0)
            self.may_answer.set()
            return list(await asyncio.gather(*sending))

        return asyncio.run(post_at_once())


def test_what_has_the_same_key_is_done_once_at_the_same_time_and_later() -> None:
    app = Counting()
    assert app.post_all((KEY,), (KEY,)) == ["200 1", "200 1"]
    assert app.post_all((KEY,), ({},), ({},)) == ["200 1", "200 2", "200 3"]


def test_a_key_counts_for_who_sends_it_and_for_one_path() -> None:
    app = Counting()
    requests: list[tuple[Any, ...]] = [(KEY | ANN,), (KEY | BOB,), (KEY,), (KEY, b"", "/other")]
    assert app.post_all(*requests) == ["200 1", "200 2", "200 3", "200 4"]
    assert app.post_all(*requests) == ["200 1", "200 2", "200 3", "200 4"]


def test_a_form_with_the_same_fields_is_done_once_and_its_key_is_no_field() -> None:
    app, form = Counting(), {"content-type": FORM}
    assert app.post_all((form, ONCE), (form, ONCE)) == ["200 1 name=Ann"] * 2
    assert app.post_all((form, ONCE.replace(b"Ann", b"Bob"))) == ["200 2 name=Bob"]
    for body in (b"name=Ann", b"name=Ann&once=1", b"name=once=1234-5678-9012-3456"):
        first, second = app.post_all((form, body), (form, body))
        assert first != second
        assert first.endswith(body.decode())


@pytest.mark.parametrize("status", [200, 503])
def test_what_was_refused_for_the_moment_or_is_long_is_done_anew(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    app = Counting()
    app.status = status
    monkeypatch.setattr(guard, "MAX_ANSWER_BYTES", 1 if status == 200 else 99)
    assert app.post_all((KEY,), (KEY,)) == [f"{status} 1", f"{status} 2"]


def test_the_oldest_answers_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Counting()
    monkeypatch.setattr(guard, "MAX_ANSWERS", 2)
    keys = [({"idempotency-key": str(number)},) for number in range(3)]
    assert [app.post_all(key) for key in keys] == [["200 1"], ["200 2"], ["200 3"]]
    assert app.post_all(keys[2]) == ["200 3"]
    assert app.post_all(keys[0]) == ["200 4"]
