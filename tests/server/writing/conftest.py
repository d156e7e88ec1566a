"""The page on which bots are written, in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.http import bundles
from tests.server.conftest import NewContext, Serve
from tests.server.members import Server
from tests.server.writing.browsing import OpenPage, is_ours, open_editor


@pytest.fixture(params=["built", "plain"])
def editor(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Serve one of both editors."""
    if request.param == "plain":
        monkeypatch.setattr(bundles, "BUILT", tmp_path / "none.js")
    bundles._load_bundle.cache_clear()
    yield request.param
    bundles._load_bundle.cache_clear()


@pytest.fixture
def open_page(server: Server, serve: Serve, new_context: NewContext) -> OpenPage:
    """Open the page in a browser of its own, of a member or of a visitor."""
    home = serve(server.game_service, server.site)

    def open_it(member: str = "", path: str = "/write", context: Any = None, **options: Any) -> Any:
        if context is None:
            context = new_context(base_url=home, **options)
        if member:
            server.sign_in(context, member, home)
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda line: is_ours(line) and page.errors.append(line.text))
        page.goto(path)
        return page

    return open_it


@pytest.fixture
def page(open_page: OpenPage, server: Server, editor: str) -> Any:
    """Return the page of somebody who has begun a bot, with either editor."""
    server.member("Ann")
    page = open_page("Ann")
    open_editor(page)
    return page
