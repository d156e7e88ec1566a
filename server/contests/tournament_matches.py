"""The matches of a contest, as lists and programs are told of them: played, running, waiting."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from itertools import permutations
from pathlib import Path
from typing import Annotated

import msgspec

from engine.result_folder import REPLAY, ResultFolder
from runners.contests.ledger import LedgerEntry, State
from server.contests.match_rows import Match

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


class MatchFinder:
    """Finds matches of a tournament."""

    def __init__(self, out: Path, name: str, names: Mapping[int, str]) -> None:
        """`out`: the folder of results; `names`: those of the entrants, by number."""
        self._out = out
        self._name = name
        self._names = names

    def find_page(
        self,
        listed: Collection[Listed],
        turns: Mapping[str, int | None],
        query: MatchesQuery,
    ) -> TournamentMatches:
        """Return a page of the matches that are asked for; `turns`: of those that are played."""
        wanted = {one - 1 for one in (query.bot, query.other) if one is not None}
        found = [
            one
            for one in listed
            if wanted <= set(one.seats)
            and query.pairing in (None, pairing_name(one.place))
            and not (query.playing and not (one.key in turns and one.state is State.OPEN))
        ]
        first = (query.page - 1) * PER_PAGE
        told = [self._make_tournament_match(one, turns) for one in found[first : first + PER_PAGE]]
        return TournamentMatches(total=len(found), matches=told)

    def _make_tournament_match(
        self, one: Listed, turns: Mapping[str, int | None]
    ) -> TournamentMatch:
        is_playing = one.state is State.OPEN and one.key in turns
        is_kept = one.state is State.PLAYED and replay_path(self._out, one.key).is_file()
        path = f"/contests/{self._name}/matches/{one.key}/watch"
        return TournamentMatch(
            pairing=pairing_name(one.place),
            seats=[self._names[number] for number in one.seats],
            state=MatchState.PLAYING if is_playing else STATES[one.state],
            turn=turns.get(one.key) if is_playing else None,
            scores=list(one.scores),
            winners=[seat for seat, share in enumerate(one.shares, 1) if share == 1.0],
            path=path if is_playing or is_kept else None,
        )


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


def read_query(params: Mapping[str, str]) -> MatchesQuery:
    """Return what is asked for. Raises: msgspec.ValidationError."""
    return msgspec.convert(dict(params), MatchesQuery, strict=False)
