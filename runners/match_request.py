"""What a command line asks to be played, before anything of it is looked up."""

import msgspec

from runners.configuration import Choices
from runners.run_options import RunOptions


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
    choices: Choices = Choices()
    packages: tuple[str, ...] = ()
    """Installed packages that bots may import."""
    run: RunOptions

    @property
    def plays_a_record(self) -> bool:
        """Return whether a match is played that was recorded before, whatever else is said."""
        return self.key is not None or self.past is not None
