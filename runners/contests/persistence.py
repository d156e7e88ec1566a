"""Reads and writes tournaments in the store: their plans and entrants as JSON."""

from collections.abc import Sequence

import msgspec

from engine.errors import UsageError
from runners.contests.plan import Entrant, Field, decode_plan
from runners.contests.tournament import Tournament
from runners.storage.store import Store, find_entrants, find_plan


def load_tournament(store: Store, name: str) -> Tournament | None:
    """Return a tournament by its name, or None. Raises: BadResult."""
    plan, texts = store.database.read(find_plan(name), find_entrants(name))
    return read_tournament(store, name, plan, texts)


def read_tournament(
    store: Store, name: str, plan: str | None, texts: Sequence[str]
) -> Tournament | None:
    """Return a tournament by its stored plan and entrants, or None. Raises: BadResult."""
    if plan is None:
        return None
    # What an older version kept otherwise is the usual reason why it cannot be understood.
    hint = "begin another one with --name if an older version of Slime Mind began it"
    with store.report_bad_rows(f"tournament '{name}' ({hint})"):
        saved = [msgspec.json.decode(text, type=Entrant) for text in texts]
        entrants = tuple(entrant for entrant in saved if not entrant.flaw)
        broken = tuple(entrant for entrant in reversed(saved) if entrant.flaw)
        field = Field(decode_plan(plan), entrants, broken)
    return Tournament(field, store)


def find_tournament(store: Store, name: str | None) -> Tournament:
    """Return the named tournament, or the one begun last. Raises: UsageError for none."""
    names = store.tournament_names()
    if not names:
        raise UsageError(f"{store.display_url}: no tournament has been played there")
    found = load_tournament(store, names[-1] if name is None else name)
    if found is None:
        raise UsageError(
            f"no tournament '{name}' in {store.display_url}; there are: {', '.join(names)}"
        )
    return found


def save_tournament(
    store: Store, field: Field, *, new_of: str | None = None, break_s: int = 0
) -> None:
    """Store all that decides a tournament, but for the results; `new_of`, `break_s`: see there."""
    plan, entrants = encode_field(field)
    kind = field.plan.format
    store.save_tournament(
        field.plan.name, plan, entrants, kind=kind, new_of=new_of, break_s=break_s
    )


def encode_field(field: Field) -> tuple[str, dict[int, str]]:
    """Return a plan, and its entrants by number, as they are stored: JSON."""
    numbered = {
        **dict(enumerate(field.entrants)),
        **{~n: one for n, one in enumerate(field.broken)},
    }
    entrants = {number: msgspec.json.encode(one).decode() for number, one in numbered.items()}
    return msgspec.json.encode(field.plan).decode(), entrants
