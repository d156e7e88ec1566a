"""What an organizer types of a ladder, read and shown."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import TypeVar

import msgspec

from engine.bots.own_files import MAX_SOURCE_BYTES, MAX_TOTAL_BYTES
from engine.catalog import find_game
from engine.errors import BadSettings, SlimeMindError
from engine.limits import Limits
from engine.spec import MatchSpec
from runners.configuration import read_configuration
from runners.contests.ladders import Ladder, new_ladder_id, usual_spec
from runners.contests.times import BadTime
from runners.match_request import MatchRequest, limits_for, settings_for
from runners.storage.database import now
from runners.storage.ladder_tables import EntryRule, SourceRule
from server.contests.settings_forms import (
    BadFields,
    format_time,
    read_form_time,
    read_settings,
    setting_field_values,
)
from server.identity.look_alikes import looks_like_one_of
from server.identity.names import BadName, validate_name

MAX_VERSIONS_PER_DAY = 1_000
MAX_CPU_S_PER_DAY = 10 * 86_400
MAX_MATCHES_PER_DAY = 100_000
KB = 1_000
SETTING, LIMIT = "set-", "limit-"
"""How the names of the fields begin that are settings of the game, or limits of bots."""
Choice = TypeVar("Choice", bound=StrEnum)
S = TypeVar("S", bound=msgspec.Struct)


class BadForm(Exception):
    """What is wrong with what was typed, in a sentence; and in which fields."""

    def __init__(self, words: str, *fields: str, errors: Mapping[str, str] | None = None) -> None:
        super().__init__(words)
        self.errors: Mapping[str, str] = errors or dict.fromkeys(fields, words)
        """By the names of fields, what is wrong with each."""


def read_ladder(
    form: Mapping[str, str],
    before: Ladder | None,
    *,
    is_fixed: bool,
    zone: tzinfo = UTC,
    groups: Collection[str] = (),
) -> Ladder:
    """Return the ladder that a form describes; `before`: as it was.

    `is_fixed`: it has matches, so that what they are played with stays as it is. `zone`: whose
    clocks show the times that are typed without an offset. `groups`: the ids of all groups. Raises:
    BadForm.
    """
    times = _Times(form, zone, before)
    at = now()
    spec = before.spec if before is not None and is_fixed else _parse_spec(form, before)
    begins_at = times.of("begins", "the begin")
    ends_at = times.of("ends", "the end")
    is_closed = ends_at is not None and ends_at <= at
    ladder = Ladder(
        id=new_ladder_id() if before is None else before.id,
        name=_name(form),
        spec=spec,
        entry_rule=_to_choice(form, "entry", EntryRule),
        source_rule=_to_choice(form, "source", SourceRule),
        versions_per_day=_to_whole(form, "versions", "versions per day", MAX_VERSIONS_PER_DAY),
        cpu_s_per_day=_to_number(form, "cpu", "CPU seconds per day", 1, MAX_CPU_S_PER_DAY, float),
        matches_per_day=_to_whole(form, "matches_per_day", "matches per day", MAX_MATCHES_PER_DAY),
        most_source_bytes=KB * _to_whole(form, "source_kb", "kB of source", MAX_SOURCE_BYTES // KB),
        most_bytes=KB * _to_whole(form, "files_kb", "kB of all files", MAX_TOTAL_BYTES // KB),
        is_paused=before is not None and before.is_paused,
        begins_at=at.replace(second=0, microsecond=0) if begins_at is None else begins_at,
        freezes_at=times.of("freezes", "the freeze"),
        ends_at=ends_at,
        # A season that is prolonged has another final.
        concluded_at=before.concluded_at if before is not None and is_closed else None,
        only_group=_parse_group(form, groups),
        created_at=at if before is None else before.created_at,
    )
    _require_order(ladder)
    return ladder


def ladder_form_values(ladder: Ladder, zone: tzinfo = UTC) -> dict[str, str]:
    """Return what the form of a ladder is filled with."""
    return {
        "name": ladder.name,
        "game": ladder.spec.game,
        **setting_field_values(ladder.spec.settings, usual_settings(ladder.spec.game), SETTING),
        **setting_field_values(ladder.spec.limits, usual_limits(ladder.spec.game), LIMIT),
        "entry": ladder.entry_rule,
        "group": ladder.only_group or "",
        "source": ladder.source_rule,
        "versions": str(ladder.versions_per_day),
        "cpu": f"{ladder.cpu_s_per_day:g}",
        "matches_per_day": str(ladder.matches_per_day),
        "source_kb": str(ladder.most_source_bytes // KB),
        "files_kb": str(ladder.most_bytes // KB),
        **{field: format_time(at, zone) for field, at in _ladder_times(ladder).items()},
    }


def settings_words(ladder: Ladder) -> list[str]:
    """Return what is not as usual in the settings and limits of a ladder's matches."""
    settings = ladder.spec.settings
    return [
        *non_default_options(settings, type(settings)()),
        *non_default_options(ladder.spec.limits, ladder.game.limits),
    ]


def non_default_options(values: msgspec.Struct, usual: msgspec.Struct) -> list[str]:
    """Return the fields that are not as usual, as --set and --limit take them."""
    return [
        f"{name}={_form_text(getattr(values, name))}"
        for name in values.__struct_fields__
        if getattr(values, name) != getattr(usual, name)
    ]


def _form_text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def usual_settings(game: str) -> msgspec.Struct:
    """Return the settings of a game's ladders, where nothing else is typed.

    They are the game's own where those of config.toml are meant for another game.
    """
    try:
        return settings_for(MatchRequest(game=game), read_configuration())
    except BadSettings:
        return find_game(game).settings()


def usual_limits(game: str) -> Limits:
    """Return the limits of bots on a game's ladders, where nothing else is typed."""
    try:
        return limits_for(MatchRequest(game=game), read_configuration())
    except BadSettings:
        return find_game(game).limits


def _parse_spec(form: Mapping[str, str], before: Ladder | None) -> MatchSpec:
    try:
        game = find_game(form.get("game", "") if before is None else before.spec.game)
    except SlimeMindError as error:
        raise BadForm(str(error), "game") from error
    errors: dict[str, str] = {}
    settings = _read(form, usual_settings(game.name), SETTING, errors)
    limits = _read(form, usual_limits(game.name), LIMIT, errors)
    is_new = before is None or before.spec.settings != settings
    if is_new and (why := game.why_not_rated(settings)) is not None:
        errors[""] = why
    if errors:
        raise BadForm("; ".join(errors.values()), errors=errors)
    return msgspec.structs.replace(usual_spec(game), settings=settings, limits=limits)


def _read(form: Mapping[str, str], usual: S, prefix: str, errors: dict[str, str]) -> S:
    """Return what fields say of settings; what is wrong is added to `errors`."""
    try:
        return read_settings(form, usual, prefix)
    except BadFields as error:
        errors |= error.errors
        return usual


def require_unlike(ladder: Ladder, others: Iterable[Ladder]) -> None:
    """Raises: BadForm for a name that looks like that of another ladder."""
    if looks_like_one_of(ladder.name, (one.name for one in others if one.id != ladder.id)):
        raise name_taken_error(ladder.name)


def name_taken_error(name: str) -> BadForm:
    """Return what is wrong with a name that another ladder has."""
    words = f"there is a ladder called {name} already, or one that looks like it: choose another"
    return BadForm(f"{words} name", "name")


def _name(form: Mapping[str, str]) -> str:
    try:
        return validate_name(form.get("name", ""))
    except BadName as error:
        raise BadForm(str(error), "name") from error


def _parse_group(form: Mapping[str, str], groups: Collection[str]) -> str | None:
    """Return the id of the group that a ladder is for, if any. Raises: BadForm."""
    group = form.get("group", "")
    if group and group not in groups:
        raise BadForm("this group is not there any more: choose another one, or everybody", "group")
    return group or None


def _to_choice(form: Mapping[str, str], field: str, kind: type[Choice]) -> Choice:
    try:
        return kind(form.get(field, ""))
    except ValueError as error:
        raise BadForm(f"{field}: expected one of {', '.join(kind)}", field) from error


def usual_fields(name: str, zone: tzinfo = UTC) -> dict[str, str]:
    """Return what the form of a new ladder of a game is filled with."""
    at = now()
    spec = msgspec.structs.replace(
        usual_spec(find_game(name)), settings=usual_settings(name), limits=usual_limits(name)
    )
    usual = Ladder(id="", name="", spec=spec, begins_at=at, created_at=at)
    return ladder_form_values(usual, zone)


def _to_whole(form: Mapping[str, str], field: str, words: str, most: int) -> int:
    """Return a whole number from 1. Raises: BadForm."""
    return int(_to_number(form, field, words, 1, most, int))


def _to_number(
    form: Mapping[str, str],
    field: str,
    words: str,
    fewest: int,
    most: int,
    kind: Callable[[str], float],
) -> float:
    try:
        number = kind(form.get(field, "").strip())
    except ValueError:
        number = fewest - 1
    if not fewest <= number <= most:
        raise BadForm(f"{words}: expected a number from {fewest} to {most:,}", field)
    return number


class _Times:
    """The times of a form."""

    def __init__(self, form: Mapping[str, str], zone: tzinfo, before: Ladder | None) -> None:
        self._form = form
        self._zone = zone
        self._before = {} if before is None else _ladder_times(before)

    def of(self, field: str, words: str) -> datetime | None:
        """Return a point in time: see read_form_time. Raises: BadForm."""
        before = self._before.get(field)
        try:
            return read_form_time(self._form, field, before, self._zone, is_end=field == "ends")
        except BadTime as error:
            raise BadForm(f"{words}: {error}", field) from error


def _ladder_times(ladder: Ladder) -> dict[str, datetime | None]:
    return {"begins": ladder.begins_at, "freezes": ladder.freezes_at, "ends": ladder.ends_at}


def _require_order(ladder: Ladder) -> None:
    """Raises: BadForm."""
    if ladder.ends_at is not None and ladder.ends_at <= ladder.begins_at:
        raise BadForm("a season ends after it has begun", "ends")
    if ladder.freezes_at is None:
        return
    if ladder.ends_at is None:
        raise BadForm(
            "only a season is frozen: it has an end, at which all is shown again", "freezes"
        )
    if not ladder.begins_at <= ladder.freezes_at < ladder.ends_at:
        raise BadForm("a season is frozen after its begin and before its end", "freezes")
