"""`main.py new`: what an author begins with."""

import ast
import json
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

import bootstrap
from engine.bots.finding import read_bot
from engine.catalog import GAMES
from runners.authoring.new_bot import PROJECT_FILES, TEMPLATES, Language, TemplateName
from tests import needs
from tests.cli.authors import Author, read_error

QUICK = [("slime_mind", "simple"), ("slime_mind", "learning"), ("smack", "simple")]


def cases() -> list[object]:
    """Every game with every template; those that play longer are slow."""
    return [
        pytest.param(game, template, marks=() if (game, template) in QUICK else pytest.mark.slow)
        for game in GAMES
        for template in TemplateName
    ]


@pytest.mark.parametrize(("game", "template"), cases())
def test_a_new_bot_plays_without_a_fault(author: Author, game: str, template: str) -> None:
    author.ok("-g", game, "new", "mine", "--template", template)
    preset = ("--preset", "small") if game == "game_of_death" else ()
    report = author.json("-g", game, *preset, "check", "player_mine", "--turns", "3")
    assert report["problems"] == []
    assert report["game"] == game


@pytest.mark.parametrize("game", GAMES)
def test_a_new_bot_is_named_and_says_what_to_type(author: Author, game: str) -> None:
    author.ok("-g", game, "new", "big_one", "--here")
    bot = read_bot(author.home / "big_one.py")
    assert (bot.title, bot.flaw) == ("Big One", "")
    docstring = str(ast.get_docstring(ast.parse((author.home / "big_one.py").read_text())))
    assert "check big_one.py" in docstring
    assert "player_base" not in docstring


def test_a_project_has_everything_and_files_that_parse(author: Author) -> None:
    author.ok("-g", "smack", "new", "mine", "--here", "--template", "learning")
    made = {path.relative_to(author.home).as_posix() for path in author.home.rglob("*.*")}
    assert made >= {
        *PROJECT_FILES,
        *("mine/__init__.py", "mine/parameters.json"),
        *("test_mine.py", "train_mine.py", "mine.positions.toml"),
    }
    for path in author.home.glob("*.toml"):
        assert tomllib.loads(path.read_text()) is not None
    for path in (author.home / ".vscode").glob("*.json"):
        assert json.loads(path.read_text())
    assert tomllib.loads((author.home / "config.toml").read_text())["options"]["game"] == "smack"
    texts = [path.read_text() for path in author.home.glob("*.*") if path.is_file()]
    assert not any(word in text for text in texts for word in ("$name", "$bot", "$command"))


def test_a_second_bot_leaves_the_project_as_it_is(author: Author) -> None:
    author.ok("new", "one", "--here")
    (author.home / "pyproject.toml").write_text("# mine\n")
    out = author.ok("new", "two", "--here")
    assert "kept pyproject.toml, which was there" in out
    assert (author.home / "pyproject.toml").read_text() == "# mine\n"


def test_nothing_is_overwritten(author: Author) -> None:
    author.ok("new", "mine")
    path = author.home / "playerCode" / "player_mine.py"
    path.write_text("# my work")
    assert "is there already, and nothing was written" in read_error(author.run("new", "mine"))
    assert path.read_text() == "# my work"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new"], "new needs a NAME"),
        (["new", "a-b"], "cannot be the name of a bot"),
        (["new", "../x"], "cannot be the name of a bot"),
        (["new", "class", "--here"], "cannot be the name of a bot"),
        (["new", "x" * 50], "has at most 40 letters"),
        (["new", "base"], "is the name of something else"),
        (["new", "json", "--here"], "is the name of something else"),
        (["new", "x", "--template", "serch"], "did you mean 'search'?"),
        (["new", "x", "--language", "go", "--template", "search"], "search is in Python"),
        (["-g", "smac", "new", "x", "--language", "go"], "expected -g slime_mind or smack"),
    ],
    ids=lambda arguments: " ".join(arguments) if isinstance(arguments, list) else "",
)
def test_a_name_that_cannot_be_is_refused(
    author: Author, arguments: list[str], message: str
) -> None:
    assert message in read_error(author.run(*arguments))
    assert list(author.home.rglob("*.*")) == []


def test_an_installed_copy_makes_bots_in_a_folder_of_ones_own_alone(
    author: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    (author.home / "playerCode").rmdir()
    monkeypatch.setattr("runners.authoring.new_bot.IS_INSTALLED", True)
    assert "with --here the bot and a project" in read_error(author.run("new", "mine"))


def test_of_a_template_that_was_removed_the_others_are_named(
    author: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.authoring.new_bot.find_file", lambda place: author.home)
    said = read_error(author.run("new", "mine", "--template", "search"))
    assert "search.py is missing; put the file back" in said
    assert said.endswith("choose another template: simple, learning")


def test_every_template_is_of_a_game() -> None:
    found = {path.name for path in TEMPLATES.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert found == {*GAMES, "project", "game"}


@pytest.mark.slow
@pytest.mark.parametrize("language", [Language.PYTHON, Language.NODE])
def test_the_tests_of_a_new_bot_pass(author: Author, language: Language) -> None:
    if language is not Language.PYTHON and which(language) is None:
        needs.skip(language)
    author.ok("new", "mine", "--here", "--language", language)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=author.home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed, 1 skipped" in done.stdout  # there is no position yet


@pytest.mark.exhaustive
@pytest.mark.parametrize("template", TemplateName)
def test_a_new_project_passes_strict_mypy(author: Author, template: str) -> None:
    for game in GAMES:
        author.ok("-g", game, "new", f"my_{game}", "--here", "--template", template)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "."],
        cwd=author.home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_templates_pass_strict_pyright(author: Author) -> None:
    if find_spec("pyright") is None:
        needs.skip("pyright (pip install pyright[nodejs])")
    for game in GAMES:
        for template in TemplateName:
            author.ok("-g", game, "new", f"my_{game}_{template}", "--here", "--template", template)
    pyproject, table = author.home / "pyproject.toml", "[tool.pyright]"
    strict = f'{table}\ntypeCheckingMode = "strict"'
    pyproject.write_text(pyproject.read_text().replace(table, strict))
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable],
        cwd=author.home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_training_keeps_weights_that_win(author: Author) -> None:
    author.ok("-g", "smack", "new", "mine", "--here", "--template", "learning")
    script = author.home / "train_mine.py"
    text = (
        script.read_text()
        .replace("ROUNDS = 50", "ROUNDS = 1")
        .replace("MATCHES = 10", "MATCHES = 2")
    )
    script.write_text(text)
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=bootstrap.HOME,
        env={"SLIME_MIND_NO_BOOTSTRAP": "1", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("round 1: ")
    assert Path(author.home, "mine", "parameters.json").exists()
