"""Fields of a form: what can be typed in each, what was typed, and what is wrong with that."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Any, get_type_hints

import msgspec
from msgspec import UNSET, inspect

from engine.errors import UsageError
from engine.settings import field_description, read_value
from runners.contests.times import BadTime, read_time
from server.identity.names import BadName

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
    """How a setting is typed that is as usual; None of other fields."""
    is_end: bool = False
    """Whether a day alone is its last moment."""
    parse: Callable[[str], str] = str
    """Makes of a text what is kept. Raises: BadName."""
    setting_type: object = object
    """What a setting has to be."""
    only: type[object] = object
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
            value = self._parse(typed, zone)
            return msgspec.convert(value, self.setting_type, strict=self.choices != YES_AND_NO)
        except BadTime as error:
            raise ValueError(f"{self.label}: {error}") from error
        except BadName as error:
            raise ValueError(str(error)) from error
        except (StopIteration, ValueError, msgspec.ValidationError) as error:
            why = f"{self.label}: expected {self.allowed}; this is {typed!r:.60}"
            raise ValueError(why) from error

    def format(self, value: object, zone: tzinfo = UTC) -> str:
        """Return what the field is filled with for what is kept: '' for what is as usual."""
        if self.usual is not None:
            text = _value_text(value)
            return "" if text == self.usual else text
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
                return next(one for one in self.choices if one == typed)  # maybe of an enum
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


def setting_fields(usual: msgspec.Struct, prefix: str, attribute: str) -> list[Field]:
    """Return the fields of settings, in their order; `usual`: what they are by default.

    Their names begin with `prefix`, and `attribute` is of what they are the fields.
    """
    info = inspect.type_info(type(usual))
    assert isinstance(info, inspect.StructType)
    hints = get_type_hints(type(usual), include_extras=True)
    return [
        Field(
            f"{prefix}{one.name}",
            one.name,
            f"{attribute}.{one.name}",
            hint=field_description(one.type),
            empty=getattr(usual, one.name),
            usual=_value_text(getattr(usual, one.name)),
            setting_type=hints[one.name],
            **_describe_kind(one.type),
        )
        for one in info.fields
    ]


def _describe_kind(kind: inspect.Type) -> dict[str, Any]:
    match kind.type if isinstance(kind, inspect.Metadata) else kind:
        case inspect.IntType(ge=low, le=high):
            return {"kind": Kind.NUMBER, "low": low, "high": high}
        case inspect.BoolType():
            return {"kind": Kind.CHOICE, "choices": YES_AND_NO}
        case inspect.EnumType(cls=cls):
            return {"kind": Kind.CHOICE, "choices": {one.value: one.value for one in cls}}
        case inspect.LiteralType(values=values):
            return {"kind": Kind.CHOICE, "choices": {str(one): str(one) for one in values}}
    return {"kind": Kind.VALUE}


def _value_text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
