"""What people order ahead for the pieces of a team."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "premoves",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("team", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("orders", sa.Text, nullable=False),
        sa.Column("is_sent", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("premoves")
