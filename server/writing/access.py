"""Answering about a draft to its author, and to nobody else."""

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from server.http.errors import Denied
from server.http.page_requests import count_try
from server.http.responses import read, sent
from server.identity.rate_limits import MINUTE_S, RateLimit
from server.writing.drafts import Draft, Drafts
from server.writing.writers import NOTHING, Writers, asker_of

B = TypeVar("B", bound=Struct)

REQUESTS = 1_500
"""Requests of one author in a minute: a page saves as one types, and looks at what is played."""


class DraftAccess:
    """Finds the drafts of whoever asks."""

    def __init__(self, drafts: Drafts, writers: Writers) -> None:
        self._drafts = drafts
        self._writers = writers
        self._requests = RateLimit(REQUESTS, MINUTE_S)

    def found(self, request: Request, draft_id: str) -> Draft:
        """Return a draft of whoever asks. Raises: Denied."""
        owner = self._writers.writer(request)
        draft = self._drafts.find(draft_id, owner)
        if draft is None:
            raise Denied(HTTPStatus.NOT_FOUND, NOTHING)
        by = asker_of(request, owner)
        count_try(self._requests, by.keys, "what you write is looked at")
        return draft

    async def draft(self, request: Request) -> Draft:
        """Return the draft that a path names. Raises: Denied."""
        return await run_in_threadpool(self.found, request, request.path_params["draft"])

    async def answer(self, request: Request, answer: Callable[[Draft], object]) -> Response:
        """Answer about the draft that a path names, on a thread. Raises: Denied."""

        def answered() -> object:
            return answer(self.found(request, request.path_params["draft"]))

        return sent(await run_in_threadpool(answered))

    async def answer_with(
        self, request: Request, kind: type[B], answer: Callable[[Draft, B], object]
    ) -> Response:
        """Do the same with a body. Raises: Denied, msgspec.DecodeError."""
        draft = await self.draft(request)
        body = await read(request, kind)
        return sent(await run_in_threadpool(answer, draft, body))


def refused(words: str) -> Denied:
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, words)
