"""Browsers that write bots."""

from typing import Any

from tests.server.members import Browser

API = "/api/v1/drafts"


def call(browser: Browser, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """Send a request to the API, and return its status and answer."""
    answer = browser.client.request(
        method, path, json={} if body is None and method != "GET" else body
    )
    return answer.status_code, answer.json()


def request(browser: Browser, method: str, path: str, body: Any = None) -> Any:
    """Return what the API answers to a request that is good."""
    status, answer = call(browser, method, path, body)
    assert status == 200, answer
    return answer


def make_draft(
    browser: Browser, name: str = "Mine", game: str = "slime_mind", template: str = "simple"
) -> Any:
    """Return a new draft of somebody's."""
    body = {"game": game, "template": template, "name": name}
    return request(browser, "POST", API, body)


def save_text(browser: Browser, draft: Any, text: str) -> int:
    """Save another text of a draft's main file, and return the revision."""
    body = {
        "revision": draft["revision"],
        "name": draft["name"],
        "files": [{"name": draft["main"], "text": text}],
    }
    return int(request(browser, "PUT", f"{API}/{draft['id']}", body)["revision"])
