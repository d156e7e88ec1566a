"""What an editor shows of all that a bot touches: its types, and a docstring on hover."""

import inspect
from collections.abc import Iterator
from importlib import import_module

import pytest

from engine.catalog import GAMES


def public_members(game: str) -> Iterator[tuple[str, object]]:
    """Yield the public methods and properties of the classes that a game shows its bots."""
    module = import_module(GAMES[game].player.__module__)
    for name in module.__all__:
        kind = getattr(module, name)
        if not inspect.isclass(kind):
            continue
        yield name, kind
        for member, value in vars(kind).items():
            is_asked = isinstance(value, property) or inspect.isfunction(value)
            if is_asked and not member.startswith("_"):
                yield f"{name}.{member}", value


@pytest.mark.parametrize("game", GAMES)
def test_everything_a_bot_touches_has_a_docstring(game: str) -> None:
    missing = [name for name, value in public_members(game) if not getattr(value, "__doc__", None)]
    assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_everything_a_bot_touches_has_types(game: str) -> None:
    functions = 0
    for name, value in public_members(game):
        function = value.fget if isinstance(value, property) else value
        if inspect.isfunction(function) and not isinstance(value, type):
            functions += 1
            signature = inspect.signature(function)
            untyped = [
                parameter.name
                for parameter in signature.parameters.values()
                if parameter.name != "self" and parameter.annotation is inspect.Parameter.empty
            ]
            assert untyped == [], name
            assert signature.return_annotation is not inspect.Signature.empty, name
    assert functions
