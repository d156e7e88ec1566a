"""Names that look alike and were given before such were refused: nobody is renamed for them."""

from collections import defaultdict

from sqlalchemy import literal, select, union_all

from runners.storage.game_tables import people, people_groups
from runners.storage.ladder_tables import bots, ladders
from runners.storage.together import Lookup, Rows
from server.identity.look_alikes import skeletons
from server.identity.names import RESERVED
from server.identity.people import BUILT_IN_OWNER


def look_alike_names() -> Lookup[list[str]]:
    """Look up which accounts, bots of a game, groups and ladders have names that look alike.

    Each set of such names is a text. Bots of one author may look alike.
    """
    every = union_all(
        select(literal("accounts").label("kind"), people.c.id.label("owner"), people.c.name).where(
            people.c.deleted_at.is_(None)
        ),
        select(literal("bots of ") + bots.c.game, bots.c.person, bots.c.name),
        select(literal("groups"), people_groups.c.id, people_groups.c.name),
        select(literal("ladders"), ladders.c.id, ladders.c.name),
    ).subquery()
    return Lookup(select(every), _find_alike)


def _find_alike(rows: Rows) -> list[str]:
    if all(row.name.isascii() for row in rows):
        return []  # of ASCII they were refused before, too, but for those such as MAX and rnax
    owners = defaultdict[tuple[str, str], dict[str, set[str]]](lambda: defaultdict(set))
    named = [(row.kind, row.owner, row.name) for row in rows]
    for kind, owner, name in [*named, *(("accounts", BUILT_IN_OWNER, name) for name in RESERVED)]:
        for form in skeletons(name):
            owners[kind, form][owner].add(name)
    found = {
        (kind, *sorted(set[str]().union(*names.values())))
        for (kind, _), names in owners.items()
        if len(names) > 1
    }
    return [
        # With what the letters are, where that cannot be seen.
        f"{kind}: {', '.join(n if n.isascii() else f'{n} ({ascii(n)[1:-1]})' for n in names)}"
        for kind, *names in sorted(found)
    ]
