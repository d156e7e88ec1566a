"""Who has written a bot: its owner, and the co-authors with whom the owner shares it."""

from typing import Any

from sqlalchemy import ColumnElement, Label, ScalarSelect, Select, func, literal, select

from runners.storage.game_tables import people
from runners.storage.ladder_tables import bots, coauthors
from runners.storage.together import AnyRow

SEPARATOR = " "
"""Between ids, which have none."""


def coauthor_ids() -> Label[str | None]:
    """Return the column `coauthors` of a query of `bots`, which `author_ids` reads."""
    ids = _coauthors_subquery(
        select(func.aggregate_strings(coauthors.c.person, SEPARATOR)).select_from(coauthors)
    )
    label: Label[str | None] = ids.label("coauthors")
    return label


def author_names() -> Label[str]:
    """Return the column `author` of a query of `bots` and their owners: all names, joined."""
    other = people.alias()
    shared = coauthors.join(other, other.c.id == coauthors.c.person)
    names = _coauthors_subquery(
        select(func.aggregate_strings(other.c.name, ", "))
        .select_from(shared)
        .where(other.c.deleted_at.is_(None))
    )
    return (people.c.name + func.coalesce(literal(", ") + names, "")).label("author")


def author_ids(row: AnyRow) -> frozenset[str]:
    """Return the ids of a bot's authors, of a row with `bots.person` and `coauthor_ids`."""
    return frozenset([row.person, *(row.coauthors or "").split(SEPARATOR)]) - {""}


def is_author(person_id: str) -> ColumnElement[bool]:
    """Return the condition of the bots that somebody has written, or shares."""
    where = coauthors.c.person == person_id, coauthors.c.accepted_at.is_not(None)
    return (bots.c.person == person_id) | bots.c.id.in_(select(coauthors.c.bot).where(*where))


def _coauthors_subquery(query: Select[Any]) -> ScalarSelect[Any]:
    where = coauthors.c.bot == bots.c.id, coauthors.c.accepted_at.is_not(None)
    return query.where(*where).correlate(bots).scalar_subquery()
