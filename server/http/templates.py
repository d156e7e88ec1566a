"""The templates of all pages."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).parents[1] / "templates"


@cache
def templates(public_path: str = "") -> Environment:
    """Return the templates, of which each is compiled once; whatever they are given is escaped.

    They put `site`, the path below which browsers find the server, before its own links.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    environment.globals["site"] = public_path
    return environment
