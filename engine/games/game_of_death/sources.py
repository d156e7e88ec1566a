"""The source text of a type, for disclosure (rules 7.4)."""

import ast
import sys
from functools import lru_cache

from engine.support.interpreter_state import parse_module


def source_of(kind: type, base: type) -> str:
    """Return the source of a class and of its bases below `base`; '' where it is not known."""
    own = [cls for cls in kind.__mro__ if issubclass(cls, base) and cls is not base]
    parts = [_classes_in(cls.__module__).get(cls.__name__, "") for cls in reversed(own)]
    return "\n\n\n".join(part for part in parts if part)


@lru_cache(maxsize=64)
def _classes_in(module: str) -> dict[str, str]:
    """Return the source of the classes at the top of a module, by name."""
    loader = getattr(sys.modules.get(module), "__loader__", None)
    try:
        source = loader.get_source(module)  # type: ignore[union-attr]
        tree = parse_module(source)
    except (AttributeError, ImportError, SyntaxError, TypeError, ValueError):
        return {}
    return {
        node.name: ast.get_source_segment(source, node) or ""
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
