"""What programs send and are answered where bots are handed in."""

from typing import Annotated

from msgspec import Meta, Struct

from runners.storage.ladder_tables import CheckState, VersionState
from server.identity.text_limits import FIELDS


class BotBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot that is handed in."""

    files: Annotated[
        dict[str, bytes],
        Meta(
            description="Contents (base64) by name: a file, several, those of a folder by their "
            "paths in it, or one zip."
        ),
    ]
    name: Annotated[
        str,
        Meta(
            max_length=FIELDS["name"],
            description="The bot's name, new or one of yours; '' for the file's.",
        ),
    ] = ""
    ladder: Annotated[
        str,
        Meta(
            max_length=FIELDS["ladder"],
            description="The name or id of the ladder; '' for the first one of the game.",
        ),
    ] = ""
    game: Annotated[
        str, Meta(max_length=FIELDS["game"], description="The game, where no ladder is named.")
    ] = ""


class CheckAnswer(Struct, frozen=True):
    """A step of the checks."""

    name: str
    state: CheckState
    words: str


class VersionAnswer(Struct, frozen=True, kw_only=True):
    """A version of a bot, and how far its checks have come."""

    bot: str
    """The id of the bot."""
    name: str
    number: int
    state: VersionState
    why: str
    """Why it was refused or quarantined."""
    checks: list[CheckAnswer]
    path: str
    """The path of its page."""
    first_match: str
    """The path of the page that shows its first match; '' while there is none."""
    is_identical: bool = False
    """Whether these files were handed in before, so that no new version was made."""
    entered: str = ""
    """The name of the ladder that such files have entered now."""
