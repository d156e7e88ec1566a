"""How far the members of a group have come in the courses."""

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import func, select

from engine.catalog import game_named
from runners.storage.game_tables import course_steps, group_members
from runners.storage.together import Lookup, Rows
from server.writing.courses import courses, steps_of

StepsDone = Mapping[str, Mapping[str, int]]
"""The steps that people have done, by their ids and games."""


def steps_done_in(group_id: str) -> Lookup[StepsDone]:
    """Look up how many steps of each course the members of a group have done."""
    query = (
        select(course_steps.c.person, course_steps.c.game, func.count().label("done"))
        .join(group_members, group_members.c.person == course_steps.c.person)
        .where(group_members.c.group == group_id, course_steps.c.done_at.is_not(None))
        .group_by(course_steps.c.person, course_steps.c.game)
    )
    return Lookup(query, _by_person)


def in_words(done: Mapping[str, int]) -> str:
    """Return how far somebody has come, such as `Slime Mind 3 of 8`; '' for nothing done."""
    return ", ".join(
        f"{game_named(game).title} {done[game]} of {len(steps_of(game))}"
        for game in courses()
        if game in done
    )


def _by_person(rows: Rows) -> StepsDone:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows:
        found[row.person][row.game] = row.done
    return found
