"""What is shown once, kept where each process of a server sees it."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "shown_once",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("session", sa.String(64), nullable=False, index=True),
        sa.Column("page", sa.String(64), nullable=False),
        sa.Column("subject", sa.String(32)),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    """Drop what waits to be shown; an older version keeps it in memory."""
    op.drop_table("shown_once")
