"""What pages load: style sheets, fonts, sprites, and scripts, those of a page in one request."""

import gzip
import os
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from engine.catalog import GAMES, OURS, describe_game
from engine.description import find_file
from visualizer.backends.page.bundling import PAGE_FOLDERS, WEB, bundle
from visualizer.drawing.sprites import FOLDER as SPRITES
from visualizer.theme import FONTS

WATCH = "watch"
"""Shows a match that a server tells of."""
WATCH_RUNNING = "watch_running"
"""Shows a match of bots while it is played."""
RUN = "run"
"""Shows a mock battle."""
BUNDLES = {
    WATCH: "viewer/watch",
    WATCH_RUNNING: "viewer/watch_running",
    RUN: "designer/run",
    "pages": "site/pages",
    "stream_worker": "shared/stream_worker",
    "write": "write/write",
    "play_form": "boards/form",
    **{f"play_{name}": f"boards/{name}" for name, described in OURS.items() if described.board},
}
"""The module of web/ that each one is made of."""
PACKAGES = "packages/"
"""Where the scripts of boards are that come with packages."""
EDITOR = "editor"
"""The editor of /write, which `npm --prefix web run build` makes."""
BUILT = WEB / "built" / f"{EDITOR}.js"
NOT_BUILT = "export const createEditor = null;\n"
"""What is sent where it was not built: a text area takes its place."""


def static_routes() -> list[BaseRoute]:
    """Return the routes below /static."""
    folders = {"sprites": SPRITES, "fonts": FONTS} | {name: WEB / name for name in PAGE_FOLDERS}
    return [
        Mount("/static/bundles", routes=[Route("/{name}.js", _send)]),
        Mount("/static/packages", routes=[Route("/{game}.js", _send_script)]),
        *(Mount(f"/static/{name}", StaticFiles(directory=path)) for name, path in folders.items()),
    ]


def bundle_path(name: str) -> str:
    """Return where a bundle is, seen from /static."""
    assert name in BUNDLES or name.startswith(PACKAGES), name
    return name if name.startswith(PACKAGES) else f"bundles/{name}.js"


def _send_script(request: Request) -> Response:
    """Send the script of a board in a package, which imports ours. Raises: HTTPException of 404."""
    game = request.path_params["game"]
    file = find_file(describe_game(game).board_script) if game in GAMES else Path(os.devnull)
    if not file.is_file():
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return FileResponse(file, media_type="text/javascript", headers={"cache-control": "no-cache"})


def _send(request: Request) -> Response:
    """Send a bundle, compressed for who takes that. Raises: HTTPException of 404."""
    name = request.path_params["name"]
    if name not in BUNDLES and name != EDITOR:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    content, compressed, tag = _load_bundle(name)
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        content = compressed
    return Response(content, media_type="text/javascript", headers=headers)


@cache
def _load_bundle(name: str) -> tuple[bytes, bytes, str]:
    """Return a bundle, the same compressed, and its tag."""
    if name == EDITOR:
        content = BUILT.read_bytes() if BUILT.exists() else NOT_BUILT.encode()
    else:
        content = bundle(BUNDLES[name]).encode()
    return content, gzip.compress(content, mtime=0), f'"{sha256(content).hexdigest()[:32]}"'
