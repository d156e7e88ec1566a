"""By which invitation somebody has joined: of an invitation for many only the last was known."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("people", sa.Column("invitation", sa.String(32)))
    op.execute(
        "UPDATE people SET invitation = "
        "(SELECT min(id) FROM invitations WHERE used_by = people.id AND kind <> 'device')"
    )


def downgrade() -> None:
    op.drop_column("people", "invitation")
