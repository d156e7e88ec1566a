"""Every game by name: ours, and those of packages that others have published.

What packages are installed is read only when a name is not one of ours, or games are listed: it
takes a tenth of a second.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from engine.description import API, Description, load_part, why_wrong
from engine.errors import UnknownGame
from engine.game import AnyGame, Game
from engine.support.lazy_import import BEFORE_OURS
from engine.support.wording import did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

R = TypeVar("R")
T = TypeVar("T")
LOGGER = logging.getLogger("slime_mind.games")
GROUP = "slime_mind_arena.games"
"""The entry points of packages: the name of a game, and where its description is."""


def _describe_ours(name: str, kind: str, **others: object) -> Description:
    """Return the description of a game whose parts are where ours are."""
    usual: dict[str, object] = {
        "scene": f"{BEFORE_OURS}visualizer.scenes.{name}:SCENE",
        "encoding": f"{BEFORE_OURS}learning.encodings.{name}:{kind}Encoding",
        "presets": f":resources/presets/{name}",
        "templates": f":resources/templates/{name}",
        "bots": f":playerCode/{name}",
        "rules": f":docs/rules/{name}.md",
        "game": f"{BEFORE_OURS}engine.games.{name}.game:{kind}",
    }
    return Description(api=API, **(usual | others))  # type: ignore[arg-type]


OURS: dict[str, Description] = {
    "slime_mind": _describe_ours(
        "slime_mind",
        "SlimeMind",
        bots=":playerCode",
        board=f"{BEFORE_OURS}server.games.boards.slime_mind",
        short_preset="small",
        people_preset="people",
        course_counter=f"{BEFORE_OURS}server.writing.courses:SlimeMindCounter",
        starter_bots=(
            *("player_one", "player_two", "player_four", "player_five", "player_three"),
            *("player_six", "player_seven", "player_learned"),
        ),
    ),
    "smack": _describe_ours(
        "smack",
        "Smack",
        board=f"{BEFORE_OURS}server.games.boards.smack",
        casual_settings=("pace=free",),
        course_counter=f"{BEFORE_OURS}server.writing.courses:SmackCounter",
        starter_bots=("player_one", "player_two", "player_four", "player_three"),
    ),
    "smac": _describe_ours(
        "smac",
        "Smac",
        board=f"{BEFORE_OURS}server.games.boards.smac",
        starter_bots=("player_one", "player_two", "player_four", "player_three", "player_five"),
    ),
    "game_of_death": _describe_ours(
        "game_of_death",
        "GameOfDeath",
        short_preset="small",
        max_checked_turns=100,
        reference=(
            f"{BEFORE_OURS}engine.games.game_of_death.soldier:Soldier",
            f"{BEFORE_OURS}engine.games.game_of_death.flag_runner:FlagRunner",
        ),
        starter_bots=(
            *("player_four", "player_one", "player_two", "player_five", "player_three"),
            *("player_eight", "player_seven", "player_six"),
        ),
    ),
}
"""The games of this project; their starter bots by their mean win rates in docs/api."""

DEFAULT_GAME = next(iter(OURS))
"""The game that is played where none is named."""
DEFAULT_GAME_OF_PEOPLE, DEFAULT_PARALLEL_GAME = "smack", "smac"
"""The same where people play, and where agents decide at the same time."""


class Package(NamedTuple):
    """An installed package with a game, or why that cannot be played."""

    publisher: str
    """The distribution and its version: `connect-four 1.0.0`."""
    description: Description | None = None
    game: AnyGame | None = None
    code: tuple[Path, ...] = ()
    """The folder of its modules, or the one file."""
    why_not: str = ""


class Catalog(MutableMapping[str, AnyGame]):
    """Imports a game when it is first used: a command that names games waits for no rules."""

    def __init__(self) -> None:
        self._games: dict[str, AnyGame] = {}

    def __getitem__(self, name: str) -> AnyGame:
        if name not in self._games and name in OURS:
            self._games[name] = load_part(OURS[name].game)()
        if name in self._games:
            return self._games[name]
        package = find_package(name)
        if package is None or package.game is None:
            raise KeyError(name)
        return package.game

    def __setitem__(self, name: str, game: AnyGame) -> None:
        self._games[name] = game

    def __delitem__(self, name: str) -> None:
        del self._games[name]

    def __contains__(self, name: object) -> bool:
        if name in OURS or name in self._games:
            return True
        package = find_package(name) if isinstance(name, str) else None
        return package is not None and not package.why_not

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*OURS, *self._games, *find_playable_packages())))

    def __len__(self) -> int:
        return sum(1 for _ in self)


GAMES: MutableMapping[str, AnyGame] = Catalog()


def find_game(name: str, publisher: str = "") -> AnyGame:
    """Return a game; `publisher` is the package in which it was played.

    Raises: UnknownGame, listing the games there are, or saying why this one is not played.
    """
    if publisher and _name_distribution(publisher) != _name_distribution(find_publisher(name)):
        now = find_publisher(name) or "none"
        raise UnknownGame(
            f"the game {name} is that of {publisher}, and installed is {now}: pip install "
            f"{_name_distribution(publisher)}"
        )
    if name in GAMES:
        return GAMES[name]
    package = find_package(name)
    if package is not None:
        raise UnknownGame(f"the game {name} of {package.publisher} {package.why_not}")
    raise UnknownGame(
        f"no game is called '{name}'; there are: {', '.join(GAMES)}{did_you_mean(name, GAMES)}"
    )


def leave_out_missing_games(make: Callable[[R], T], rows: Iterable[R]) -> list[T]:
    """Return what is made of rows, without those whose game is not installed any more.

    They stay where they are stored; what to install is said once.
    """
    made = []
    for row in rows:
        try:
            made.append(make(row))
        except UnknownGame as error:
            _warn_once(str(error))
    return made


@cache
def _warn_once(message: str) -> None:
    LOGGER.warning("left out: %s", message)


def describe_game(name: str) -> Description:
    """Return the description of a game; of one that a test has put here what ours have."""
    if name in OURS:
        return OURS[name]
    package = find_package(name)
    if package is None or package.description is None:
        return _describe_ours(name, "")
    return package.description


@cache
def find_package(name: str) -> Package | None:
    """Return the package whose game has this name; None if there is none."""
    entries = _find_entry_points().get(name, [])
    if not entries:
        return None
    publisher = " and ".join(sorted(map(_format_publisher, entries)))
    if len(entries) > 1:
        return Package(publisher, why_not="is in several packages: uninstall all but one of them")
    if name in OURS:
        return Package(publisher, why_not="has the name of a game of ours")
    try:
        described = entries[0].load()
        if why := why_wrong(described):
            return Package(publisher, why_not=f"cannot be played: {why}")
        kind = load_part(described.game)
        if not (isinstance(kind, type) and issubclass(kind, Game)):
            why = f"{described.game} is no class that derives from engine.game.Game"
        elif kind.name != name:
            why = f"its class has the name '{kind.name}'"
        else:
            return Package(publisher, described, kind(), _find_code(kind))
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}"
    return Package(publisher, why_not=f"cannot be played: {why}")


def _find_code(kind: type) -> tuple[Path, ...]:
    module = import_module(kind.__module__.partition(".")[0])
    folders = getattr(module, "__path__", None) or [module.__file__]
    return tuple(Path(folder).resolve() for folder in folders)


def find_publisher(game: str) -> str:
    """Return the package that a game comes in, with its version; '' for ours."""
    package = None if game in OURS else find_package(game)
    return "" if package is None else package.publisher


def _name_distribution(publisher: str) -> str:
    return publisher.partition(" ")[0]


def find_package_code(game: str) -> tuple[Path, ...]:
    """Return where the code of a game is that comes with a package; nothing for ours."""
    package = None if game in OURS else find_package(game)
    return () if package is None else package.code


@cache
def find_playable_packages() -> tuple[str, ...]:
    """Return the names of games in packages, and say of each other one why it is left out."""
    names = []
    for name in sorted(_find_entry_points()):
        package = find_package(name)
        assert package is not None
        if package.why_not:
            LOGGER.warning("the game %s of %s %s", name, package.publisher, package.why_not)
        else:
            names.append(name)
    return tuple(names)


def forget_packages() -> None:
    """Have packages looked for anew, as after one was installed."""
    for found in (find_package, find_playable_packages, _find_entry_points, _warn_once):
        found.cache_clear()


@cache
def _find_entry_points() -> Mapping[str, list["EntryPoint"]]:
    from importlib import metadata  # not above: most commands need none of it

    found: dict[str, list[EntryPoint]] = {}
    for entry in metadata.entry_points(group=GROUP):
        found.setdefault(entry.name, []).append(entry)
    return found


def _format_publisher(entry: "EntryPoint") -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
