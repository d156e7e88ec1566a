"""What one process knew alone, kept where each process of a server sees it."""

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
    stuck = sa.Column("stuck", sa.Integer, nullable=False, server_default="0")
    op.add_column("tournaments", stuck)


def downgrade() -> None:
    """Drop what was added: an older version keeps it in memory."""
    op.drop_column("tournaments", "stuck")
    op.drop_table("shown_once")
