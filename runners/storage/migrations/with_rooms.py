"""Rooms in which people let armies fight."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("phase", sa.String(16), nullable=False, index=True),
        sa.Column("deadline", sa.DateTime(timezone=True)),
        sa.Column("people", sa.String(200), nullable=False),
        sa.Column("has_ratings", sa.Boolean, nullable=False, index=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("rooms")
