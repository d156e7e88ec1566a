"""JSON Schemas of the protocol, and the lists of its arrays, made from the types themselves.

`python3 -m engine.bots.programs.schemas` writes docs/protocol/GAME.schema.json, and the lists in
docs/protocol.md, again.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from engine.bots.programs.protocol import (
    VERSION,
    Answer,
    EventAsk,
    Failed,
    Hello,
    HttpAsk,
    HttpEnd,
    HttpStart,
    Interrupt,
    Ready,
    SnapshotAsk,
    Start,
)
from engine.catalog import GAMES
from engine.game import AnyGame

DOCUMENTS_FOLDER = Path(__file__).resolve().parents[3] / "docs"
BEGIN, END = "<!-- made from the types: begin -->", "<!-- made from the types: end -->"
PIPE_MESSAGES = (Hello, Start, Ready, EventAsk, SnapshotAsk, Interrupt, Answer, Failed)
MESSAGES = (*PIPE_MESSAGES, HttpStart, HttpAsk, HttpEnd)
WITH_STATE = ("Start", "SnapshotAsk", "HttpStart", "HttpAsk", "HttpEnd")
REFERENCE_TEMPLATE = "#/$defs/{name}"
ANY_VALUE_SCHEMA: dict[str, object] = {"description": "any JSON value"}


def make_schema(game: AnyGame) -> dict[str, Any]:
    """Return the schema of all messages in matches of a game."""
    types = [*MESSAGES, game.state, game.event]
    places, definitions = msgspec.json.schema_components(
        types, schema_hook=lambda kind: ANY_VALUE_SCHEMA.copy(), ref_template=REFERENCE_TEMPLATE
    )
    for struct in _structs_in(types):
        _name_places(definitions, struct)
    state, event = places[-2:]
    for name in WITH_STATE:
        definitions[name]["properties"]["state"] = state
    definitions["EventAsk"]["properties"]["events"] = {"type": "array", "items": event}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Version {VERSION} of the protocol of programs, in matches of {game.title}",
        "anyOf": places[: len(MESSAGES)],
        "$defs": dict(sorted(definitions.items())),
    }


def arrays_in_markdown() -> str:
    """Return the arrays of each game in Markdown: the names of their values, in order.

    Objects say the names of their values themselves.
    """
    parts = []
    for game in GAMES.values():
        structs = _structs_in([game.state, game.event])
        arrays = [one for one in structs if one.array_like]
        parts.append(f"### {game.title}\n")
        parts.append(_render_list("Arrays", [one for one in arrays if one.tag is None], "- ", "\n"))
        parts.append(
            _render_list("Events", [one for one in arrays if one.tag is not None], "", ",\n")
        )
    return "\n".join(part for part in parts if part).rstrip()


def with_lists(document: str) -> str:
    """Return docs/protocol.md with its lists as they are to be."""
    before, _, rest = document.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{arrays_in_markdown()}\n{END}{after}"


def main(folder: Path = DOCUMENTS_FOLDER) -> None:
    """Write what follows from the types."""
    document = folder / "protocol.md"
    document.write_text(with_lists(document.read_text("utf-8")), "utf-8")
    (folder / "protocol").mkdir(exist_ok=True)
    for game in GAMES.values():
        file = folder / "protocol" / f"{game.name}.schema.json"
        file.write_text(schema_text(game), "utf-8")


def schema_text(game: AnyGame) -> str:
    """Return the content of a file with a schema."""
    return json.dumps(make_schema(game), indent=1, ensure_ascii=False) + "\n"


def _structs_in(types: list[object]) -> list[inspect.StructType]:
    """Return the structs that are met in types, in the order in which they are met."""
    found: dict[type, inspect.StructType] = {}

    def visit(kind: object) -> None:
        if isinstance(kind, inspect.StructType):
            if kind.cls in found:
                return
            found[kind.cls] = kind
            for field in kind.fields:
                visit(field.type)
        for inner in _inner_types(kind):
            visit(inner)

    for kind in inspect.multi_type_info(types):
        visit(kind)
    return list(found.values())


def _inner_types(kind: object) -> Iterator[object]:
    """Yield the types that a container or a union is made of."""
    for name in ("item_type", "key_type", "value_type", "type"):
        inner = getattr(kind, name, None)
        if inner is not None:
            yield inner
    for name in ("item_types", "types"):
        yield from getattr(kind, name, ())
    if isinstance(kind, inspect.NamedTupleType):
        yield from (field.type for field in kind.fields)


def _field_names(struct: inspect.StructType) -> list[str]:
    names = [field.encode_name for field in struct.fields]
    return names if struct.tag is None else ["type", *names]


def _name_places(definitions: dict[str, Any], struct: inspect.StructType) -> None:
    """Put the names of an array's values beside their types, which is all a schema has of them."""
    schema = definitions.get(struct.cls.__name__, {})
    for index, name in enumerate(_field_names(struct)):
        if index < len(schema.get("prefixItems", ())):
            schema["prefixItems"][index] = {"title": name, **schema["prefixItems"][index]}


def _render_list(heading: str, structs: list[inspect.StructType], mark: str, joined: str) -> str:
    lines = joined.join(mark + _render_struct(struct) for struct in structs)
    return f"{heading}:\n\n{lines}\n" if lines else ""


def _render_struct(struct: inspect.StructType) -> str:
    """Return how a struct looks in JSON, and of a piece what it is; schemas say it of all."""
    names = [field.encode_name for field in struct.fields]
    about = "" if struct.tag else (struct.cls.__doc__ or "").partition("\n")[0]
    start = f"**{struct.cls.__name__}**"
    if struct.tag is not None:
        start, names = "", [f'"{struct.tag}"', *names]
    opening, closing = "[]" if struct.array_like else "{}"
    text = f"{start} `{opening}{','.join(names)}{closing}`".strip()
    return f"{text}: {about}" if about else text


if __name__ == "__main__":
    main()
