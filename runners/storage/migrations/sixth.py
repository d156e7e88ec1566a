"""The tables of results, and tournaments with their plans among them."""

import sqlalchemy as sa
from alembic import op

MADE = ("contest_entrants", "contests", "matches", "failures", "secrets")
"""In the order in which they can be dropped."""


def upgrade() -> None:
    """Make the tables. Plans and results of tournaments are in a file, which is read later."""
    op.create_table(
        "matches",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("played_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "failures",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("key", sa.String(64), nullable=False, index=True),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "contests",
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ladder", sa.String(32), sa.ForeignKey("ladders.id")),
        sa.Column("is_paused", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("stuck", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_table(
        "contest_entrants",
        sa.Column("contest", sa.String(200), sa.ForeignKey("contests.name"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entrant", sa.Text, nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("series", sa.String(64), primary_key=True),
        sa.Column("secret", sa.String(34), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.execute(
        "INSERT INTO contests (name, plan, begun_at, ladder, is_paused, stuck)"
        " SELECT name, '', created_at, ladder, is_paused, stuck FROM tournaments"
    )
    op.drop_table("tournaments")


def downgrade() -> None:
    """Drop what was added: plans and results of tournaments are lost."""
    op.create_table(
        "tournaments",
        sa.Column("name", sa.String(60), primary_key=True),
        sa.Column("ladder", sa.String(32), sa.ForeignKey("ladders.id"), nullable=False),
        sa.Column("is_paused", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("stuck", sa.Integer, nullable=False, server_default="0"),
    )
    op.execute(
        "INSERT INTO tournaments (name, ladder, is_paused, created_at, stuck)"
        " SELECT name, ladder, is_paused, begun_at, stuck FROM contests WHERE ladder IS NOT NULL"
    )
    for name in MADE:
        op.drop_table(name)
