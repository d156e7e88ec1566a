"""The commands of README and docs are typed as they stand there, page by page.

Those that cannot be typed here are listed with the reason. Each can be pasted into a shell.
"""

import re
import subprocess
from pathlib import Path

import pytest

from runners.configuration import HOME
from tests import needs
from tests.cases import for_each
from tests.document_blocks import Block, find_blocks
from tests.typed_page import TypedPage

PAGES = [HOME / "README.md", HOME / "CONTRIBUTING.md", *sorted((HOME / "docs").rglob("*.md"))]
INSTALLS = "installs packages; tests/test_installed.py does so"
SYSTEM = "changes the system, as root; tests/server/test_deployment.py reads those files"
OTHERS = "needs another host or program: PostgreSQL, a proxy, containers, a cluster"
SCREEN = "needs a screen, a terminal or a person"
LONG = "takes minutes"
SHELL_FILES = "changes files of the shell"
NOT_TYPED = {
    r"git clone|python3 bootstrap\.py|source |pip install|slime-mind-arena ": INSTALLS,
    r"(echo|mkdir -p) .*(bashrc|zshrc|fish)": SHELL_FILES,
    r"python3 -m (tests|learning|slime_mind_arena\.learning|docs\.site|benchmarks\.audits)\b": LONG,
    r"python3 main\.py (watch\b|ask .*--debug)": SCREEN,
    r"python3 (main|replay)\.py .*--render (terminal|web)": SCREEN,
    r"python3 replay\.py( FILE --as-team 2)?( +#|$)": SCREEN,
    r"python3 main\.py serve --(unix-socket|port 8002|public-path)": OTHERS,
    r"python3 main\.py .*--cluster|PGPASSWORD": OTHERS,
    r"python3 main\.py (-g smac -r tournament|-r tournament --name)": LONG,
    r"python3 main\.py admin (disqualify|play|sources)": "needs bots that were handed in",
    r"createdb|dask|openssl|curl|podman|java |link=|game=|ARENA_NAME=|export ": OTHERS,
    r"python3 main\.py admin .*(URL|--from results|spring_cup)": OTHERS,
    r"python3 main\.py (report spring_cup|submit)": OTHERS,
    r"python3 clients/remote|python3 main\.py -1 player_far": OTHERS,
    r"groupadd|useradd|install|runuser|systemctl|mkdir -m|python3 -m venv|/opt/": SYSTEM,
    r"python3 main\.py tune ": "needs a bot with those numbers; tests/cli/test_tune.py",
    r"python3 main\.py new mine --language": "needs Rust; tests/test_clients.py has such bots",
    r"python3 main\.py --continue( 3f9a)?( +#|$)": "needs an interrupted match; test_continuing.py",
}
"""Beginnings of commands, and why they are not typed here."""
ELSEWHERE = {
    "README.md": "tests/test_first_hour.py",
    "docs/tutorial.md": "tests/test_tutorial.py",
    "docs/adding_a_game.md": "tests/test_adding_a_game.py",
}
"""Pages whose commands a test of their own types."""

pytestmark = needs.SHELL


def relative_name(page: Path) -> str:
    return page.relative_to(HOME).as_posix()


def shell_blocks(page: Path) -> list[Block]:
    return [block for block in find_blocks(page) if block.language == "bash"]


def reasons_against(command: str) -> list[str]:
    return [begin for begin in NOT_TYPED if re.match(begin, command)]


def find_commands(page: Path) -> list[str]:
    commands = [command for block in shell_blocks(page) for command in block.commands]
    return [command for command in commands if not reasons_against(command)]


TYPED = [page for page in PAGES if find_commands(page) and relative_name(page) not in ELSEWHERE]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", TYPED, ids=relative_name)
def test_each_command_of_a_page_works(page: Path, tmp_path: Path) -> None:
    typed = TypedPage(tmp_path / "clone")
    commands = find_commands(page)
    if "main.py admin" in commands[0]:
        typed.type("python3 main.py serve")
    for command in commands:
        typed.type(command)
    assert typed.failed == {}


@for_each("page", PAGES, name_of=relative_name)
def test_what_stands_between_fences_says_what_it_is(page: Path) -> None:
    unnamed = [block.line for block in find_blocks(page) if not block.language]
    assert unnamed == [], "begin a block of commands with ```bash, other text with ```text"


@needs.program("bash")
@for_each("page", [page for page in PAGES if shell_blocks(page)], name_of=relative_name)
def test_blocks_of_commands_can_be_pasted(page: Path) -> None:
    for block in shell_blocks(page):
        done = subprocess.run(
            ["bash", "-n"], input=block.text, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), f"line {block.line}"
        commands = [line for line in block.commands if line.startswith("python3")]
        explained = [line for line in commands if re.search(r"\S {2,}[^#\s-]", line.split("#")[0])]
        assert explained == [], "put explanations behind #"


def test_each_reason_not_to_type_a_command_has_one() -> None:
    commands = [
        command for page in PAGES for block in shell_blocks(page) for command in block.commands
    ]
    used = {begin for command in commands for begin in reasons_against(command)}
    assert used == set(NOT_TYPED)
