"""The API: operations, from which both the routes and their OpenAPI document are made.

To add one, write an endpoint (its docstring is the summary), which is called on a thread with the
request and its body or query, and a line in the `operations` of its part, such as
`Operation("POST", "/games/{game}/pauses", self._pause, Decisions, PauseBody,
permission=Permission.SEAT, refusals=PLAYING)`.
Bodies, queries and answers are msgspec structs; what their docstrings and `Meta` descriptions say
stands in the document.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from http import HTTPStatus
from inspect import iscoroutinefunction
from typing import Any

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from engine import ENGINE_VERSION
from engine.catalog import DEFAULT_GAME_OF_PEOPLE
from server.http.permissions import Permission, PermittedRoute
from server.http.responses import (
    BASE,
    COOKIE,
    JSON,
    Empty,
    Problem,
    decode_json,
    json_response,
    parse_query,
)

JsonSchema = dict[str, Any]
WATCHING = (HTTPStatus.NOT_FOUND,)
"""How a game may refuse whoever looks at it."""
PLAYING = (
    HTTPStatus.FORBIDDEN,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.CONFLICT,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
"""How a game may refuse whoever plays it."""
TALKING = (*PLAYING, HTTPStatus.TOO_MANY_REQUESTS)
"""The same where there is a limit on how often."""
STATUS_MEANINGS = {
    HTTPStatus.BAD_REQUEST: "The body or the query is not as described here.",
    HTTPStatus.UNAUTHORIZED: "A token is needed, or a session.",
    HTTPStatus.FORBIDDEN: "The team is not yours to play, the token is for something else, or a "
    "page of another site sent this.",
    HTTPStatus.NOT_FOUND: "There is no such game, challenge, bot or version.",
    HTTPStatus.CONFLICT: "The game has gone on meanwhile: look at its position again.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too long.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body is not sent as JSON.",
    HTTPStatus.MISDIRECTED_REQUEST: "The Host header names another server.",
    HTTPStatus.TOO_MANY_REQUESTS: "That was too often: wait a little.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "The rules refuse it; `error` says why.",
}
ABOUT_API = (
    "Play games and follow them. A position holds what its viewer may know. A request that changes "
    "something carries `Content-Type: application/json` and the cookie of a seat."
)
ABOUT_SEAT = (
    f"The cookie `{COOKIE}` with the id of the game: open the link of the seat once, and keep the "
    "cookie that comes with the answer. On a server with accounts the cookie `session` of the "
    "seat's owner does as well."
)
ABOUT_TOKEN = (
    "A token that its owner made on the page /me; it stands for them. What it may do was chosen "
    "then: to hand in bots and all else, or to play as a remote bot."
)
ABOUT_SESSION = "The cookie `session` of an organizer who is signed in in a browser."
ABOUT_EVENTS = (
    "Server-sent events: at once and after each change an event `position`, whose data is a "
    "position and whose id is its step. Who sends that id as `Last-Event-ID` is told in `happened` "
    "what has happened since."
)


ABOUT_REMOTE_EVENTS = (
    "Server-sent events. `challenge`: a game that waits for the remote bot, or is its own, at "
    "once and whenever it changes; `withdrawn`, with its `id`: no more. `start`: a game in which "
    "it plays, as it stands; `ask`: a decision is wanted; `over`: a game has ended. Who sends the "
    "id of the last event as `Last-Event-ID` is not sent again the games that are known, is told "
    "what has happened in them since, and is asked again what is open."
)
ABOUT_SCENES = (
    "Server-sent events: at once and after each change an event `scene`, whose data is what the "
    "replay page draws anew: the public view of a game that runs, and all of one that is over. An "
    "event `wait` says in `words` why there is nothing to see yet. Who sends the id of the last "
    "event as `Last-Event-ID` is sent what came after it."
)


ABOUT_STREAM = (
    "Server-sent events of several topics, as a browser shares them between its pages. The first "
    "line of the data of each is `topic`, the place of a topic in the query, from 0; `event`, and "
    "`last`, which is what to put behind its topic when the stream is begun anew. The second line "
    "is what the topic's own stream sends as the data of such an event. `end` says that no more "
    "comes of a topic, with `status` and `error` if it was refused; `alive` has no topic, and "
    "comes when nothing else does."
)


class Operation(Struct, frozen=True):
    """A method of a path: what it takes, what it answers, and how it may refuse."""

    method: str
    path: str
    """Below /api/v1, such as `/games/{game}`."""
    endpoint: Callable[..., object]
    """Returns the answer, or None for `Empty`. One that streams or waits is asynchronous: it reads
    and responds by itself."""
    answer: object
    body: type[Struct] | None = None
    query: type[Struct] | None = None
    refusals: Sequence[HTTPStatus] = WATCHING
    media_type: str = JSON
    about_answer: str = "It was done."
    permission: Permission = Permission.ANYBODY

    @property
    def takes(self) -> list[type[Struct]]:
        return [part for part in (self.body, self.query) if part is not None]

    @property
    def problems(self) -> list[HTTPStatus]:
        """All statuses that come with a Problem."""
        found = {HTTPStatus.MISDIRECTED_REQUEST, *self.refusals}
        if self.takes:
            found.add(HTTPStatus.BAD_REQUEST)
        if self.method != "GET":
            found.add(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        if self.body is not None:
            found.add(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return sorted(found)


Allow = Callable[[Permission, Request], Awaitable[None]]
"""Raises what refuses a request that its sender may not send."""


def make_routes(operations: Iterable[Operation], allow: Allow) -> list[PermittedRoute]:
    """Return a route for each operation, which asks `allow` before anything else."""
    return [
        PermittedRoute(BASE + one.path, one.permission, _make_endpoint(one, allow), [one.method])
        for one in operations
    ]


def _make_endpoint(operation: Operation, allow: Allow) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        await allow(operation.permission, request)
        if iscoroutinefunction(operation.endpoint):
            response: Response = await operation.endpoint(request)
            return response
        content = b"" if operation.body is None else await request.body()
        return await run_in_threadpool(_respond, operation, request, content)

    return endpoint


def _respond(operation: Operation, request: Request, content: bytes) -> Response:
    """Raises: msgspec.DecodeError for a body or a query that is not as described."""
    taken: list[Struct] = []
    if operation.body is not None:
        taken.append(decode_json(content, operation.body))
    if operation.query is not None:
        taken.append(parse_query(request, operation.query))
    answer = operation.endpoint(request, *taken)
    if isinstance(answer, Response):
        return answer
    return json_response(Empty() if answer is None else answer)


def openapi_document(
    operations: Sequence[Operation], boards: Sequence[object], public_path: str = ""
) -> JsonSchema:
    """Return the OpenAPI 3.1 document of these operations.

    `boards`: the types of what positions have as `board`, one for each game.
    `public_path`: see server/http/public_path.py.
    """
    schemas = _Schemas(operations, boards)
    paths: dict[str, JsonSchema] = {}
    names = Counter(_endpoint_name(one) for one in operations)
    for one in operations:
        described = _describe_operation(one, schemas)
        if names[described["operationId"]] > 1:
            described["operationId"] += f"_{one.path.split('/')[1].replace('-', '_')}"
        paths.setdefault(BASE + one.path, {})[one.method.lower()] = described
    seat = {"type": "apiKey", "in": "cookie", "name": f"{COOKIE}ID", "description": ABOUT_SEAT}
    token = {"type": "http", "scheme": "bearer", "description": ABOUT_TOKEN}
    session = {"type": "apiKey", "in": "cookie", "name": "session", "description": ABOUT_SESSION}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Slime Mind", "version": ENGINE_VERSION, "description": ABOUT_API},
        "servers": [{"url": public_path or "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {"seat": seat, "session": session, "token": token},
        },
    }


class _Schemas:
    """The schemas of all types that the operations name."""

    def __init__(self, operations: Iterable[Operation], boards: Sequence[object]) -> None:
        named = [Problem, *(part for one in operations for part in (one.answer, *one.takes))]
        self._types = [*named, *boards]
        self._schemas, self.components = msgspec.json.schema_components(
            self._types, schema_hook=_schema_of_object, ref_template="#/components/schemas/{name}"
        )
        _say_what_lists_hold([self._schemas, self.components])
        shown = self.components["Position"]["properties"]["board"]
        shown["anyOf"] = [self.schema_of_type(board) for board in boards]

    def schema_of_type(self, type_: object) -> JsonSchema:
        """Return the schema of a type: mostly a reference to its component."""
        return dict(self._schemas[self._types.index(type_)])


def _say_what_lists_hold(value: Any) -> None:
    """Mend lists as generators of clients want them: `items` is a schema.

    Tuples, whose length is bounded anyway, lose `"items": false`; lists of anything get `{}`.
    """
    if isinstance(value, dict):
        if value.get("items") is False:
            del value["items"]
        if value.get("type") == "array" and "prefixItems" not in value:
            value.setdefault("items", {})
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, (dict, list, tuple)):
            _say_what_lists_hold(inner)


def _endpoint_name(one: Operation) -> str:
    return one.endpoint.__name__.strip("_")


def _schema_of_object(type_: type) -> JsonSchema:
    """Return the schema of `object`, which may be whatever JSON can say."""
    if type_ is not object:
        raise NotImplementedError(type_)
    return {"description": "It depends on the game."}


def _describe_operation(one: Operation, schemas: _Schemas) -> JsonSchema:
    answer = {one.media_type: {"schema": schemas.schema_of_type(one.answer)}}
    problem = {JSON: {"schema": schemas.schema_of_type(Problem)}}
    described: JsonSchema = {
        "operationId": _endpoint_name(one),
        "summary": _endpoint_summary(one),
        "tags": [one.path.split("/")[1]],
        "parameters": _operation_parameters(one, schemas),
        "responses": {"200": {"description": one.about_answer, "content": answer}}
        | {
            str(int(status)): {"description": STATUS_MEANINGS[status], "content": problem}
            for status in one.problems
        },
        "security": _security_requirement(one),
    }
    if one.body is not None:
        body = {JSON: {"schema": schemas.schema_of_type(one.body)}}
        described["requestBody"] = {"required": True, "content": body}
    return described


TEXT = {"type": "string"}
PATH_PARAMETERS = {
    "board": f"The name of a game, such as `{DEFAULT_GAME_OF_PEOPLE}`.",
    "bot": "The id of a bot.",
    "draft": "The id of a draft.",
    "game": "The id of a game, as it stands in its address.",
    "id": "The id of a ladder.",
    "ladder": "The id of a ladder.",
    "match": "The id of a match.",
    "name": "The name of a tournament.",
    "number": "The number of a version, from 1.",
    "played": "The key of a match of the tournament.",
    "report": "The id of a report.",
    "room": "The id of a room.",
    "run": "The id of a run.",
    "series": "The id of a series.",
    "step": "The number of a step of the course, from 1.",
}
"""What the parts of a path are that a request fills in."""


def _endpoint_summary(one: Operation) -> str:
    assert one.endpoint.__doc__ is not None, f"{one.path}: its endpoint needs a docstring"
    return one.endpoint.__doc__.splitlines()[0]


def _operation_parameters(one: Operation, schemas: _Schemas) -> list[JsonSchema]:
    found: list[JsonSchema] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": PATH_PARAMETERS[name],
            "schema": TEXT,
        }
        for name in re.findall(r"{(\w+)}", one.path)
    ]
    if one.query is not None:
        struct = dict(schemas.components[one.query.__name__])
        needed = struct.get("required", [])
        found += [
            {
                "name": name,
                "in": "query",
                "required": name in needed,
                "description": str(schema.get("description") or schema["anyOf"][0]["description"]),
                "schema": schema,
            }
            for name, schema in struct["properties"].items()
        ]
    return found


def _security_requirement(one: Operation) -> list[dict[str, list[str]]]:
    """Return what shows who asks: looking on needs nothing, but a seat shows more."""
    if one.permission is Permission.ORGANIZER:
        return [{"session": []}]
    if one.permission is Permission.SEAT_OR_TOKEN:
        return [{"seat": []}, {"token": []}]
    if HTTPStatus.UNAUTHORIZED in one.refusals:
        return [{"token": []}]
    if HTTPStatus.FORBIDDEN in one.refusals:
        return [{"seat": []}]
    return [{}, {"seat": []}] if "{game}" in one.path else []
