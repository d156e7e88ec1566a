"""What a user asks to be played, how, and the settings and limits that follow from it."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from engine.catalog import find_game
from engine.errors import UsageError
from engine.limits import Limits
from engine.play_options import PlayOptions
from engine.settings import apply_changes, parse_words, read_toml
from runners.configuration import DEFAULT_OUT, Configuration, preset_path

MAX_DAYS = 36_500
KEPT_REPLAYS = re.compile(r"([1-9][0-9]{0,8})(d?)", re.ASCII)


class KeptReplays(msgspec.Struct, frozen=True):
    """Says how many matches of a contest, the newest, keep their replays and logs."""

    matches: int | None = None
    days: int | None = None


def read_kept_replays(text: str | None) -> KeptReplays | None:
    """Read such as `20000` (matches) or `90d` (days); None: as usual. Raises: UsageError."""
    if text is None:
        return None
    found = KEPT_REPLAYS.fullmatch(text)
    if found is None:
        raise UsageError(
            f"--keep-replays {text}: expected a number of matches, such as 20000, or of days, "
            "such as 90d"
        )
    number = int(found[1])
    if found[2] and number > MAX_DAYS:
        raise UsageError(f"--keep-replays {text}: expected at most {MAX_DAYS} days")
    return KeptReplays(days=number) if found[2] else KeptReplays(matches=number)


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of playing, and decides no result."""

    out: Path = DEFAULT_OUT
    """The folder of results, replays and logs."""
    workers: int = 1
    """Matches played side by side, where they are not played on a cluster."""
    cluster: str | None = None
    """The cluster as --cluster names it."""
    keeps_going: bool = False
    """Whether a series is played on where a bot loses nearly all its decisions."""
    kept_replays: KeptReplays | None = None
    """None: of 20 000 matches of a ladder, and of all of a tournament."""
    play: PlayOptions = PlayOptions()
    """How each match is played."""


S = TypeVar("S", bound=msgspec.Struct)


class MatchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A match or a series as it was asked for; None where something was left open."""

    game: str
    players: tuple[str | None, ...] = ()
    """The bots named, by seat number; as far as there are seats for which one is named."""
    seed: int | None = None
    """None: one that is drawn."""
    secret: int | None = None
    """The secret from which the maps of a series are drawn; None: one that nobody knows."""
    key: str | None = None
    """The recorded match to play again."""
    past: str | None = None
    """The match to resume: a file, a key, or empty for the one that was interrupted last."""
    past_before: int | None = None
    """The turn from which on the bots of a resumed match decide anew."""
    preset: str | None = None
    configured: Configuration | None = None
    """The file of --config."""
    settings_file: Path | None = None
    settings: Sequence[str] = ()
    """What was said of single settings, such as rows=20."""
    limits: Sequence[str] = ()
    """What was said of single limits of bots."""
    packages: tuple[str, ...] = ()
    """Installed packages that bots may import."""
    run: RunOptions = RunOptions()

    @property
    def plays_a_record(self) -> bool:
        """Return whether a match is played that was recorded before, whatever else is said."""
        return self.key is not None or self.past is not None

    @property
    def changes_settings(self) -> bool:
        """Return whether anything was said of the settings, beside config.toml."""
        in_file = self.configured is not None and self.configured.settings
        return bool(self.preset or in_file or self.settings_file or self.settings)

    @property
    def changes_limits(self) -> bool:
        """Return whether anything was said of the limits, beside config.toml."""
        return bool(self.limits or (self.configured is not None and self.configured.limits))


def settings_for(request: MatchRequest, configuration: Configuration) -> msgspec.Struct:
    """Return the game's settings: what is said later, and closer to the command line, wins.

    Raises: BadSettings, UnknownGame.
    """
    game = find_game(request.game)
    layers = [configuration]
    if request.preset is not None:
        path = preset_path(game, request.preset)
        layers.append(Configuration(path, settings=read_toml(path)))
    if request.configured is not None:
        layers.append(request.configured)
    if request.settings_file is not None:
        path = request.settings_file
        layers.append(Configuration(path, settings=read_toml(path)))
    settings = game.settings()
    for layer in layers:
        settings = apply_changes(settings, layer.settings, source=str(layer.path))
    return _apply_words(settings, request.settings, option="--set")


def limits_for(request: MatchRequest, configuration: Configuration) -> Limits:
    """Return the bots' limits, found the same way. Raises: BadSettings, UnknownGame."""
    limits = find_game(request.game).limits
    for layer in filter(None, (configuration, request.configured)):
        limits = apply_changes(limits, layer.limits, source=str(layer.path))
    return _apply_words(limits, request.limits, option="--limit")


def _apply_words(settings: S, assignments: Sequence[str], *, option: str) -> S:
    return apply_changes(settings, parse_words(assignments, option=option), source=option)
