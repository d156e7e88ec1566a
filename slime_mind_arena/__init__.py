"""Slime Mind as a library: `from slime_mind_arena import play, play_tournament, read_replay`.

Importing it adds nothing to `sys.path`, and costs next to nothing: what a name needs is loaded when
the name is first used. docs/library.md describes all of them.
"""

from typing import TYPE_CHECKING, Any

from slime_mind_arena import tree

if TYPE_CHECKING:
    from slime_mind_arena.library import (
        BotFailed,
        Comparison,
        Event,
        HostedBot,
        Match,
        Rating,
        Replay,
        SlimeMindError,
        Standing,
        Team,
        Tournament,
        Turn,
        compare,
        games,
        host,
        play,
        play_series,
        play_tournament,
        rate,
        read_replay,
    )

    __version__: str
    """The version of the package, such as 1.1.0."""

__all__ = [
    "BotFailed",
    "Comparison",
    "Event",
    "HostedBot",
    "Match",
    "Rating",
    "Replay",
    "SlimeMindError",
    "Standing",
    "Team",
    "Tournament",
    "Turn",
    "compare",
    "games",
    "host",
    "play",
    "play_series",
    "play_tournament",
    "rate",
    "read_replay",
]

ROOT = tree.ROOT

tree.install()


def call(place: str, *arguments: object) -> object:
    """Call a function of ours, named as `module:function`, in a process that is there for us.

    A process of another machine that was sent this function has only to import this package to
    find it (pickle names functions by their modules), and then finds the rest as well.
    """
    from pkgutil import resolve_name

    tree.use_top_level()
    return resolve_name(place)(*arguments)


def __getattr__(name: str) -> Any:
    """Load what a name of the library needs (PEP 562)."""
    if name not in __dir__():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from slime_mind_arena import library

    value = globals()[name] = getattr(library, name)
    return value


def __dir__() -> "list[str]":
    """Return what is public."""
    return sorted([*__all__, "__version__"])
