"""What is being played at this moment, for pages, and for programs that ask again and again."""

import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from itertools import islice
from statistics import fmean
from typing import Annotated

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from runners.contests.contests import Ladder, ladder_of_id
from runners.contests.visibility import Viewer
from runners.storage.database import Database, now
from server.contests.ladder_tables import LadderTable, LadderTables
from server.contests.match_rows import unfinished_matches
from server.http.errors import Denied
from server.http.event_streams import Events, Follow
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part
from server.http.responses import encode
from server.watching.live_scene import PolledNews, follow
from server.watching.running_matches import RunningMatches
from server.watching.visibility import (
    Role,
    VisiblePart,
    WatchedMatch,
    find_visible_part,
    is_shown_late,
)

MAX_LISTED_MATCHES = 12
CACHE_S = 1.0
MAX_CACHED_LADDERS = 200
"""Ladders of which what was found is kept."""


class PlayingSeat(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays."""

    name: str
    bot: str | None = None
    """The id of a bot of a ladder."""
    rating: int | None = None


class PlayingMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is being played."""

    path: str
    """Where it is watched."""
    seats: list[PlayingSeat]
    turn: int | None
    """The turn that it has come to, as far as is known."""
    is_shown_late: bool
    """Whether it can be seen only once it is over."""


class Playing(msgspec.Struct, frozen=True, kw_only=True):
    """What is being played, the best bots first."""

    matches: list[PlayingMatch]


class PlayingQuery(msgspec.Struct, frozen=True):
    """Whose matches are asked for."""

    bot: Annotated[str, msgspec.Meta(max_length=32, description="The id of a bot.")] | None = None


class PlayingNow(Part):
    """What is being played on ladders. All methods may be called from any thread."""

    def __init__(
        self, pages: Pages, database: Database, tables: LadderTables, running: RunningMatches
    ) -> None:
        self._pages = pages
        self._database = database
        self._tables = tables
        self._running = running
        self._lock = threading.Lock()
        self._kept = dict[str, tuple[float, list[PlayingMatch]]]()
        """By ladder: until when it is good, and what was found."""

    @property
    def operations(self) -> Sequence[Operation]:
        path = "/ladders/{id}/playing"
        return [Operation("GET", path, self._answer, Playing, query=PlayingQuery)]

    @property
    def topics(self) -> Mapping[str, Follow]:
        return {"ladders/playing": self._follow}

    def on(
        self, ladder: Ladder, table: LadderTable, bot_id: str | None = None
    ) -> list[PlayingMatch]:
        """Return what is being played on a ladder, or by one of its bots; the best bots first.

        Only for whoever may see all results of the ladder; who asks within a second is told the
        same.
        """
        found = self._load_playing(ladder, table)
        own = (one for one in found if bot_id is None or bot_id in [s.bot for s in one.seats])
        return list(islice(own, MAX_LISTED_MATCHES))

    def _load_playing(self, ladder: Ladder, table: LadderTable) -> list[PlayingMatch]:
        turns = self._running.matches_with_turns()
        if not turns:
            return []
        at = time.monotonic()
        with self._lock:
            good_until, found = self._kept.get(ladder.id, (float("-inf"), []))
        if at >= good_until:
            found = self._find_running(ladder, table, turns)
            with self._lock:
                if len(self._kept) >= MAX_CACHED_LADDERS:
                    self._kept.clear()
                self._kept[ladder.id] = at + CACHE_S, found
        return found

    def _find_running(
        self, ladder: Ladder, table: LadderTable, turns: Mapping[str, int | None]
    ) -> list[PlayingMatch]:
        matches = self._database.find(unfinished_matches(ladder.id, turns.keys()))
        ratings = {one.bot: round(one.elo) for one in table.standings if one.elo is not None}
        is_late = is_shown_late(ladder.game)
        matches.sort(
            key=lambda match: fmean(ratings.get(one.bot, 0) for one in match.seats), reverse=True
        )
        return [
            PlayingMatch(
                path=f"/matches/{match.public_id}/watch",
                seats=[
                    PlayingSeat(name=one.name, bot=one.bot, rating=ratings.get(one.bot))
                    for one in match.seats
                ],
                turn=turns[match.key],
                is_shown_late=is_late,
            )
            for match in matches
        ]

    def _answer(self, request: Request, query: PlayingQuery) -> Playing:
        """Return the matches of a ladder that are being played at this moment."""
        ladder = _find_ladder(PageRequest(self._pages, request), request.path_params["id"])
        if find_playing_part(ladder, request.user.person) is VisiblePart.NOTHING:
            return Playing(matches=[])
        return Playing(matches=self.on(ladder, self._tables.table(ladder, None), query.bot))

    async def _follow(self, request: Request, ladder_id: str, last: str | None) -> Events:
        """Follow what is played on a ladder, as long as one may see it."""
        asked = PageRequest(self._pages, request)
        ladder = await run_in_threadpool(_find_ladder, asked, ladder_id)

        def may_go_on() -> bool:
            return find_playing_part(ladder, asked.person) is not VisiblePart.NOTHING

        if not may_go_on():
            raise Denied(HTTPStatus.NOT_FOUND, "what this ladder plays is not shown now")

        def render() -> bytes:
            table = self._tables.table(ladder, None)
            return encode(Playing(matches=self._load_playing(ladder, table)))

        make, name = partial(PolledNews, "playing", render), f"ladders/{ladder_id}"
        async for event in follow(self._running.topics, name, make, last, may_go_on):
            yield event


def _find_ladder(request: PageRequest, ladder_id: str) -> Ladder:
    """Raises: Denied."""
    ladder: Ladder | None
    (ladder,) = request.read(ladder_of_id(ladder_id))
    if ladder is None:
        raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
    return ladder


def find_playing_part(ladder: Ladder, viewer: Viewer | None) -> VisiblePart:
    """Return what somebody may see of the matches that a ladder plays at this moment."""
    role = Role.ORGANIZER if viewer is not None and viewer.is_organizer else Role.SPECTATOR
    match = WatchedMatch(ladder.game, is_over=False, is_withheld=ladder.is_frozen(now()))
    return find_visible_part(role, match)
