"""The documents: what they name exists, and what they show works."""

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import bootstrap
import cli.main
import cli.replay
from cli.command_group import option_words
from engine import ENGINE_VERSION
from tests.cases import for_each
from tests.shell import QUICK, Shell

HOME = bootstrap.HOME
README = (HOME / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (HOME / "docs" / "architecture.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*HOME.glob("*.md"), *HOME.glob("docs/**/*.md"), HOME / "images" / "README.md"])
PRESENT = [path for path in DOCUMENTS if path.name != "CHANGELOG.md"]
"""Those that are about the program as it is now."""
FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)|(?:href|src)=\"([^\"]+)\"")
COMMAND = re.compile(r"python3 (?:-m )?(?:main\.py|replay\.py|[a-z_.]+)[^`\n]*")
TERMS = (
    *("match", "turn", "round", "ply", "half", "activation", "decision", "seat", "team", "player"),
    *("bot", "order", "event", "fault", "replay", "fixture", "pairing", "map pair"),
)


def relative_name(path: Path) -> str:
    return path.relative_to(HOME).as_posix()


def slugs(document: Path) -> set[str]:
    """Return the anchors that GitHub makes of a document's headings."""
    text = FENCE.sub("", document.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def named_paths(text: str) -> Iterator[str]:
    """Yield the files and folders in backticks: `engine/match.py`, `docs/rules/`."""
    for word in re.findall(r"`([\w./-]+)`", text):
        if re.fullmatch(r"\w[\w.-]*/[\w./-]*|\w+\.(?:py|toml|md|json)", word):
            yield word


def tree_paths(text: str) -> Iterator[str]:
    """Yield the paths in the tree of the architecture, whose levels are indented by two."""
    tree = next(block for block in FENCE.findall(text) if "playerCode/" in block)
    above: list[str] = []
    for line in tree.splitlines():
        names, _, _ = line.strip().partition("   ")
        above = above[: (len(line) - len(line.lstrip())) // 2]
        for name in names.split("  "):
            yield "".join([*above, name])
        above.append(names)


def test_the_readme_is_short_and_says_first_what_this_is() -> None:
    lines = README.splitlines()
    assert len(lines) <= 120
    assert lines[2].startswith("A tournament framework for Python bots")


def test_beside_the_rules_there_are_few_pages() -> None:
    pages = [path for path in (HOME / "docs").rglob("*.md") if path.parent.name != "rules"]
    assert len(pages) <= 16


def test_the_bot_of_the_readme_has_ten_lines_and_plays_without_a_fault(tmp_path: Path) -> None:
    (source,) = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert source.count("\n") <= 10
    shell = Shell(tmp_path)
    for name in ("player_mine.py", "player_one.py"):
        shell.bot(name, source)
    result = shell.json("-1", "player_mine", "-2", "player_one", "--seed", "7", *QUICK)
    assert [team["faults"] for team in result["teams"]] == [{}, {}]


def test_the_badges_say_what_the_project_says() -> None:
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = {
        name: (HOME / "images" / f"badge_{name}.svg").read_text(encoding="utf-8")
        for name in ("python", "license")
    }
    assert f"python: {project['requires-python'].removeprefix('>=')}+<" in texts["python"]
    assert f"license: {project['license']}<" in texts["license"]


def test_the_changelog_has_the_release_of_this_version() -> None:
    text = (HOME / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert headings[:2] == ["Unreleased", ENGINE_VERSION]


@for_each("document", DOCUMENTS, name_of=relative_name)
def test_links_of_a_document_lead_somewhere(document: Path) -> None:
    text = FENCE.sub("", document.read_text(encoding="utf-8"))
    links = ["".join(found) for found in LINK.findall(text)]
    for link in links:
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), link
        assert not anchor or anchor in slugs(target), link


@for_each("path", sorted({*named_paths(ARCHITECTURE), *tree_paths(ARCHITECTURE)}))
def test_a_path_in_the_architecture_exists(path: str) -> None:
    assert (HOME / path).exists() or list((HOME / "engine").glob(path))


@for_each("document", PRESENT, name_of=relative_name)
def test_commands_of_a_document_are_there_with_their_options(document: Path) -> None:
    for command in COMMAND.findall(document.read_text(encoding="utf-8")):
        program, *words = command.removeprefix("python3 ").split()
        if program == "-m":
            assert is_module(words[0]), command
        elif program in ("main.py", "replay.py"):
            assert unknown_options(program, words) == [], command


def is_module(name: str) -> bool:
    return name.endswith(".") or find_spec(name.rstrip(".:,")) is not None


def unknown_options(program: str, parts: list[str]) -> list[str]:
    """Return the words that look like options and are none of the program or its command."""
    group = cli.main.cli
    groups = [group] if program == "main.py" else [cli.replay.cli]
    commands = [group.commands[word] for word in parts if word in group.commands]
    if "tournament" in parts:
        commands.append(group.commands["tournament"])
    known = {*option_words([*groups, *commands]), "--help", "-h", "--version"}
    options = [re.split(r"[=,)]", word)[0] for word in parts if re.match(r"--?[a-z1-6]", word)]
    return [option for option in options if option not in known and option != "-m"]


def test_every_option_is_in_the_documents() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in PRESENT)
    documented = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text))
    groups = [cli.main.cli, cli.replay.cli, *cli.main.cli.commands.values()]
    options = [word for word in option_words(groups) if word.startswith("--")]
    words = {re.sub(r"-\d$", "-1", word) for word in options}
    opposites = {word.replace("--", "--no-", 1) for word in documented}
    offered = {word.replace("--no-", "--", 1) for word in documented}
    assert words - documented - opposites - offered == set()


def test_the_glossary_has_the_terms_that_have_one_meaning() -> None:
    text = ARCHITECTURE.partition("\n## Glossary\n")[2]
    rows = re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)
    terms = [term for row in rows for term in row.split(", ")]
    assert set(TERMS) <= set(terms)
    assert len(terms) - terms.count("term") == len(set(terms) - {"term"}), "a term twice"


def test_launch_configurations_have_options_that_exist() -> None:
    launch = json.loads((HOME / ".vscode" / "launch.json").read_text(encoding="utf-8"))
    ours = [
        configuration["args"]
        for configuration in launch["configurations"]
        if configuration.get("program", "").endswith("main.py")
    ]
    assert ours
    for words in ours:
        assert unknown_options("main.py", words) == []
        assert "--in-process" in words
