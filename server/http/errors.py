"""Why a request is refused, as any part of the server raises it."""

from server.http.responses import retry_after


class Denied(Exception):
    """Why a page cannot be had, or nothing was done."""

    def __init__(self, status: int, words: str, wait_s: float = 0.0) -> None:
        """`wait_s`: the seconds after which it can be had; 0 where waiting does not help."""
        super().__init__(words)
        self.status = status
        self.wait_s = wait_s

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that say so to programs."""
        return retry_after(self.wait_s)


class SignInFirst(Exception):
    """A page is for people who are signed in."""


class TooMany(Exception):
    """Somebody does something too often."""

    def __init__(self, words: str, wait_s: float) -> None:
        """`wait_s`: the seconds after which it may be done."""
        super().__init__(words)
        self.wait_s = wait_s


class Unknown(Exception):
    """There is no such game, or not for whoever asks."""
