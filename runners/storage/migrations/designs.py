"""What members draw in the designer, kept for each of them."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "designs",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("designs")
