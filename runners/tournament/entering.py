"""Entering: what was asked for, and who was named, become the field that plays."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.bots.finding import Bot
from engine.bots.imports import with_dependencies
from engine.catalogue import game_named
from engine.errors import UsageError
from runners.configuration import Choices, Configuration, limits_for, settings_for
from runners.formats import FORMATS
from runners.formats.round_robin import RoundRobin
from runners.formats.swiss import Swiss
from runners.planning import all_bots, bots_folder, contestant_of, named_bots
from runners.team_counts import counts_text, fewest_teams
from runners.tournament.ledger import State
from runners.tournament.plan import Field, Member, Plan, require_same
from runners.tournament.playing import Tournament

USUAL_GAME = "slime_mind"
USUAL_FORMAT = "round_robin"
FEWEST = 2
MOST_TABLES = 100_000
"""Of a tournament in which every table plays that there can be."""
SEED_BITS = 32


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for. What was left open is as it is kept, or else as usual."""

    name: str
    bots: Sequence[str] = ()
    """As they were named; none: those that are kept, or else all there are."""
    said: dict[str, Any] = {}
    """Fields of the plan that were said."""
    choices: Choices = Choices()
    packages: Sequence[str] = ()


class Entries(msgspec.Struct, frozen=True, kw_only=True):
    """The field, and what of it is new."""

    field: Field
    bots: Sequence[Bot]
    """Those read now, to be copied before they play."""
    notes: Sequence[str] = ()
    """What the organiser should know."""


def first_entries(wanted: Wanted, configuration: Configuration) -> Entries:
    """Of a tournament that begins. Raises: UsageError."""
    plan = _new_plan(wanted, configuration)
    folder = bots_folder(plan.game)
    bots, notes = named_bots(wanted.bots, folder), list[str]()
    if not wanted.bots:
        bots, notes = all_bots(folder, plan.packages)
    _require_table(plan)
    if len(bots) < plan.table:
        at_tables = f" at tables of {plan.table}" if plan.table > FEWEST else ""
        raise UsageError(
            f"a tournament{at_tables} needs {plan.table} bots or more: name them, or put them "
            f"into {folder}"
        )
    field = Field(plan, tuple(Member(bot=contestant_of(bot)) for bot in bots))
    _require_rounds(field)
    _require_countable(field)
    return Entries(field=field, bots=bots, notes=notes)


def more_entries(wanted: Wanted, configuration: Configuration, kept: Tournament) -> Entries:
    """Of a tournament that goes on: whoever is named and new joins, or takes its old place.

    Raises: UsageError.
    """
    plan = kept.field.plan
    _require_rules(plan)
    require_same(plan, msgspec.structs.replace(plan, **_said(wanted, configuration, plan.game)))
    bots = named_bots(wanted.bots, bots_folder(plan.game))
    places = {member.bot.name: place for place, member in enumerate(kept.field.members)}
    newcomers = [bot for bot in bots if bot.name not in places]
    updated = [
        bot
        for bot in bots
        if bot.name in places and kept.field.members[places[bot.name]].bot.digest != bot.digest
    ]
    members = list(kept.field.members)
    for bot in _updates(updated, kept.field):
        place = places[bot.name]
        members[place] = msgspec.structs.replace(members[place], bot=contestant_of(bot))
    members += _newcomers(newcomers, kept)
    field = Field(plan, tuple(members))
    _require_countable(field)
    return Entries(
        field=field,
        bots=bots,
        notes=[
            *(f"{bot.name} joins" for bot in newcomers),
            *(f"{bot.name} is a new version: all it played is played again" for bot in updated),
        ],
    )


def _new_plan(wanted: Wanted, configuration: Configuration) -> Plan:
    game = game_named(wanted.said.get("game", USUAL_GAME))
    usual: dict[str, Any] = {
        "game": game.name,
        "rules_version": game.rules_version,
        "format": USUAL_FORMAT,
        "table": fewest_teams(game, FEWEST),
        "seed": random.SystemRandom().getrandbits(SEED_BITS),
        "settings": settings_for(game, configuration, wanted.choices),
        "limits": limits_for(game, configuration, wanted.choices),
    }
    return Plan(name=wanted.name, **(usual | _said(wanted, configuration, game.name)))


def _said(wanted: Wanted, configuration: Configuration, game: str) -> dict[str, Any]:
    """The fields of the plan that were said in so many words."""
    said, choices = dict(wanted.said), wanted.choices
    if choices.change_settings:
        said["settings"] = settings_for(game_named(game), configuration, choices)
    if choices.change_limits:
        said["limits"] = limits_for(game_named(game), configuration, choices)
    if wanted.packages:
        said["packages"] = with_dependencies(wanted.packages)
    return said


def _updates(bots: Sequence[Bot], field: Field) -> Sequence[Bot]:
    """Raises: UsageError where a bot may not be exchanged."""
    if bots and not field.format().takes_updates:
        raise UsageError(
            f"{bots[0].name} has changed since tournament '{field.plan.name}' began, and "
            f"{field.plan.format} plays to the end with the bots it began with: leave it out to "
            "go on with the version that is kept, or begin another tournament with --name"
        )
    return bots


def _newcomers(bots: Sequence[Bot], kept: Tournament) -> list[Member]:
    """Raises: UsageError where nobody may enter any more."""
    if not bots:
        return []
    plan, begun = kept.field.plan, rounds_begun(kept)
    if not kept.field.format().takes_newcomers:
        raise UsageError(
            f"{bots[0].name} cannot join: {plan.format} takes nobody in once it has begun; leave "
            f"it out to go on with tournament '{plan.name}', or begin another one with --name"
        )
    newcomers = [Member(bot=contestant_of(bot), joined=begun + 1) for bot in bots]
    rounds = Field(plan, (*kept.field.members, *newcomers)).format().rounds
    if rounds is not None and begun >= rounds:
        raise UsageError(
            f"{bots[0].name} cannot join: the last round of tournament '{plan.name}' has begun; "
            "begin another one with --name"
        )
    return newcomers


def rounds_begun(tournament: Tournament) -> int:
    """The last round of which something is known; 0 before the first."""
    entries = tournament.ledger()
    return max((e.pairing.round for e in entries if e.state is not State.OPEN), default=0)


def _require_rules(plan: Plan) -> None:
    ours = game_named(plan.game).rules_version
    if plan.rules_version != ours:
        raise UsageError(
            f"tournament '{plan.name}' was begun under version {plan.rules_version} of the rules "
            f"of {plan.game}; this is version {ours}: begin another one with --name"
        )


def _require_table(plan: Plan) -> None:
    """Raises: UsageError for tables at which the game, or the format, cannot be played."""
    game, table = game_named(plan.game), plan.table
    if table not in game.team_counts:
        raise UsageError(f"--table {table}: {game.title} is played by {counts_text(game)}")
    if table > FEWEST and not FORMATS[plan.format].takes_tables:
        tables = ", ".join(name for name, kind in FORMATS.items() if kind.takes_tables)
        raise UsageError(
            f"{plan.format} is for two at a time, and not for tables of {table}; these formats "
            f"are: {tables}"
        )


def _require_countable(field: Field) -> None:
    """Raises: UsageError where all tables there can be are too many."""
    form = field.format()
    if isinstance(form, RoundRobin) and form.table > FEWEST and form.tables > MOST_TABLES:
        raise UsageError(
            f"{field.plan.format}: of {len(field.members)} bots there are {form.tables} tables of "
            f"{form.table}, and {MOST_TABLES} at most are played: take fewer bots, a smaller "
            f"--table, or --format {Swiss.name}"
        )


def _require_rounds(field: Field) -> None:
    plan, most = field.plan, field.format().most_rounds
    if plan.rounds is None or plan.rounds <= most:
        return
    if most == 0:
        raise UsageError(
            f"--rounds would have no effect: how many {plan.format} has follows from its bots"
        )
    raise UsageError(
        f"--rounds {plan.rounds}: with {len(field.members)} bots {plan.format} can have {most}, "
        "as nobody should meet anybody twice"
    )
