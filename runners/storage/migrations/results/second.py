"""The secrets from which the maps of series are drawn."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "secrets",
        sa.Column("series", sa.String(64), primary_key=True),
        sa.Column("secret", sa.String(34), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=False),
    )
