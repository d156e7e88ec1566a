"""Check what a match is asked for with: the same limits for the command line and for programs."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from engine.errors import BadArgument
from engine.streams import parse_seed
from engine.support.plain_values import as_whole_number, from_numpy
from engine.support.wording import short_repr
from runners.match_request import MatchRequest, RunOptions


class CountRange(NamedTuple):
    """How many there may be: `click.IntRange` takes the same two numbers."""

    smallest: int
    largest: int | None = None


MATCHES = CountRange(1, 1_000_000)
JOBS = CountRange(1, 1_000)
MAP_PAIRS = CountRange(1, 100_000)
ROUNDS = CountRange(1)
CHECKED_TURNS = CountRange(1, 100_000)


def require_count(count: object, name: str, limits: CountRange) -> int:
    """Return a whole number as Python's own. Raises: BadArgument."""
    number, (smallest, largest) = as_whole_number(count), limits
    if number is None or number < smallest or (largest is not None and number > largest):
        most = "on" if largest is None else f"to {largest}"
        raise BadArgument(
            f"{name}: {short_repr(count)}: expected a whole number from {smallest} {most}"
        )
    return number


def require_text(text: object, name: str) -> str:
    """Raises: BadArgument."""
    if not isinstance(text, str):
        raise BadArgument(f"{name}: {short_repr(text)}: expected a text")
    return text


def require_path(path: object, name: str) -> str:
    """Return the text of what names a file or a folder, or a bot. Raises: BadArgument."""
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    why = "expected a name or a path, as a text or Path"
    if isinstance(text, str):
        why = ""
        try:
            Path(text).stat()
        except (FileNotFoundError, NotADirectoryError):
            """Whoever needs it there says so better."""
        except (OSError, ValueError) as error:  # too long, or with letters that no path can have
            why = getattr(error, "strerror", None) or str(error)
        if not why:
            return text
    raise BadArgument(f"{name}: {short_repr(path)}: {why}")


def match_request(
    bots: Iterable[object] = (),
    *,
    game: object,
    out: object,
    seed: object = None,
    preset: object = None,
    settings: object = None,
    jobs: object = 1,
) -> MatchRequest:
    """Return what a program asks for, checked. Raises: BadArgument."""
    return MatchRequest(
        game=require_text(game, "game"),
        players=tuple(require_path(bot, "bot") for bot in bots),
        seed=None if seed is None else parse_seed(seed),
        preset=None if preset is None else require_text(preset, "preset"),
        settings=_setting_words(settings),
        run=RunOptions(
            out=Path(require_path(out, "out")), workers=require_count(jobs, "jobs", JOBS)
        ),
    )


def _setting_words(settings: object) -> tuple[str, ...]:
    """Return settings, by name, as they are typed after --set. Raises: BadArgument."""
    if settings is None:
        return ()
    if not isinstance(settings, Mapping):
        example = "{'max_turns': 200}"
        raise BadArgument(f"settings: {short_repr(settings)}: expected a dict, such as {example}")
    return tuple(
        f"{require_text(name, 'settings')}={_setting_text(value)}"
        for name, value in settings.items()
    )


def _setting_text(value: object) -> str:
    own = from_numpy(value)
    try:
        return str(own).lower() if isinstance(own, bool) else str(own)
    except ValueError as error:  # a number of thousands of digits
        raise BadArgument(f"settings: {short_repr(value)}: {error}") from error
