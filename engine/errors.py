"""Define the errors that the engine raises on purpose, as one tree."""


class SlimeMindError(Exception):
    """The root: every message is a sentence a user can act on."""


class UsageError(SlimeMindError):
    """What the user asked for cannot be done as asked (exit code 2)."""


class BadArgument(UsageError, ValueError):
    """What a program hands over is not what a function takes."""


class BadSettings(UsageError):
    """A setting is unknown, of the wrong type, or impossible."""


class UnknownGame(UsageError):
    """No game of that name is in the catalog."""


class BadBot(UsageError):
    """A bot cannot be found, or what was found is not a bot."""


class BadSprite(UsageError):
    """A file is not a picture that can show a bot."""


class BadReplay(UsageError):
    """A file is not a replay, is damaged, or comes from a newer version."""


class BadResult(UsageError):
    """A recorded match cannot be found or read."""


class SandboxMissing(UsageError):
    """A sandbox was asked for that this machine or this user cannot have."""


class EngineFailure(SlimeMindError):
    """Our fault: a match could not be played, and no bot is to blame (exit code 1)."""


class Stopped(SlimeMindError):
    """The user wanted no more of it: Ctrl-C or SIGTERM (exit code 130)."""


class HostStarved(EngineFailure):
    """The host gave a bot no time to think: the match is void, and played again."""
