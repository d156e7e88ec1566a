"""Recovery codes of accounts."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "recovery_codes",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("recovery_codes")
