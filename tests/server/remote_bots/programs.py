"""Programs with tokens, for tests."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from server.identity.tokens import Scope
from tests.server.bots.submitting import bearer
from tests.server.members import Browser, Page, Server


class Program(NamedTuple):
    """What plays for a member."""

    browser: Browser
    token: str

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Page:
        """Send a request to the API."""
        answer: Page = self.browser.client.request(
            method, f"/api/v1{path}", json=dict(body or {}), headers=bearer(self.token)
        )
        return answer

    def request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Return what is answered to a request that is not refused."""
        answer: Any = self.send(method, path, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def request_refusal(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> str:
        """Return the status of a request that is refused, and why."""
        answer: Any = self.send(method, path, body)
        return f"{answer.status_code}: {answer.json()['error']}"

    def challenge(self, *opponents: Mapping[str, str], **said: object) -> Any:
        """Make a game of Smack!."""
        body = {"game": "smack", "opponents": list(opponents) or [{}], **said}
        return self.request("POST", "/challenges", body)

    def position(self, game_id: str) -> Any:
        return self.request("GET", f"/games/{game_id}")


def make_program(server: Server, name: str, *scopes: Scope) -> Program:
    """Return the program of a member, whose token may play unless something else is said."""
    token = server.site.tokens.create_token(
        server.person_id(name), "a test", scopes or (Scope.PLAY,)
    )
    return Program(server.browser(), token)
