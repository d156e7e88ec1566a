"""The tables of the arena: bots and their versions, who has entered what, fixtures, ratings."""

from enum import StrEnum

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from runners.storage.tables import tables


class VersionState(StrEnum):
    """What became of a version of a bot."""

    CHECKING = "checking"
    REFUSED = "refused"
    ACTIVE = "active"
    """It plays; at most one version of a bot does."""
    FORMER = "former"
    QUARANTINED = "quarantined"
    """It broke in too many matches in a row; its author may hand in another."""


class CheckState(StrEnum):
    """How a step of the checks ended, or that it runs."""

    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"


class EntryState(StrEnum):
    """The standing of a bot on a ladder."""

    WAITING = "waiting"
    """The organizer has yet to let it in."""
    PLAYING = "playing"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


class SourceRule(StrEnum):
    """Who may read the source of a ladder's bots, beside their authors."""

    NOBODY = "nobody"
    ORGANIZERS = "organizers"
    EVERYBODY_AFTER_END = "everybody after the end"
    EVERYBODY = "everybody"


class EntryRule(StrEnum):
    """Who may enter a ladder."""

    OPEN = "open"
    APPROVED = "approved"


class FieldRule(StrEnum):
    """Who plays in a tournament that begins at its hour."""

    EVERYBODY = "everybody"
    """All bots that play on its ladder by then."""
    ENTERED = "entered"
    """Those that their authors have entered."""


tokens = Table(
    "tokens",
    tables,
    Column("id", String(32), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("person", String(32), ForeignKey("people.id"), nullable=False, index=True),
    Column("name", String(60), nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("used_at", DateTime(timezone=True)),
    Column("scopes", String(60), nullable=False, server_default="hand_in"),
)
"""What programs show in place of a session; shown to its owner once.

`scopes`: what it may be used for (server/identity/tokens.py), with blanks between."""

bots = Table(
    "bots",
    tables,
    Column("id", String(32), primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), nullable=False, index=True),
    Column("game", String(64), nullable=False),
    Column("name", String(60), nullable=False),
    Column("name_key", String(60), nullable=False),
    Column("is_open", Boolean, nullable=False, default=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    UniqueConstraint("game", "name_key"),
)
"""`is_open`: its author lets people play against it. `person`: its owner."""

coauthors = Table(
    "coauthors",
    tables,
    Column("bot", String(32), ForeignKey("bots.id"), primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), primary_key=True, index=True),
    Column("invited_at", DateTime(timezone=True), nullable=False),
    Column("accepted_at", DateTime(timezone=True)),
)
"""With whom the owner of a bot shares it; `accepted_at` NULL: who has yet to say yes."""

versions = Table(
    "versions",
    tables,
    Column("id", String(32), primary_key=True),
    Column("bot", String(32), ForeignKey("bots.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("digest", String(64), nullable=False, index=True),
    Column("size", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("why", Text, nullable=False, default=""),
    Column("first_match", String(64)),
    Column("ladder", String(32), ForeignKey("contests.name")),
    Column("handed_in_at", DateTime(timezone=True), nullable=False),
    Column("person", String(32)),
    UniqueConstraint("bot", "number"),
)
"""`digest`: of the copy in the folder of bots. `why`: it was refused or quarantined.

`first_match`: the key of the match that it played while it was checked. `ladder`: its bot enters
it once the version has passed its checks. `person`: who has handed it in; NULL of a built-in bot.
"""

checks = Table(
    "checks",
    tables,
    Column("version", String(32), ForeignKey("versions.id"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("name", String(32), nullable=False),
    Column("state", String(16), nullable=False),
    Column("words", Text, nullable=False, default=""),
    Column("at", DateTime(timezone=True), nullable=False),
)
"""The steps of a version's checks, in order."""

entries = Table(
    "contest_entries",
    tables,
    Column("contest", String(200), primary_key=True),
    Column("bot", String(32), ForeignKey("bots.id"), primary_key=True),
    Column("state", String(16), nullable=False),
    Column("why", Text, nullable=False, default=""),
    Column("entered_at", DateTime(timezone=True), nullable=False),
    Column("changed_at", DateTime(timezone=True), nullable=False),
)
"""Bots in contests: `contest` is the id of a ladder, or the name of a tournament."""

fixtures = Table(
    "fixtures",
    tables,
    Column("id", Integer, primary_key=True),
    Column("ladder", String(32), ForeignKey("contests.name"), nullable=False),
    Column("set_number", Integer, nullable=False),
    Column("seats", Text, nullable=False),
    Column("seed", String(40), nullable=False),
    Column("key", String(64), nullable=False),
    Column("failures", Integer, nullable=False, default=0),
    Column("why", Text, nullable=False, default=""),
    Column("is_void", Boolean, nullable=False, default=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("played_at", DateTime(timezone=True)),
    Column("public_id", String(16)),
    Column("has_result", Boolean, nullable=False, default=False, server_default=false()),
    Index("fixtures_open", "ladder", "played_at"),
    Index("fixtures_by_key", "key"),
    Index("fixtures_by_public_id", "public_id", unique=True),
)
"""Matches of ladders; those of one `set_number` are one side-swapped set.

`public_id` stands in addresses: nobody can tell from it how many matches there are. `seats`: the
ids of versions, JSON. `has_result`: it was played, and its result is among all matches under its
key; fixtures of identical bots may share one.
`is_void`: it does not count, such as one of a bot that was disqualified. `why`: it could not be
played. `played_at`: when it was played, or given up; NULL while it is to be played.
"""

players = Table(
    "players",
    tables,
    Column("fixture", Integer, ForeignKey("fixtures.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("version", String(32), ForeignKey("versions.id"), nullable=False, index=True),
    Column("score", Float),
    Column("cpu_ms", Integer),
    Column("faults", Integer),
    Column("is_out", Boolean),
)
"""Who plays in which fixture, and what its result says of each, to find the matches of a bot.

`is_out`: its bot was asked no more at the end.
"""

ratings = Table(
    "ratings",
    tables,
    Column("ladder", String(32), ForeignKey("contests.name"), primary_key=True),
    Column("version", String(32), ForeignKey("versions.id"), primary_key=True),
    Column("at", DateTime(timezone=True), primary_key=True),
    Column("games", Integer, nullable=False),
    Column("elo", Float),
    Column("low", Float),
    Column("high", Float),
    Index("ratings_latest", "ladder", "at"),
)
"""Ratings over time; the newest of a version is its present one."""

notices = Table(
    "notices",
    tables,
    Column("id", Integer, primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), nullable=False, index=True),
    Column("words", String(300), nullable=False),
    Column("path", String(200), nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("seen_at", DateTime(timezone=True)),
)
"""What people are told: their bot was quarantined, lost its first place, and the like."""
