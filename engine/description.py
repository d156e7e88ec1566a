"""What belongs to a game, named and not imported: how ours and those of packages are described."""

import os
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import msgspec

from engine.support.signals import deferring_signals

HOME = Path(__file__).resolve().parents[1]
API = 1
"""The version of the protocol between this program and packages with games."""


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """Code is named as `module:attribute`, and files as `module:path`, seen from its folder.

    `:path` is seen from that of this program. Whatever is left out a game does not have.
    """

    api: int
    """The version that it was written for: 1."""
    game: str
    """Its class, a `Game`."""
    scene: str
    """Its class, a `Scene`."""
    encoding: str = ""
    """Its class, an `Encoding`, for programs that learn."""
    board: str = ""
    board_script: str = ""
    """The module of its board for people, and a script; without them orders that are listed do."""
    presets: str = ""
    """The folder of its presets, `NAME.toml`."""
    templates: str = ""
    """The folder of what `new --template` copies."""
    bots: str = ""
    """The folder of its starter bots."""
    starter_bots: tuple[str, ...] = ()
    """Their names, the weakest first."""
    short_preset: str | None = None
    """The preset of matches for whoever looks on, where usual ones are long."""
    people_preset: str | None = None
    """The preset with which people play unless they say otherwise."""
    casual_settings: tuple[str, ...] = ()
    """And their settings, as --set takes them, where it is not rated."""
    max_checked_turns: int | None = None
    """The length of the first match of a bot that is handed in, where usual ones are slow."""
    reference: tuple[str, ...] = ()
    """What authors look up beside its module of players; without it, that there are simulations."""
    course_counter: str = ""
    """The class that counts what the steps of its course ask for."""
    rules: str = ""
    how_to_play: str = ""
    """A file in Markdown, for people; without it these are the rules, one too."""


CODE = ("game", "scene", "encoding", "board")


def load_part(place: str) -> Any:
    """Return what `module:attribute` names. Raises: whatever its import raises."""
    with deferring_signals():  # an import may swallow what they raise
        return resolve_name(place)


def find_file(place: str) -> Path:
    """Return the file or folder that `module:path` names; where it names none, one without files.

    Raises: ImportError where there is no such module.
    """
    if not place:
        return Path(os.devnull)
    module, _, path = place.partition(":")
    if not module:
        return HOME / path
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module named '{module}'", name=module)
    return (Path(spec.origin).parent / path).resolve()


def why_wrong(described: object) -> str:
    """Return what is wrong with a description, before any of its code is loaded; '' if nothing."""
    if not isinstance(described, Description):
        return f"expected a Description (engine.description), got {described!r:.60}"
    if described.api != API:
        return f"it is made for version {described.api} of the protocol of games, and this is {API}"
    try:
        msgspec.convert(msgspec.structs.asdict(described), Description, strict=True)
    except msgspec.ValidationError as error:
        return str(error)
    for part in CODE:
        place = getattr(described, part)
        if (place or part in CODE[:2]) and find_spec(place.partition(":")[0]) is None:
            return f"its {part} is not there: '{place}'"
    return ""
