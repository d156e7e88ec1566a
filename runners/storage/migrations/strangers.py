"""Muting, blocking and reporting people, withheld messages, requests for accounts."""

import sqlalchemy as sa
from alembic import op

NEW = (
    *("account_requests", "reports", "withheld_messages", "messages_wanted"),
    *("avoided_seats", "avoided_people"),
)


def upgrade() -> None:
    _make_avoided()
    op.create_table(
        "messages_wanted",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("team", sa.Integer, primary_key=True, autoincrement=False),
    )
    op.create_table(
        "withheld_messages",
        _part_of_key("message", sa.Integer, sa.ForeignKey("messages.id"), autoincrement=False),
        _part_of_key("team", sa.Integer, autoincrement=False),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False, index=True),
    )
    _make_reports()
    _make_account_requests()


def downgrade() -> None:
    for table in NEW:
        op.drop_table(table)


def _make_avoided() -> None:
    op.create_table(
        "avoided_people",
        _part_of_key("person", sa.String(32), sa.ForeignKey("people.id")),
        _part_of_key("other", sa.String(32), sa.ForeignKey("people.id"), index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "avoided_seats",
        _part_of_key("game", sa.String(32), sa.ForeignKey("games.id")),
        _part_of_key("team", sa.Integer, autoincrement=False),
        _part_of_key("other", sa.Integer, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
    )


def _make_reports() -> None:
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reporter", sa.String(32), sa.ForeignKey("people.id"), index=True),
        sa.Column("reporter_name", sa.String(64), nullable=False),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id")),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32)),
        sa.Column("reporter_team", sa.Integer),
        sa.Column("team", sa.Integer),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("message", sa.Integer),
        sa.Column("messages", sa.Text, nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), index=True),
        sa.Column("closed_by", sa.String(32), sa.ForeignKey("people.id")),
        sa.Column("note", sa.String(300), nullable=False),
    )


def _make_account_requests() -> None:
    op.create_table(
        "account_requests",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("name_key", sa.String(128), nullable=False, index=True),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("words", sa.String(300), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("note", sa.String(300), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True)),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id")),
        sqlite_autoincrement=True,
    )


def _part_of_key(name: str, *what: object, **options: object) -> "sa.Column[object]":
    return sa.Column(name, *what, primary_key=True, **options)  # type: ignore[arg-type]
