"""What a tournament can be called."""

import ast
from collections.abc import Iterator
from importlib import import_module

from engine.result_folder import is_own_name
from runners.configuration import HOME
from runners.contests.tournament_request import why_no_name
from tests.cases import for_each

PACKAGES = ("engine", "runners", "visualizer", "report", "server", "cli", "learning")
CHOSEN = ("folder", "result_folder", "name", "path.name")
"""Names of variables, and ends of attributes, of what is a name of ours by another expression."""


def names_in_out() -> Iterator[tuple[str, str]]:
    """Yield each expression of the code that names something in `out`, and where it stands."""
    for package in PACKAGES:
        for path in sorted((HOME / package).rglob("*.py")):
            module = ".".join(path.relative_to(HOME).with_suffix("").parts)
            source = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(source)) if "out / " in source else ():
                if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                    before = ast.unparse(node.left).rpartition(".")[2]
                    if before in ("out", "_out"):
                        yield module, ast.unparse(node.right)


WRITTEN = sorted(set(names_in_out()))


@for_each("module, expression", [one for one in WRITTEN if not one[1].endswith(CHOSEN)])
def test_nothing_that_the_code_writes_is_the_name_of_a_tournament(
    module: str, expression: str
) -> None:
    values = {"game": "smack", "number": 2}
    imported = import_module(module)
    hasattr(imported, "anything")  # executes a module that was imported late
    name = str(eval(expression, {**vars(imported), **values}))
    assert is_own_name(name)
    assert why_no_name(name)


def test_the_names_that_the_code_writes_are_found() -> None:
    assert len(WRITTEN) > 30
    assert ("runners.questions.tuning", "OutName.TUNE") in WRITTEN


@for_each(
    "name",
    [
        *("watch", "write", "smack.sqlite", "games.sqlite-wal", "tournaments.sqlite.moved"),
        *("WATCH", "Series", "bots.", "3_watched.html", "in-process", "again", "built"),
    ],
)
def test_a_name_of_ours_is_refused_in_other_capitals_too(name: str) -> None:
    assert "a file or folder of results is called so" in why_no_name(name)


@for_each("name", ["cup", "watching", "my_bots", "2027.sqlit", "v1.2"])
def test_another_name_is_that_of_a_tournament(name: str) -> None:
    assert why_no_name(name) == ""


def test_a_name_has_letters_of_files() -> None:
    for name in ("", "a/b", ".hidden", "-x", "ä", "x" * 61):
        assert "letters, digits, _, - and . only, and 60 at most" in why_no_name(name)
