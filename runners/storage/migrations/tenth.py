"""Games that wait for players, made by somebody without an account."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    with op.batch_alter_table("open_games") as batch:
        batch.alter_column("made_by", existing_type=sa.String(32), nullable=True)


def downgrade() -> None:
    op.execute("DELETE FROM open_games WHERE made_by IS NULL")
    with op.batch_alter_table("open_games") as batch:
        batch.alter_column("made_by", existing_type=sa.String(32), nullable=False)
