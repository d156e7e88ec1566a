"""Fields of forms: the settings of a game, the limits of its bots, and times of the server.

What each means, and what it may be, is said where the settings are defined (engine/games/*/settings
and engine/limits); a field that is left empty stays as usual.
"""

import re
from collections.abc import Mapping
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import inspect

from engine.errors import BadSettings
from engine.settings import apply_changes, field_description, read_value
from runners.contests.times import read_time

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
        words = str(error).removeprefix("settings: ")
        raise BadFields({_find_first_setting(words, usual, prefix): words}) from error


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


def _find_first_setting(words: str, settings: msgspec.Struct, prefix: str) -> str:
    """Return the field of the first setting that words name; '' if they name none."""
    known = settings.__struct_fields__
    named = (name for name in ANY_NAME.findall(words) if name in known)
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
