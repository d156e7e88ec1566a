"""The tables of the first version: people, and the games that they play."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "about",
        sa.Column("revision", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("alive_at", sa.Float),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("rematch", sa.String(32)),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("is_over", sa.Boolean, nullable=False, index=True),
        sa.Column("outcome", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
    )
    op.create_table(
        "decisions",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "orders",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("team", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("piece", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("content", sa.Text, nullable=False),
    )
    op.create_table(
        "clocks",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("team", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("piece", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("remaining_s", sa.Float, nullable=False),
        sa.Column("since", sa.Float),
        sa.Column("has_decided", sa.Boolean, nullable=False),
    )
    op.create_table(
        "takebacks",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("piece", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("team", sa.Integer, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False, index=True),
        sa.Column("team", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("said_at", sa.Float, nullable=False),
    )
    op.create_table(
        "rematch_wishes",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("team", sa.Integer, primary_key=True, autoincrement=False),
    )
    op.create_table(
        "drafts",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("team", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("teams", sa.Text, nullable=False),
        sa.Column("is_link", sa.Boolean, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("name_key", sa.String(128), unique=True),
        sa.Column("password", sa.String(200)),
        sa.Column("feed", sa.String(64), unique=True),
        sa.Column("is_organizer", sa.Boolean, nullable=False),
        sa.Column("is_banned", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True)),
    )
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("hash", sa.String(64), unique=True, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("note", sa.String(100), nullable=False),
        sa.Column("made_by", sa.String(32), sa.ForeignKey("people.id")),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True)),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.Column("used_by", sa.String(32), sa.ForeignKey("people.id")),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("what", sa.String(32), nullable=False),
        sa.Column("words", sa.String(300), nullable=False),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), index=True),
        sa.Column("about", sa.String(32), sa.ForeignKey("people.id")),
        sa.Column("address", sa.String(64), nullable=False),
    )
    op.create_table(
        "open_games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("made_by", sa.String(32), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("clock", sa.String(16), nullable=False),
        sa.Column("is_rated", sa.Boolean, nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), index=True),
    )
    op.create_table(
        "owners",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("team", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
    )
