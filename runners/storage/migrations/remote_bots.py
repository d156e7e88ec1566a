"""What a token may be used for: those that there are hand in bots."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    column = sa.Column("scopes", sa.String(60), nullable=False, server_default="hand_in")
    op.add_column("tokens", column)


def downgrade() -> None:
    op.drop_column("tokens", "scopes")
