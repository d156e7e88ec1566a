"""Files of versions are not compared with those of others any more."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.drop_table("copies")
    op.drop_table("fingerprints")


def downgrade() -> None:
    op.create_table(
        "fingerprints",
        sa.Column("version", sa.String(32), sa.ForeignKey("versions.id"), primary_key=True),
        sa.Column("file", sa.Text, primary_key=True),
        sa.Column("likeness", sa.String(64), nullable=False),
        sa.Column("exact", sa.String(64), nullable=False),
    )
    op.create_index("ix_fingerprints_likeness", "fingerprints", ["likeness"])
    op.create_table(
        "copies",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("bot", sa.String(32), sa.ForeignKey("bots.id"), nullable=False),
        sa.Column("other_bot", sa.String(32), sa.ForeignKey("bots.id"), nullable=False),
        sa.Column("likeness", sa.String(64), nullable=False),
        sa.Column("version", sa.String(32), sa.ForeignKey("versions.id"), nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("other_version", sa.String(32), sa.ForeignKey("versions.id"), nullable=False),
        sa.Column("other_file", sa.Text, nullable=False),
        sa.Column("is_exact", sa.Boolean, nullable=False),
        sa.Column("noticed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True)),
        sa.UniqueConstraint("bot", "other_bot", "likeness"),
    )
