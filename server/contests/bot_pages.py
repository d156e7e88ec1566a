"""The page of a bot: its versions, its rating over time, its record, its matches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from http import HTTPStatus
from itertools import pairwise

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from engine.catalog import find_game
from report.charts import ELO_MARGIN, Axis
from runners.contests.contests import Ladder, find_ladders
from runners.contests.entries import ENTERED_STATES, find_bot_entries, groups_of_author
from runners.contests.highlights import HighlightFinder
from runners.contests.ladder_ratings import NEWCOMER_SPREAD, Published, find_rating_histories
from runners.contests.ladders import find_bot_ladders
from runners.contests.visibility import find_sealed_versions, visible_until
from runners.storage.database import Database, now
from runners.storage.ladder_tables import VersionState, versions
from runners.storage.together import Lookup
from server.bots.bots import Bot, Bots, Version, authors_names, bot_of_id, bot_versions
from server.bots.sharing import MAX_AUTHORS, bot_coauthors
from server.bots.source_folder import may_read
from server.bots.submissions import others
from server.contests.ladder_tables import LadderTables, Standing, match_counts_by_version
from server.contests.match_rows import (
    Match,
    bot_matches,
    by_map,
    count_bot_matches,
    make_dossier,
    make_ledger_entry,
)
from server.contests.playing_now import PlayingNow
from server.games.boards import has_board
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.paging import parse_page
from server.http.parts import Part
from server.http.permissions import Permission

MAX_RECORD_MATCHES = 1_000
"""Matches that a record is made of, the newest ones."""
PER_PAGE = 25
MAX_MAPS = 20
MAX_LIVE_MATCHES = 6
WIDTH, HEIGHT = 640.0, 180.0
"""The size of the chart of ratings, in pixels."""
OPPONENT_STATES = (VersionState.ACTIVE, VersionState.FORMER)
SHOWN_TO_AUTHORS = (VersionState.CHECKING, VersionState.REFUSED)


class RatingChart(msgspec.Struct, frozen=True, kw_only=True):
    """Ratings over time, in pixels."""

    line: str
    """The `points` of an SVG polyline."""
    band: str
    """Those of the polygon between both ends of the intervals."""
    ticks: list[tuple[float, int]]
    """Ratings, each after its distance from the top."""
    changes: list[tuple[float, int]]
    """The numbers of the versions, each after the place where it begins."""
    first: datetime
    last: datetime


class BotPages(Part):
    """The pages of bots on ladders, for everybody; some parts are for their authors."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        tables: LadderTables,
        bots: Bots,
        playing: PlayingNow,
    ) -> None:
        self._pages = pages
        self._playing = playing
        self._database = database
        self._bots = bots
        self._tables = tables

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            route("/bots/{bot}", Permission.ANYBODY, self._show),
            route("/bots/{bot}/open", Permission.MEMBER, self._open, "POST"),
            route("/bots/{bot}/against/{other}", Permission.ANYBODY, self._show_comparison),
        ]

    # -- pages --------------------------------------------------------------------------------

    def _show(self, request: PageRequest) -> Response:
        bot_id = request.part("bot")
        found, ladders, authors, entries, every, handed_in, groups, shared, sealed = request.read(
            bot_of_id(bot_id),
            find_bot_ladders(bot_id),
            authors_names(bot_id),
            find_bot_entries(bot_id),
            find_ladders(),
            bot_versions(bot_id),
            groups_of_author(bot_id),
            bot_coauthors(bot_id),
            find_sealed_versions(versions.c.bot == bot_id),
        )
        bot = _require_visible(request, found, ladders)
        is_insider = _is_insider(request, bot)
        ladder = _choose_ladder(request, ladders)
        entry = next((one for one in entries if ladder and one.contest == ladder.id), None)
        # People play against it themselves, or with an army that they design.
        is_designed = find_game(bot.game).has_designs
        has_opponents = has_board(find_game(bot.game)) or is_designed
        challenge = f"/lobby/new?game={bot.game}"
        if is_designed:
            challenge = f"/design?against=ladder/{bot.id}"
        common: dict[str, object] = {
            "bot": bot,
            "game": find_game(bot.game),
            "author": _join_author_names(bot, authors),
            "is_mine": request.person is not None and request.person.id == bot.person_id,
            "is_author": request.person is not None and bot.is_by(request.person.id),
            "names": authors,
            "shared": shared,
            "most_authors": MAX_AUTHORS,
            "is_insider": is_insider,
            "is_challengeable": bot.is_open
            and has_opponents
            and any(one.state in OPPONENT_STATES and one.id not in sealed for one in handed_in),
            "has_board": has_opponents,
            "challenge": challenge,
            "ladders": ladders,
            "ladder": ladder,
            "entry": entry,
            "has_entered": entry is not None and entry.state in ENTERED_STATES,
        }
        common["could_enter"] = others(bot, entries, every, groups) if common["is_author"] else []
        common["may_read"] = lambda one: may_read(ladders, bot, one, request.person, sealed)
        if ladder is None:
            unrated = [(one, None) for one in _visible_versions(handed_in, is_insider, None)]
            return request.html("bot.html", versions=unrated, standing=None, **common)
        until = visible_until(ladder, request.person, now())
        known = _visible_versions(handed_in, is_insider, until)
        record = self._record(request, bot, ladder, until, known)
        return request.html("bot.html", **common, **record)

    def _record(
        self,
        request: PageRequest,
        bot: Bot,
        ladder: Ladder,
        until: datetime | None,
        versions: Sequence[Version],
    ) -> dict[str, object]:
        """Return what a page says of a bot on a ladder."""
        ids = [one.id for one in versions]
        read = partial(bot_matches, ladder.id, bot.id, until)
        table, matches, total, history, played = self._tables.table_and(
            ladder,
            until,
            read(most=MAX_RECORD_MATCHES),
            count_bot_matches(ladder.id, bot.id, until),
            find_rating_histories(ids, until),
            match_counts_by_version(ladder.id, until, ids),
        )
        listed = self._page_of_matches(request, matches, total, read)
        newest = {one.version: one for one in history.get(ladder.id, [])}
        dossier, opponents = make_dossier(bot.id, matches)
        elo = {one.bot: one.elo for one in table.standings}
        standing = _find_standing(table.standings, bot.id)
        rating = None if standing is None else standing.rating
        numbers = {one.id: one.number for one in versions}
        return {
            "versions": [(one, newest.get(one.id)) for one in versions],
            "games": {version: games for version, (games, _) in played.items()},
            "standing": standing,
            "is_frozen": until is not None,
            "playing": None if until else self._playing.on(ladder, table, bot.id),
            "chart": rating_chart(history.get(ladder.id, []), numbers, rating),
            "width": WIDTH,
            "height": HEIGHT,
            "dossier": dossier,
            "opponents": sorted(
                ((opponents[who], record) for who, record in dossier.opponents.items()),
                key=lambda one: (-(elo.get(one[0].bot) or 0.0), one[0].name),
            ),
            "elo": elo,
            "maps": by_map(matches[: MAX_MAPS * len(matches[0].seats)] if matches else [])[
                :MAX_MAPS
            ],
            "watched": _choose_highlights(matches, table.standings),
            "read": len(matches),
            **listed,
        }

    def _page_of_matches(
        self,
        request: PageRequest,
        matches: list[Match],
        total: int,
        read: Callable[..., Lookup[list[Match]]],
    ) -> dict[str, object]:
        """Return one page of a bot's `total` matches, of which the newest are known.

        `read`: looks others up.
        """
        page = parse_page(request, total, PER_PAGE)
        found = matches[page.first : page.first + PER_PAGE]
        if len(matches) < min(page.first + PER_PAGE, total):
            found = self._database.find(read(most=PER_PAGE, first=page.first))
        return {"matches": found, "page": page.number, "pages": page.pages, "total": total}

    def _show_comparison(self, request: PageRequest) -> Response:
        ids = request.part("bot"), request.part("other")
        lookups = (
            one(bot_id) for one in (bot_of_id, find_bot_ladders, authors_names) for bot_id in ids
        )
        one, two, ladders, others_ladders, authors, others_authors = request.read(*lookups)
        bot = _require_visible(request, one, ladders)
        other = _require_visible(request, two, others_ladders)
        ladder = _choose_ladder(request, ladders)
        if ladder is None or bot.id == other.id:
            raise Denied(HTTPStatus.NOT_FOUND, "these two have never met")
        until = visible_until(ladder, request.person, now())
        read = partial(bot_matches, ladder.id, bot.id, until, other=other.id)
        table, matches, total = self._tables.table_and(
            ladder,
            until,
            read(most=MAX_RECORD_MATCHES),
            count_bot_matches(ladder.id, bot.id, until, other.id),
        )
        dossier, opponents = make_dossier(bot.id, matches)
        records = {opponents[who].bot: record for who, record in dossier.opponents.items()}
        return request.html(
            "against.html",
            bot=bot,
            other=other,
            ladder=ladder,
            record=records.get(other.id),
            standings=[_find_standing(table.standings, one.id) for one in (bot, other)],
            authors=[
                _join_author_names(bot, authors),
                _join_author_names(other, others_authors),
            ],
            maps=by_map(matches)[:MAX_MAPS],
            read=len(matches),
            **self._page_of_matches(request, matches, total, read),
        )

    def _open(self, request: PageRequest) -> Response:
        """Let people play against a bot of one's own, or no longer."""
        me, bot_id = request.me, request.part("bot")
        bot = _require_visible(request, *request.read(bot_of_id(bot_id), find_bot_ladders(bot_id)))
        if bot.person_id != me.id:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot of yours")
        is_open = request.field("open") == "yes"
        self._bots.set_open(bot.id, is_open)
        request.note("bot opened" if is_open else "bot closed", bot.name)
        return redirect_to(f"/bots/{bot.id}")


def _require_visible(request: PageRequest, bot: Bot | None, ladders: Sequence[Ladder]) -> Bot:
    """Return a bot that plays on ladders, or did, if it may be seen. Raises: Denied."""
    if bot is None or not (_is_insider(request, bot) or ladders):
        raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot")
    return bot


def _visible_versions(
    versions: Sequence[Version], is_insider: bool, until: datetime | None
) -> list[Version]:
    """Return the versions that a visitor may know of."""
    return [
        one
        for one in versions
        if is_insider
        or (one.state not in SHOWN_TO_AUTHORS and (until is None or one.handed_in_at < until))
    ]


def _is_insider(request: PageRequest, bot: Bot) -> bool:
    """Return whether somebody is one of a bot's authors or an organizer."""
    me = request.person
    return me is not None and (bot.is_by(me.id) or me.is_organizer)


def _join_author_names(bot: Bot, names: Mapping[str, str]) -> str:
    """Return the names of a bot's authors, its owner's first."""
    owner = [names[bot.person_id]] if bot.person_id in names else []
    others = sorted(name for person, name in names.items() if person != bot.person_id)
    return ", ".join([*owner, *others])


def _choose_ladder(request: PageRequest, ladders: Sequence[Ladder]) -> Ladder | None:
    """Return the ladder that an address names; else the one entered last."""
    wanted = request.query_params.get("ladder")
    newest = ladders[-1] if ladders else None
    return next((one for one in ladders if one.id == wanted), newest)


def _find_standing(standings: Sequence[Standing], bot_id: str) -> Standing | None:
    return next((one for one in standings if one.bot == bot_id), None)


def _choose_highlights(
    matches: Sequence[Match], standings: Sequence[Standing]
) -> list[tuple[str, Match]]:
    """Return the newest match and those most worth watching, and why; one of the same bots."""
    counted = [one for one in matches if one.result is not None and not one.is_void]
    listed = [one.bot for one in standings]
    left = {one.bot for match in counted for one in match.seats} - set(listed)
    numbers = {bot: number for number, bot in enumerate([*listed, *sorted(left)])}
    elo = {numbers[one.bot]: one.elo for one in standings}
    finder = HighlightFinder(range(len(numbers)), elo, MAX_RECORD_MATCHES)
    for match in counted:
        finder.add(make_ledger_entry(match, numbers))
    by_id = {match.id: match for match in counted}
    newest = {frozenset(seat.bot for seat in one.seats): ("the newest", one) for one in counted[:1]}
    found: dict[frozenset[str], tuple[str, Match]] = newest
    for one in finder.top_highlights():
        match = by_id[one.entry.fixture.number]
        found.setdefault(frozenset(seat.bot for seat in match.seats), (one.words, match))
    return list(found.values())[:MAX_LIVE_MATCHES]


def _ratings_of_newest(
    history: Sequence[Published], numbers: dict[str, int]
) -> Iterator[Published]:
    """Yield the ratings of a bot in order of time; none of a version after a newer one has some."""
    newest = 0
    for one in sorted(history, key=lambda one: (one.at, -numbers.get(one.version, 0))):
        if numbers.get(one.version, 0) >= newest:
            newest = numbers.get(one.version, 0)
            yield one


def rating_chart(
    history: Sequence[Published], numbers: dict[str, int], present: Published | None = None
) -> RatingChart | None:
    """Return the drawing of ratings over time, the present one last; None for fewer than two."""
    if present is not None:  # until a version has played enough, that of the one before it
        last = numbers.get(present.version, 0)
        history = [*(one for one in history if numbers.get(one.version, 0) <= last), present]
    moments = [
        (one, one.elo) for one in _ratings_of_newest(history, numbers) if one.elo is not None
    ]
    if len(moments) < 2:
        return None
    start, end = moments[0][0].at, moments[-1][0].at
    elos = [elo for _, elo in moments]
    lows = [_end(one.low, elo, -1) for one, elo in moments]
    highs = [_end(one.high, elo, 1) for one, elo in moments]
    across = Axis(0.0, max(1.0, (end - start).total_seconds()), WIDTH)
    up = Axis(min(lows) - ELO_MARGIN / 2, max(highs) + ELO_MARGIN / 2, HEIGHT)
    xs = [across.at((one.at - start).total_seconds()) for one, _ in moments]

    def points(xs: Sequence[float], values: Sequence[float]) -> list[str]:
        return [f"{x:g},{HEIGHT - up.at(y):g}" for x, y in zip(xs, values, strict=True)]

    return RatingChart(
        line=" ".join(points(xs, elos)),
        band=" ".join([*points(xs, highs), *points(xs[::-1], lows[::-1])]),
        ticks=[(HEIGHT - at, value) for at, value in up.ticks()],
        changes=[
            (x, numbers.get(now_.version, 0))
            for x, ((before, _), (now_, _)) in zip(xs[1:], pairwise(moments), strict=True)
            if before.version != now_.version
        ],
        first=start,
        last=end,
    )


def _end(limit: float | None, elo: float, sign: int) -> float:
    """Return an end of an interval as it is drawn: one without limit is cut."""
    return elo + sign * min(NEWCOMER_SPREAD, NEWCOMER_SPREAD if limit is None else abs(limit - elo))
