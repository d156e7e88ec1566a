"""The OpenAPI document of a whole server is valid, and such that generators of clients take it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests import needs
from tests.server.conftest import Serve
from tests.server.members import Server
from tests.server.playing import a_game_service, choose_orders, start_game

DOCUMENT = "/api/v1/openapi.json"


@pytest.fixture
def described(lasting: Server) -> dict[str, Any]:
    found: dict[str, Any] = lasting.browser().client.get(DOCUMENT).json()
    return found


def operations(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in described["paths"].values():
        yield from path.values()


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, (dict, list)):
            yield from objects_in(inner)


def test_the_document_is_valid(described: dict[str, Any]) -> None:
    needs.module("openapi_spec_validator").validate(described)


def test_no_two_operations_have_one_id(described: dict[str, Any]) -> None:
    ids = [one["operationId"] for one in operations(described)]
    assert len(ids) == len(set(ids))
    assert set(ids) >= {"position", "order", "list_reports", "list_challenges"}


def test_every_parameter_is_described(described: dict[str, Any]) -> None:
    silent = {
        (parameter["in"], parameter["name"])
        for one in operations(described)
        for parameter in one["parameters"]
        if not parameter.get("description")
    }
    assert silent == set()


def test_lists_and_names_are_such_as_generators_of_clients_take(described: dict[str, Any]) -> None:
    """`"items": false`, lists of anything, and two types of one name are valid, and not taken."""
    lists = [one for one in objects_in(described) if one.get("type") == "array"]
    assert [
        one
        for one in lists
        if not isinstance(one.get("items", one.get("prefixItems")), (dict, list))
    ] == []
    assert [name for name in described["components"]["schemas"] if "." in name] == []
    assert all(len(one["tags"]) == 1 for one in operations(described))


@pytest.mark.exhaustive
def test_a_generated_client_plays_a_whole_game(
    described: dict[str, Any], serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs.module("openapi_python_client")
    for name, value in (("api", described), ("config", {"post_hooks": []})):
        (tmp_path / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    text = "generate --meta none --fail-on-warning --path api.json --config config.json"
    command = [sys.executable, "-m", "openapi_python_client", *text.split()]
    done = subprocess.run(
        [*command, "--output-path", "generated_client"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    monkeypatch.syspath_prepend(tmp_path)
    games = a_game_service(tmp_path / "games.sqlite")
    address, game = serve(games), start_game(games, "smack", "pb", ply_limit=6)
    link = f"{address}/games/{game}?key={games.keys.new_key(game, [1])}"
    with httpx2.Client(follow_redirects=True) as browser:
        browser.get(link)
        cookies = dict(browser.cookies)
    client = import_module("generated_client").Client(base_url=address, cookies=cookies)
    body = import_module("generated_client.models").OrderBody
    position, order = (
        import_module(f"generated_client.api.games.{name}") for name in ("position", "order")
    )
    while (now := position.sync(game, client=client)).outcome is None:
        for _, chosen in choose_orders(now.to_dict()):
            order.sync(game, client=client, body=body.from_dict(chosen))
    assert now.outcome.reason == "both halves are over"
    assert [half.ply for half in now.board.halves] == [6, 6]


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1/nothing", "/api/v2/games"])
def test_what_is_not_there_is_a_problem_in_json(lasting: Server, path: str) -> None:
    answer = lasting.browser().client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/json")
    assert answer.json()["error"]
