"""Define how a match is played and what is kept of it, in one struct."""

import msgspec

from engine.bots.sandbox import Level


class PlayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of playing a match, and decides no result."""

    sandbox: Level = Level.DEFAULT
    http_origins: tuple[str, ...] = ()
    """Where bots may be asked over HTTP: `https://bots.example.org`."""
    in_process: bool = False
    """Trusted bots in our own process, without limits: what is played so is no result."""
    keep_replay: bool = True
    keep_notes: bool | None = None
    """Whether the replay has what bots draw and log, which costs time; None: of a single match."""

    @property
    def for_rated_match(self) -> "PlayOptions":
        """Return the options of a match that counts: no bot in our process, and no notes."""
        return msgspec.structs.replace(self, in_process=False, keep_notes=False)
