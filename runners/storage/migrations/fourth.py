"""Work that one process at a time does, and changes of games that others are told of."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    version = sa.Column("version", sa.Integer, nullable=False, server_default="0")
    op.add_column("games", version)
    op.create_table(
        "leases",
        sa.Column("work", sa.String(32), primary_key=True),
        sa.Column("token", sa.Integer, nullable=False),
        sa.Column("beats", sa.Integer, nullable=False),
        sa.Column("holder", sa.String(200), nullable=False),
    )


def downgrade() -> None:
    """Drop what was added: an older version holds a lock, and is one process."""
    op.drop_table("leases")
    op.drop_column("games", "version")
