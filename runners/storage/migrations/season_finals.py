"""Seasons are over once their final was played. Those whose end had come had none."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("ladders", sa.Column("concluded_at", sa.DateTime(timezone=True)))
    table = sa.table(
        "ladders", sa.column("ends_at", sa.DateTime(timezone=True)), sa.column("concluded_at")
    )
    has_ended = table.c.ends_at <= datetime.now(UTC)
    op.execute(table.update().where(has_ended).values(concluded_at=table.c.ends_at))


def downgrade() -> None:
    op.drop_column("ladders", "concluded_at")
