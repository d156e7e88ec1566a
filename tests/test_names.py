"""Names say what they do: functions are verbs or what they return, and limits are MAX_ or MIN_."""

import ast
import re
from functools import cache
from itertools import chain

from bootstrap import HOME

PRODUCT = ("cli", "engine", "learning", "report", "runners", "server", "visualizer")
IRREGULAR = {
    *("begun", "built", "bound", "bought", "brought", "chosen", "drawn", "driven", "fallen"),
    *("found", "forgotten", "given", "gone", "heard", "held", "hidden", "kept", "known", "laid"),
    *("led", "left", "lent", "lost", "made", "meant", "met", "overridden", "paid", "said", "seen"),
    *("sent", "shown", "sold", "stolen", "stuck", "taken", "taught", "thrown", "told"),
    *("understood", "won", "written"),
}
"""Past participles that do not end in -ed."""
NO_PARTICIPLES = {
    *("embed", "exceed", "feed", "indeed", "need", "proceed", "seed", "speed", "succeed")
}
MAX_SHARE = 0.02
MAX_OF = 60
"""Functions whose name ends in `_of`."""
MAX_ANY = 3.0
"""Uses of `Any`, its imports too, per 1 000 lines: where a type is known it stands there."""
OLD_LIMIT = re.compile(r"_?(MOST|LONGEST|LEAST)(_|$)")


@cache
def find_names() -> list[tuple[type, str]]:
    """Return the names of the product's functions, and those that it assigns to."""
    names: list[tuple[type, str]] = []
    for folder in PRODUCT:
        for path in (HOME / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    is_property = any("property" in ast.unparse(by) for by in node.decorator_list)
                    names.append((property if is_property else ast.FunctionDef, node.name))
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    names.append((ast.Name, node.id))
    return names


def find_functions() -> list[str]:
    return [name for kind, name in find_names() if kind is ast.FunctionDef]


def is_participle(word: str) -> bool:
    return word in IRREGULAR or (word.endswith("ed") and word not in NO_PARTICIPLES)


def test_hardly_a_function_is_named_by_a_participle() -> None:
    """A property may be: it is an adjective."""
    functions = find_functions()
    named = [name for name in functions if is_participle(name.strip("_").split("_")[0])]
    assert len(named) / len(functions) <= MAX_SHARE, sorted(named)


def test_few_functions_end_in_of() -> None:
    named = [name for name in find_functions() if name.endswith("_of")]
    assert len(named) <= MAX_OF, sorted(named)


def test_limits_are_named_max_and_min() -> None:
    limits = {name for kind, name in find_names() if kind is ast.Name and OLD_LIMIT.match(name)}
    assert limits == set()


def test_any_is_rare() -> None:
    texts = [
        path.read_text(encoding="utf-8")
        for folder in PRODUCT
        for path in (HOME / folder).rglob("*.py")
    ]
    uses = sum(len(re.findall(r"\bAny\b", text)) for text in texts)
    assert 1_000 * uses / sum(text.count("\n") for text in texts) <= MAX_ANY


def test_functions_of_scripts_are_verbs_too() -> None:
    """A callback of a listener is `on...`; what is true or false begins with `is`, `has`, `was`."""
    paths = (HOME / "web").glob("[!bn]*/*.js"), (HOME / "web/boards").glob("*.js")
    texts = [path.read_text(encoding="utf-8") for path in chain(*paths)]
    names = [name for text in texts for name in re.findall(r"function\*? (\w+)\(", text)]
    assert [name for name in names if is_participle(re.split("(?=[A-Z])", name)[0])] == []
    assert [name for name in names if name.endswith("Of")] == []
