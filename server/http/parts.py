"""A part of the site: the pages and operations of one folder of the server, and what it runs."""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum

from starlette.requests import Request
from starlette.routing import BaseRoute

from server.http.event_streams import Follow
from server.http.openapi import Operation

Report = Callable[[str], object]
"""Takes a sentence for whoever runs the server."""


def ignore_report(text: str) -> None:
    """Say nothing, where nobody runs a server."""


class Leaving(IntEnum):
    """When a part is told that somebody leaves, the lowest first."""

    PASSES_ON = 0
    """It passes what is shared on to others, before it is taken out of play."""
    USUAL = 1


class Part:
    """What every folder with pages gives to the site; each does what concerns it."""

    leaving = Leaving.USUAL

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Return its pages."""
        return ()

    @property
    def operations(self) -> Sequence[Operation]:
        """Return its operations of the API."""
        return ()

    @property
    def topics(self) -> Mapping[str, Follow]:
        """Return what its pages follow by the shared stream (server/http/event_streams.py)."""
        return {}

    def start(self) -> None:
        """Begin what runs beside the pages, and what waits since the server ended."""

    def close(self) -> None:
        """End what runs; what is not done is done after the next start."""

    def adopt(self, request: Request, person_id: str) -> None:
        """Give somebody who has just joined what this browser had as a guest."""

    def personal_data(self, person_id: str) -> dict[str, object]:
        """Return what is kept of a person here, for the download of one's own data."""
        return {}

    def withdraw(self, person_id: str) -> None:
        """Take somebody who was banned out of what has not begun."""

    def before_leaving(self, person_id: str) -> Sequence[str]:
        """Return what becomes of what somebody has here if they leave, in sentences."""
        return ()

    def forget(self, person_id: str) -> None:
        """Take a person who leaves off what stays."""
