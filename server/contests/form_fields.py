"""Fields of a form: what can be typed in each, what was typed, and what is wrong with that."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET, inspect

from engine.errors import BadSettings, UsageError
from engine.settings import apply_changes, field_description, read_value
from runners.contests.times import BadTime, read_time
from server.identity.names import BadName

S = TypeVar("S", bound=msgspec.Struct)
ANY_NAME = re.compile(r"[a-z][a-z_0-9]*")
YES = "yes"
"""The value of a box that is ticked."""
YES_AND_NO = {"true": "yes", "false": "no"}
TIME_FORMAT = "%Y-%m-%dT%H:%M"
"""This is how a browser's field sends a time; the page says of which zone it is."""


class BadForm(UsageError):
    """What is wrong with fields, by their names; of all together under ''."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = errors


class Kind(StrEnum):
    """What is typed in a field."""

    TEXT = "text"
    LINES = "lines"
    VALUE = "value"
    NUMBER = "number"
    DECIMAL = "decimal"
    CHOICE = "choice"
    BOX = "box"
    TIME = "time"


class Field(msgspec.Struct, frozen=True):
    """A field of a form."""

    key: str
    """Its name when the form is sent."""
    label: str
    attribute: str = ""
    """What it changes of that which the form is about."""
    kind: Kind = Kind.NUMBER
    hint: str = ""
    low: int | None = 1
    high: int | None = None
    """The largest number, or the most letters."""
    unit: int = 1
    """How many of what is kept one that is typed stands for."""
    choices: Mapping[str, str] = {}
    """What can be chosen, each with its words."""
    empty: object = UNSET
    """What it is where nothing is typed; UNSET: something has to be."""
    usual: str | None = None
    """What a setting is where nothing is typed; None of other fields."""
    is_end: bool = False
    """Whether a day alone is its last moment."""
    parse: Callable[[str], str] = str
    """Makes of a text what is kept. Raises: BadName."""
    only: type = object
    """Of what alone a form has it."""

    @property
    def allowed(self) -> str:
        """Return what may be typed, in words."""
        if self.kind is Kind.CHOICE:
            return " or ".join(self.choices.values())
        if self.kind is Kind.VALUE:
            return f"a value such as {self.usual}"
        number = "a whole number" if self.kind is Kind.NUMBER else "a number"
        if self.low is None or self.high is None:
            return number
        return f"{number} from {self.low:,} to {self.high:,}"

    @property
    def is_required(self) -> bool:
        return self.empty is UNSET

    def read(self, typed: str, zone: tzinfo = UTC) -> object:
        """Return what was typed, as it is kept; without an offset a time is as `zone` shows it.

        Raises: ValueError, with what is wrong.
        """
        typed = typed.strip()
        if not typed and not self.is_required:
            return self.empty
        try:
            return self._parse(typed, zone)
        except BadTime as error:
            raise ValueError(f"{self.label}: {error}") from error
        except BadName as error:
            raise ValueError(str(error)) from error
        except (StopIteration, ValueError) as error:
            raise self.describe_error(typed) from error

    def describe_error(self, typed: str) -> ValueError:
        return ValueError(f"{self.label}: expected {self.allowed}; this is {typed!r:.60}")

    def format(self, value: object, zone: tzinfo = UTC) -> str:
        """Return what the field is filled with for what is kept."""
        match value:
            case datetime():
                return value.astimezone(zone).strftime(TIME_FORMAT)
            case bool():
                return YES if value else ""
            case float():
                return f"{value:g}"
            case int():
                return str(value // self.unit) if value else ""
        return str(value or "")

    def _parse(self, typed: str, zone: tzinfo) -> object:
        """Raises: BadTime, BadName, StopIteration, ValueError."""
        match self.kind:
            case Kind.NUMBER:
                return self.unit * self._require_in_range(int(typed))
            case Kind.DECIMAL:
                return self._require_in_range(float(typed))
            case Kind.CHOICE:
                return next(one for one in self.choices if one == typed)
            case Kind.BOX:
                return typed == YES
            case Kind.TIME:
                return read_time(typed, zone, is_end=self.is_end)
            case Kind.VALUE:
                return read_value(typed)
        return self.parse(typed)

    def _require_in_range(self, number: float) -> float:
        """Raises: ValueError."""
        low, high = self.low, self.high
        if not (low is None or number >= low) or not (high is None or number <= high):
            raise ValueError
        return number


# -- settings of a game, and limits of bots -------------------------------------------------------


def setting_fields(usual: msgspec.Struct, prefix: str) -> list[Field]:
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
    """Return the settings that fields describe. Raises: BadForm."""
    hints = get_type_hints(type(usual), include_extras=True)
    values: dict[str, object] = {}
    errors = {}
    for field in setting_fields(usual, prefix):
        if not (typed := form.get(field.key, "").strip()):
            continue
        try:
            values[field.label] = _convert(field, typed, hints[field.label])
        except ValueError as error:
            errors[field.key] = str(error)
    if errors:
        raise BadForm(errors)
    try:
        return apply_changes(usual, values, source="settings")
    except BadSettings as error:  # of several together, such as a map without room
        text = str(error).removeprefix("settings: ")
        named = (name for name in ANY_NAME.findall(text) if name in usual.__struct_fields__)
        raise BadForm({next((f"{prefix}{name}" for name in named), ""): text}) from error


def _make_field(field: inspect.Field, usual: object, prefix: str) -> Field:
    kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
    about: dict[str, Any] = {"kind": Kind.VALUE}
    match kind:
        case inspect.IntType():
            about = {"kind": Kind.NUMBER, "low": kind.ge, "high": kind.le}
        case inspect.BoolType():
            about = {"kind": Kind.CHOICE, "choices": YES_AND_NO}
        case inspect.EnumType():
            about = {"kind": Kind.CHOICE, "choices": {one.value: one.value for one in kind.cls}}
        case inspect.LiteralType():
            about = {"kind": Kind.CHOICE, "choices": {str(one): str(one) for one in kind.values}}
    return Field(
        f"{prefix}{field.name}",
        field.name,
        hint=field_description(field.type),
        usual=_value_text(usual),
        empty=None,
        **about,
    )


def _convert(field: Field, typed: str, kind: object) -> object:
    """Return the setting that was typed. Raises: ValueError."""
    try:
        return msgspec.convert(field.read(typed), kind, strict=field.choices != YES_AND_NO)
    except msgspec.ValidationError as error:
        raise field.describe_error(typed) from error


def _value_text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
