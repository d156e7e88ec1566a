"""Invitations that are good for several accounts."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    uses_left = sa.Column("uses_left", sa.Integer, nullable=False, server_default="1")
    op.add_column("invitations", uses_left)


def downgrade() -> None:
    op.drop_column("invitations", "uses_left")
