"""What an organizer types of a tournament, read and shown."""

from collections.abc import Mapping
from datetime import datetime, tzinfo

import msgspec
from msgspec.structs import replace

from runners.contests.ladders import Ladder
from runners.contests.times import BadTime
from runners.contests.tournament_request import tournament_name, tournament_title, why_no_name
from runners.formats import FORMATS, USUAL_FORMAT
from runners.storage.database import now
from runners.storage.ladder_tables import FieldRule, SourceRule
from server.contests.ladder_forms import BadForm
from server.contests.scheduled_tournaments import ScheduledTournament
from server.contests.settings_forms import format_time, read_form_time
from server.contests.tournaments import TournamentChoices

MAX_GAMES = 100
MAX_ROUNDS = 1_000
MAX_BREAK_MINUTES = 1_440
"""Minutes."""
YES = "yes"
"""The value of a box that is ticked."""


def read_name(form: Mapping[str, str]) -> str:
    """Return the name of a new tournament. Raises: BadForm."""
    name = tournament_name(form.get("name", ""))
    if why := why_no_name(name):
        raise BadForm(why)
    return name


def read_choices(form: Mapping[str, str]) -> TournamentChoices:
    """Return what a form says of how a tournament is played. Raises: BadForm."""
    kind = form.get("format", "")
    if kind not in FORMATS:
        raise BadForm(f"format: expected one of {', '.join(FORMATS)}")
    rounds, pause = form.get("rounds", "").strip(), form.get("break_minutes", "").strip()
    return TournamentChoices(
        format=kind,
        games=_to_number(form.get("games", ""), "map pairs", MAX_GAMES),
        rounds=_to_number(rounds, "rounds", MAX_ROUNDS) if rounds else None,
        table=_to_number(form.get("table", ""), "bots in a match", MAX_GAMES),
        break_minutes=_to_number(pause, "minutes between rounds", MAX_BREAK_MINUTES)
        if pause
        else 0,
    )


def usual_choices(ladder: Ladder) -> dict[str, str]:
    """Return what a form for a new tournament is filled with."""
    return {"format": USUAL_FORMAT, "games": "1", "table": str(fewest_at_table(ladder))}


def parse_tournament_form(
    form: Mapping[str, str], ladder: Ladder, before: ScheduledTournament | None, zone: tzinfo
) -> ScheduledTournament:
    """Return the scheduled tournament that a form describes; `before`: as it was.

    `zone`: whose clocks show the times that are typed without an offset. Raises: BadForm.
    """
    times = (None, None) if before is None else (before.starts_at, before.entries_until)
    starts_at = _parse_time(form, "starts", "the begin", times[0], zone)
    if starts_at is None:
        raise BadForm("the begin: say when it begins")
    until = _parse_time(form, "entries_until", "entries until", times[1], zone)
    field = form.get("field", "")
    if field not in list(FieldRule):
        raise BadForm(f"who plays: expected one of {', '.join(FieldRule)}")
    is_sealed = form.get("sealed") == YES
    if is_sealed and ladder.source_rule is SourceRule.EVERYBODY:
        raise BadForm(
            f"everybody may read the source of the bots of {ladder.name}: nothing of it can be "
            "sealed; change who reads it first"
        )
    return ScheduledTournament(
        name=read_name(form) if before is None else before.name,
        ladder=ladder.id,
        words=form.get("words", "").strip(),
        choices=read_choices(form),
        field=FieldRule(field),
        entries_until=starts_at if until is None else until,
        starts_at=starts_at,
        is_sealed=is_sealed,
        created_at=now() if before is None else before.created_at,
    )


def tournament_form_values(one: ScheduledTournament, zone: tzinfo) -> dict[str, str]:
    """Return what a form is filled with that changes a tournament."""
    numbers = msgspec.structs.asdict(replace(one.choices, rounds=one.choices.rounds or 0))
    return {
        **{field: str(value or "") for field, value in numbers.items()},
        "name": tournament_title(one.name),
        "words": one.words,
        "field": one.field,
        "sealed": YES if one.is_sealed else "",
        "starts": format_time(one.starts_at, zone),
        "entries_until": format_time(one.entries_until, zone),
    }


def fewest_at_table(ladder: Ladder) -> int:
    """Return the fewest bots of a match of a ladder's game, but two at least."""
    return min(count for count in ladder.game.team_counts if count >= 2)


def _to_number(typed: str, words: str, most: int) -> int:
    """Raises: BadForm."""
    if not (typed.isascii() and typed.isdigit() and 1 <= int(typed[:9]) <= most):
        raise BadForm(f"{words}: expected a number from 1 to {most:,}")
    return int(typed)


def _parse_time(
    form: Mapping[str, str], field: str, words: str, before: datetime | None, zone: tzinfo
) -> datetime | None:
    """Return a point in time: see read_form_time. Raises: BadForm."""
    try:
        return read_form_time(form, field, before, zone, is_end=field == "entries_until")
    except BadTime as error:
        raise BadForm(f"{words}: {error}") from error
