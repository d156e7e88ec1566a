"""Announced tournaments stand among the contests, and their entries among those of ladders."""

from typing import Any

import sqlalchemy as sa
from alembic import op

COPIED = "words, choices, field, entries_until, is_sealed, why"


def upgrade() -> None:
    columns: tuple[sa.Column[Any], ...] = (
        sa.Column("words", sa.Text),
        sa.Column("choices", sa.Text),
        sa.Column("field", sa.String(16)),
        sa.Column("entries_until", sa.DateTime(timezone=True)),
        sa.Column("begins_at", sa.DateTime(timezone=True)),
        sa.Column("is_sealed", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("settled_at", sa.DateTime(timezone=True)),
        sa.Column("why", sa.Text),
    )
    for column in columns:
        op.add_column("contests", column)
    values = ", ".join(
        f"{name} = (SELECT {before} FROM scheduled_tournaments one WHERE one.name = contests.name)"
        for name, before in [
            *((name, name) for name in COPIED.split(", ")),
            ("begins_at", "starts_at"),
            ("settled_at", "COALESCE(settled_at, starts_at)"),
        ]
    )
    op.execute(
        f"UPDATE contests SET {values} WHERE name IN (SELECT name FROM scheduled_tournaments)"
    )
    op.execute(
        f"INSERT INTO contests (name, plan, begun_at, ladder, begins_at, settled_at, {COPIED}) "
        f"SELECT name, '', created_at, ladder, starts_at, settled_at, {COPIED} "
        "FROM scheduled_tournaments WHERE name NOT IN (SELECT name FROM contests)"
    )
    op.create_table(
        "contest_entries", sa.Column("contest", sa.String(200), primary_key=True), *_entry()
    )
    op.execute(
        "INSERT INTO contest_entries SELECT ladder, bot, state, why, entered_at, changed_at "
        "FROM entries UNION ALL SELECT tournament, bot, 'playing', '', entered_at, entered_at "
        "FROM tournament_entries"
    )
    for name in ("entries", "tournament_entries", "scheduled_tournaments"):
        op.drop_table(name)


def downgrade() -> None:
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
    op.execute(
        "INSERT INTO scheduled_tournaments "
        f"(name, created_at, ladder, starts_at, settled_at, {COPIED}) "
        f"SELECT name, begun_at, ladder, begins_at, settled_at, {COPIED} "
        "FROM contests WHERE begins_at IS NOT NULL"
    )
    op.execute("DELETE FROM contests WHERE plan = ''")
    for name in (*COPIED.split(", "), "begins_at", "settled_at"):
        op.drop_column("contests", name)
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
    ladder = sa.Column("ladder", sa.String(32), sa.ForeignKey("ladders.id"), primary_key=True)
    op.create_table("entries", ladder, *_entry())
    op.execute(
        "INSERT INTO tournament_entries SELECT contest, bot, entered_at FROM contest_entries "
        "WHERE contest IN (SELECT name FROM scheduled_tournaments)"
    )
    op.execute(
        "INSERT INTO entries SELECT * FROM contest_entries "
        "WHERE contest IN (SELECT id FROM ladders)"
    )
    op.drop_table("contest_entries")


def _entry() -> tuple[sa.Column[Any], ...]:
    """Return what entries of either table have."""
    return (
        sa.Column("bot", sa.String(32), sa.ForeignKey("bots.id"), primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
    )
