"""The OpenAPI document of a whole server is valid, and such that generators of clients take it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests import needs
from tests.server.members import Server

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


def test_no_schema_is_a_truth_value(described: dict[str, Any]) -> None:
    """`"items": false` is valid, and no generator of clients takes it."""
    assert [one for one in objects_in(described) if isinstance(one.get("items"), bool)] == []


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1/nothing", "/api/v2/games"])
def test_what_is_not_there_is_a_problem_in_json(lasting: Server, path: str) -> None:
    answer = lasting.browser().client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/json")
    assert answer.json()["error"]
