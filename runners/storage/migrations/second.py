"""The tables of the arena."""

import sqlalchemy as sa
from alembic import op

TABLES = (
    "tokens",
    "ladders",
    "bots",
    "versions",
    "checks",
    "entries",
    "fixtures",
    "tournaments",
    "players",
    "ratings",
    "notices",
)
"""In the order in which they are made: those that refer to others come after them."""


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
    )
    # Before the versions, which refer to it: PostgreSQL asks for that.
    op.create_table(
        "ladders",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("name_key", sa.String(60), nullable=False, unique=True),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("entry_rule", sa.String(16), nullable=False),
        sa.Column("source_rule", sa.String(32), nullable=False),
        sa.Column("versions_per_day", sa.Integer, nullable=False),
        sa.Column("cpu_s_per_day", sa.Float, nullable=False),
        sa.Column("matches_per_day", sa.Integer, nullable=False),
        sa.Column("is_paused", sa.Boolean, nullable=False),
        sa.Column("begins_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("freezes_at", sa.DateTime(timezone=True)),
        sa.Column("ends_at", sa.DateTime(timezone=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "bots",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("name_key", sa.String(60), nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("game", "name_key"),
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("bot", sa.String(32), sa.ForeignKey("bots.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, index=True),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("first_match", sa.String(64)),
        sa.Column("ladder", sa.String(32), sa.ForeignKey("ladders.id")),
        sa.Column("handed_in_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("bot", "number"),
    )
    op.create_table(
        "checks",
        sa.Column("version", sa.String(32), sa.ForeignKey("versions.id"), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("ladder", sa.String(32), sa.ForeignKey("ladders.id"), primary_key=True),
        sa.Column("bot", sa.String(32), sa.ForeignKey("bots.id"), primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "fixtures",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("ladder", sa.String(32), sa.ForeignKey("ladders.id"), nullable=False),
        sa.Column("set_number", sa.Integer, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("is_void", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("played_at", sa.DateTime(timezone=True)),
        sa.Index("fixtures_open", "ladder", "played_at"),
        sa.Index("fixtures_by_key", "key"),
    )
    op.create_table(
        "tournaments",
        sa.Column("name", sa.String(60), primary_key=True),
        sa.Column("ladder", sa.String(32), sa.ForeignKey("ladders.id"), nullable=False),
        sa.Column("is_paused", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "players",
        sa.Column("fixture", sa.Integer, sa.ForeignKey("fixtures.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column(
            "version", sa.String(32), sa.ForeignKey("versions.id"), nullable=False, index=True
        ),
        sa.Column("score", sa.Float),
        sa.Column("cpu_ms", sa.Integer),
        sa.Column("faults", sa.Integer),
        sa.Column("is_out", sa.Boolean),
    )
    op.create_table(
        "ratings",
        sa.Column("ladder", sa.String(32), sa.ForeignKey("ladders.id"), primary_key=True),
        sa.Column("version", sa.String(32), sa.ForeignKey("versions.id"), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("elo", sa.Float),
        sa.Column("low", sa.Float),
        sa.Column("high", sa.Float),
        sa.Index("ratings_latest", "ladder", "at"),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("words", sa.String(300), nullable=False),
        sa.Column("path", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True)),
    )


def downgrade() -> None:
    """Drop the tables, with what is in them; those that refer to others first."""
    for name in reversed(TABLES):
        op.drop_table(name)
