"""Why a request is refused, as any part of the server raises it: see error_responses.py."""

from http import HTTPStatus

from server.http.responses import retry_after


class RequestRefused(Exception):
    """A request that is answered with a status and with words for whoever sent it."""

    status: int = HTTPStatus.BAD_REQUEST
    wait_s: float = 0.0
    """The seconds after which it may be sent again; 0 where waiting does not help."""

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that say so to programs."""
        return retry_after(self.wait_s)


class Denied(RequestRefused):
    """Why a page is not shown, or nothing was done."""

    def __init__(self, status: int, message: str, wait_s: float = 0.0) -> None:
        super().__init__(message)
        self.status = status
        self.wait_s = wait_s


class SignInFirst(RequestRefused):
    """Something is for people who are signed in."""

    status = HTTPStatus.UNAUTHORIZED

    def __init__(self) -> None:
        super().__init__("sign in first")


class TooMany(Denied):
    """Somebody does something too often."""

    def __init__(self, message: str, wait_s: float) -> None:
        super().__init__(HTTPStatus.TOO_MANY_REQUESTS, message, wait_s)


class NoSuchGame(RequestRefused):
    """There is no such game, or not for whoever asks."""

    status = HTTPStatus.NOT_FOUND

    def __init__(self, game_id: str) -> None:
        super().__init__("there is no such game")
        self.game_id = game_id


class NotYourSeat(RequestRefused):
    """A team is played by somebody else."""

    status = HTTPStatus.FORBIDDEN


class ActionRefused(RequestRefused):
    """What the rules refuse, with the reason."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


class OtherRules(RequestRefused):
    """A game was begun under a version of the rules that is not ours; the words say which."""

    status = HTTPStatus.CONFLICT
