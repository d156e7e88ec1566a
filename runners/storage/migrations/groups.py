"""Groups of people, with a code by which members join, and ladders that are for one alone."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "people_groups",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("name_key", sa.String(60), nullable=False, unique=True),
        sa.Column("note", sa.String(300), nullable=False),
        sa.Column("code", sa.String(64), unique=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "group_members",
        sa.Column("group", sa.String(32), sa.ForeignKey("people_groups.id"), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_group_members_person", "group_members", ["person"])
    for table, column in REFERENCES:
        op.add_column(table, sa.Column(column, sa.String(32)))


def downgrade() -> None:
    for table, column in REFERENCES:
        op.drop_column(table, column)
    op.drop_table("group_members")
    op.drop_table("people_groups")


REFERENCES = (("invitations", "group"), ("ladders", "only_group"))
