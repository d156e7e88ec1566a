"""Tournaments as their pages show them: standings, pairings and matches, as results come."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from http import HTTPStatus
from itertools import permutations
from pathlib import Path
from typing import Annotated, Any
from zlib import crc32

import msgspec
from markupsafe import Markup

from engine.catalog import find_game
from engine.errors import BadResult
from engine.result_folder import REPLAY, ResultFolder
from report.boxes import Box, bracket_boxes, round_boxes
from report.dossier import Dossier
from report.drawing import draw_bracket, draw_rounds
from report.rendering import MAX_DRAWN_ROUNDS, render
from runners.contests.contests import Contest, SavedTournament, contest_of_id
from runners.contests.ledger import Ledger, LedgerEntry, State
from runners.contests.standings import Standings, StandingsTally
from runners.contests.tournament import Tournament
from runners.storage.database import Database
from runners.storage.store import find_entrants
from server.contests.match_rows import Match
from server.contests.playing_now import PlayingMatch, PlayingSeat
from server.contests.tournaments import Tournaments
from server.http.errors import Denied
from server.http.responses import encode
from server.watching.running_matches import RunningMatches
from server.watching.visibility import is_shown_late

PER_PAGE = 50


class Listed(msgspec.Struct, frozen=True):
    """A match of a tournament."""

    place: tuple[int, int]
    """The round of its pairing, and the number of the pairing in it."""
    seats: tuple[int, ...]
    """The numbers of its entrants."""
    key: str
    state: State
    scores: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()


class MatchState(StrEnum):
    """How far a match of a tournament is."""

    WAITING = "waiting"
    PLAYING = "playing"
    PLAYED = "played"
    FORFEITED = "forfeited"
    VOID = "void"
    """It does not count: an organizer has decided so."""


class TournamentMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match of a tournament."""

    pairing: str
    """Its round, and the number of the pairing in it, such as `2.1`."""
    seats: list[str]
    """The names of its bots."""
    state: MatchState
    turn: int | None = None
    """The turn that one has come to that is being played, as far as is known."""
    scores: list[float] = []
    winners: list[int] = []
    """Who beat all others, from 1."""
    path: str | None = None
    """Where it is watched; null where there is nothing to be watched."""


class TournamentMatches(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of a tournament, in the order of its schedule."""

    total: int
    matches: list[TournamentMatch]


class MatchesQuery(msgspec.Struct, frozen=True):
    """Which matches are asked for."""

    bot: Annotated[int, msgspec.Meta(ge=1, description="The seed of a bot.")] | None = None
    other: Annotated[int, msgspec.Meta(ge=1, description="That of another one.")] | None = None
    pairing: (
        Annotated[
            str,
            msgspec.Meta(max_length=16, description="A round and the number of a pairing: `2.1`."),
        ]
        | None
    ) = None
    playing: Annotated[bool, msgspec.Meta(description="Only those that are being played now.")] = (
        False
    )
    page: Annotated[
        int, msgspec.Meta(ge=1, le=10_000, description="A page of the matches, from 1.")
    ] = 1


STATES = {
    State.OPEN: MatchState.WAITING,
    State.PLAYED: MatchState.PLAYED,
    State.FORFEITED: MatchState.FORFEITED,
}


def list_ladder_matches(total: int, matches: Sequence[Match]) -> TournamentMatches:
    """Return matches of a ladder that were played, as lists show them."""
    return TournamentMatches(
        total=total,
        matches=[
            TournamentMatch(
                pairing=str(one.set_number),
                seats=[seat.name for seat in one.seats],
                state=MatchState.VOID if one.is_void else MatchState.PLAYED,
                scores=[] if one.result is None else list(one.result.scores),
                winners=[seat + 1 for seat in one.winners],
                path=f"/matches/{one.public_id}",
            )
            for one in matches
        ],
    )


def replay_path(out: Path, key: str) -> Path:
    """Return where the replay of a match is, once it was played."""
    return out / ResultFolder.MATCHES / key / REPLAY


def make_listed_match(entry: LedgerEntry) -> Listed:
    """Return a match as lists have it."""
    scores = () if entry.result is None else tuple(entry.result.scores)
    place, seats = entry.pairing.place, tuple(entry.fixture.seats)
    return Listed(place, seats, entry.key, entry.state, scores, entry.shares)


def pairing_states(listed: Collection[Listed]) -> dict[tuple[int, int], State]:
    """Return for every two who have met, or will, in both orders, whether they have."""
    pairs: dict[tuple[int, int], State] = {}
    for one in listed:
        for pair in permutations(one.seats, 2):
            if pairs.get(pair) in (None, State.OPEN):
                pairs[pair] = one.state
    return pairs


def pairing_name(place: tuple[int, int]) -> str:
    """Return what a pairing is called."""
    return f"{place[0]}.{place[1]}"


UNREADABLE_TEXT = (
    "this tournament cannot be shown: what is kept of it cannot be understood. "
    "The server's warnings say why"
)
IDLE_FACTOR = 10
"""A tournament is not read again before so many times as long as reading it took."""
MAX_LISTED_MATCHES = 20_000
"""Matches of a tournament that can be looked up."""


class Shown(msgspec.Struct, frozen=True):
    """A tournament as its page shows it."""

    count: int
    """How many results there were: with others it is made anew."""
    due: float
    """When it may be, seconds of the monotonic clock: to read many results takes a while."""
    standings: Standings
    met: Mapping[int, Dossier]
    """What each entrant did, by its number."""
    boxes: tuple[Box, ...]
    """The pairings of the bracket or of the rounds; () where none are drawn."""
    listed: Mapping[str, Listed]
    """Its matches as far as they are known, by key, in the order of the schedule."""
    is_tree: bool
    """Whether it has a bracket."""


class TournamentNews(msgspec.Struct, frozen=True, kw_only=True):
    """What a page is told that follows a tournament."""

    mark: str
    """Another one where its page is old: but for the turns of what is being played."""
    matches: list[PlayingMatch]
    """What is being played."""


class RoundShown(msgspec.Struct, frozen=True):
    """A round that begins after a break."""

    number: int
    opens_at: datetime
    meetings: list[list[int]]
    """The numbers of the entrants of each pairing, as far as it is known."""


class TournamentView(msgspec.Struct, frozen=True):
    """A tournament that has begun, as it stands."""

    contest: Contest
    tournament: Tournament
    shown: Shown
    state: str
    """`running`, `paused`, `stopped` or `over`."""
    news_mark: str
    """See TournamentNews.mark."""

    @property
    def saved(self) -> SavedTournament:
        assert self.contest.tournament is not None
        return self.contest.tournament


class TournamentViews:
    """How tournaments stand, kept until there are new results. Used from any thread."""

    def __init__(
        self,
        database: Database,
        tournaments: Tournaments,
        running: RunningMatches,
        out: Path,
        public_path: str,
    ) -> None:
        """`out`: the folder of results; `public_path`: what pages put before their links."""
        self._database = database
        self._tournaments = tournaments
        self._running = running
        self._out = out
        self._public_path = public_path
        self._drawn: dict[str, tuple[Hashable, Markup]] = {}
        """By tournament: its drawing, and what that was made of."""
        self._shown: dict[str, Shown] = {}

    def view(self, contest: Contest, entrants: list[str]) -> TournamentView | None:
        """Return how one stands; None for one without a plan. Raises: BadResult."""
        saved = contest.tournament
        assert saved is not None
        tournament = self._tournaments.read(saved.name, saved.plan or None, entrants)
        if tournament is None:
            return None
        shown = self._show_now(saved.name, tournament)
        state = "paused" if saved.is_paused else "stopped" if saved.stuck else "running"
        if shown.standings.is_over:
            state = "over"
        mark = _mark_news(state, shown, self._running.matches_with_turns())
        return TournamentView(contest, tournament, shown, state, mark)

    def view_all(
        self, begun: Iterable[Contest], entrants: Mapping[str, list[str]]
    ) -> tuple[list[TournamentView], list[str]]:
        """Return how tournaments stand, and the names of those that cannot be understood.

        `entrants`: by the names of tournaments.
        """
        views: list[TournamentView] = []
        unreadable: list[str] = []
        for one in begun:
            try:
                view = self.view(one, entrants.get(one.id, []))
            except BadResult:
                unreadable.append(one.id)
                continue
            if view is not None:
                views.append(view)
        return views, unreadable

    def require_view(self, found: Contest | None, entrants: list[str]) -> TournamentView:
        """Return how a tournament stands. Raises: Denied."""
        if found is None or found.tournament is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such tournament")
        try:
            view = self.view(found, entrants)
        except BadResult as error:
            raise Denied(HTTPStatus.INTERNAL_SERVER_ERROR, UNREADABLE_TEXT) from error
        if view is None:
            raise Denied(HTTPStatus.NOT_FOUND, "this tournament has not begun")
        return view

    def load(self, read: Callable[..., Sequence[Any]], name: str) -> TournamentView:
        """Return how the tournament of a name stands. Raises: Denied."""
        return self.require_view(*read(contest_of_id(name), find_entrants(name)))

    def render_news(self, name: str) -> bytes:
        """Return TournamentNews, as it is sent. Raises: Denied."""
        view = self.load(self._database.read, name)
        return encode(TournamentNews(mark=view.news_mark, matches=self.list_playing(view)))

    def find_newest(self, view: TournamentView, most: int) -> list[TournamentMatch]:
        """Return the last matches of the schedule that were played, the last one first."""
        played = [one for one in view.shown.listed.values() if one.state is State.PLAYED]
        return self.find_matches(view, MatchesQuery(), played[: -most - 1 : -1]).matches

    def find_matches(
        self, view: TournamentView, query: MatchesQuery, listed: Collection[Listed] | None = None
    ) -> TournamentMatches:
        """Return a page of the matches that are asked for; `listed`: among which, usually all."""
        turns = self._running.matches_with_turns()
        wanted = {one - 1 for one in (query.bot, query.other) if one is not None}
        found = [
            one
            for one in (view.shown.listed.values() if listed is None else listed)
            if wanted <= set(one.seats)
            and query.pairing in (None, pairing_name(one.place))
            and not (query.playing and not (one.key in turns and one.state is State.OPEN))
        ]
        page = found[(query.page - 1) * PER_PAGE : query.page * PER_PAGE]
        matches = [self._make_match(view, one, turns) for one in page]
        return TournamentMatches(total=len(found), matches=matches)

    def _make_match(
        self, view: TournamentView, one: Listed, turns: Mapping[str, int | None]
    ) -> TournamentMatch:
        is_playing = one.state is State.OPEN and one.key in turns
        is_kept = one.state is State.PLAYED and replay_path(self._out, one.key).is_file()
        path = f"/contests/{view.contest.id}/matches/{one.key}/watch"
        return TournamentMatch(
            pairing=pairing_name(one.place),
            seats=[view.tournament.field.entrants[number].bot.name for number in one.seats],
            state=MatchState.PLAYING if is_playing else STATES[one.state],
            turn=turns.get(one.key) if is_playing else None,
            scores=list(one.scores),
            winners=[seat for seat, share in enumerate(one.shares, 1) if share == 1.0],
            path=path if is_playing or is_kept else None,
        )

    def list_playing(self, view: TournamentView) -> list[PlayingMatch]:
        """Return what is being played of a tournament, the first rounds first."""
        found = self.find_matches(view, MatchesQuery(playing=True)).matches
        is_late = is_shown_late(find_game(view.tournament.field.plan.game))
        return [
            PlayingMatch(
                path=one.path or "",
                seats=[PlayingSeat(name=name) for name in one.seats],
                turn=one.turn,
                is_shown_late=is_late,
            )
            for one in found
        ]

    def find_match(self, view: TournamentView, key: str) -> tuple[Listed, bool]:
        """Return a match that can be watched, and whether it is being played. Raises: Denied."""
        one = view.shown.listed.get(key)
        if one is not None and one.state is State.OPEN and not self._is_running(key):
            self._shown.pop(view.contest.id, None)  # it may have been played just now
            one = self._show_now(view.contest.id, view.tournament).listed.get(key)
        if one is None or (one.state is State.OPEN and not self._is_running(key)):
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such match, or it is yet to be played")
        return one, one.state is State.OPEN

    def _is_running(self, key: str) -> bool:
        """Return whether a match is being played, or was just now."""
        return self._running.is_running(key) or replay_path(self._out, key).is_file()

    def _show_now(self, name: str, tournament: Tournament) -> Shown:
        """Return a tournament as it stands; read again only where there are new results."""
        before = self._shown.get(name)
        if before is not None and (before.standings.is_over or time.monotonic() < before.due):
            return before
        count = self._tournaments.count_results()
        if before is None or before.count != count:
            before = self._shown[name] = read_through(tournament.ledger(), count)
        return before

    def next_round(self, view: TournamentView) -> RoundShown | None:
        """Return the round that begins after a break; None while one is played."""
        saved, shown = view.saved, view.shown
        open_ones = [one for one in shown.listed.values() if one.state is State.OPEN]
        if not (saved.break_s and open_ones):
            return None
        number = min(one.place[0] for one in open_ones)
        before = [one.key for one in shown.listed.values() if one.place[0] < number]
        is_whole = all(
            one.state is State.OPEN for one in shown.listed.values() if one.place[0] == number
        )
        opens_at = self._tournaments.round_opens_at(saved, before) if is_whole else None
        if opens_at is None:
            return None
        pairs = dict.fromkeys(frozenset(one.seats) for one in open_ones if one.place[0] == number)
        return RoundShown(number, opens_at, [sorted(pair) for pair in pairs])

    def draw_pairings(self, view: TournamentView) -> Markup:
        """Return the drawing of the pairings, made anew only where it changes."""
        name, shown = view.contest.id, view.shown
        if not shown.boxes:
            return Markup("")
        turns = self._running.matches_with_turns()
        playing = {one.place for key, one in shown.listed.items() if key in turns}
        made_of = shown.count, frozenset(playing)
        before = self._drawn.get(name)
        if before is None or before[0] != made_of:
            before = self._drawn[name] = (
                made_of,
                _draw_pairings(shown, f"{self._public_path}/contests/{name}", playing),
            )
        return before[1]


def read_through(ledger: Ledger, count: int) -> Shown:
    """Return how a tournament stands, reading its results once."""
    began = time.monotonic()
    tally = StandingsTally(ledger)
    met = {number: Dossier() for number in range(len(ledger.field.entrants))}
    listed: dict[str, Listed] = {}
    for entry in ledger:
        tally.add(entry)
        if len(listed) < MAX_LISTED_MATCHES:
            listed.setdefault(entry.key, make_listed_match(entry))
        for seat, number in enumerate(entry.fixture.seats):
            met[number].add(entry, seat, link="")
    standings = tally.standings()
    tree, rounds = tuple(bracket_boxes(ledger)), tuple(round_boxes(ledger))
    is_drawn = tree or len(rounds) <= MAX_DRAWN_ROUNDS
    now = time.monotonic()
    due = now + IDLE_FACTOR * (now - began)
    return Shown(
        count, due, standings, met, (tree or rounds) if is_drawn else (), listed, bool(tree)
    )


def _mark_news(state: str, shown: Shown, turns: Iterable[str]) -> str:
    """Return what is another one where results have changed, or which matches are played."""
    standings = shown.standings
    playing = ",".join(sorted(key for key in turns if key in shown.listed))
    return f"{state}-{standings.played}-{standings.forfeited}-{crc32(playing.encode()):08x}"


def _draw_pairings(shown: Shown, page: str, playing: Collection[tuple[int, int]]) -> Markup:
    """Return the drawing of the pairings, each with a link to its matches and how far they are.

    `page`: the path of the tournament's page.
    """
    states: dict[tuple[int, int], set[State]] = defaultdict(set)
    for one in shown.listed.values():
        states[one.place].add(one.state)
    notes = {}
    for place, of_place in states.items():
        if place in playing:
            notes[place] = "being played"
        elif State.OPEN in of_place:
            notes[place] = "waiting" if of_place == {State.OPEN} else "begun"
    svg = render(
        "drawing.html",
        drawing=draw_bracket(shown.boxes) if shown.is_tree else draw_rounds(shown.boxes),
        is_bracket=shown.is_tree,
        entrants={row.number: row for row in shown.standings.rows},
        links={place: f"{page}/matches?pairing={place[0]}.{place[1]}" for place in states},
        notes=notes,
    )
    return Markup(svg.decode())  # the template has escaped what it was given
