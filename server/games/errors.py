"""Why something cannot be done in a game of people."""

from http import HTTPStatus

from server.http.errors import RequestRefused


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
