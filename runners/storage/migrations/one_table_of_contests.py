"""Ladders stand among the contests, as tournaments do."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

SHARED = ("is_paused", "begins_at")
"""What ladders and tournaments have both."""
KEPT: dict[str, TypeEngine[Any]] = {
    "name_key": sa.String(60),
    "spec": sa.Text(),
    "entry_rule": sa.String(16),
    "source_rule": sa.String(32),
    "versions_per_day": sa.Integer(),
    "cpu_s_per_day": sa.Float(),
    "matches_per_day": sa.Integer(),
    "most_source_bytes": sa.Integer(),
    "most_bytes": sa.Integer(),
    "freezes_at": sa.DateTime(timezone=True),
    "ends_at": sa.DateTime(timezone=True),
    "concluded_at": sa.DateTime(timezone=True),
    "only_group": sa.String(32),
}
"""What ladders alone have, by the same names before and after."""
ADDED = {"format": sa.String(40), "title": sa.String(60), **KEPT}
COPIED = ", ".join((*SHARED, *KEPT))
NULLABLE = {"freezes_at", "ends_at", "concluded_at", "only_group"}
DEFAULTS = {"most_source_bytes": "1000000", "most_bytes": "32000000"}
REFERRING = ("contests", "versions", "fixtures", "ratings")
"""The tables whose column `ladder` refers to a ladder."""


def upgrade() -> None:
    for name, kind in ADDED.items():
        op.add_column("contests", sa.Column(name, kind))
    connection = op.get_bind()
    for name, *texts in connection.execute(sa.text("SELECT name, plan, choices FROM contests")):
        connection.execute(
            sa.text("UPDATE contests SET format = :format WHERE name = :name"),
            {"name": name, "format": _find_format(*texts)},
        )
    op.execute(
        f"INSERT INTO contests (name, format, title, plan, begun_at, {COPIED}) "
        f"SELECT id, 'ladder', name, '', created_at, {COPIED} FROM ladders"
    )
    op.create_index("contests_by_title", "contests", ["name_key"], unique=True)
    _refer("ladders (id)", "contests (name)")
    op.drop_table("ladders")


def downgrade() -> None:
    columns: list[sa.Column[Any]] = [
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("is_paused", sa.Boolean, nullable=False),
        sa.Column("begins_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    ]
    for name, kind in KEPT.items():
        columns.append(
            sa.Column(
                name,
                kind,
                nullable=name in NULLABLE,
                unique=name == "name_key",
                server_default=DEFAULTS.get(name),
            )
        )
    op.create_table("ladders", *columns)
    op.execute(
        f"INSERT INTO ladders (id, name, created_at, {COPIED}) "
        f"SELECT name, title, begun_at, {COPIED} FROM contests WHERE spec IS NOT NULL"
    )
    _refer("contests (name)", "ladders (id)")
    op.execute("DELETE FROM contests WHERE spec IS NOT NULL")
    op.drop_index("contests_by_title", "contests")
    for name in ADDED:
        op.drop_column("contests", name)


def _find_format(plan: str, choices: str | None) -> str | None:
    """Return the format of a tournament; None where what is kept of it cannot be understood."""
    try:
        return str(json.loads(choices or plan)["format"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _refer(before: str, after: str) -> None:
    """Let columns refer to another table, each by its key: `ladders (id)`."""
    if op.get_bind().dialect.name == "sqlite":
        # No statement of SQLite changes this; to copy the tables would take long, and could fail.
        op.execute("PRAGMA writable_schema=ON")
        op.execute(
            "UPDATE sqlite_master SET sql = replace(sql, "
            f"'FOREIGN KEY(ladder) REFERENCES {before}', 'FOREIGN KEY(ladder) REFERENCES {after}') "
            f"WHERE type = 'table' AND name IN {REFERRING}"
        )
        op.execute("PRAGMA writable_schema=RESET")
        return
    table, key = after.removesuffix(")").split(" (")
    for name in REFERRING:
        op.drop_constraint(f"{name}_ladder_fkey", name, type_="foreignkey")
        op.create_foreign_key(f"{name}_ladder_fkey", name, table, ["ladder"], [key])
