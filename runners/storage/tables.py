"""The tables of results, matches by their keys and contests made of them, and keys of names."""

from unicodedata import normalize

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
)

tables = MetaData()
"""All tables: those below, and those of game_tables.py and ladder_tables.py."""

about = Table(
    "about",
    tables,
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("alive_at", Float),
)
"""`alive_at`: when the server was last known to run while live clocks ran, seconds since 1970."""
matches = Table(
    "matches",
    tables,
    Column("key", String(64), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("result", Text, nullable=False),
    Column("played_at", DateTime(timezone=True), nullable=False),
)
"""`result`: a StoredResult, JSON."""
failures = Table(
    "failures",
    tables,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("key", String(64), nullable=False, index=True),
    Column("words", Text, nullable=False),
    Column("failed_at", DateTime(timezone=True), nullable=False),
)
"""Why matches could not be played, for no bot's fault."""
contests = Table(
    "contests",
    tables,
    Column("name", String(200), primary_key=True),
    Column("plan", Text, nullable=False),
    Column("begun_at", DateTime(timezone=True), nullable=False),
    Column("ladder", String(32), ForeignKey("contests.name")),
    Column("is_paused", Boolean, nullable=False, default=False, server_default=false()),
    Column("stuck", Integer, nullable=False, server_default="0"),
    Column("break_s", Integer, nullable=False, default=0, server_default="0"),
    Column("words", Text),
    Column("choices", Text),
    Column("field", String(16)),
    Column("entries_until", DateTime(timezone=True)),
    Column("begins_at", DateTime(timezone=True)),
    Column("is_sealed", Boolean, nullable=False, default=False, server_default=false()),
    Column("settled_at", DateTime(timezone=True)),
    Column("why", Text),
    Column("format", String(40)),
    Column("title", String(60)),
    Column("name_key", String(60)),
    Column("spec", Text),
    Column("entry_rule", String(16)),
    Column("source_rule", String(32)),
    Column("versions_per_day", Integer),
    Column("cpu_s_per_day", Float),
    Column("matches_per_day", Integer),
    Column("most_source_bytes", Integer),
    Column("most_bytes", Integer),
    Column("freezes_at", DateTime(timezone=True)),
    Column("ends_at", DateTime(timezone=True)),
    Column("concluded_at", DateTime(timezone=True)),
    Column("only_group", String(32)),
    Index("contests_by_title", "name_key", unique=True),
)
"""Ladders, seasons (ladders with an end) and tournaments.

`name`: that of a tournament, or the id of a ladder: it stands in addresses. `format`: `ladder`, or
that of a tournament. `begun_at`: when it was made. `is_paused`: an organizer has stopped it.

Of a tournament: `plan`: JSON; '' until it begins, and of a ladder. `ladder`: whose bots play, on a
server. `stuck`: how many of its matches could not be played, however often they were tried.
`break_s`: the pause between two of its rounds, seconds. Of one that was announced: `choices`:
TournamentChoices, JSON; later versions than `entries_until` do not play in it; it begins by itself
at `begins_at`; `is_sealed`: no matches of the ladder are played before; `settled_at`: when it
began, or could not for the reason `why`, and everybody concerned was told; NULL until then.

Of a ladder: `title`: its name, of which `name_key` is the key. `spec`: a match spec without bots
and with seed 0: game, settings, limits, packages. From `freezes_at` to the end of the season its
table is not shown as it changes. At `ends_at` handing in closes, and the final is played;
`concluded_at` is when that was done. `only_group`: the group whose members alone enter it.
"""
IS_LADDER = contests.c.spec.is_not(None)
"""The condition of a query for ladders and seasons."""
entrants = Table(
    "contest_entrants",
    tables,
    Column("contest", String(200), ForeignKey("contests.name"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("entrant", Text, nullable=False),
)
"""`entrant`: JSON; those with negative numbers were looked at and cannot play."""
secrets = Table(
    "secrets",
    tables,
    Column("series", String(64), primary_key=True),
    Column("secret", String(34), nullable=False),
    Column("drawn_at", DateTime(timezone=True), nullable=False),
)
"""What the maps of series are drawn from."""

MAX_TYPED_LENGTH = 200
"""Letters that are looked at: putting marks into their order takes the square of their number."""


def name_key(name: str) -> str:
    """Return what two names that look alike share: nobody may take a name in other letters.

    Of a text that is longer than any name only the beginning is looked at.
    """
    return normalize("NFKC", normalize("NFKC", name[:MAX_TYPED_LENGTH]).casefold())
