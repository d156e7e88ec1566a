"""The plan and the entrants of a tournament: all that decides it, but for the results."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from engine.catalog import find_game, find_publisher
from engine.errors import UsageError
from engine.limits import Limits
from engine.play_options import PlayOptions
from engine.referee import Job
from engine.replays.writing import Contestant
from engine.spec import MatchSpec
from engine.streams import seed_text
from runners.formats import FORMATS
from runners.formats.pairing import Format, Pairing, Seeding
from runners.series import USUAL_SEED, Fixture, draw_partners, map_name, map_seed, rotations

OPTIONS = {
    "game": "--game",
    "format": "--format",
    "games": "--pairs",
    "rounds": "--rounds",
    "table": "--table",
    "quarantine": "--quarantine",
    "decides": "--decide",
    "seed": "--seed",
    "packages": "--allow-package",
}
"""What a plan's fields are called on the command line."""
MAX_EXTRA_MAPS = 3
"""Played on where a knockout's pairing is level; then the one seeded first has won."""


class TournamentPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a tournament, which are stored when it begins and never change."""

    name: str
    game: str
    rules_version: int
    format: str
    games: Annotated[int, Meta(ge=1, le=100_000)] = 1
    """Map pairs per pairing: each map is played once in every rotation of the seats."""
    rounds: int | None = None
    """None: as many as the format usually has."""
    table: int = 2
    """How many teams a match has."""
    quarantine: Annotated[int, Meta(ge=0)] = 3
    """Fixtures in a row in which a bot broke, after which it forfeits the rest; 0: never."""
    decides: bool = False
    """Whether a pairing of two ends once it is known who is better, before all maps are played."""
    seed: int = USUAL_SEED
    settings: Any
    limits: Limits
    packages: tuple[str, ...] = ()


class Secret(msgspec.Struct, frozen=True, order=True):
    """What nobody can foresee the maps without, drawn when bots enter.

    A bot that enters later has another one: whoever wrote it may have seen earlier maps, and once
    all is played the earlier secret is public.
    """

    number: int
    """Its number, from 0; those who register later have a higher one."""
    value: int


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant and its bot."""

    bot: Contestant
    joined: int = 1
    """The first round it can play in."""
    secret: Secret
    flaw: str = ""
    """Why its bot cannot play: then it is no entrant, and was left out."""


class Field(msgspec.Struct, frozen=True):
    """A plan with its entrants."""

    plan: TournamentPlan
    entrants: tuple[Entrant, ...]
    broken: tuple[Entrant, ...] = ()
    """Bots that were looked at and cannot play, each version of them."""

    @property
    def left_out(self) -> list[Entrant]:
        """Return who does not play for a flaw, by the latest version of it."""
        playing = {entrant.bot.name for entrant in self.entrants}
        latest = {entrant.bot.name: entrant for entrant in self.broken}
        return [entrant for name, entrant in latest.items() if name not in playing]

    def make_format(self) -> Format:
        entrants = [Seeding(number, entrant.joined) for number, entrant in enumerate(self.entrants)]
        kind = FORMATS[self.plan.format]
        return kind(entrants, table=self.plan.table, rounds=self.plan.rounds)

    def fixtures(self, pairing: Pairing, map_number: int) -> list[Fixture]:
        """Return one map of a pairing, in every rotation of the seats; partners are drawn."""
        secret, name = self.secret_of_pairing(pairing), self.map_name(pairing, map_number)
        seed = map_seed(secret.value, name)
        groups = find_game(self.plan.game).groups(self.plan.settings)
        seats = draw_partners(pairing.entrants, seed, groups)
        return list(rotations(seats, map_number, seed))

    def secret_of_pairing(self, pairing: Pairing) -> Secret:
        """Return what the pairing's maps follow from: the secret of who of them entered last."""
        return max(self.entrants[number].secret for number in pairing.entrants)

    def map_name(self, pairing: Pairing, map_number: int) -> str:
        """Return what a map is called: by who meets, so that a newcomer changes nobody's maps."""
        names = sorted(self.entrants[number].bot.name for number in pairing.entrants)
        is_only = FORMATS[self.plan.format].meets_once
        when = [] if is_only else [f"round {pairing.round}"]
        return map_name(self.plan.seed, map_number, "".join(f"{word}|" for word in when + names))

    def secrets(self) -> dict[Secret, list[str]]:
        """Return all secrets in the order of entry, with the names of who brought them."""
        names: dict[Secret, list[str]] = {}
        for entrant in sorted(self.entrants, key=lambda entrant: entrant.secret):
            names.setdefault(entrant.secret, []).append(entrant.bot.name)
        return names

    def spec(self, fixture: Fixture) -> MatchSpec:
        plan = self.plan
        return MatchSpec(
            game=plan.game,
            rules_version=plan.rules_version,
            settings=plan.settings,
            limits=plan.limits,
            bots=tuple(self.entrants[number].bot.digest for number in fixture.seats),
            packages=plan.packages,
            seed=fixture.seed,
            publisher=find_publisher(plan.game),
        )

    def make_job(self, fixture: Fixture, play: PlayOptions) -> Job:
        return Job(
            spec=self.spec(fixture),
            contestants=tuple(self.entrants[number].bot for number in fixture.seats),
            play=play.for_rated_match,
            once=True,
        )


def decode_plan(text: str) -> TournamentPlan:
    """Return a plan from JSON, with the settings by the game's type."""
    plan = msgspec.json.decode(text, type=TournamentPlan)
    if plan.format not in FORMATS:
        raise msgspec.ValidationError(f"{plan.format!r:.60} is not a format of tournaments")
    settings = msgspec.convert(plan.settings, find_game(plan.game).settings)
    return msgspec.structs.replace(plan, settings=settings)


def require_same(saved: TournamentPlan, wanted: TournamentPlan) -> None:
    """Raises: UsageError, naming what is not as the tournament was begun."""
    differing = list(_find_differences(saved, wanted))
    if differing:
        raise UsageError(
            f"tournament '{saved.name}' was begun with other options: "
            f"{'; '.join(differing)}. Leave that out to resume it, or give a new one another --name"
        )


def _find_differences(saved: msgspec.Struct, wanted: msgspec.Struct) -> Iterator[str]:
    """Yield what differs, in the words of the command line; of settings and limits each field."""
    for field in saved.__struct_fields__:
        old, new = getattr(saved, field), getattr(wanted, field)
        if isinstance(old, msgspec.Struct) and type(old) is type(new):
            yield from _find_differences(old, new)
        elif old != new:
            old, new = (_format_value(field, value) for value in (old, new))
            yield f"{OPTIONS.get(field, field)} was {old}, not {new}"


def _format_value(field: str, value: object) -> str:
    text = seed_text(value) if isinstance(value, int) and field == "seed" else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
