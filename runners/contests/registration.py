"""Registers bots for a tournament: a user's request and names become the field that plays."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.bots.finding import Bot
from engine.bots.imports import with_dependencies
from engine.catalog import find_game
from engine.errors import UsageError
from engine.streams import draw_seed
from runners.configuration import Configuration
from runners.contests.ledger import State
from runners.contests.plan import Entrant, Field, Secret, TournamentPlan, require_same
from runners.contests.tournament import Tournament
from runners.contests.tournament_request import TournamentRequest
from runners.formats import FORMATS, USUAL_FORMAT
from runners.formats.round_robin import RoundRobin
from runners.formats.swiss import Swiss
from runners.match_request import limits_for, settings_for
from runners.planning import all_bots, bots_folder, make_contestant, resolve_bots
from runners.team_counts import counts_text, fewest_teams

MIN_PLAYERS = 2
MIN_DECIDING_PAIRS = 9
"""With fewer no pairing ends early: eight pairs, all won by one side, are the first to decide."""
MAX_PAIRINGS = 100_000
"""The most pairings of a round robin with more than two players in a match."""


class Registration(msgspec.Struct, frozen=True, kw_only=True):
    """The field with its new bots."""

    field: Field
    bots: Sequence[Bot]
    """Those read now, to be copied before they play."""
    notes: Sequence[str] = ()
    """What the organizer should know."""
    before: Field | None = None
    """The stored field of a tournament that is resumed."""


def first_registration(wanted: TournamentRequest, configuration: Configuration) -> Registration:
    """Register bots for a tournament that begins. Raises: UsageError."""
    plan = _new_plan(wanted, configuration)
    folder = bots_folder(plan.game)
    bots, notes = resolve_bots(wanted.bots, folder, plan.packages, takes_flawed=True)
    if not wanted.bots:
        bots, notes = all_bots(folder, plan.packages, takes_flawed=True)
    require_table(plan)
    _require_decidable(plan)
    secret = _new_secret(wanted, number=0)
    field = Field(plan, tuple(Entrant(bot=make_contestant(bot), secret=secret) for bot in bots))
    require_playable(field)
    return Registration(field=field, bots=bots, notes=notes)


def require_playable(field: Field) -> None:
    """Raises: UsageError for a field with which its tournament cannot begin."""
    plan = field.plan
    if len(field.entrants) < plan.table:
        of_matches = f" of {plan.table}-player matches" if plan.table > MIN_PLAYERS else ""
        raise UsageError(
            f"a tournament{of_matches} needs {plan.table} bots or more: name them, or put them "
            f"into {bots_folder(plan.game)}"
        )
    _require_rounds(field)
    _require_few_enough_tables(field)


def later_registration(
    wanted: TournamentRequest, configuration: Configuration, saved: Tournament
) -> Registration:
    """Register bots for a tournament that goes on: new ones join, others take their old places.

    Raises: UsageError.
    """
    plan = saved.field.plan
    require_current_rules(plan)
    require_same(
        plan, msgspec.structs.replace(plan, **_explicit_fields(wanted, configuration, plan.game))
    )
    folder = bots_folder(plan.game)
    named, left_out = resolve_bots(wanted.bots, folder, plan.packages, takes_flawed=True)
    flaws = {entrant.bot.digest: entrant.flaw for entrant in saved.field.broken}
    bots = [bot for bot in named if bot.digest not in flaws]
    places = {entrant.bot.name: place for place, entrant in enumerate(saved.field.entrants)}
    newcomers = [bot for bot in bots if bot.name not in places]
    updated = [
        bot
        for bot in bots
        if bot.name in places and saved.field.entrants[places[bot.name]].bot.digest != bot.digest
    ]
    entrants = list(saved.field.entrants)
    if not newcomers and not updated:
        _require_known_secret(wanted, saved.field)
    secret = _new_secret(wanted, number=1 + max(entrant.secret.number for entrant in entrants))
    for bot in _require_updatable(updated, saved.field):
        place = places[bot.name]
        entrants[place] = msgspec.structs.replace(
            entrants[place], bot=make_contestant(bot), secret=secret
        )
    entrants += _register_newcomers(newcomers, saved, secret)
    field = Field(plan, tuple(entrants), saved.field.broken)
    _require_few_enough_tables(field)
    return Registration(
        field=field,
        bots=bots,
        before=saved.field,
        notes=[
            *left_out,
            *(
                f"{bot.name} cannot play, as was found before: {flaws[bot.digest]}"
                for bot in named
                if bot.digest in flaws
            ),
            *(f"{bot.name} joins" for bot in newcomers),
            *(f"{bot.name} is a new version: all it played is played again" for bot in updated),
        ],
    )


def _new_plan(wanted: TournamentRequest, configuration: Configuration) -> TournamentPlan:
    game = find_game(wanted.match.game)
    usual: dict[str, Any] = {
        "game": game.name,
        "rules_version": game.rules_version,
        "format": USUAL_FORMAT,
        "table": fewest_teams(game, MIN_PLAYERS),
        "settings": settings_for(wanted.match, configuration),
        "limits": limits_for(wanted.match, configuration),
    }
    return TournamentPlan(
        name=wanted.name, **(usual | _explicit_fields(wanted, configuration, game.name))
    )


def _new_secret(wanted: TournamentRequest, *, number: int) -> Secret:
    """Return that of those who enter now."""
    return Secret(number, draw_seed() if wanted.match.secret is None else wanted.match.secret)


def _require_known_secret(wanted: TournamentRequest, field: Field) -> None:
    """Raises: UsageError for a secret of other maps; it does not tell which is the right one."""
    known = {entrant.secret.value for entrant in field.entrants}
    if wanted.match.secret is not None and wanted.match.secret not in known:
        raise UsageError(
            f"--secret: the maps of tournament '{field.plan.name}' were drawn from another secret. "
            "Leave it out to resume it, or give a new one another --name"
        )


def _explicit_fields(
    wanted: TournamentRequest, configuration: Configuration, game: str
) -> dict[str, Any]:
    """Return the fields of the plan that were given explicitly."""
    said, match = dict(wanted.said), msgspec.structs.replace(wanted.match, game=game)
    if match.changes_settings:
        said["settings"] = settings_for(match, configuration)
    if match.changes_limits:
        said["limits"] = limits_for(match, configuration)
    if match.packages:
        said["packages"] = with_dependencies(match.packages)
    return said


def _require_updatable(bots: Sequence[Bot], field: Field) -> Sequence[Bot]:
    """Raises: UsageError where a bot may not be exchanged."""
    if bots and not field.make_format().takes_updates:
        raise UsageError(
            f"{bots[0].name} has changed since tournament '{field.plan.name}' began, and "
            f"{field.plan.format} plays to the end with the bots it began with: leave it out to "
            "resume with the version that is kept, or begin another tournament with --name"
        )
    return bots


def _register_newcomers(bots: Sequence[Bot], saved: Tournament, secret: Secret) -> list[Entrant]:
    """Raises: UsageError where nobody may enter any more."""
    if not bots:
        return []
    plan, entries = saved.field.plan, saved.ledger()
    begun = max((e.pairing.round for e in entries if e.state is not State.OPEN), default=0)
    if not saved.field.make_format().takes_newcomers:
        raise UsageError(
            f"{bots[0].name} cannot join: {plan.format} is closed once it has begun; leave "
            f"it out to resume tournament '{plan.name}', or begin another one with --name"
        )
    newcomers = [Entrant(bot=make_contestant(bot), joined=begun + 1, secret=secret) for bot in bots]
    rounds = Field(plan, (*saved.field.entrants, *newcomers)).make_format().rounds
    if rounds is not None and begun >= rounds:
        raise UsageError(
            f"{bots[0].name} cannot join: the last round of tournament '{plan.name}' has begun; "
            "begin another one with --name"
        )
    return newcomers


def require_current_rules(plan: TournamentPlan) -> None:
    """Raises: UsageError for a plan of other rules than ours: its matches cannot be played."""
    ours = find_game(plan.game).rules_version
    if plan.rules_version != ours:
        raise UsageError(
            f"tournament '{plan.name}' was begun under version {plan.rules_version} of the rules "
            f"of {plan.game}; this is version {ours}: begin another one with --name"
        )


def require_table(plan: TournamentPlan) -> None:
    """Raises: UsageError for tables or rounds that the game, or the format, does not have."""
    if plan.rounds is not None and not FORMATS[plan.format].takes_rounds:
        raise UsageError(
            f"--rounds would have no effect: how many {plan.format} has follows from its bots"
        )
    game, table = find_game(plan.game), plan.table
    if table not in game.team_counts:
        raise UsageError(f"--table {table}: {game.title} is played by {counts_text(game)}")
    why = game.why_not_played(plan.settings, table)
    if why is not None:
        raise UsageError(f"--table {table}: {why}")
    why = game.why_not_rated(plan.settings)
    if why is not None:
        raise UsageError(why)
    if table > MIN_PLAYERS and not FORMATS[plan.format].takes_tables:
        tables = ", ".join(name for name, kind in FORMATS.items() if kind.takes_tables)
        raise UsageError(
            f"{plan.format} has matches of two players, not of {table}; these formats "
            f"have them: {tables}"
        )


def _require_decidable(plan: TournamentPlan) -> None:
    """Raises: UsageError where no pairing could end early."""
    if plan.decides and plan.table > MIN_PLAYERS:
        raise UsageError(
            f"--decide is for matches of two, and has no effect with --table {plan.table}"
        )
    if plan.decides and plan.games < MIN_DECIDING_PAIRS:
        raise UsageError(
            f"--decide needs --pairs {MIN_DECIDING_PAIRS} or more, as fewer map pairs decide "
            "nothing; say how many are played where two are close: --decide --pairs 50"
        )


def _require_few_enough_tables(field: Field) -> None:
    """Raises: UsageError where all tables there can be are too many."""
    form = field.make_format()
    if isinstance(form, RoundRobin) and form.table > MIN_PLAYERS and form.tables > MAX_PAIRINGS:
        raise UsageError(
            f"{field.plan.format}: of {len(field.entrants)} bots there are {form.tables} pairings "
            f"of {form.table}, and {MAX_PAIRINGS} at most are played: take fewer bots, a smaller "
            f"--table, or --format {Swiss.name}"
        )


def _require_rounds(field: Field) -> None:
    plan, most = field.plan, field.make_format().most_rounds
    if plan.rounds is None or plan.rounds <= most:
        return
    raise UsageError(
        f"--rounds {plan.rounds}: with {len(field.entrants)} bots {plan.format} can have {most}, "
        "as nobody should meet anybody twice"
    )
