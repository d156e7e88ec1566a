"""The tables of the first version."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
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
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_failures_key", "failures", ["key"])
    op.create_table(
        "tournaments",
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "entrants",
        sa.Column(
            "tournament", sa.String(200), sa.ForeignKey("tournaments.name"), primary_key=True
        ),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entrant", sa.Text, nullable=False),
    )
