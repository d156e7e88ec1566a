"""Tournaments that begin at their hour, the bots entered for them, and breaks between rounds."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("contests", sa.Column("break_s", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "scheduled_tournaments",
        sa.Column("name", sa.String(60), primary_key=True),
        sa.Column("ladder", sa.String(32), sa.ForeignKey("ladders.id"), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("choices", sa.Text, nullable=False),
        sa.Column("field", sa.String(16), nullable=False),
        sa.Column("entries_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_sealed", sa.Boolean, nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True)),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "tournament_entries",
        sa.Column(
            "tournament",
            sa.String(60),
            sa.ForeignKey("scheduled_tournaments.name"),
            primary_key=True,
        ),
        sa.Column("bot", sa.String(32), sa.ForeignKey("bots.id"), primary_key=True),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("tournament_entries")
    op.drop_table("scheduled_tournaments")
    op.drop_column("contests", "break_s")
