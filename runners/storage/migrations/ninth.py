"""Up to which message each seat has read."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    """Make the table. Who had read what before is not known: all of it counts as read."""
    op.create_table(
        "messages_read",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("team", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("up_to", sa.Integer, nullable=False),
    )
    op.execute(
        "INSERT INTO messages_read (game, team, up_to)"
        " SELECT owners.game, owners.team, MAX(messages.id)"
        " FROM owners JOIN messages ON messages.game = owners.game"
        " GROUP BY owners.game, owners.team"
    )


def downgrade() -> None:
    op.drop_table("messages_read")
