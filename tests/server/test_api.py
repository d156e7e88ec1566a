"""The API does what its document says, whoever asks, and whatever is sent."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator as Validator
from schemathesis import Case, Response
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks

from server.games.boards import board_types
from server.games.game_service import GameService
from server.http.openapi import openapi_document
from server.http.responses import game_cookie_name
from server.site.application import Application
from tests.server.in_process import make_client
from tests.server.playing import a_game_service, first_move, nearest_food, no_orders, start_game

DOCUMENT = "/api/v1/openapi.json"
HOST = "testserver"
"""The fuzzer asks by this name."""
EXCLUDED = [
    checks.positive_data_acceptance,  # the rules may refuse what is well formed
    checks.ignored_auth,  # the name of a seat's cookie depends on the game
    checks.response_schema_conformance,  # see `is_as_described`
]
STREAMS = ("/events", "/scene", "/stream")
BOTS = {"smack": first_move, "smac": no_orders, "slime_mind": nearest_food}
ORDERS = {
    "smack": st.sampled_from(["A6-B6", "A7-B7", {"move": "A6-B6", "end": True}, {"move": 1}]),
    "smac": st.sampled_from(
        [{"bid": 1}, {"bid": -1}, {"centers": [[1, 1]]}, {"bid": 10**400}, {}, {"stacks": 3}]
    ),
    "slime_mind": st.sampled_from(["LEFT", "EAT", ["GO", 1, 1], ["GO"], {}, 10**400]),
}
LINES = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["bid", "center", "stack", "x"]), st.integers(), st.integers()),
        st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=5),
    ),
    max_size=5,
)


@pytest.fixture
def described(tmp_path: Path) -> Any:
    web = Application(a_game_service(tmp_path / "games.sqlite"), [HOST])
    answer = make_client(web.app, f"http://{HOST}").get(DOCUMENT)
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def test_the_document_has_every_operation_with_a_summary(described: Any) -> None:
    found = {
        (method, path): operation["summary"]
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }
    game = "/api/v1/games/{game}"
    assert found.keys() >= {
        ("get", DOCUMENT),
        ("get", "/api/v1/stream"),
        ("get", game),
        ("get", f"{game}/events"),
        ("get", f"{game}/scene"),
        ("post", f"{game}/orders"),
        ("delete", f"{game}/orders"),
        ("post", f"{game}/acts"),
        ("get", f"{game}/draft"),
        ("put", f"{game}/draft"),
        ("put", f"{game}/premoves"),
    }
    assert all(summary.endswith(".") for summary in found.values())


def test_the_document_says_what_is_taken_and_refused(described: Any) -> None:
    draft = described["paths"]["/api/v1/games/{game}/draft"]
    assert [(one["name"], one["in"], one["required"]) for one in draft["get"]["parameters"]] == [
        ("game", "path", True),
        ("team", "query", True),
        ("piece", "query", False),
    ]
    assert draft["put"]["requestBody"]["content"].keys() == {"application/json"}
    assert draft["put"]["responses"].keys() == {
        *("200", "400", "403", "404", "409", "413", "415", "421", "422")
    }
    assert draft["put"]["security"] == [{"seat": []}]
    board = described["components"]["schemas"]["Position"]["properties"]["board"]
    boards = {one["$ref"].rpartition("/")[2] for one in board["anyOf"]}
    assert boards == {"ShownBoards", "BoardShown", "ShownMap"}


def test_every_reference_of_the_document_leads_somewhere(described: Any) -> None:
    _, *references = json.dumps(described).split('"$ref": "')
    assert references
    for reference in references:
        name = reference.partition('"')[0].removeprefix("#/components/schemas/")
        assert name in described["components"]["schemas"]


ROLES = ("a player of both teams", "a player", "nobody", "a player of another game")


def make_cookies(role: str, game_service: GameService, game: str) -> dict[str, str]:
    """Return what somebody sends who asks for something of a game."""
    if role == "nobody":
        return {}
    if role == "a player of another game":
        other = start_game(game_service, "smack", "pp")
        token = game_service.keys.new_token(other, [1, 2])
        return {game_cookie_name(game): token, game_cookie_name(other): token}
    return {
        game_cookie_name(game): game_service.keys.new_token(
            game, [1] if role == "a player" else [1, 2]
        )
    }


def is_as_described(document: Any, case: Case[Any], response: Response) -> None:
    """Compare an answer with the document as it stands: the fuzzer's own check knows no tuples."""
    operation = document["paths"][case.operation.path][case.method.lower()]
    described = operation["responses"][str(response.status_code)]["content"]
    schema = described["application/json"]["schema"]
    Validator({**schema, "components": document["components"]}).validate(response.json())


@pytest.mark.parametrize(
    "tries", [15, pytest.param(1_000, marks=[pytest.mark.exhaustive, pytest.mark.timeout(1800)])]
)
@pytest.mark.parametrize("name", BOTS)
def test_every_answer_is_as_the_document_says(name: str, tries: int, tmp_path: Path) -> None:
    game_service = a_game_service(tmp_path / "games.sqlite", BOTS[name])
    web = Application(game_service, [HOST])
    schema = schemathesis.openapi.from_asgi(DOCUMENT, web.app)
    answer = msgspec.to_builtins(openapi_document(web.operations, board_types()))
    operations = [one.ok() for one in schema.get_all_operations() if isinstance(one, Ok)]
    assert len(operations) == len(web.operations) - 1  # all but the document itself
    strategies = [one.as_strategy() for one in operations if not one.path.endswith(STREAMS)]

    @settings(max_examples=tries, suppress_health_check=list(HealthCheck))
    @given(
        case=st.one_of(strategies),
        role=st.sampled_from(ROLES),
        who=st.sampled_from(["pp", "pb"]),
        data=st.data(),
    )
    def check(case: Case[Any], role: str, who: str, data: st.DataObject) -> None:
        game = start_game(game_service, name, who)
        if "game" in case.path_parameters and data.draw(st.integers(0, 6)):
            case.path_parameters["game"] = game
        for part in (case.body, case.query):
            if isinstance(part, dict) and data.draw(st.integers(0, 6)):
                make_likely(part, game_service, game, data)
        cookies = make_cookies(role, game_service, game)
        response = case.call_and_validate(cookies=cookies, excluded_checks=EXCLUDED)
        is_as_described(answer, case, response)

    check()


def make_likely(
    sent: dict[str, Any], game_service: GameService, game: str, data: st.DataObject
) -> None:
    """Make what is sent name an ask or act of the present position, where it names one."""
    with game_service.open_session(game) as session:
        asks = [(ask, session.ask_step(ask)) for ask in session.stepper.asks]
        acts = [act for team in (1, 2) for act in session.open_acts(team)]
        turn = session.turn
    if "name" in sent and acts:
        act = data.draw(st.sampled_from(acts))
        sent.update(team=act.team, piece=act.piece_id, name=act.name)
        return
    ask, step = data.draw(st.sampled_from(asks))
    sent.update(team=ask.team, piece=ask.piece_id)
    order = ORDERS[session.game.name]
    likely = {
        "step": st.just(step),
        "order": order,
        "lines": LINES,
        "turn": st.just(turn),
        "orders": st.lists(st.tuples(st.integers(0, 12), order), max_size=5),
    }
    sent.update({name: data.draw(likely[name]) for name in likely if name in sent})
