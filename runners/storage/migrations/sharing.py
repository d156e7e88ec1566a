"""Bots that several people share, and who has handed in which version."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "coauthors",
        sa.Column("bot", sa.String(32), sa.ForeignKey("bots.id"), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("invited_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True)),
    )
    op.create_index("ix_coauthors_person", "coauthors", ["person"])
    op.add_column("versions", sa.Column("person", sa.String(32)))
    op.execute(
        "UPDATE versions SET person = (SELECT person FROM bots WHERE bots.id = versions.bot)"
    )


def downgrade() -> None:
    op.drop_column("versions", "person")
    op.drop_table("coauthors")
