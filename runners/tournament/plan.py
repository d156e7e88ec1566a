"""What decides a tournament, but for the results: kept when it begins, and never changed."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from engine.bots.limits import Limits
from engine.bots.sandbox import Level
from engine.catalogue import game_named
from engine.errors import UsageError
from engine.record import Contestant
from engine.referee import Job
from engine.spec import MatchSpec
from runners.formats import FORMATS
from runners.formats.pairing import Entrant, Format, Pairing
from runners.schedules import Fixture, map_seed, rotations

OPTIONS = {
    "game": "--game",
    "format": "--format",
    "games": "--games",
    "rounds": "--rounds",
    "table": "--table",
    "quarantine": "--quarantine",
    "seed": "--seed",
    "packages": "--allow-package",
}
"""What a plan's fields are called on the command line."""
MOST_EXTRA_MAPS = 3
"""Played on where a knockout's pairing is level; then the one seeded first has won."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament's own numbers."""

    name: str
    game: str
    rules_version: int
    format: str
    games: Annotated[int, Meta(ge=1, le=100_000)] = 1
    """Of each pairing: so many maps, each played once in every rotation of the seats."""
    rounds: int | None = None
    """None: as many as the format usually has."""
    table: int = 2
    """How many meet at once."""
    quarantine: Annotated[int, Meta(ge=0)] = 3
    """After so many fixtures in a row in which a bot broke, it forfeits the rest; 0: never."""
    seed: int
    settings: Any
    limits: Limits
    packages: tuple[str, ...] = ()


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant and its bot."""

    bot: Contestant
    joined: int = 1
    """The first round it can play in."""


class Field(msgspec.Struct, frozen=True):
    """A plan with its entrants: what is played, but for when."""

    plan: Plan
    members: tuple[Member, ...]

    def format(self) -> Format:
        entrants = [Entrant(number, member.joined) for number, member in enumerate(self.members)]
        kind = FORMATS[self.plan.format]
        return kind(entrants, table=self.plan.table, rounds=self.plan.rounds)

    def fixtures(self, pairing: Pairing, map_number: int) -> list[Fixture]:
        """One map of a pairing, in every rotation of the seats.

        Maps go by who meets, not by when: a newcomer changes nobody's maps.
        """
        names = "|".join(sorted(self.members[number].bot.name for number in pairing.entrants))
        is_only = FORMATS[self.plan.format].meets_once
        when = "" if is_only else f"round {pairing.round}|"
        seed = map_seed(self.plan.seed, f"{when}{names}|map/{map_number}")
        return list(rotations(pairing.entrants, map_number, seed))

    def spec(self, fixture: Fixture) -> MatchSpec:
        plan = self.plan
        return MatchSpec(
            game=plan.game,
            rules_version=plan.rules_version,
            settings=plan.settings,
            limits=plan.limits,
            bots=tuple(self.members[number].bot.digest for number in fixture.seats),
            packages=plan.packages,
            seed=fixture.seed,
        )

    def job(self, fixture: Fixture, *, keep_replay: bool, sandbox: Level) -> Job:
        return Job(
            spec=self.spec(fixture),
            contestants=tuple(self.members[number].bot for number in fixture.seats),
            keep_replay=keep_replay,
            sandbox=sandbox,
            once=True,
        )


def decode_plan(text: str) -> Plan:
    """From JSON, the settings by the game's type."""
    plan = msgspec.json.decode(text, type=Plan)
    settings = msgspec.convert(plan.settings, game_named(plan.game).settings)
    return msgspec.structs.replace(plan, settings=settings)


def require_same(kept: Plan, wanted: Plan) -> None:
    """Raises: UsageError, naming what is not as the tournament was begun."""
    differing = list(_differences(kept, wanted))
    if differing:
        raise UsageError(
            f"tournament '{kept.name}' was begun otherwise: {'; '.join(differing)}. Leave that "
            "out to go on with it, or give a new one another --name"
        )


def _differences(kept: msgspec.Struct, wanted: msgspec.Struct) -> Iterator[str]:
    """In the words of the command line; of settings and limits those that differ."""
    for field in kept.__struct_fields__:
        old, new = getattr(kept, field), getattr(wanted, field)
        if isinstance(old, msgspec.Struct) and type(old) is type(new):
            yield from _differences(old, new)
        elif old != new:
            yield f"{OPTIONS.get(field, field)} was {_short(old)}, not {_short(new)}"


def _short(value: Any) -> str:
    words = str(value)
    return words if len(words) <= 60 else f"{words[:57]}..."
