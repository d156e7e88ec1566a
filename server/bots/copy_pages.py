"""The pages on which organizers see which files of bots are alike."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from http import HTTPStatus
from itertools import zip_longest
from typing import NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from engine.bots.finding import Copies
from engine.errors import BadBot
from engine.support.sanitizing import printable
from runners.storage.database import Database
from server.bots.noticed_copies import (
    NoticedCopies,
    NoticedCopy,
    Side,
    copy_numbered,
    newest_copies,
)
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.permissions import Permission

LIST = "/admin/copies"
MOST_LINES = 1_000
"""Lines of each side that are compared: the time for that grows with their square."""
MOST_LETTERS = 300
"""Letters of a line that are shown."""
MOST_NUMBER = 2**31 - 1


class Line(NamedTuple):
    """A line of a comparison, side by side; None where a side has none."""

    earlier: str | None
    later: str | None
    is_same: bool


class CopyPages:
    """Shows organizers which files are alike, beside each other."""

    def __init__(self, pages: Pages, database: Database, files: Copies) -> None:
        """`files`: the copies of the files of versions."""
        self._pages = pages
        self._copies = NoticedCopies(database)
        self._files = files

    @property
    def routes(self) -> Sequence[Route]:
        route, organizer, one = self._pages.route, Permission.ORGANIZER, f"{LIST}/{{copy:int}}"
        return [
            route(LIST, organizer, self._list),
            route(one, organizer, self._show),
            route(f"{one}/seen", organizer, self._seen, "POST"),
        ]

    def _list(self, request: PageRequest) -> Response:
        (found,) = request.read(newest_copies())
        return request.html("admin_copies.html", copies=found)

    def _show(self, request: PageRequest) -> Response:
        copy = self._copy(request)
        names = f"{copy.earlier.name} and {copy.later.name}"
        request.note("copies compared", names)
        earlier, later = self._lines(copy.earlier), self._lines(copy.later)
        is_whole = max(len(earlier or ()), len(later or ())) <= MOST_LINES
        lines = None
        if earlier is not None and later is not None:
            lines = compared(earlier[:MOST_LINES], later[:MOST_LINES])
        return request.html(
            "admin_copy.html", copy=copy, lines=lines, is_whole=is_whole, most=MOST_LINES
        )

    def _seen(self, request: PageRequest) -> Response:
        copy = self._copy(request)
        self._copies.mark_seen(copy.id)
        request.note("copy seen", f"{copy.earlier.name} and {copy.later.name}")
        return redirect_to(LIST)

    def _copy(self, request: PageRequest) -> NoticedCopy:
        """Raises: Denied."""
        number = min(request.path_params["copy"], MOST_NUMBER)
        (found,) = request.read(copy_numbered(number))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such pair of files")
        copy: NoticedCopy = found
        return copy

    def _lines(self, side: Side) -> list[str] | None:
        """Return the lines of a file; None where it is gone."""
        try:
            content = self._files.pack(side.digest).files[side.file]
        except (BadBot, KeyError):
            return None
        lines = content.decode(errors="replace").splitlines()
        return [printable(line.expandtabs(4), "?")[:MOST_LETTERS] for line in lines]


def compared(earlier: Sequence[str], later: Sequence[str]) -> list[Line]:
    """Return two files side by side: lines that are the same stand beside each other."""
    found = []
    matcher = SequenceMatcher(None, earlier, later, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        pairs = zip_longest(earlier[a:b], later[c:d])
        found += [Line(one, other, kind == "equal") for one, other in pairs]
    return found
