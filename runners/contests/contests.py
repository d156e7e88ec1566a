"""The contests of a server as its database has them: ladders, seasons and tournaments."""

import secrets
from collections.abc import Collection, Iterable
from datetime import datetime
from functools import partial

import msgspec
from sqlalchemy import ColumnElement, case, select

from engine.bots.own_files import MAX_SOURCE_BYTES, MAX_TOTAL_BYTES
from engine.catalog import find_game, find_publisher, leave_out_missing_games
from engine.game import AnyGame
from engine.spec import MatchSpec, decode_spec, encode_spec
from runners.contests.tournament_request import tournament_title
from runners.storage.database import now, struct_from_row, with_time_zone
from runners.storage.ladder_tables import EntryRule, FieldRule, SourceRule
from runners.storage.tables import IS_LADDER, contests, name_key
from runners.storage.together import AnyRow, Lookup, Rows

VERSIONS_PER_DAY = 20
CPU_S_PER_DAY = 3_600.0
"""What the bots of one person may use of a ladder's matches in a day, unless it says otherwise."""
LADDER = "ladder"
"""What stands for the format of a ladder or a season."""
MATCHES_PER_DAY = 400
"""A bot plays no more than this in a day after its placement, unless its ladder says otherwise."""
IS_BEGUN = contests.c.plan != ""
IS_ANNOUNCED = contests.c.ladder.is_not(None) & (contests.c.plan == "")
"""It has not begun: it is to begin, or could not."""
IS_WAITING = IS_ANNOUNCED & contests.c.settled_at.is_(None)
ORDER = (
    IS_LADDER.desc(),
    case((IS_LADDER, contests.c.begun_at)),
    contests.c.name_key,
    IS_WAITING.desc(),
    case((IS_ANNOUNCED, contests.c.begins_at)),
    contests.c.begun_at.desc(),
    contests.c.name,
)
"""Ladders and seasons as they were made, then the tournaments to begin, the next first; then the
newest."""


class ContestBase(msgspec.Struct, frozen=True, kw_only=True):
    """What all contests have in common."""

    words: str = ""
    """What an organizer says of it: text, of one or more lines."""
    entry_rule: EntryRule = EntryRule.OPEN
    only_group: str | None = None
    """The id of the group whose members alone enter it."""
    is_paused: bool = False
    created_at: datetime


class Ladder(ContestBase, frozen=True, kw_only=True):
    """A ladder; one with an end is a season."""

    id: str
    name: str
    spec: MatchSpec
    """Without bots, and with seed 0."""
    source_rule: SourceRule = SourceRule.NOBODY
    versions_per_day: int = VERSIONS_PER_DAY
    """How many versions of a bot may be handed in, in a day."""
    cpu_s_per_day: float = CPU_S_PER_DAY
    matches_per_day: int = MATCHES_PER_DAY
    """A bot plays no more than this after its placement: what is known well costs no more time."""
    most_source_bytes: int = MAX_SOURCE_BYTES
    """The size of all .py files of a bot."""
    most_bytes: int = MAX_TOTAL_BYTES
    """The size of all its files."""
    begins_at: datetime
    freezes_at: datetime | None = None
    ends_at: datetime | None = None
    """When handing in closes, and the final begins; None for a ladder without an end."""
    concluded_at: datetime | None = None
    """When the final was played, so that the table is final."""

    @property
    def title(self) -> str:
        return self.name

    @property
    def game(self) -> AnyGame:
        return find_game(self.spec.game)

    def is_for(self, groups: Collection[str]) -> bool:
        """Return whether somebody in these groups may enter it."""
        return self.only_group is None or self.only_group in groups

    @property
    def is_season(self) -> bool:
        return self.ends_at is not None

    def has_begun(self, at: datetime) -> bool:
        return self.begins_at <= at

    def is_closed(self, at: datetime) -> bool:
        """Return whether nobody enters it any more, and no new versions play on it."""
        return self.ends_at is not None and self.ends_at <= at

    def is_over(self, at: datetime) -> bool:
        """Return whether its table is final. Where the rules have changed no final is played."""
        is_concluded = self.concluded_at is not None or not self.has_present_rules
        return self.is_closed(at) and is_concluded

    def final_time(self, at: datetime) -> datetime | None:
        """Return when the table of a season became final; None as long as it may change."""
        return self.concluded_at if self.is_over(at) else None

    def is_in_final(self, at: datetime) -> bool:
        return self.is_closed(at) and not self.is_over(at)

    def is_frozen(self, at: datetime) -> bool:
        """Return whether its table is not shown as it changes."""
        return self.freezes_at is not None and self.freezes_at <= at and not self.is_over(at)

    @property
    def has_present_rules(self) -> bool:
        return self.spec.rules_version == self.game.rules_version

    def is_running(self, at: datetime) -> bool:
        """Return whether its matches are played; under other rules none are."""
        return (
            self.has_begun(at)
            and not self.is_paused
            and not self.is_over(at)
            and self.has_present_rules
        )


class TournamentChoices(msgspec.Struct, frozen=True, kw_only=True):
    """What an organizer chooses of a tournament; the rest is the ladder's."""

    format: str
    games: int
    """Map pairs per pairing."""
    rounds: int | None
    """None: as many as the format usually has."""
    table: int
    """How many bots a match has."""
    break_minutes: int = 0
    """The pause between two rounds."""


class SavedTournament(ContestBase, frozen=True, kw_only=True):
    """A tournament as its row says it: one that is announced, or has begun.

    `created_at`: when it began; until then, when it was announced.
    """

    name: str
    ladder: str
    """The id of the ladder whose bots play."""
    plan: str = ""
    """JSON, once it has begun."""
    stuck: int = 0
    """How many of its matches could not be played, however often they were tried."""
    break_s: int = 0
    """The pause between two rounds."""
    choices: TournamentChoices | None = None
    """None of one that began without having been announced, as what follows."""
    field: FieldRule | None = None
    entries_until: datetime | None = None
    """Bots and versions that are handed in, or entered, after this do not play in it."""
    begins_at: datetime | None = None
    is_sealed: bool = False
    """Whether the ladder plays no matches before it begins, so that nobody sees what others do."""
    settled_at: datetime | None = None
    """When it began, or could not; None until then."""
    why: str = ""
    """Why it did not begin at its hour."""

    @property
    def id(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        return tournament_title(self.name)

    @property
    def is_begun(self) -> bool:
        return bool(self.plan)

    @property
    def is_waiting(self) -> bool:
        """Return whether it is to begin."""
        return not self.is_begun and self.settled_at is None

    @property
    def state(self) -> str:
        """Return in few words how one stands that has not begun."""
        return "could not begin" if self.why else "announced"

    def takes_entries(self, at: datetime) -> bool:
        is_early = self.entries_until is not None and at < self.entries_until
        return self.is_waiting and is_early


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """A ladder, or a tournament with the ladder whose bots play it."""

    ladder: Ladder
    """The contest itself, or whose bots play it."""
    tournament: SavedTournament | None = None
    """None of a ladder."""

    @property
    def base(self) -> Ladder | SavedTournament:
        return self.tournament or self.ladder

    @property
    def id(self) -> str:
        return self.base.id

    @property
    def title(self) -> str:
        return self.base.title

    @property
    def kind(self) -> str:
        return "ladder" if self.tournament is None else "tournament"

    def takes_entries(self, at: datetime) -> bool:
        """Return whether a bot that is handed in at a time can enter it."""
        if self.tournament is not None:
            return self.tournament.takes_entries(at)
        return not self.ladder.is_closed(at)


def find_contests(*where: ColumnElement[bool]) -> Lookup[list[Contest]]:
    """Look up contests, but those of a game that is not installed."""
    here = IS_LADDER | contests.c.ladder.is_not(None), *where
    ladders = contests.c.name.in_(select(contests.c.ladder).where(*here))

    def make(rows: Rows, of: Rows) -> list[Contest]:
        by_id = {row.name: row for row in (*rows, *of) if row.spec is not None}
        ladders = leave_out_missing_games(_ladder_from_row, by_id.values())
        return _contests_from_rows(rows, ladders)

    found = select(contests).where(*here).order_by(*ORDER)
    return Lookup(found, make, select(contests).where(ladders))


def contest_of_id(contest: str) -> Lookup[Contest | None]:
    """Look up a contest by what stands in its address."""
    ladder = select(contests.c.ladder).where(contests.c.name == contest)
    query = select(contests).where((contests.c.name == contest) | contests.c.name.in_(ladder))

    def make(rows: Rows) -> Contest | None:
        ladders = [_ladder_from_row(row) for row in rows if row.spec is not None]
        found = _contests_from_rows([row for row in rows if row.name == contest], ladders)
        return found[0] if found else None

    return Lookup(query, make)


def find_ladders(*where: ColumnElement[bool]) -> Lookup[list[Ladder]]:
    """Look up ladders and seasons, but those of a game that is not installed."""
    query = select(contests).where(IS_LADDER, *where).order_by(*ORDER)
    return Lookup(query, partial(leave_out_missing_games, _ladder_from_row))


def find_ladder(where: ColumnElement[bool]) -> Lookup[Ladder | None]:
    """Look up a ladder."""
    query = select(contests).where(IS_LADDER, where)
    return Lookup(query, lambda rows: _ladder_from_row(rows[0]) if rows else None)


def ladder_of_id(ladder_id: str) -> Lookup[Ladder | None]:
    """Look up a ladder by its id."""
    return find_ladder(contests.c.name == ladder_id)


def find_tournaments(*where: ColumnElement[bool]) -> Lookup[list[SavedTournament]]:
    """Look up tournaments of a server."""
    query = select(contests).where(contests.c.ladder.is_not(None), *where).order_by(*ORDER)
    return Lookup(query, lambda rows: [_tournament_from_row(row) for row in rows])


def contest_to_row(one: Ladder | SavedTournament) -> dict[str, object]:
    """Return the row of a ladder, or of a tournament that is announced."""
    row = msgspec.structs.asdict(one)
    row |= {"begun_at": row.pop("created_at"), "words": one.words or None}
    if isinstance(one, Ladder):
        row |= {"name": row.pop("id"), "title": one.name, "name_key": name_key(one.name)}
        return {**row, "plan": "", "format": LADDER, "spec": encode_spec(one.spec).decode()}
    row["choices"] = msgspec.json.encode(one.choices).decode()
    return {**row, "format": one.choices.format if one.choices else None}


def _contests_from_rows(rows: Iterable[AnyRow], ladders: Iterable[Ladder]) -> list[Contest]:
    """Return the contests of rows, those of `ladders` alone."""
    by_id = {one.id: one for one in ladders}
    return [
        Contest(ladder=ladder, tournament=_tournament_from_row(row) if row.ladder else None)
        for row in rows
        if (ladder := by_id.get(row.ladder or row.name)) is not None
    ]


def _ladder_from_row(row: AnyRow) -> Ladder:
    spec, created_at = decode_spec(row.spec.encode()), with_time_zone(row.begun_at)
    own = {"id": row.name, "name": row.title, "spec": spec, "created_at": created_at}
    return struct_from_row(Ladder, row, **own)


def _tournament_from_row(row: AnyRow) -> SavedTournament:
    choices = msgspec.json.decode(row.choices, type=TournamentChoices) if row.choices else None
    own = {"choices": choices, "created_at": with_time_zone(row.begun_at)}
    return struct_from_row(SavedTournament, row, **own)


def describe_end(ladder: Ladder) -> str:
    """Return when handing in for a season closed, in words that follow its name."""
    assert ladder.ends_at is not None
    return f"ended on {ladder.ends_at:%Y-%m-%d at %H:%M} UTC"


def new_ladder_id() -> str:
    """Return an id that no other ladder has."""
    return secrets.token_hex(8)


def usual_spec(game: AnyGame) -> MatchSpec:
    """Return the spec of a ladder with a game's own settings."""
    return MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=game.settings(),
        limits=game.limits,
        bots=(),
        seed=0,
        publisher=find_publisher(game.name),
    )


def make_usual_ladder(game: AnyGame) -> Ladder:
    """Return a new ladder with a game's own settings, which begins now."""
    at = now()
    return Ladder(
        id=new_ladder_id(), name=game.title, spec=usual_spec(game), begins_at=at, created_at=at
    )
