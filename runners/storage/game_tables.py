"""The tables of a server: people, and the games that they play."""

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
)

from runners.storage.tables import tables

games = Table(
    "games",
    tables,
    Column("id", String(32), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("spec", Text, nullable=False),
    Column("seats", Text, nullable=False),
    Column("terms", Text, nullable=False),
    Column("rematch", String(32)),
    Column("decisions", Integer, nullable=False, default=0),
    Column("is_over", Boolean, nullable=False, default=False, index=True),
    Column("outcome", Text),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("ended_at", DateTime(timezone=True)),
    Column("version", Integer, nullable=False, server_default="0"),
)
"""`outcome` and `ended_at`: of a game that is over. `version` counts its changes, where several
processes serve."""
decisions = Table(
    "decisions",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
    Column("decided_at", DateTime(timezone=True), nullable=False),
)
orders = Table(
    "orders",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("piece", Integer, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
)
"""Orders of a decision for which others are still waited for."""
clocks = Table(
    "clocks",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("piece", Integer, primary_key=True, autoincrement=False),
    Column("remaining_s", Float, nullable=False),
    Column("since", Float),
    Column("has_decided", Boolean, nullable=False),
)
takebacks = Table(
    "takebacks",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("piece", Integer, primary_key=True, autoincrement=False),
    Column("team", Integer, nullable=False),
    Column("step", Integer, nullable=False),
)
"""Who has asked to take back a move, and after how many decisions."""
messages = Table(
    "messages",
    tables,
    Column("id", Integer, primary_key=True),
    Column("game", String(32), ForeignKey("games.id"), nullable=False, index=True),
    Column("team", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("said_at", Float, nullable=False),
)
"""What people have written to each other; `said_at` is in seconds since 1970."""
messages_read = Table(
    "messages_read",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("up_to", Integer, nullable=False),
)
"""The newest message of a game that was shown to who plays a team."""
rematch_wishes = Table(
    "rematch_wishes",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
)
"""Which teams' players want to play a game again; with a minus: who do not want to."""
drafts = Table(
    "drafts",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("step", Integer, nullable=False),
    Column("lines", Text, nullable=False),
)
premoves = Table(
    "premoves",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("orders", Text, nullable=False),
    Column("is_sent", Boolean, nullable=False),
)
"""What a person has ordered ahead for the pieces of a team, and whether it is to be played."""
keys = Table(
    "keys",
    tables,
    Column("hash", String(64), primary_key=True),
    Column("game", String(32), ForeignKey("games.id"), nullable=False),
    Column("teams", Text, nullable=False),
    Column("is_link", Boolean, nullable=False),
)
"""Who may play which teams: the hash of a browser's token, or of a link's key, good for once."""
leases = Table(
    "leases",
    tables,
    Column("work", String(32), primary_key=True),
    Column("token", Integer, nullable=False),
    Column("beats", Integer, nullable=False),
    Column("holder", String(200), nullable=False),
)
"""Who does what one process at a time does: see leases.py. `holder`: empty for nobody."""
people = Table(
    "people",
    tables,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("name_key", String(128), unique=True),
    Column("password", String(200)),
    Column("feed", String(64), unique=True),
    Column("is_organizer", Boolean, nullable=False),
    Column("is_banned", Boolean, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("deleted_at", DateTime(timezone=True)),
    Column("invitation", String(32)),
)
"""`name_key` is what no two names may share; `password` and `feed` are hashes; `invitation` is the
id of the one by which they joined."""
designs = Table(
    "designs",
    tables,
    Column("person", String(32), ForeignKey("people.id"), primary_key=True),
    Column("content", Text, nullable=False),
    Column("changed_at", DateTime(timezone=True), nullable=False),
)
"""What somebody draws in the designer: the army and the grid, as JSON."""
rooms = Table(
    "rooms",
    tables,
    Column("id", String(32), primary_key=True),
    Column("content", Text, nullable=False),
    Column("phase", String(16), nullable=False, index=True),
    Column("deadline", DateTime(timezone=True)),
    Column("people", String(200), nullable=False),
    Column("has_ratings", Boolean, nullable=False, index=True),
    Column("changed_at", DateTime(timezone=True), nullable=False),
)
"""Rooms in which people let armies fight; `content` is a Room of server/rooms/rooms.py, JSON, of
which the other columns are a part. `people`: the ids of members; `has_ratings`: whether battles of
it count."""
runs = Table(
    "runs",
    tables,
    Column("id", String(32), primary_key=True),
    Column("content", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("words", Text, nullable=False),
    Column("winner", Integer),
    Column("created_at", DateTime(timezone=True), nullable=False),
)
"""Matches in which drafts are tried, so that any process can tell of them; not who asked."""
draft_bots = Table(
    "draft_bots",
    tables,
    Column("id", String(32), primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), index=True),
    Column("guest", String(64), index=True),
    Column("name", String(64), nullable=False),
    Column("game", String(64), nullable=False),
    Column("files", LargeBinary, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("changed_at", DateTime(timezone=True), nullable=False),
)
"""Bots that are written in the browser, by `person` or by `guest`, the hash of what a cookie says.
`files` are JSON, compressed; `revision` counts the changes."""
draft_versions = Table(
    "draft_versions",
    tables,
    Column("draft", String(32), ForeignKey("draft_bots.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("note", String(200), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("files", LargeBinary, nullable=False),
    Column("made_at", DateTime(timezone=True), nullable=False),
)
"""Versions of those that their authors have kept; `digest` is '' where the files are no bot."""
draft_series = Table(
    "draft_series",
    tables,
    Column("id", String(32), primary_key=True),
    Column("draft", String(32), nullable=False, index=True),
    Column("content", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("changed_at", DateTime(timezone=True), nullable=False),
)
"""Whether a draft is better than something else, as far as it was played. A draft may be deleted
meanwhile."""
course_steps = Table(
    "course_steps",
    tables,
    Column("id", Integer, primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), index=True),
    Column("guest", String(64), index=True),
    Column("game", String(64), nullable=False),
    Column("step", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("tried_at", DateTime(timezone=True), nullable=False),
    Column("done_at", DateTime(timezone=True)),
)
"""The steps of courses that somebody has tried; `guest` as of drafts."""
sessions = Table(
    "sessions",
    tables,
    Column("hash", String(64), primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), nullable=False, index=True),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("used_at", DateTime(timezone=True), nullable=False),
)
invitations = Table(
    "invitations",
    tables,
    Column("id", String(32), primary_key=True),
    Column("hash", String(64), unique=True, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("note", String(100), nullable=False),
    Column("made_by", String(32), ForeignKey("people.id")),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("expires_at", DateTime(timezone=True)),
    Column("used_at", DateTime(timezone=True)),
    Column("used_by", String(32), ForeignKey("people.id")),
    Column("uses_left", Integer, nullable=False, server_default="1"),
    Column("group", String(32)),
)
"""Links that make accounts, or sign in whoever made them; `used_at` and `used_by` are of the last
use, after which a link is good no more. `group`: whoever joins by the link is in it."""
people_groups = Table(
    "people_groups",
    tables,
    Column("id", String(32), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("name_key", String(60), nullable=False, unique=True),
    Column("note", String(300), nullable=False),
    Column("code", String(64), unique=True),
    Column("made_at", DateTime(timezone=True), nullable=False),
)
"""Groups of people, such as a class. `code`: the hash of what lets members join it; NULL while
nobody can."""
group_members = Table(
    "group_members",
    tables,
    Column("group", String(32), ForeignKey("people_groups.id"), primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), primary_key=True, index=True),
    Column("joined_at", DateTime(timezone=True), nullable=False),
)
audit = Table(
    "audit",
    tables,
    Column("number", Integer, primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("what", String(32), nullable=False),
    Column("words", String(300), nullable=False),
    Column("person", String(32), ForeignKey("people.id"), index=True),
    Column("about", String(32), ForeignKey("people.id")),
    Column("address", String(64), nullable=False),
)
"""`person` did it, or tried to; `about` is whom it concerns."""
open_games = Table(
    "open_games",
    tables,
    Column("id", String(32), primary_key=True),
    Column("spec", Text, nullable=False),
    Column("seats", Text, nullable=False),
    Column("made_by", String(32), ForeignKey("people.id")),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("clock", String(16), nullable=False),
    Column("is_rated", Boolean, nullable=False),
    Column("begun_at", DateTime(timezone=True), index=True),
)
"""The game that begins when all seats are taken has the same id. Who has no account is nobody in
`made_by`."""
owners = Table(
    "owners",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("person", String(32), ForeignKey("people.id"), nullable=False, index=True),
)
"""Whose a seat is: that person plays it from any browser."""
shown_once = Table(
    "shown_once",
    tables,
    Column("id", Integer, primary_key=True),
    Column("session", String(64), nullable=False, index=True),
    Column("page", String(64), nullable=False),
    Column("subject", String(32)),
    Column("content", LargeBinary, nullable=False),
    Column("kept_at", DateTime(timezone=True), nullable=False),
)
"""What waits to be shown once: see server/identity/shown_once.py.

`session` is a hash; `content` can be read only with the token of that session."""
avoided_people = Table(
    "avoided_people",
    tables,
    Column("person", String(32), ForeignKey("people.id"), primary_key=True),
    Column("other", String(32), ForeignKey("people.id"), primary_key=True, index=True),
    Column("kind", String(8), nullable=False),
    Column("since", DateTime(timezone=True), nullable=False),
)
"""Whom a person has muted or blocked everywhere."""
avoided_seats = Table(
    "avoided_seats",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("other", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
)
"""Which other team the player of a team reads, mutes or blocks in one game; of others the first
message is announced: see server/messages."""
messages_wanted = Table(
    "messages_wanted",
    tables,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
)
"""The teams whose players read all others: they have written to them, or wanted messages from
everybody when older versions asked that."""
withheld_messages = Table(
    "withheld_messages",
    tables,
    Column("message", Integer, ForeignKey("messages.id"), primary_key=True, autoincrement=False),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("game", String(32), ForeignKey("games.id"), nullable=False, index=True),
)
"""The teams for which a message was not meant when it was written: they are never shown it."""
reports = Table(
    "reports",
    tables,
    Column("id", Integer, primary_key=True),
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("reporter", String(32), ForeignKey("people.id"), index=True),
    Column("reporter_name", String(64), nullable=False),
    Column("person", String(32), ForeignKey("people.id")),
    Column("name", String(64), nullable=False),
    Column("game", String(32)),
    Column("reporter_team", Integer),
    Column("team", Integer),
    Column("reason", String(16), nullable=False),
    Column("words", Text, nullable=False),
    Column("message", Integer),
    Column("messages", Text, nullable=False),
    Column("closed_at", DateTime(timezone=True), index=True),
    Column("closed_by", String(32), ForeignKey("people.id")),
    Column("note", String(300), nullable=False),
)
"""What people have told organizers of others. The names are as they were then; `messages` are those
around it, as JSON, since games of people without an account are removed. `person` and `reporter`
are nobody for those without an account."""
recovery_codes = Table(
    "recovery_codes",
    tables,
    Column("person", String(32), ForeignKey("people.id"), primary_key=True),
    Column("hash", String(64), primary_key=True),
    Column("made_at", DateTime(timezone=True), nullable=False),
)
"""Codes with which somebody signs in who has lost everything else; a used one is removed."""
account_requests = Table(
    "account_requests",
    tables,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False),
    Column("name_key", String(128), nullable=False, index=True),
    Column("password", String(200), nullable=False),
    Column("words", String(300), nullable=False),
    Column("address", String(64), nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("note", String(300), nullable=False),
    Column("asked_at", DateTime(timezone=True), nullable=False),
    Column("decided_at", DateTime(timezone=True)),
    Column("person", String(32), ForeignKey("people.id")),
    sqlite_autoincrement=True,
)
"""Who has asked for an account, and what became of it; `person` is whose account it became, until
they first sign in. `password` is a hash, `address` what limits count an address as. No number is
another request's later: an organizer who approves one means whom the page has shown."""
