"""Scripts that come in one request each."""

import gzip
import re

from starlette.applications import Starlette
from starlette.testclient import TestClient

from engine.catalog import OURS
from server.games.boards import FORM_NAME
from server.http.bundles import BUNDLES, static_routes
from visualizer.backends.page.bundling import WEB, bundle, list_modules

CLIENT = TestClient(Starlette(routes=static_routes()))


def test_a_bundle_is_compressed_for_who_takes_that() -> None:
    for encoding, unpacked in (("gzip", gzip.decompress), ("identity", bytes)):
        with CLIENT.stream(
            "GET", "/static/bundles/watch.js", headers={"accept-encoding": encoding}
        ) as answer:
            content = b"".join(answer.iter_raw())
        assert unpacked(content).decode() == bundle("viewer/watch")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["vary"] == "accept-encoding"


def test_a_browser_that_has_a_bundle_does_not_get_it_again() -> None:
    tag = CLIENT.get("/static/bundles/run.js").headers["etag"]
    again = CLIENT.get("/static/bundles/run.js", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert CLIENT.get("/static/bundles/watch.js", headers={"if-none-match": tag}).content


def test_only_bundles_are_found_there() -> None:
    for name in ("nothing", "..%2Fsite%2Ffront", "viewer%2Fwatch"):
        assert CLIENT.get(f"/static/bundles/{name}.js").status_code == 404


def test_no_module_of_a_bundle_waits_outside_of_a_function() -> None:
    for module in {module for entry in BUNDLES.values() for module in list_modules(entry)}:
        text = (WEB / f"{module}.js").read_text()
        assert not re.search(r"^await |^\w.*[=(] await ", text, re.MULTILINE), module


def test_each_board_has_a_bundle() -> None:
    boards = [name for name, described in OURS.items() if described.board]
    assert {f"play_{name}" for name in (*boards, FORM_NAME)} <= set(BUNDLES)
