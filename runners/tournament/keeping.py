"""Tournaments in the store: their plans and members as JSON, read and written whole."""

import msgspec

from engine.errors import UsageError
from runners.store import Store
from runners.tournament.plan import Field, Member, decode_plan
from runners.tournament.playing import Tournament


def kept_tournament(store: Store, name: str) -> Tournament | None:
    """None if there is none of that name."""
    plan = store.plan(name)
    if plan is None:
        return None
    members = [msgspec.json.decode(text, type=Member) for text in store.entrants(name)]
    return Tournament(Field(decode_plan(plan), tuple(members)), store)


def found_tournament(store: Store, name: str | None) -> Tournament:
    """The one of that name, or the one begun last. Raises: UsageError if there is none."""
    names = store.tournament_names()
    if not names:
        raise UsageError(f"{store.shown}: no tournament has been played there")
    found = kept_tournament(store, names[-1] if name is None else name)
    if found is None:
        raise UsageError(f"no tournament '{name}' in {store.shown}; there are: {', '.join(names)}")
    return found


def keep(store: Store, field: Field) -> None:
    """All that decides it, but for the results."""
    members = {
        number: msgspec.json.encode(member).decode() for number, member in enumerate(field.members)
    }
    store.keep_tournament(field.plan.name, msgspec.json.encode(field.plan).decode(), members)
