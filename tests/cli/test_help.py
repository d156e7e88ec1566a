"""What --help says, and what it does not wait for."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import bootstrap
from cli import ask, check, profile, watch
from cli.command_group import SectionedCommand, SectionedGroup
from cli.command_line import option_defaults
from cli.main import COMMANDS, FORMER_COMMANDS, FORMER_OPTIONS, SHARED_OPTIONS, cli
from cli.options import FOR_ONE_MATCH
from cli.play import NOT_FOR_PEOPLE
from cli.replay import cli as replay
from cli.serve import NOT_FOR_SERVERS
from runners.configuration import Configuration
from tests.cases import for_each

HEAVY = (
    *("sqlalchemy", "arcade", "pyglet", "numpy", "rustworkx", "openskill", "PIL", "jinja2"),
    *("tqdm", "asyncio", "multiprocessing", "concurrent"),
    *("engine.games.slime_mind", "engine.bots.finding", "engine.bots.sandbox.trials"),
    *("engine.referee", "runners.storage.database", "runners.planning", "runners.multi_match"),
)
"""What takes long to import, and what imports such things."""
NEEDED = {
    "cli.main versus --help": "numpy",  # computes the usual limits of the test
    "cli.main design --help": "multiprocessing engine.bots.finding engine.bots.sandbox.trials "
    "engine.referee runners.planning",  # tests replace its referee
    "cli.main new --help": "multiprocessing engine.bots.finding",  # knows the templates
    "cli.main new-game --help": "multiprocessing engine.bots.finding",  # stands beside it
}
"""What is needed to show help all the same."""
ASKED = [
    "cli.main --help",
    "cli.main --version",
    *(f"cli.main {name} --help" for table in COMMANDS.values() for name in table),
    "cli.replay --help",
]


@for_each("text", ASKED)
def test_help_waits_for_nothing_that_is_not_needed_for_it(text: str) -> None:
    module, *arguments = text.split()
    code = (
        f"import sys, {module} as asked\n"
        f"try: asked.cli.main({arguments}, standalone_mode=False)\n"
        f"finally: print('imported:', *(name for name in {HEAVY} if name in sys.modules\n"
        "    and type(sys.modules[name]) is type(sys)))"  # a module still to be executed is none
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=bootstrap.HOME, check=True, capture_output=True, text=True
    )
    imported = done.stdout.splitlines()[-1].removeprefix("imported:")
    assert imported.split() == NEEDED.get(text, "").split()


def test_every_command_stands_below_a_heading_with_the_first_words_of_its_help() -> None:
    page = CliRunner().invoke(cli, ["--help", "--all"]).output
    for heading, entries in COMMANDS.items():
        assert f"\n{heading}:\n" in page
        for name, entry in entries.items():
            assert entry.summary in page
            text = " ".join(str(cli.commands[name].help).split())
            assert text.startswith(entry.summary)


@pytest.mark.parametrize("command", [cli, replay], ids=["main", "replay"])
def test_every_section_has_its_heading(command: SectionedGroup | SectionedCommand) -> None:
    page = CliRunner().invoke(command, ["--help", "--all"]).output
    assert "\nOptions:\n" not in page
    assert "\n:\n" not in page
    for heading in command.sections.values():
        assert f"\n{heading}:\n" in page


@for_each("name", [name for table in COMMANDS.values() for name in table])
def test_the_help_of_a_command_names_the_shared_options_that_count_for_it(name: str) -> None:
    page = CliRunner().invoke(cli, [name, "--help", "--all"]).output
    _, section = page.split("\nShared options (cli --help --all explains them):\n")
    shown = {word for line in section.split("\n\n")[0].splitlines() for word in line.split()}
    words = {param.name: "/".join(param.opts) for param in cli.params}
    assert {words[option] for option in SHARED_OPTIONS[name]} <= {word.strip(",") for word in shown}


def commands_and_those_below() -> list[list[str]]:
    inner = [
        [name, below]
        for name, command in cli.commands.items()
        if isinstance(command, click.Group)
        for below in command.commands
    ]
    return [*([name] for name in cli.commands), *inner]


@pytest.mark.parametrize(
    "arguments", [[], ["replay.py"], *commands_and_those_below()], ids=" ".join
)
def test_the_first_page_of_help_fits_a_terminal(arguments: list[str]) -> None:
    is_replay = arguments == ["replay.py"]
    asked = CliRunner().invoke(replay if is_replay else cli, [*arguments[is_replay:], "--help"])
    lines = asked.output.splitlines()
    assert len(lines) <= (24 if arguments else 40)
    assert max(map(len, lines)) <= 80
    assert any("--all" in line or "-h, --help" in line for line in lines)


def test_the_first_page_names_what_can_be_chosen() -> None:
    page = " ".join(CliRunner().invoke(cli, ["new", "--help"]).output.split())
    assert "What it is written in: python, cpp, go, java, node, rust" in page


@pytest.mark.parametrize(
    ("text", "today"),
    [
        ("bots", "info bots"),
        ("-g smac settings", "info settings"),
        ("standings --results sqlite:///none", "report --standings"),
        ("debug player_one --turn 3", "ask --debug"),
        ("--out bots bots", "info bots"),
    ],
)
def test_a_former_command_does_what_is_typed_for_it_now_and_says_so(text: str, today: str) -> None:
    former = text.split()
    name = next(word for word in former if word in FORMER_COMMANDS)
    place = len(former) - 1 - former[::-1].index(name)
    done = CliRunner().invoke(cli, former)
    now = CliRunner().invoke(cli, [*former[:place], *today.split(), *former[place + 1 :]])
    assert done.exit_code == now.exit_code
    assert done.stdout == now.stdout
    assert done.stderr == f"'{name}' is '{today}' now, and goes with version 2.0\n{now.stderr}"


@pytest.mark.parametrize(
    ("command", "former", "today"),
    [(name, *words) for name, options in FORMER_OPTIONS.items() for words in options.items()],
)
def test_a_former_option_is_that_of_today_and_says_so(
    tmp_path: Path, command: str, former: str, today: str
) -> None:
    value = [] if former == "--resume" else ["?"]
    said, now = (
        CliRunner().invoke(cli, ["--out", str(tmp_path), *command.split(), option, *value])
        for option in (former, today)
    )
    assert now.exit_code != 0
    assert f"no such option '{today}'" not in now.stderr
    assert said.stderr == f"'{former}' is '{today}' now, and goes with version 2.0\n{now.stderr}"
    assert (said.exit_code, str(said.exception)) == (now.exit_code, str(now.exception))


def test_a_former_option_as_a_value_or_behind_a_dash_is_left_alone() -> None:
    for words in (["report", "--export", "--games"], ["report", "--", "--games"]):
        assert "goes with version" not in CliRunner().invoke(cli, words).stderr


def test_a_file_of_options_may_call_them_as_before() -> None:
    configuration = Configuration(Path("c.toml"), options={"games": 3, "max": 7})
    found = option_defaults(configuration, cli, but=())
    assert found["tournament"] == found["fairness"] == {"games": "3"}
    assert found["versus"] == found["tune"] == {"most": "7"}


def test_what_is_called_like_a_former_command_is_left_alone() -> None:
    done = CliRunner().invoke(cli, ["--out", "bots", "info", "settings"])
    assert (done.exit_code, done.stderr) == (0, "")


@for_each(
    "name, refused",
    [
        *((name, FOR_ONE_MATCH) for name in ("tournament", "versus", "tune", "fairness")),
        *(("check", check.WITHOUT_EFFECT), ("ask", ask.WITHOUT_EFFECT)),
        ("profile", profile.WITHOUT_EFFECT),
        *(("watch", watch.IGNORED), ("play", NOT_FOR_PEOPLE), ("serve", NOT_FOR_SERVERS)),
    ],
)
def test_no_option_that_is_refused_is_named_as_one_that_counts(
    name: str, refused: tuple[str, ...]
) -> None:
    assert set(SHARED_OPTIONS[name]) & set(refused) == set()
    assert set(SHARED_OPTIONS[name]) <= {param.name for param in cli.params}


def pages() -> list[str]:
    """Return all pages of help."""
    asked = [[], *commands_and_those_below()]
    ours = [CliRunner().invoke(cli, [*words, "--help", "--all"]).output for words in asked]
    return [*ours, CliRunner().invoke(replay, ["--help", "--all"]).output]


@pytest.mark.parametrize("other", ["DIRECTORY", "DIR", "PATH", "player_*"])
def test_a_thing_has_one_word_in_all_pages(other: str) -> None:
    found = [page for page in pages() if re.search(rf"(?<!\w){re.escape(other)}(?!\w)", page)]
    assert found == []


def test_a_bot_is_called_so_wherever_one_is_named() -> None:
    arguments = {
        name: [param.make_metavar(click.Context(command)) for param in command.params[:1]]
        for name, command in cli.commands.items()
        if isinstance(command.params[0] if command.params else None, click.Argument)
        and command.params[0].name in ("file", "bot", "path", "bots")
    }
    assert {word.strip("[].S") for words in arguments.values() for word in words} == {"BOT"}
    assert {"watch", "tune", "check", "ask", "profile", "design"} <= arguments.keys()
