"""What members draw in the designer, and the runs of drafts."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "designs",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("winner", sa.Integer),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("runs")
    op.drop_table("designs")
