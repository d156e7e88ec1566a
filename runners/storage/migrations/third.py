"""Ids of matches that tell nothing, and limits of the size of bots."""

import sqlalchemy as sa
from alembic import op

from engine.bots.own_files import MOST_BYTES, MOST_SOURCE_BYTES


def upgrade() -> None:
    """Add columns only: SQLite lets no table be made anew to which others refer."""
    op.add_column("fixtures", sa.Column("public_id", sa.String(16)))
    op.execute("UPDATE fixtures SET public_id = CAST(id AS VARCHAR)")  # links that people have
    op.create_index("fixtures_by_public_id", "fixtures", ["public_id"], unique=True)
    for name, most in (("most_source_bytes", MOST_SOURCE_BYTES), ("most_bytes", MOST_BYTES)):
        column = sa.Column(name, sa.Integer, nullable=False, server_default=str(most))
        op.add_column("ladders", column)


def downgrade() -> None:
    """Drop what was added."""
    op.drop_index("fixtures_by_public_id", "fixtures")
    op.drop_column("fixtures", "public_id")
    for name in ("most_source_bytes", "most_bytes"):
        op.drop_column("ladders", name)
