"""Counts lines, comments, functions and docstrings.

It counts of a copy, by package: modules, lines, comments and `Any` (each also per so many lines),
functions with the percentage of those within 20 lines and the longest, and docstrings that are
fragments. To compare two versions, run it on a worktree of each. Who may import whom is held by
lint-imports.
"""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from bootstrap import HOME

PACKAGES = (
    *("cli", "server", "report", "learning", "runners", "visualizer", "engine", "playerCode"),
    *("benchmarks", "tests"),
)
ENTRY_POINTS = "."
"""Stands for the modules at the top level."""
SHORT = 20
"""Lines of a function within which it is read at a glance."""
LEFT_OUT = ("bad_bots",)
"""Bots that are wrong on purpose: some cannot be parsed."""
FRAGMENT_OPENERS = {
    *("after", "also", "and", "as", "at", "before", "beside", "but", "by", "else", "for", "from"),
    *("if", "in", "of", "on", "once", "only", "or", "so", "until", "while", "with"),
}
"""A docstring that begins with one of these continues a name rather than being a sentence."""
FUNCTION_FRAGMENT_OPENERS = FRAGMENT_OPENERS | {
    *("how", "none", "what", "when", "where", "whether", "which", "who", "whom", "whose", "why"),
}
"""A function's docstring says what the function does, so these are too little, too."""


class Figures(NamedTuple):
    """What was counted in some modules."""

    modules: int = 0
    lines: int = 0
    comments: int = 0
    anys: int = 0
    docstrings: int = 0
    fragments: int = 0
    functions: int = 0
    short: int = 0
    longest: int = 0

    def plus(self, other: "Figures") -> "Figures":
        """Return the sums; the longest function is that of both."""
        sums = Figures(*(one + two for one, two in zip(self, other, strict=True)))
        return sums._replace(longest=max(self.longest, other.longest))


def count_figures(source: str) -> Figures:
    """Count in one module. Raises: SyntaxError."""
    tree = ast.parse(source)
    imported = {line for node in ast.walk(tree) for line in import_lines(node)}
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    docstrings, lengths = list(docstrings_in(tree)), list(function_lengths(tree))
    return Figures(
        modules=1,
        lines=source.count("\n"),
        comments=sum(token.type == tokenize.COMMENT for token in tokens),
        anys=sum(is_any(token) and token.start[0] not in imported for token in tokens),
        docstrings=len(docstrings),
        fragments=sum(is_fragment(node, text) for node, text in docstrings),
        functions=len(lengths),
        short=sum(length <= SHORT for length in lengths),
        longest=max(lengths, default=0),
    )


def function_lengths(tree: ast.Module) -> Iterator[int]:
    """Yield how many lines each function has, without its decorators."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def import_lines(node: ast.AST) -> range:
    """Return the lines of an import; of anything else none."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return range(0)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def is_any(token: tokenize.TokenInfo) -> bool:
    """Return whether this is the type that says nothing."""
    return token.type == tokenize.NAME and token.string == "Any"


def docstrings_in(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield each docstring with the node it belongs to; below a field, with the module."""
    for node in ast.walk(tree):
        body: object = getattr(node, "body", None)  # of a lambda or a condition: no list
        for index, statement in enumerate(body if isinstance(body, list) else ()):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                text = statement.value.value
                if isinstance(text, str):
                    yield node if index == 0 else tree, text


def is_fragment(node: ast.AST, docstring: str) -> bool:
    """Return whether a docstring begins like one that is no sentence."""
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    openers = FUNCTION_FRAGMENT_OPENERS if is_function else FRAGMENT_OPENERS
    first = docstring.split(maxsplit=1)[:1]
    return bool(first) and first[0].strip(",.:;`'\"").lower() in openers


def figures_below(folder: Path, *, deep: bool = True) -> Figures:
    """Return the sums over the modules of a folder."""
    total = Figures()
    for path in sorted(folder.rglob("*.py") if deep else folder.glob("*.py")):
        if not set(LEFT_OUT) & set(path.parts):
            total = total.plus(count_figures(path.read_text(encoding="utf-8")))
    return total


def row(name: str, figures: Figures) -> str:
    """Return a line of the table."""
    lines = max(figures.lines, 1)
    return (
        f"{name:<12}{figures.modules:>8}{figures.lines:>9}"
        f"{figures.comments:>10}{100 * figures.comments / lines:>7.1f}"
        f"{figures.anys:>6}{1_000 * figures.anys / lines:>7.1f}"
        f"{figures.functions:>11}{100 * figures.short / max(figures.functions, 1):>7.1f}"
        f"{figures.longest:>9}"
        f"{figures.docstrings:>12}{figures.fragments:>11}"
    )


def table(home: Path) -> Iterator[str]:
    """Yield the lines of the table for a checkout."""
    yield (
        f"{'package':<12}{'modules':>8}{'lines':>9}{'comments':>10}{'/100':>7}"
        f"{'Any':>6}{'/1000':>7}{'functions':>11}{'<=20 %':>7}{'longest':>9}"
        f"{'docstrings':>12}{'fragments':>11}"
    )
    shipped = Figures()
    for name in (ENTRY_POINTS, *PACKAGES):
        figures = figures_below(home / name, deep=name != ENTRY_POINTS)
        if figures.modules:
            yield row(name, figures)
        if name not in ("benchmarks", "tests"):
            shipped = shipped.plus(figures)
    yield row("shipped", shipped)


@click.command(help=__doc__)
@click.argument("folder", default=HOME, type=click.Path(exists=True, path_type=Path))
def main(folder: Path) -> None:
    for line in table(folder):
        click.echo(line)
