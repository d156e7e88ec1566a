"""What hostile clients know of a server: its addresses, and an account of their own."""

import msgspec


class Targets(msgspec.Struct, frozen=True, kw_only=True):
    """The paths and names that are attacked, and what the attacker may use."""

    port: int
    names: tuple[str, ...]
    """Of people with passwords."""
    running: str
    """The id of a game that goes on between others."""
    finished: str
    """The id of one that is over."""
    invitation: str
    """The key of an invitation that nobody has used."""
    session: str
    """The session of the attacker, who has an account like everybody."""
    token: str
    own_game: str
    """The id of a game that the attacker plays against a bot."""
    seat: str
    """The path of a link with which a friend of the attacker would sit down."""

    drafts: tuple[tuple[str, str], ...]
    """Drafts of guests, each with a cookie that its guest has made up."""

    @property
    def origin(self) -> str:
        """Return the header with which a form of the server's own page comes."""
        return f"Origin: http://127.0.0.1:{self.port}"

    @property
    def cookie(self) -> str:
        """Return the header that shows the attacker's session."""
        return f"Cookie: session={self.session}"
