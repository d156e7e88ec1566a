"""What an organizer chooses for a server with accounts."""

from datetime import UTC, tzinfo

import msgspec


class SiteOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a server that concern its pages and what people may do there."""

    public_path: str = ""
    """The path below which a proxy shows the server, see server/http/public_path.py."""
    timezone: tzinfo = UTC
    """Whose clocks forms show."""
    has_guests: bool = True
    """Whether those without an account may play."""
    guests_write: bool = False
    """Whether they may write bots, too."""
    has_remote_bots: bool = True
    """Whether bots play from their authors' machines."""
    registration: str = "invitation"
    """How accounts are made, see server/identity/account_requests.py."""
    has_exhibitions: bool = False
    """Whether bots play for who looks on, when nobody else plays."""
    home_bot: str = ""
    """The bot of a server that is there to write it at home."""
