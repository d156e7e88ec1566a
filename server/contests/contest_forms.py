"""What an organizer types of a contest, read and shown: settings of a game, times, the rest."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Any, TypedDict, TypeVar, get_type_hints

import msgspec
from msgspec import inspect

from engine.bots.own_files import MAX_SOURCE_BYTES, MAX_TOTAL_BYTES
from engine.catalog import find_game
from engine.errors import BadSettings, SlimeMindError, UsageError
from engine.limits import Limits
from engine.settings import apply_changes, field_description, read_value
from engine.spec import MatchSpec
from runners.configuration import read_configuration
from runners.contests.contests import (
    ContestBase,
    Ladder,
    SavedTournament,
    TournamentChoices,
    new_ladder_id,
    usual_spec,
)
from runners.contests.times import BadTime, read_time
from runners.contests.tournament_request import tournament_name, tournament_title, why_no_name
from runners.formats import FORMATS, USUAL_FORMAT
from runners.match_request import MatchRequest, limits_for, settings_for
from runners.storage.database import now
from runners.storage.ladder_tables import EntryRule, FieldRule, SourceRule
from server.identity.names import BadName, looks_like_one_of, validate_name

S = TypeVar("S", bound=msgspec.Struct)
ANY_NAME = re.compile(r"[a-z][a-z_0-9]*")
YES_AND_NO = {"true": "yes", "false": "no"}
TIME_FORMAT = "%Y-%m-%dT%H:%M"
"""This is how a browser's field sends a time; the page says of which zone it is."""


class Kind(StrEnum):
    """How a setting is typed."""

    NUMBER = "number"
    CHOICE = "choice"
    TEXT = "text"


class SettingField(msgspec.Struct, frozen=True, kw_only=True):
    """A setting as a field of a form."""

    key: str
    """The name of the field: the setting's after that of its kind."""
    name: str
    meaning: str
    kind: Kind
    usual: str
    """What it is where nothing is typed."""
    low: int | None = None
    high: int | None = None
    choices: Mapping[str, str] = {}
    """What can be chosen, each with its words."""

    @property
    def allowed(self) -> str:
        """Return what may be typed, in words."""
        if self.kind is Kind.CHOICE:
            return " or ".join(self.choices.values())
        if self.kind is Kind.TEXT:
            return f"a value such as {self.usual}"
        if self.low is None or self.high is None:
            return "a whole number"
        return f"a whole number from {self.low:,} to {self.high:,}"


class BadFields(Exception):
    """What is wrong with fields, by their names; of all together under ''."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = errors


def setting_fields(usual: msgspec.Struct, prefix: str) -> list[SettingField]:
    """Return the fields of settings, in their order; `usual`: what they are by default."""
    info = inspect.type_info(type(usual))
    assert isinstance(info, inspect.StructType)
    return [_make_field(field, getattr(usual, field.name), prefix) for field in info.fields]


def setting_field_values(
    values: msgspec.Struct, usual: msgspec.Struct, prefix: str
) -> dict[str, str]:
    """Return what fields are filled with: '' for what is as usual."""
    return {
        f"{prefix}{name}": ""
        if getattr(values, name) == getattr(usual, name)
        else _value_text(getattr(values, name))
        for name in values.__struct_fields__
    }


def read_settings(form: Mapping[str, str], usual: S, prefix: str) -> S:
    """Return the settings that fields describe. Raises: BadFields."""
    hints = get_type_hints(type(usual), include_extras=True)
    values: dict[str, object] = {}
    errors = {}
    for field in setting_fields(usual, prefix):
        typed = form.get(field.key, "").strip()
        if not typed:
            continue
        try:
            values[field.name] = msgspec.convert(_parse_value(field, typed), hints[field.name])
        except (msgspec.ValidationError, ValueError):
            errors[field.key] = f"{field.name}: expected {field.allowed}; this is {typed!r:.60}"
    if errors:
        raise BadFields(errors)
    try:
        return apply_changes(usual, values, source="settings")
    except BadSettings as error:  # of several together, such as a map without room
        text = str(error).removeprefix("settings: ")
        raise BadFields({_find_first_setting(text, usual, prefix): text}) from error


def _make_field(field: inspect.Field, usual: object, prefix: str) -> SettingField:
    kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
    about: dict[str, Any] = {"kind": Kind.TEXT}
    match kind:
        case inspect.IntType():
            about = {"kind": Kind.NUMBER, "low": kind.ge, "high": kind.le}
        case inspect.BoolType():
            about = {"kind": Kind.CHOICE, "choices": YES_AND_NO}
        case inspect.EnumType():
            about = {"kind": Kind.CHOICE, "choices": {one.value: one.value for one in kind.cls}}
        case inspect.LiteralType():
            about = {"kind": Kind.CHOICE, "choices": {str(one): str(one) for one in kind.values}}
    return SettingField(
        key=f"{prefix}{field.name}",
        name=field.name,
        meaning=field_description(field.type),
        usual=_value_text(usual),
        **about,
    )


def _parse_value(field: SettingField, typed: str) -> object:
    """Return what was typed, as the setting's kind. Raises: ValueError."""
    if field.kind is Kind.NUMBER:
        return int(typed)
    if field.choices == YES_AND_NO:
        return {"true": True, "false": False}.get(typed, typed)
    return typed if field.kind is Kind.CHOICE else read_value(typed)


def _value_text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _find_first_setting(text: str, settings: msgspec.Struct, prefix: str) -> str:
    """Return the field of the first setting that words name; '' if they name none."""
    known = settings.__struct_fields__
    named = (name for name in ANY_NAME.findall(text) if name in known)
    return next((f"{prefix}{name}" for name in named), "")


def read_form_time(
    form: Mapping[str, str],
    field: str,
    before: datetime | None,
    zone: tzinfo,
    *,
    is_end: bool = False,
) -> datetime | None:
    """Return a point in time, UTC; None for none. What was not changed stays to the second.

    `is_end`: a day alone is its last moment. Raises: BadTime.
    """
    typed = form.get(field, "").strip()
    if not typed:
        return None
    return before if typed == format_time(before, zone) else read_time(typed, zone, is_end=is_end)


def format_time(at: datetime | None, zone: tzinfo) -> str:
    """Return what a field for a time is filled with; '' for none."""
    return "" if at is None else at.astimezone(zone).strftime(TIME_FORMAT)


MAX_VERSIONS_PER_DAY = 1_000
MAX_CPU_S_PER_DAY = 10 * 86_400
MAX_MATCHES_PER_DAY = 100_000
MAX_GAMES = 100
MAX_ROUNDS = 1_000
MAX_BREAK_MINUTES = 1_440
KB = 1_000
SETTING, LIMIT = "set-", "limit-"
"""How the names of the fields begin that are settings of the game, or limits of bots."""
YES = "yes"
"""The value of a box that is ticked."""
ENTRY_RULES = {
    EntryRule.OPEN: "everybody",
    EntryRule.APPROVED: "whom an organizer approves",
}
BUILT_IN_RULES = {
    YES: "play, so that nobody waits for opponents",
    "no": "do not play",
}
SOURCE_RULES = {
    SourceRule.NOBODY: "nobody but its author",
    SourceRule.ORGANIZERS: "organizers",
    SourceRule.EVERYBODY_AFTER_END: "everybody, after the end of the season",
    SourceRule.EVERYBODY: "everybody",
}
FIELD_RULES = {
    FieldRule.EVERYBODY: "all bots of the ladder",
    FieldRule.ENTERED: "bots that their authors enter",
}
Choice = TypeVar("Choice", bound=StrEnum)


class BadForm(UsageError):
    """What is wrong with what was typed, in a sentence; and in which fields."""

    def __init__(self, message: str, *fields: str, errors: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.errors: Mapping[str, str] = errors or dict.fromkeys(fields, message)
        """By the names of fields, what is wrong with each."""


# -- ladders and seasons --------------------------------------------------------------------------


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
    times = {} if before is None else _ladder_times(before)
    at = now()
    spec = before.spec if before is not None and is_fixed else _parse_spec(form, before)
    begins_at = _parse_time(form, "begins", "the begin", times, zone)
    ends_at = _parse_time(form, "ends", "the end", times, zone)
    is_closed = ends_at is not None and ends_at <= at
    ladder = Ladder(
        id=new_ladder_id() if before is None else before.id,
        name=_name(form),
        spec=spec,
        source_rule=_to_choice(form, "source", SourceRule),
        versions_per_day=_to_whole(form, "versions", "versions per day", MAX_VERSIONS_PER_DAY),
        cpu_s_per_day=_to_number(form, "cpu", "CPU seconds per day", MAX_CPU_S_PER_DAY, float),
        matches_per_day=_to_whole(form, "matches_per_day", "matches per day", MAX_MATCHES_PER_DAY),
        most_source_bytes=KB * _to_whole(form, "source_kb", "kB of source", MAX_SOURCE_BYTES // KB),
        most_bytes=KB * _to_whole(form, "files_kb", "kB of all files", MAX_TOTAL_BYTES // KB),
        is_paused=before is not None and before.is_paused,
        begins_at=at.replace(second=0, microsecond=0) if begins_at is None else begins_at,
        freezes_at=_parse_time(form, "freezes", "the freeze", times, zone),
        ends_at=ends_at,
        # A season that is prolonged has another final.
        concluded_at=before.concluded_at if before is not None and is_closed else None,
        created_at=at if before is None else before.created_at,
        **_read_entry_rules(form, groups),
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
        **_entry_values(ladder),
        "source": ladder.source_rule,
        "versions": str(ladder.versions_per_day),
        "cpu": f"{ladder.cpu_s_per_day:g}",
        "matches_per_day": str(ladder.matches_per_day),
        "source_kb": str(ladder.most_source_bytes // KB),
        "files_kb": str(ladder.most_bytes // KB),
        **{field: format_time(at, zone) for field, at in _ladder_times(ladder).items()},
    }


def entry_words(contest: ContestBase, group: str) -> str:
    """Return who may enter a contest, which is for a group of this name unless that is ''."""
    if not group:
        return ENTRY_RULES[contest.entry_rule]
    whom = ", whom an organizer approves" if contest.entry_rule is EntryRule.APPROVED else ""
    return f"members of the group {group}{whom}"


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
        f"{name}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name in values.__struct_fields__
        if (value := getattr(values, name)) != getattr(usual, name)
    ]


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


def usual_fields(name: str, zone: tzinfo = UTC) -> dict[str, str]:
    """Return what the form of a new ladder of a game is filled with."""
    at = now()
    spec = msgspec.structs.replace(
        usual_spec(find_game(name)), settings=usual_settings(name), limits=usual_limits(name)
    )
    usual = Ladder(id="", name="", spec=spec, begins_at=at, created_at=at)
    return ladder_form_values(usual, zone)


def require_unlike(ladder: Ladder, others: Iterable[Ladder]) -> None:
    """Raises: BadForm for a name that looks like that of another ladder."""
    if looks_like_one_of(ladder.name, (one.name for one in others if one.id != ladder.id)):
        raise name_taken_error(ladder.name)


def name_taken_error(name: str) -> BadForm:
    """Return what is wrong with a name that another ladder has."""
    message = f"there is a ladder called {name} already, or one that looks like it: choose another"
    return BadForm(f"{message} name", "name")


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


def _name(form: Mapping[str, str]) -> str:
    try:
        return validate_name(form.get("name", ""))
    except BadName as error:
        raise BadForm(str(error), "name") from error


def _parse_group(form: Mapping[str, str], groups: Collection[str]) -> str | None:
    """Return the id of the group that a contest is for, if any. Raises: BadForm."""
    group = form.get("group", "")
    if group and group not in groups:
        raise BadForm("this group is not there any more: choose another one, or everybody", "group")
    return group or None


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


# -- tournaments ----------------------------------------------------------------------------------


def read_tournament(
    form: Mapping[str, str],
    ladder: Ladder,
    before: SavedTournament | None,
    *,
    zone: tzinfo,
    groups: Collection[str] = (),
) -> SavedTournament:
    """Return the tournament that a form describes; `before`: as it was.

    Without an hour it is to begin at once. `zone`: whose clocks show the times that are typed
    without an offset. Raises: BadForm.
    """
    name = tournament_name(form.get("name", "")) if before is None else before.name
    if before is None and (why := why_no_name(name)):
        raise BadForm(why, "name")
    choices = _read_choices(form)
    times = {} if before is None else _tournament_times(before)
    begins_at = _parse_time(form, "starts", "the begin", times, zone)
    if begins_at is None and before is not None:
        raise BadForm("the begin: say when it begins", "starts")
    until = _parse_time(form, "entries_until", "entries until", times, zone)
    is_sealed = form.get("sealed") == YES
    if is_sealed and ladder.source_rule is SourceRule.EVERYBODY:
        raise BadForm(
            f"everybody may read the source of the bots of {ladder.name}: nothing of it can be "
            "sealed; change who reads it first",
            "sealed",
        )
    field, rules = (
        _to_choice(form, "field", FieldRule, "who plays"),
        _read_entry_rules(form, groups),
    )
    is_open = rules["entry_rule"] is EntryRule.OPEN and rules["only_group"] is None
    if field is FieldRule.EVERYBODY and not is_open:
        raise BadForm(
            "nobody enters where all bots of the ladder play: for a group, or with bots that you "
            "approve, choose those that their authors enter",
            "field",
        )
    return SavedTournament(
        name=name,
        ladder=ladder.id,
        words=form.get("words", "").strip(),
        choices=choices,
        field=field,
        entries_until=begins_at if until is None else until,
        begins_at=begins_at,
        is_sealed=is_sealed,
        is_paused=before is not None and before.is_paused,
        created_at=now() if before is None else before.created_at,
        **rules,
    )


def tournament_form_values(one: SavedTournament, zone: tzinfo) -> dict[str, str]:
    """Return what a form is filled with that changes a tournament."""
    assert one.choices is not None
    return {
        **{field: str(value or "") for field, value in msgspec.structs.asdict(one.choices).items()},
        "name": tournament_title(one.name),
        "words": one.words,
        **_entry_values(one),
        "field": one.field or "",
        "sealed": YES if one.is_sealed else "",
        **{field: format_time(at, zone) for field, at in _tournament_times(one).items()},
    }


def usual_choices(ladder: Ladder) -> dict[str, str]:
    """Return what a form for a new tournament is filled with."""
    smallest = min(count for count in ladder.game.team_counts if count >= 2)
    usual = {"format": USUAL_FORMAT, "games": "1", "table": str(smallest)}
    return {**usual, "field": FieldRule.EVERYBODY}


def _read_choices(form: Mapping[str, str]) -> TournamentChoices:
    """Return what a form says of how a tournament is played. Raises: BadForm."""
    kind = form.get("format", "")
    if kind not in FORMATS:
        raise BadForm(f"format: expected one of {', '.join(FORMATS)}", "format")
    pause, what = form.get("break_minutes", "").strip(), "minutes between rounds"
    return TournamentChoices(
        format=kind,
        games=_to_whole(form, "games", "map pairs", MAX_GAMES),
        rounds=_to_whole(form, "rounds", "rounds", MAX_ROUNDS)
        if form.get("rounds", "").strip()
        else None,
        table=_to_whole(form, "table", "bots in a match", MAX_GAMES),
        break_minutes=_to_whole(form, "break_minutes", what, MAX_BREAK_MINUTES) if pause else 0,
    )


def _tournament_times(one: SavedTournament) -> dict[str, datetime | None]:
    return {"starts": one.begins_at, "entries_until": one.entries_until}


# -- what the above have in common ----------------------------------------------------------------


class _EntryRules(TypedDict):
    """Who may enter a contest."""

    entry_rule: EntryRule
    only_group: str | None


def _read_entry_rules(form: Mapping[str, str], groups: Collection[str]) -> _EntryRules:
    return _EntryRules(
        entry_rule=_to_choice(form, "entry", EntryRule), only_group=_parse_group(form, groups)
    )


def _entry_values(contest: ContestBase) -> dict[str, str]:
    return {"entry": contest.entry_rule, "group": contest.only_group or ""}


def _to_choice(form: Mapping[str, str], field: str, kind: type[Choice], label: str = "") -> Choice:
    try:
        return kind(form.get(field, ""))
    except ValueError as error:
        raise BadForm(f"{label or field}: expected one of {', '.join(kind)}", field) from error


def _to_whole(form: Mapping[str, str], field: str, label: str, most: int) -> int:
    """Return a whole number from 1. Raises: BadForm."""
    return int(_to_number(form, field, label, most, int))


def _to_number(
    form: Mapping[str, str], field: str, label: str, most: int, kind: Callable[[str], float]
) -> float:
    try:
        number = kind(form.get(field, "").strip())
    except ValueError:
        number = 0
    if not 1 <= number <= most:
        raise BadForm(f"{label}: expected a number from 1 to {most:,}", field)
    return number


def _parse_time(
    form: Mapping[str, str],
    field: str,
    label: str,
    before: Mapping[str, datetime | None],
    zone: tzinfo,
) -> datetime | None:
    """Return a point in time: see read_form_time. Raises: BadForm."""
    is_end = field in ("ends", "entries_until")
    try:
        return read_form_time(form, field, before.get(field), zone, is_end=is_end)
    except BadTime as error:
        raise BadForm(f"{label}: {error}", field) from error
