"""The code and the documents are as long as tests/budget.toml allows, or shorter."""

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

from bootstrap import HOME

BUDGET = tomllib.loads(Path(__file__).with_name("budget.toml").read_text(encoding="utf-8"))
NOT_OURS = {"node_modules", "built", "__pycache__"}
SUFFIXES = {
    "python": ".py",
    "javascript": ".js",
    "style_sheets": ".css",
    "templates": ".html",
    "words": ".md",
}
PRODUCT = ("cli", "engine", "learning", "report", "runners", "server", "visualizer")


def find_files(name: str, suffix: str) -> list[Path]:
    """Return the files of a folder that have a suffix, or the file of that name."""
    paths = [HOME / name] if name.endswith(suffix) else (HOME / name).rglob(f"*{suffix}")
    return [path for path in paths if not NOT_OURS.intersection(path.parts)]


def measure(paths: Iterable[Path], split: Callable[[str], list[str]]) -> int:
    """Return how many pieces the texts of files have in all."""
    return sum(len(split(path.read_text(encoding="utf-8"))) for path in paths)


def test_no_folder_is_longer_than_its_budget() -> None:
    over = []
    for kind, suffix in SUFFIXES.items():
        split = str.split if kind == "words" else str.splitlines
        for name, most in BUDGET[kind].items():
            found = measure(find_files(name, suffix), split)
            if found > most:
                over.append(f"{kind} of {name}: {found}, and at most {most} are allowed")
    assert over == [], "take out as much as you add, or raise the row and say why"


def test_every_folder_of_python_has_a_budget() -> None:
    folders = {path.parent.name for path in HOME.glob("*/__init__.py")}
    assert folders <= BUDGET["python"].keys()


def test_the_product_has_no_more_modules_than_its_budget() -> None:
    modules = [path for name in PRODUCT for path in find_files(name, ".py")]
    assert len(modules) <= BUDGET["modules"]["product"]
