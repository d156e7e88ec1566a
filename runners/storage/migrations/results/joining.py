"""From the tables of results alone to those that all databases have."""

from alembic import op

from runners.storage.migrations import fifth, first, fourth, second, sixth, third

FORMER = ("matches", "failures", "entrants", "tournaments", "secrets")
"""In the order in which they can be dropped."""


def upgrade() -> None:
    """Put the former tables aside, make all tables by their own steps, and fill in the rows."""
    op.drop_index("ix_failures_key", "failures")
    for name in FORMER:
        op.rename_table(name, f"former_{name}")
    if op.get_bind().dialect.name == "postgresql":  # which names it once, after the table
        op.execute("ALTER SEQUENCE failures_number_seq RENAME TO former_failures_number_seq")
    for step in (first, second, third, fourth, fifth, sixth):
        step.upgrade()
    for name in ("matches", "secrets"):
        op.execute(f"INSERT INTO {name} SELECT * FROM former_{name}")
    op.execute(
        "INSERT INTO failures (key, words, failed_at)"
        " SELECT key, words, failed_at FROM former_failures ORDER BY number"
    )
    op.execute(
        "INSERT INTO contests (name, plan, begun_at)"
        " SELECT name, plan, begun_at FROM former_tournaments"
    )
    op.execute("INSERT INTO contest_entrants SELECT * FROM former_entrants")
    for name in FORMER:
        op.drop_table(f"former_{name}")
    # Versions that knew these tables alone look there, and say that this is a newer one.
    op.execute("UPDATE alembic_version SET version_num = '0006'")
