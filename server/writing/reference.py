"""The API of a game's bots as data: names, types and docstrings, for completion and hover.

It is made from what is there: what `engine.games.GAME.player` exports, and what that is made of.
"""

import ast
import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, StrEnum
from functools import cache, cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name
from types import GenericAlias, ModuleType

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct

from engine.bot_output_api import Draw, Log
from engine.catalog import GAMES, describe_game
from engine.limits import Limits
from engine.support.interpreter_state import parse_module
from runners.configuration import HOME
from server.http.markdown_text import make_thread_safe, token_text

PLAYER = "BasePlayer"
OWN_PACKAGES = ("engine", "runners", "slime_mind_arena")
"""The packages whose classes are described; of other bases nothing is."""
SIMULATION = ("engine.simulation:Simulation",)
NOT_FOR_AUTHORS = {
    ("Draw", "place"),
    ("Simulation", "state"),
    ("OrderSheet", "answer"),
    ("OrderSheet", "refused_lines"),
    ("PlacementSheet", "answer"),
    ("PlacementSheet", "refused_lines"),
}
"""What the engine asks of a class that authors use."""
MAX_EXAMPLES = 20
MODULE_PREFIX = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Za-z_])")
"""The modules before a name."""
MARKDOWN = make_thread_safe(MarkdownIt("commonmark").enable("table"))


class EntryKind(StrEnum):
    """What a name of the API is."""

    CLASS = "class"
    FUNCTION = "function"
    METHOD = "method"
    PROPERTY = "property"
    CONSTANT = "constant"


class ReferenceEntry(Struct, frozen=True, kw_only=True):
    """A name of the API."""

    name: str
    of: str
    """The class that has it; '' for a name of the module."""
    kind: EntryKind
    signature: str
    """`(self, slime: Slime) -> str`, or the type of a property."""
    text: str


class Example(Struct, frozen=True):
    """Code of the documents that can be inserted."""

    title: str
    text: str
    code: str


class Reference(Struct, frozen=True, kw_only=True):
    """What the author of a bot can look up about a game."""

    entries: list[ReferenceEntry]
    examples: list[Example]
    rules: str
    """Where the rules are read."""
    guide: str
    """Where the API is described."""


@cache
def make_reference(game: str) -> Reference:
    guide = f"api/{game}.md"
    return Reference(
        entries=list(_reference_entries(game)),
        examples=list(_find_examples(HOME / "docs" / guide, game))[:MAX_EXAMPLES],
        rules=f"/docs/rules/{game}.md",
        guide=f"/docs/{guide}",
    )


def describe(names: Iterable[str], module: ModuleType) -> list[ReferenceEntry]:
    """Return what programs find in a module of ours under these names."""
    return [one for name in names for one in _make_entries(name, getattr(module, name), module)]


# -- entries ------------------------------------------------------------------------------------


def _reference_entries(game: str) -> Iterator[ReferenceEntry]:
    module = import_module(GAMES[game].player.__module__)
    names = getattr(module, "__all__", [PLAYER])
    for name in names:
        yield from _make_entries(name, getattr(module, name), module)
    more = describe_game(game).reference or SIMULATION
    for kind in (*map(resolve_name, more), Draw, Log, Limits):
        yield from _make_entries(kind.__name__, kind, import_module(kind.__module__))


def _make_entries(name: str, value: object, module: ModuleType) -> Iterator[ReferenceEntry]:
    if isinstance(value, GenericAlias):
        yield _make_entry(name, "", EntryKind.CONSTANT, str(value), "")
    elif getattr(value, "__name__", name) != name:
        return  # a name of bots that were written before 1.0.0
    elif inspect.isclass(value):
        text = inspect.getdoc(value) or ""
        yield _make_entry(name, "", EntryKind.CLASS, "", text)
        yield from _member_entries(name, value)
    elif callable(value):
        text = inspect.getdoc(value) or ""
        yield _make_entry(name, "", EntryKind.FUNCTION, _signature_text(value), text)
    else:
        texts = _field_texts(_parse_source(module).body)
        yield _make_entry(name, "", EntryKind.CONSTANT, type(value).__name__, texts.get(name, ""))


def _member_entries(owner: str, kind: type) -> Iterator[ReferenceEntry]:
    """Yield what a class has that is ours, what it inherits first."""
    found: dict[str, ReferenceEntry] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.partition(".")[0] in OWN_PACKAGES:
            for one in _own_members(owner, base):
                if (owner, one.name) not in NOT_FOR_AUTHORS:
                    found[one.name] = one
    yield from found.values()


def _own_members(owner: str, base: type) -> Iterator[ReferenceEntry]:
    body = _class_body(base)
    texts = _field_texts(body)
    for node in body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            if not name.startswith("_"):
                kind, described = _split_annotation(node.annotation)
                text = texts.get(name, described)
                yield _make_entry(name, owner, EntryKind.PROPERTY, kind, text)
    for name, value in vars(base).items():
        if name.startswith("_"):
            continue
        if isinstance(value, (property, cached_property)):
            getter = value.func if isinstance(value, cached_property) else value.fget
            returns = inspect.signature(getter).return_annotation if getter else ""
            text = inspect.getdoc(value) or ""
            yield _make_entry(name, owner, EntryKind.PROPERTY, _type_text(returns), text)
        elif inspect.isfunction(value) and value.__name__ == name:
            text = inspect.getdoc(value) or ""
            yield _make_entry(name, owner, EntryKind.METHOD, _signature_text(value), text)
    if issubclass(base, Enum):
        for member in base:
            yield _make_entry(member.name, owner, EntryKind.CONSTANT, repr(member.value), "")
    yield from _set_in_init(owner, body)


def _split_annotation(annotation: ast.expr) -> tuple[str, str]:
    """Return the type of a field, and the description that its `Meta` has."""
    if not (isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple)):
        return ast.unparse(annotation), ""
    if ast.unparse(annotation.value) != "Annotated":
        return ast.unparse(annotation), ""
    kind, *others = annotation.slice.elts
    for meta in others:
        for one in meta.keywords if isinstance(meta, ast.Call) else ():
            if one.arg == "description" and isinstance(one.value, ast.Constant):
                return ast.unparse(kind), str(one.value.value)
    return ast.unparse(kind), ""


def _set_in_init(owner: str, body: list[ast.stmt]) -> Iterator[ReferenceEntry]:
    """Yield what `__init__` keeps as it came: `self.board = board`."""
    for node in body:
        if not (isinstance(node, ast.FunctionDef) and node.name == "__init__"):
            continue
        types = {one.arg: one.annotation for one in node.args.args}
        for line, below in pairwise([*node.body, ast.Pass()]):
            target: ast.expr
            annotation: ast.expr | None
            if isinstance(line, ast.AnnAssign):
                target, annotation = line.target, line.annotation
            elif isinstance(line, ast.Assign) and isinstance(line.value, ast.Name):
                target, annotation = line.targets[0], types.get(line.value.id)
            else:
                continue
            if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
                kind = "" if annotation is None else ast.unparse(annotation)
                text = _docstring_in(below)
                yield _make_entry(target.attr, owner, EntryKind.PROPERTY, kind, text)


def _class_body(kind: type) -> list[ast.stmt]:
    tree = _parse_source(import_module(kind.__module__))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            return node.body
    return []


@cache
def _parse_source(module: ModuleType) -> ast.Module:
    return parse_module(Path(module.__file__ or "").read_text(encoding="utf-8"))


def _field_texts(body: list[ast.stmt]) -> dict[str, str]:
    """Return what stands below each assignment, as our fields are described."""
    found = {}
    for node, below in pairwise(body):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and (text := _docstring_in(below)):
            found[target.id] = text
    return found


def _docstring_in(node: ast.stmt) -> str:
    """Return the text that a line consists of; '' for any other line."""
    value = node.value if isinstance(node, ast.Expr) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return inspect.cleandoc(value.value)
    return ""


def _signature_text(value: Callable[..., object]) -> str:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    return _strip_modules(str(signature))


def _type_text(annotation: object) -> str:
    if annotation is inspect.Signature.empty:
        return ""
    return _strip_modules(inspect.formatannotation(annotation))


def _strip_modules(signature: str) -> str:
    """Return a signature without modules and quotes, as authors write it."""
    text = MODULE_PREFIX.sub("", signature).replace(" = ''", ' = ""')
    return text.replace("'", "").replace("~", "")


def _make_entry(name: str, of: str, kind: EntryKind, signature: str, text: str) -> ReferenceEntry:
    return ReferenceEntry(name=name, of=of, kind=kind, signature=signature, text=text)


# -- examples -----------------------------------------------------------------------------------


def _find_examples(document: Path, game: str) -> Iterator[Example]:
    """Yield the Python of a document, with the paragraph before it, by a title of its own.

    That is the heading, with the bold words that the paragraph begins with, or else a number where
    the heading has several. Of sections that are about one game, those of other games are left out.
    """
    seen = Counter[str]()
    for heading, paragraph, code in _find_code_blocks(document):
        if not _is_about(heading, game):
            continue
        lead, text = _split_paragraph(paragraph)
        title = f"{heading}: {lead}" if lead else heading
        seen[title] += 1
        if seen[title] > 1:
            title = f"{title} ({seen[title]})"
        yield Example(title, text, code)


def _find_code_blocks(document: Path) -> Iterator[tuple[str, Token | None, str]]:
    """Yield the Python of a document, each with its heading and the paragraph before it."""
    heading, paragraph = "", None
    for before, token in pairwise(MARKDOWN.parse(document.read_text(encoding="utf-8"))):
        if before.type == "heading_open":
            heading, paragraph = token_text(token), None
        elif before.type == "paragraph_open":
            paragraph = token
        elif token.type == "fence" and token.info == "python":
            yield heading, paragraph, token.content
            paragraph = None


def _split_paragraph(paragraph: Token | None) -> tuple[str, str]:
    """Return the bold words that a paragraph begins with, and its other text; '' for none."""
    if paragraph is None:
        return "", ""
    text, children = token_text(paragraph), paragraph.children or []
    is_bold = [child.type for child in children[:2]] == ["text", "strong_open"]
    lead = children[2].content if is_bold and not children[0].content else ""
    return lead.rstrip("."), text.removeprefix(lead).lstrip()


def _is_about(heading: str, game: str) -> bool:
    """Return whether a section is for authors of a game: it names it, or names none."""
    named = [name for name, one in GAMES.items() if one.title.rstrip("!") in heading]
    return not named or game in named
