"""How our programs are typed, as they were started or as they lie here."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bootstrap import HOME
from engine.support import typed_commands as module
from engine.support.typed_commands import TypedCommands, detect_commands, in_examples, shorten_paths
from tests.cases import for_each

EXAMPLES = (
    "  python3 main.py info bots  all\n  python3 main.py play  one\nconfig.toml beside main.py"
)


@for_each(
    "started, main, replay",
    [
        ("main.py", "python3 main.py", "python3 replay.py"),
        ("replay.py", "python3 main.py", "python3 replay.py"),
        ("/a/b/main.py", "python3 /a/b/main.py", "python3 /a/b/replay.py"),
        ("my games/main.py", "python3 'my games/main.py'", "python3 'my games/replay.py'"),
        ("/usr/bin/slime-mind-arena", "slime-mind-arena", "slime-mind-arena-replay"),
        ("slime-mind-arena-replay.exe", "slime-mind-arena", "slime-mind-arena-replay"),
        (
            "/usr/lib/slime_mind_arena/__main__.py",
            "python3 -m slime_mind_arena",
            "slime-mind-arena-replay",
        ),
        ("/usr/lib/pytest/__main__.py", "python3 main.py", "python3 replay.py"),
        ("my_program.py", "python3 main.py", "python3 replay.py"),
        ("", "python3 main.py", "python3 replay.py"),
    ],
)
def test_a_user_types_what_was_typed_before(started: str, main: str, replay: str) -> None:
    assert detect_commands(started) == TypedCommands(main, replay)


def test_a_program_that_uses_an_installed_copy_is_told_its_commands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "IS_INSTALLED", True)
    assert detect_commands("my_program.py").main == "slime-mind-arena"


def test_examples_stay_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_examples(EXAMPLES) == EXAMPLES
    monkeypatch.setattr(module, "IS_INSTALLED", True)
    monkeypatch.setattr("sys.argv", ["/usr/bin/slime-mind-arena"])
    assert in_examples(EXAMPLES) == (
        "  slime-mind-arena info bots  all\n  slime-mind-arena play  one\n"
        "config.toml of the current folder"
    )


def test_paths_below_are_named_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"{tmp_path}/a.py: no bot; /else{tmp_path}/a.py and {tmp_path.parent}/a.py stay"
    assert shorten_paths(text) == text.replace(f"{tmp_path}/", "", 1)
    monkeypatch.chdir("/")
    assert shorten_paths("/etc/a") == "/etc/a"


NAMED_ELSEWHERE = {
    "cli/main.py": "its examples",
    "cli/replay.py": "its examples",
    "engine/support/typed_commands.py": "where all others have it from",
    "runners/authoring/new_bot.py": "the file that a bot's own project starts",
    "server/site/starter_kit.py": "the kit has a main.py",
    "visualizer/watching/viewer_process.py": "the file that is started",
}


def test_messages_have_the_names_of_our_programs_from_one_place() -> None:
    """Docstrings say `main.py` as documents do; texts that are shown to somebody do not."""
    named = set()
    for part in ("cli", "server", "report", "learning", "runners", "visualizer", "engine"):
        for path in (HOME / part).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            if any("main.py" in text or "replay.py" in text for text in _texts_in(tree)):
                named.add(path.relative_to(HOME).as_posix())
    assert named == NAMED_ELSEWHERE.keys()


def _texts_in(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of a module that are no docstrings: those stand as statements."""
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as text) if id(node) not in statements:
                yield text
