"""The clients of other languages, and the bots to begin with: built, played, rated, replayed."""

from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from engine.bots.finding import Copies, find_bots, read_bot, read_own_files
from engine.bots.programs.manifest import read_manifest
from engine.catalog import find_game
from engine.limits import Limits
from engine.referee import Job, Referee
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.spec import MatchSpec
from runners.authoring.new_bot import Language, NewBot, TemplateName, write_new_bot
from tests import needs
from tests.cases import for_each
from tests.shell import WALKER, Shell

HOME = Path(__file__).resolve().parents[1]
CLIENTS = HOME / "clients"
LUA = HOME / "tests" / "clients" / "player_lua"
TOOLS = {
    Language.CPP: "g++",
    Language.RUST: "cargo",
    Language.NODE: "node",
    Language.GO: "go",
    Language.JAVA: "javac",
}
PATIENT = Limits(cpu_ms=1_000, wall_ms=20_000, load_ms=60_000)
PATIENCE_S = 400
"""Some compilers take seconds, on a busy machine a minute."""
SETTINGS = {"slime_mind": {"max_turns": 120}, "smack": {}}


SHELL_BOTS = {"player_python.py": WALKER}


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Referee, Path]]:
    """Return one referee for all: what it has built is not built again."""
    out = tmp_path_factory.mktemp("clients")
    referee = Referee(out)
    yield referee, out
    referee.close()


def make_bot(folder: Path, game: str, language: Language) -> Path:
    """Return the folder of a bot that `new --language` begins in another."""
    bot = NewBot(
        name="mine",
        game=game,
        template=TemplateName.SIMPLE,
        language=language,
        folder=folder,
        is_own_project=True,
        command="",
    )
    write_new_bot(bot)
    return bot.path


def play_match(referee: tuple[Referee, Path], game: str, *folders: Path) -> MatchResult:
    rules, (judge, out) = find_game(game), referee
    bots = [read_bot(folder) for folder in folders]
    for bot in bots:
        Copies(out / "bots").save(bot)
    spec = MatchSpec(
        game=game,
        rules_version=rules.rules_version,
        settings=rules.settings(**SETTINGS[game]),
        limits=PATIENT,
        bots=tuple(bot.digest for bot in bots),
        seed=3,
    )
    contestants = tuple(Contestant(name=bot.name, digest=bot.digest) for bot in bots)
    return judge.play(Job(spec=spec, contestants=contestants))


@pytest.mark.slow
@pytest.mark.variants(1, all=9)
@pytest.mark.parametrize("language", TOOLS)
@pytest.mark.parametrize("game", SETTINGS)
def test_a_bot_to_begin_with_beats_player_one(
    game: str, language: Language, referee: tuple[Referee, Path], tmp_path: Path
) -> None:
    needs.require_program(TOOLS[language])
    opponent = HOME / "playerCode" / find_game(game).bots / "player_one.py"
    result = play_match(referee, game, make_bot(tmp_path, game, language), opponent)
    assert result.teams[0].faults == {}
    assert result.winner == 1


@pytest.mark.slow
@needs.program("go")
@needs.program("git")
def test_a_bot_in_go_is_built_in_a_checkout_that_git_does_not_read(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    bot = make_bot(tmp_path, "slime_mind", Language.GO)
    referee = Referee(tmp_path / "results")
    result = play_match((referee, tmp_path / "results"), "slime_mind", bot, bot)
    referee.close()
    assert [team.faults for team in result.teams] == [{}, {}]


@pytest.mark.slow
@needs.program("lua5.4", "lua5.3", "lua")
def test_a_bot_in_lua_that_was_written_by_the_document_beats_player_one(
    referee: tuple[Referee, Path],
) -> None:
    result = play_match(referee, "slime_mind", LUA, HOME / "playerCode" / "player_one.py")
    assert (result.teams[0].faults, result.winner) == ({}, 1)


@for_each("language", TOOLS)
@for_each("game", SETTINGS)
def test_a_bot_that_is_begun_in_another_language_is_complete(
    game: str, language: Language, tmp_path: Path
) -> None:
    made = make_bot(tmp_path / game / language, game, language)
    bot = read_bot(made)
    assert (bot.flaw, bot.title, bot.author) == ("", "Mine", "")
    assert read_manifest((made / "bot.toml").read_bytes()).game == game
    example = read_own_files(CLIENTS / f"player_{language}")
    assert read_own_files(made).keys() == example.keys()


def test_a_folder_of_clients_to_copy_is_a_bot() -> None:
    assert {bot.path.name: bot.flaw for bot in find_bots(CLIENTS)} == {
        f"player_{language}": "" for language in TOOLS
    }


@pytest.mark.slow
def test_a_tournament_of_all_languages_has_a_table_and_a_report(shell: Shell) -> None:
    here = [str(CLIENTS / f"player_{name}") for name, tool in TOOLS.items() if which(tool)]
    if which("lua5.4"):
        here.append(str(LUA))
    if len(here) < 2:
        needs.skip(f"two of {', '.join((*TOOLS.values(), 'lua5.4'))}")
    parts = ("tournament", *here, "player_python", "--set", "max_turns=6", "--jobs", "1")
    limits = ("--limit", "cpu_ms=1000", "--limit", "load_ms=60000")
    process = shell.start(*parts, *limits)
    said, _ = process.communicate(timeout=PATIENCE_S)
    names = [Path(path).name for path in here]
    for name in (*names, "player_python"):
        assert name in said
    assert "played, over" in said
    page = (shell.home / "results" / "tournament" / "report" / "index.html").read_text()
    assert [name for name in names if name not in page] == []


@pytest.mark.slow
def test_a_program_is_listed_and_played_again_by_its_digest(shell: Shell) -> None:
    needs.require_program("node")
    listed = shell.run("info", "bots", str(CLIENTS)).out
    assert "player_node" in listed
    assert "Grazer in JavaScript, 1, by Slime Mind" in listed
    parts = ("--set", "max_turns=5", "--seed", "7", "--limit", "cpu_ms=1000")
    node = str(CLIENTS / "player_node")
    first = shell.json("-1", node, "-2", node, *parts)
    again = shell.json("--match", first["key"])
    assert again["fingerprint"] == first["fingerprint"]
