"""Series that authors play of their drafts, and how far they have come in the courses."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "draft_series",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("draft", sa.String(32), nullable=False, index=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "course_steps",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), index=True),
        sa.Column("guest", sa.String(64), index=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True)),
    )


def downgrade() -> None:
    op.drop_table("course_steps")
    op.drop_table("draft_series")
