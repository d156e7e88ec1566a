"""The results of ladders among all others, by their matches' keys."""

import json

import sqlalchemy as sa
from alembic import op

fixtures = sa.table(
    "fixtures", *map(sa.column, ("id", "ladder", "key", "result", "played_at", "has_result"))
)
ladders = sa.table("ladders", sa.column("id"), sa.column("spec"))
matches = sa.table("matches", *map(sa.column, ("key", "game", "result", "played_at")))


def upgrade() -> None:
    has_result = sa.Column("has_result", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("fixtures", has_result)
    connection = op.get_bind()
    is_there = sa.exists().where(matches.c.key == fixtures.c.key)
    # Fixtures of identical bots have one key.
    played = sa.select(sa.func.min(fixtures.c.id)).where(fixtures.c.result.is_not(None))
    for ladder, spec in connection.execute(sa.select(ladders.c.id, ladders.c.spec)).all():
        mine = fixtures.c.ladder == ladder
        first = played.where(mine).group_by(fixtures.c.key).scalar_subquery()
        game = sa.literal(json.loads(spec)["game"], sa.String)
        rows = sa.select(fixtures.c.key, game, fixtures.c.result, fixtures.c.played_at)
        connection.execute(
            sa.insert(matches).from_select(
                ["key", "game", "result", "played_at"],
                rows.where(fixtures.c.id.in_(first), ~is_there),
            )
        )
    connection.execute(
        sa.update(fixtures).where(fixtures.c.result.is_not(None)).values(has_result=sa.true())
    )
    op.drop_column("fixtures", "result")


def downgrade() -> None:
    op.add_column("fixtures", sa.Column("result", sa.Text))
    connection = op.get_bind()
    found = sa.select(matches.c.result).where(matches.c.key == fixtures.c.key).scalar_subquery()
    connection.execute(
        sa.update(fixtures).where(fixtures.c.has_result == sa.true()).values(result=found)
    )
    mine = sa.select(fixtures.c.key).where(fixtures.c.has_result == sa.true())
    connection.execute(sa.delete(matches).where(matches.c.key.in_(mine)))
    op.drop_column("fixtures", "has_result")
