"""The command line, used as a newcomer, a bot's author and an organizer use it."""

import csv
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.replays.reading import Replay
from tests import needs
from tests.shell import BITER, BOT, CHATTER, QUICK, WALKER, Shell
from tests.visualizer.painting import GREEN, RED, middle_color, picture_color, write_blob
from visualizer.watching.watch import sprites_for

KEY = "[0-9a-f]{16}"


def slow(*values: object) -> Any:
    return pytest.param(*values, marks=pytest.mark.slow)


SHELL_BOTS = {"player_walker.py": WALKER, "player_biter.py": BITER}


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Make a shell for commands that leave nothing behind."""
    shell = Shell(tmp_path_factory.mktemp("asker"))
    shell.bot("player_walker.py", WALKER)
    shell.bot("player_biter.py", BITER)
    return shell


def names(result: dict[str, list[dict[str, dict[str, str]]]]) -> list[str]:
    return [team["bot"]["name"] for team in result["teams"]]


# -- who plays -------------------------------------------------------------------------------


def test_without_any_option_two_bots_of_player_code_play_a_match(shell: Shell) -> None:
    (shell.home / "config.toml").write_text("[settings]\nmax_turns = 3\n")
    done = shell.run()
    assert (done.code, done.err) == (0, "")
    assert {"player_biter", "player_walker"} <= set(done.out.split())


def test_the_template_is_never_drawn_at_random(shell: Shell) -> None:
    shell.bot("player_base.py", WALKER)
    shell.bot("player_broken.py", "no Python")
    result = shell.json("-r", "multi_match", "-m", "1", *QUICK)
    assert {bot["name"] for bot in result["players"]} == {"player_biter", "player_walker"}


def test_a_bot_is_meant_by_file_name_by_name_or_by_path(shell: Shell) -> None:
    path = shell.bot("elsewhere/mine.py", WALKER)
    folder = shell.bot("elsewhere/ours/__init__.py", WALKER).parent
    first = shell.json("-1", "player_biter.py", "-2", "player_walker", *QUICK)
    second = shell.json("-1", str(path), "-2", "elsewhere/ours", *QUICK)
    third = shell.json("-1", str(folder), "-2", "elsewhere/mine.py", *QUICK)
    assert [names(match) for match in (first, second, third)] == [
        ["player_biter", "player_walker"],
        ["mine", "ours"],
        ["ours", "mine"],
    ]


def test_bots_are_found_from_another_folder(shell: Shell, tmp_path: Path) -> None:
    away = tmp_path / "away from home"
    away.mkdir()
    done = shell.run("-q", "-v", *QUICK, cwd=away)
    assert done.code == 0
    (again,) = re.findall("play it again:  python3 (.*)", done.out)
    assert again.startswith("../main.py --match ")
    assert shell.run(*again.split()[1:], cwd=away).code == 0


def test_a_bot_may_play_itself(shell: Shell) -> None:
    done = shell.run("-1", "player_biter", "-2", "player_biter", "--seed", "1", *QUICK)
    assert done.code == 0
    assert "player_biter (1): 2 slimes" in done.out
    assert "player_biter (2): 2 slimes" in done.out


def test_bots_lists_what_is_found_and_why_a_file_is_no_bot(shell: Shell) -> None:
    shell.bot("player_said.py", 'NAME, AUTHOR = "x", "y"\nNAME = "Sam"\nAUTHOR = "Ann"\n' + WALKER)
    shell.bot("player_torn.py", "class Player(")
    shell.bot("player_empty.py", "")
    shell.bot("player_needy.py", 'NEEDS = ["torch"]\n' + WALKER)
    shell.bot("notes.py", WALKER)
    done = shell.run("info", "bots")
    assert done.code == 0
    piece_id = {line.split()[0]: " ".join(line.split()[2:]) for line in done.out.splitlines()[1:]}
    assert piece_id == {
        "player_biter.py": "",
        "player_empty.py": "NOT A VALID BOT: defines no class Player",
        "player_needy.py": "needs torch",
        "player_said.py": "Sam, by Ann",
        "player_torn.py": "NOT A VALID BOT: syntax error in line 1: '(' was never closed",
        "player_walker.py": "",
    }


def test_a_bot_whose_package_was_not_allowed_is_not_drawn_and_is_told_by_name(shell: Shell) -> None:
    shell.bot("player_needy.py", 'NEEDS = ["click"]\nimport click\n' + WALKER)
    shell.bot("player_walker.py", 'NEEDS = ["click"]\nimport click\n' + WALKER)
    drawn = shell.json(*QUICK)
    assert names(drawn) == ["player_biter", "player_biter"]
    refused = shell.run("-1", "player_needy", *QUICK)
    assert refused.code == 2
    assert "(--allow-package click)" in refused.err


def test_an_allowed_package_can_be_imported(shell: Shell) -> None:
    shell.bot("player_needy.py", 'NEEDS = ["click"]\nimport click\n' + WALKER)
    result = shell.json("-1", "player_needy", "--allow-package", "click", *QUICK)
    assert [team["faults"] for team in result["teams"]] == [{}, {}]
    assert result["spec"]["packages"] == ["click"]


# -- sprites ---------------------------------------------------------------------------------


def find_saved_sprites(shell: Shell, bot: dict[str, str]) -> dict[str, str]:
    """The pictures kept of a bot, told apart by their colors."""
    folder = shell.home / "results/sprites" / bot["digest"]
    return {path.name: picture_color(path.read_bytes()) for path in folder.glob("*")}


@pytest.mark.parametrize("runner", ["single_match", "multi_match"])
def test_pictures_beside_a_bot_are_kept_for_its_replays(shell: Shell, runner: str) -> None:
    write_blob(shell.home / "playerCode/player_biter.png", RED)
    write_blob(shell.home / "playerCode/player_biter_5.png", GREEN)
    result = shell.json(
        *("-r", runner, *(["-m", "2"] if runner == "multi_match" else [])),
        *("-1", "player_biter", "-2", "player_walker", *QUICK),
    )
    bots = result["players"] if runner == "multi_match" else [t["bot"] for t in result["teams"]]
    assert find_saved_sprites(shell, bots[0]) == {"base.png": RED, "5.png": GREEN}
    assert find_saved_sprites(shell, bots[1]) == {}


def slime_colors(shell: Shell, match: dict[str, Any]) -> list[str]:
    """The colors of the slimes of a match, of level 1, as viewers draw them."""
    sprites = sprites_for(Replay(shell.home / match["replay"]), shell.home / "results")
    return [middle_color(sprites.image(f"slime_{team}:1", 256)) for team in (1, 2)]


def test_a_picture_asked_for_is_that_of_one_match_and_of_one_team(shell: Shell) -> None:
    write_blob(shell.home / "playerCode/player_biter.png", RED)
    wished = write_blob(shell.home / "wished.png", GREEN)
    mirror = ("-1", "player_biter", "-2", "player_biter")
    match = shell.json(*mirror, "--sprite-1", str(wished), *QUICK, "--seed", "7")
    assert slime_colors(shell, match) == [GREEN, RED]
    assert find_saved_sprites(shell, match["teams"][0]["bot"]) == {"base.png": RED}
    assert slime_colors(shell, shell.json("--match", match["key"])) == [GREEN, RED]
    another = shell.json(*mirror, *QUICK, "--seed", "77")
    assert slime_colors(shell, another) == [RED, RED]
    without = shell.json(*mirror, *QUICK, "--seed", "7")
    assert without["key"] == match["key"]
    assert slime_colors(shell, without) == [RED, RED]


def test_a_picture_asked_for_stays_with_its_bot_in_all_matches_of_a_series(shell: Shell) -> None:
    wished = write_blob(shell.home / "wished.png", GREEN)
    arguments = ("-1", "player_biter", "-2", "player_walker", "--sprite-1", str(wished))
    series = shell.json("-r", "multi_match", "-m", "2", *arguments, *QUICK)
    for match in series["results"]:
        teams = [team["bot"]["name"] for team in match["teams"]]
        shown = slime_colors(shell, match)
        assert [color == GREEN for color in shown] == [name == "player_biter" for name in teams]
    assert find_saved_sprites(shell, series["players"][0]) == {}


def test_a_wrong_picture_beside_a_bot_stops_us_before_the_match(asker: Shell) -> None:
    path = asker.home / "playerCode/player_biter_king.png"
    path.write_text("a king")
    done = asker.run("-1", "player_biter", "-2", "player_walker")
    path.unlink()
    assert (done.code, done.out) == (2, "")
    assert "player_biter_king.png: is not a PNG file; a sprite is a square PNG picture" in done.err
    assert not (asker.home / "results").exists()


# -- settings --------------------------------------------------------------------------------


def settings(shell: Shell, *arguments: str) -> dict[str, str]:
    done = shell.run("info", "settings", *arguments)
    assert done.code == 0, done
    lines = [line.split() for line in done.out.splitlines() if " = " in line]
    return {line[0]: line[2] for line in lines}


def test_what_is_said_closer_to_the_command_wins(shell: Shell) -> None:
    file = shell.home / "mine.toml"
    file.write_text("rows = 12\nrock_pairs = 3\n")
    shown = settings(shell, "--preset", "small", "--settings", str(file), "--set", "rock_pairs=4")
    assert (shown["columns"], shown["rows"], shown["rock_pairs"]) == ("16", "12", "4")


def test_config_toml_gives_settings_limits_and_options(shell: Shell) -> None:
    (shell.home / "config.toml").write_text(
        '[settings]\nmax_turns = 2\n[limits]\ncpu_ms = 70\n[options]\nplayer_1 = "player_biter"\n'
        'preset = "small"\nreplay = false\nout = "kept"\nseed = 5\nquiet = true\n'
    )
    result = shell.json("--set", "max_turns=4", "--limit", "wall_ms=900")
    spec = result["spec"]
    assert names(result)[0] == "player_biter"
    assert spec["seed"] == "5"
    assert (spec["settings"]["columns"], spec["settings"]["max_turns"]) == (16, 4)
    assert (spec["limits"]["cpu_ms"], spec["limits"]["wall_ms"]) == (70, 900)
    assert result["replay"] is None
    assert (shell.home / "kept/matches" / result["key"] / "match.json").exists()


@pytest.mark.parametrize("word", ["0", "false", '"none"'])
def test_render_may_be_a_number_and_a_python_file_of_it_is_answered(
    shell: Shell, word: str
) -> None:
    (shell.home / "config.toml").write_text(f"[options]\nrender = {word}\n")
    (shell.home / "config.py").write_text("columns = 9\nrender = 1\n")
    done = shell.run("info", "bots")
    assert done.code == 0
    assert "config.py is not read: instead of `render = 1` say --render none" in done.err
    assert "instead of `columns = 9` say --set NAME=VALUE" in done.err


def test_an_option_wins_over_config_toml(shell: Shell) -> None:
    (shell.home / "config.toml").write_text('[options]\nseed = 5\npreset = "large"\nreplay=false\n')
    result = shell.json("--seed", "6", "--preset", "small", "--replay", "--set", "max_turns=2")
    assert (result["spec"]["seed"], result["spec"]["settings"]["columns"]) == ("6", 16)
    assert Path(shell.home / result["replay"]).exists()


@pytest.mark.parametrize(
    ("config", "text"),
    [
        ("rows = 5", "config.toml: unknown 'rows'; there may be the tables [settings], [limits]"),
        ("[setings]", "config.toml: unknown 'setings'; there may be the tables [settings]"),
        ("[settings]\nrowz = 5", "config.toml: unknown setting 'rowz'; possible are:"),
        ("[settings]\nrows = 'x'", 'config.toml: rows = "x": expected a whole number, got text'),
        ("[limits]\ncpu_ms = 0", "config.toml: cpu_ms = 0: expected a whole number >= 1"),
        ("[options]\nmatchez = 5", "config.toml: [options] matchez: no such option; possible are:"),
        ("[options]\nmatch = '3f'", "config.toml: [options] match: no such option"),
        ("[options]\nmatches = 'x'", "[options] matches = 'x': 'x' is not a valid integer"),
        ("[options]\nmatches = 0", "[options] matches = 0: 0 is not in the range"),
        ("[options]\nseed = 1.5", "[options] seed = 1.5: '1.5' is not a seed: expected"),
        ("[options]\nrunner = 'multi'", "'multi' is not one of 'single_match', 'multi_match'"),
        ("[options]\nquiet = 'perhaps'", "'perhaps' is not a valid boolean"),
        ("[options\n", "config.toml: is not valid TOML: "),
    ],
    ids=repr,
)
def test_what_is_wrong_with_config_toml_is_told_with_file_and_key(
    shell: Shell, config: str, text: str
) -> None:
    (shell.home / "config.toml").write_text(config)
    done = shell.run("info", "settings")
    assert done.code == 2
    assert done.err.startswith("error: config.toml: ")
    assert text in done.err


# -- wrong usage -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-1", "nobody"], "no bot 'nobody'"),
        (["-1", "nobody"], "there are: player_biter.py, player_walker.py"),
        (["-1", ""], "a bot's name is empty"),
        (["-1", "playerCode"], "error: playerCode: a folder of bots, and a seat takes one of them"),
        (
            ["-1", "."],
            "error: .: a folder without an __init__.py, or a bot.toml, is not a bot; these",
        ),
        (["-o", "max_turns=3"], "no such option '-o'; settings are given by --set NAME=VALUE"),
        (["--resume"], "no such option '--resume'; use --continue"),
        (["tournament", "--resume"], "no such option '--resume'; the same command resumes by"),
        (["serve", "--threads", "3"], "no such option '--threads'; use --jobs"),
        (["check", "player_biter", "-o", "x"], "no such option '-o'; settings are given by --set"),
        (["info", "bot"], "'bot' is not one of bots, sandbox, settings; did you mean 'bots'?"),
        (["ask", "player_biter"], "or --debug, which finds its first fault"),
        (
            ["player_biter"],
            "'player_biter' is not a valid command (a bot is named with -p); expected one of",
        ),
        (["--presett", "small"], "Did you mean one of: '--preset'"),
        (
            ["--preset", "smal"],
            "--preset smal: Slime Mind has the presets large, people, small, standard",
        ),
        (["--settings", "none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["--settings", "."], ".: cannot be read: Is a directory"),
        (["--set", "rows"], "--set rows: expected NAME=VALUE"),
        (["--set", "rowz=3"], "--set: unknown setting 'rowz'; possible are:\n  columns = 30"),
        (["--set", "rows=abc"], '--set: rows = "abc": expected a whole number, got text'),
        (["--set", "rows=5", "--set", "columns=5"], "do not fit"),
        (["--limit", "cpu=3"], "--limit: unknown setting 'cpu'; possible are:\n  cpu_ms = 50"),
        (["--allow-package", "nopack"], "--allow-package nopack: not installed here"),
        (["-g", "chess"], "'chess' is not one of 'slime_mind', 'smack', 'smac'"),
        (["-r", "multi"], "'multi' is not one of 'single_match', 'multi_match'"),
        (["-r", "multi_match", "-m", "0"], "0 is not in the range"),
        (["-r", "multi_match", "-j", "0"], "0 is not in the range"),
        (["--seed", "-1"], "'-1' is not a seed: expected a whole number from 0 to 2**128 - 1"),
        (["--seed", str(2**128)], "is not a seed: expected a whole number from 0 to 2**128 - 1"),
        (["-m", "5"], "--matches would have no effect: one match is played; for many say -r multi"),
        (["-j", "5"], "--jobs would have no effect"),
        (["--match", "12", "--seed", "4"], "--seed would have no effect: --match plays a match as"),
        (["--sprite-1", "none.png"], "none.png: cannot be read: No such file or directory; a spri"),
        (["--sprite-2", "main.py"], "main.py: is not a PNG file; a sprite is a square PNG picture"),
        (["--match", "12", "--sprite-1", "x"], "--sprite-1 would have no effect"),
        (["--match", "12", "-1", "x"], "--player-1 would have no effect"),
        (["--match", "12", "-p", "x"], "--player would have no effect"),
        (["-3", "player_biter"], "Slime Mind is played by 2 teams, not by 3"),
        (["-p", "a", "-1", "b", "-p", "c"], "Slime Mind is played by 2 teams, not by 3"),
        (["--sprite-3", "main.py"], "--sprite-3 would have no effect: 2 teams play"),
        (["--match", "12"], "results/matches: no match was played that begins with '12'"),
        (["--match", ""], "no match was played that begins with ''"),
        (["--match", "../*"], "no match was played that begins with '../*'"),
        (["--out", "main.py"], "'main.py' is a file"),
        (["--out", "main.py/x"], "main.py/x: results cannot be written there: Not a directory"),
        (["--out", "/proc/x"], "/proc/x: results cannot be written there: "),
        (["--out", "/proc/x", "-r", "multi_match"], "choose another folder with --out"),
    ],
    ids=str,
)
def test_a_mistake_is_told_in_a_sentence(
    asker: Shell, arguments: Sequence[str], message: str
) -> None:
    done = asker.run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err
    assert not (asker.home / "results").exists()


def test_a_folder_without_bots_says_what_to_do(asker: Shell, tmp_path: Path) -> None:
    (tmp_path / "playerCode").mkdir()
    done = asker.run(cwd=tmp_path)
    assert done.code == 2
    assert "copy player_base.py to player_mine.py" in done.err
    assert "no bots in playerCode" in asker.run("info", "bots", cwd=tmp_path).out


def test_help_says_what_a_bot_may_be_and_gives_examples(asker: Shell) -> None:
    for words in (["--help"], ["-h"], ["info", "bots", "--help"]):
        done = asker.run(*words)
        assert done.code == 0
    page = asker.run("--help", "--all").out
    assert re.search(r"a name\s+\(player_one\), or the\s+path of a file or folder", page)
    assert "python3 main.py -r multi_match -m 100 -1 player_four.py -2 player_three.py" in page
    assert max(map(len, page.splitlines())) <= 80
    for heading in ("Who plays", "What is played", "What is shown and kept", "Contest"):
        assert f"\n{heading}:\n" in page


@pytest.mark.parametrize("config", ["[options\n", "[options]\nmatchez = 5", "rows = 5"])
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--help"], "Play:"),
        (["-1", "player_walker", "-h", "--all"], "Who plays:"),
        (["info", "bots", "--help"], "List bots, and why"),
        (["--version"], "Slime Mind, version"),
    ],
    ids=str,
)
def test_help_is_shown_whatever_is_wrong_with_config_toml(
    shell: Shell, config: str, arguments: Sequence[str], shown: str
) -> None:
    (shell.home / "config.toml").write_text(config)
    done = shell.run(*arguments)
    assert done.code == 0
    assert shown in done.out
    assert done.err.startswith("error: config.toml: ")
    assert len(done.err.splitlines()) == 1


@needs.path("/dev/full")
@pytest.mark.variants(2)
@pytest.mark.parametrize(
    "arguments", [QUICK, ["--help"], ["info", "bots"], ["--json", *QUICK]], ids=str
)
def test_what_cannot_be_printed_is_told_in_a_line(shell: Shell, arguments: Sequence[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = shell.run(*arguments, stdout=full)
    message = "error: the output cannot be written: No space left on device\n"
    assert (done.code, done.err) == (1, message)


def test_the_presets_of_help_are_those_there_are(shell: Shell) -> None:
    small = (shell.home / "resources/presets/slime_mind/small.toml").read_text()
    shell.change("resources/presets/slime_mind/tiny.toml", small)
    page = " ".join(shell.run("--help", "--all").out.split())
    assert (
        "--preset NAME Settings by name: slime_mind: large, people, small, standard, tiny;" in page
    )


def test_version_is_told(asker: Shell) -> None:
    assert re.fullmatch(r"Slime Mind, version [0-9.]+\n", asker.run("--version").out)


# -- one match -------------------------------------------------------------------------------


def test_the_summary_says_all_there_is_to_know(shell: Shell) -> None:
    done = shell.run("-1", "player_walker", "-2", "player_biter", "--seed", "7", *QUICK, "-v")
    time = r"[0-9.]+ [mµ]s"
    cpu = rf"p95 {time}, max {time}, median {time}; 6 calls, [0-9.]+ s"
    replay = rf"results/matches/{KEY}/replay.jsonl.gz"
    pattern = rf"""A draw: equal points after the last turn, 3. 0.4 : 0.4 points. 2 : 2 slimes

  team 1  player_walker        0.4  draw
  team 2  player_biter         0.4  draw

  remaining  player_walker: 2 slimes: 2 of level 1
             player_biter: 2 slimes: 2 of level 1
  cpu        player_walker: {cpu}
             player_biter: {cpu}
(?:  sandbox    the bots ran as root, .*
)?  match      {KEY}, seed 7

play it again:  python3 main.py --match {KEY}
watch it:       python3 replay.py {replay}
"""
    assert re.fullmatch(pattern, done.out), done


def test_without_a_terminal_there_is_no_progress_bar(shell: Shell) -> None:
    assert shell.run(*QUICK).err == ""
    assert shell.run("-r", "multi_match", "-m", "2", *QUICK).err == ""


@pytest.mark.parametrize(
    ("bot", "cause"),
    [
        (BOT.format("while True: pass"), "timeout: no answer after 5 ms of CPU time"),
        slow(BOT.format("import os; os._exit(3)"), "exit: process ended itself with exit code 3"),
        (BOT.format("raise KeyError('x')"), "exception: KeyError: 'x' (player_bad, line 6)"),
        slow(
            BOT.format("return 'FLY'"), "illegal order: 'FLY' is not a valid command; expected one"
        ),
    ],
    ids=["loops", "exits", "raises", "says FLY"],
)
def test_a_bot_that_breaks_loses_its_rounds_and_the_summary_names_the_cause(
    shell: Shell, bot: str, cause: str
) -> None:
    shell.bot("player_bad.py", bot)
    done = shell.run("-1", "player_bad", "-2", "player_biter", *QUICK, "--limit", "cpu_ms=5")
    assert done.code == 0
    assert "  faults     player_bad: 6 forfeited turns (" in done.out
    assert f"\n               {cause}" in done.out
    assert re.search(
        rf"\nlook at it: python3 .*main.py ask player_bad --match {KEY} --turn 1", done.out
    )


def test_the_same_seed_plays_the_same_match(shell: Shell) -> None:
    arguments = ("-1", "player_walker", "-2", "player_biter", "--seed", "3", *QUICK)
    first, second = shell.json(*arguments), shell.json(*arguments)
    assert (first["key"], first["fingerprint"]) == (second["key"], second["fingerprint"])
    other = shell.json(*arguments, "--seed", "4")
    assert other["key"] != first["key"]


def test_a_drawn_seed_has_128_bits_and_can_be_typed_as_it_is_shown(shell: Shell) -> None:
    arguments = ("-1", "player_walker", "-2", "player_biter", *QUICK)
    drawn, other = shell.json(*arguments), shell.json(*arguments)
    seed = drawn["spec"]["seed"]
    assert re.fullmatch("0x[0-9a-f]{32}", seed)
    assert seed != other["spec"]["seed"]
    saved = json.loads((shell.matches / drawn["key"] / "match.json").read_text())
    assert saved["spec"]["seed"] == seed
    again = shell.run(*arguments, "--seed", seed)
    assert drawn["key"] in again.out
    assert "identical to the first playing" in again.out
    played = shell.json("--match", drawn["key"])
    assert (played["fingerprint"], played["spec"]) == (drawn["fingerprint"], drawn["spec"])


def test_json_stands_alone_on_stdout(shell: Shell) -> None:
    done = shell.run("--json", "--bot-logs", *QUICK)
    assert set(json.loads(done.out)) >= {"key", "spec", "winner", "reason", "turns", "teams"}
    assert done.err == "the bots printed nothing\n"


def test_what_bots_print_goes_to_their_log_and_is_shown_on_request(shell: Shell) -> None:
    shell.bot("player_chatter.py", CHATTER)
    arguments = ("-1", "player_chatter", "-2", "player_biter", *QUICK)
    silent, shown = shell.run(*arguments), shell.run(*arguments, "--bot-logs")
    assert "I am" not in silent.out + silent.err + shown.out
    assert re.match(rf"==> results/matches/{KEY}/1-player_chatter.log <==\n", shown.err)
    assert shown.err.count("I am 1\n") == 3


def test_no_replay_is_kept_if_none_is_wanted(shell: Shell) -> None:
    result = shell.json("--no-replay", *QUICK)
    assert result["replay"] is None
    assert [path.name for path in (shell.matches / result["key"]).iterdir()] == ["match.json"]
    assert "watch it" not in shell.run("--no-replay", *QUICK).out


def test_trusted_bots_play_the_same_match_in_our_process(shell: Shell) -> None:
    arguments = ("-1", "player_walker", "-2", "player_biter", "--seed", "3", *QUICK)
    apart, together = shell.json(*arguments), shell.json(*arguments, "--in-process")
    assert apart["fingerprint"] == together["fingerprint"]
    assert together["folder"] == f"results/in-process/{apart['key']}"


def test_a_series_in_our_process_is_kept_apart_from_the_judged_one(shell: Shell) -> None:
    arguments = ("-r", "multi_match", "-m", "2", "--seed", "5", *QUICK)
    both = ("-1", "player_walker", "-2", "player_biter")
    judged, local = (shell.json(*arguments, *both, *where) for where in ((), ("--in-process",)))
    assert [Path(series["csv"]).parent.name for series in (judged, local)] == [
        "series",
        "in-process",
    ]


def test_results_go_where_they_are_wanted(shell: Shell) -> None:
    done = shell.run("--out", "my results", *QUICK, "-v")
    again = done.out.splitlines()[-2]
    assert " --out 'my results' --match " in again
    assert not (shell.home / "results").exists()
    assert shell.run("--out", "my results", "--match", again.split()[-1]).code == 0


# -- again -----------------------------------------------------------------------------------


def test_a_recorded_match_is_played_again_though_its_bots_have_changed(shell: Shell) -> None:
    arguments = ("-1", "player_walker", "-2", "player_biter", "--seed", "3", *QUICK)
    before = shell.json(*arguments, "--limit", "cpu_ms=77")
    shutil.rmtree(shell.home / "playerCode")
    again = shell.json("--match", before["key"][:6])
    assert again["spec"] == before["spec"]
    assert again["fingerprint"] == before["fingerprint"]


def test_playing_again_says_whether_it_came_out_the_same_and_loses_no_result(shell: Shell) -> None:
    shell.bot(
        "player_roller.py",
        BOT.format("import random; return random.SystemRandom().choice(['UP', 'DOWN', 'MERGE'])"),
    )
    for name, found in (("player_walker", "identical to"), ("player_roller", "differs from")):
        first = shell.json("-1", name, "-2", "player_biter", "--preset", "small")
        again = shell.run("--match", first["key"])
        assert f"\n  again      {found} the first playing, which stays the result" in again.out
        saved = json.loads((shell.matches / first["key"] / "match.json").read_text())
        assert saved == first


def test_an_ambiguous_beginning_of_a_key_is_refused(shell: Shell) -> None:
    key = shell.json(*QUICK)["key"]
    shutil.copytree(shell.matches / key, shell.matches / f"{key[:4]}0000")
    done = shell.run("--match", key[:3])
    assert done.code == 2
    assert f"several matches begin with '{key[:3]}'" in done.err


def test_a_match_whose_copy_of_a_bot_is_gone_is_refused(shell: Shell) -> None:
    key = shell.json(*QUICK)["key"]
    shutil.rmtree(shell.home / "results/bots")
    done = shell.run("--match", key)
    assert done.code == 2
    assert "no copy of a bot with digest" in done.err
    assert shell.half_written_folders() == []


def test_a_damaged_result_is_refused(shell: Shell) -> None:
    key = shell.json(*QUICK)["key"]
    for content in ("", "{}", "[", '{"spec": {"game": "chess"}, "teams": []}'):
        (shell.matches / key / "match.json").write_text(content)
        done = shell.run("--match", key)
        assert done.code == 2, content
        assert f"results/matches/{key}/match.json: cannot be read: " in done.err, content


def test_a_match_of_other_rules_is_not_played_again(shell: Shell) -> None:
    key = shell.json(*QUICK)["key"]
    file = shell.matches / key / "match.json"
    saved = json.loads(file.read_text())
    saved["spec"]["rules_version"] = 0
    file.write_text(json.dumps(saved))
    done = shell.run("--match", key)
    assert done.code == 2
    assert "was played under version 0 of the rules of slime_mind" in done.err


# -- many matches ----------------------------------------------------------------------------


def test_a_series_is_summed_up(shell: Shell) -> None:
    shell.bot("player_biter.py", WALKER + "# as harmless")
    arguments = ("-r", "multi_match", "-m", "3", "-1", "player_walker.py", "-2", "player_biter.py")
    done = shell.run(*arguments, "--seed", "5", *QUICK, "-v")
    assert done.code == 0
    for pattern in (
        r"^player_walker against player_biter: 4 of 4 matches$",
        r"^  player_walker +4 +0 +4 +0   50.0% \([0-9.]+% to [0-9.]+%\)$",
        r"^    as team 1 +2 +0 +2 +0 ",
        r"^    as team 2 +2 +0 +2 +0 ",
        r"^  mean score        player_walker 0.4, player_biter 0.4$",
        r"^  distinct games    [1234] of 4 matches$",
        rf"^every match, with its key:  results/series/player_walker-player_biter-{KEY}.csv$",
        rf"^play one of them again:     python3 main.py --match {KEY}$",
        r"^  maps              follow from secret 0x[0-9a-f]{32}, seed 5$",
    ):
        assert re.search(pattern, done.out, re.MULTILINE), (pattern, done)


@pytest.mark.slow
def test_every_match_of_a_series_can_be_played_again(shell: Shell) -> None:
    series = shell.json("-r", "multi_match", "-m", "3", *QUICK)
    with (shell.home / series["csv"]).open() as file:
        rows = list(csv.DictReader(file))
    assert [row["key"] for row in rows] == [match["key"] for match in series["results"]]
    again = [shell.json("--match", row["key"])["fingerprint"] for row in rows]
    assert again == [row["fingerprint"] for row in rows]


@pytest.mark.slow
def test_a_bots_name_is_no_formula_in_the_table_of_a_series(shell: Shell) -> None:
    names = ("=1+1", "@SUM(A1)", "-1")
    paths = [str(shell.bot(f"theirs/{name}.py", WALKER)) for name in names]
    for name, path in zip(names, paths, strict=True):
        arguments = ("-r", "multi_match", "-m", "1", "-1", path, "-2", paths[0], *QUICK)
        series = shell.json(*arguments, "--out", f"results of {name}")
        with (shell.home / series["csv"]).open() as file:
            row = next(csv.DictReader(file))
        assert (row["team_1"], row["team_2"]) == (f"'{name}", "'=1+1")
        assert float(row["score_1"]) == series["results"][0]["teams"][0]["score"]


def test_every_map_is_played_twice_with_sides_exchanged(shell: Shell) -> None:
    arguments = ("-r", "multi_match", "-m", "4", "-1", "player_walker", "-2", "player_biter")
    series = shell.json(*arguments, *QUICK)
    seeds = [match["spec"]["seed"] for match in series["results"]]
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3]
    assert [names(match)[0] for match in series["results"]] == [
        "player_walker",
        "player_biter",
        "player_walker",
        "player_biter",
    ]


@pytest.mark.slow
def test_a_series_is_the_same_on_one_core_or_two(shell: Shell) -> None:
    arguments = ("-r", "multi_match", "-m", "4", "--seed", "5", "-1", "player_walker", "-2")
    alone = shell.json(*arguments, "player_biter", "-j", "1", *QUICK)
    elsewhere = ("--out", "elsewhere", "--secret", alone["secret"])
    together = shell.json(*arguments, "player_biter", "-j", "3", *elsewhere, *QUICK)
    assert together["played_before"] == 0
    local = shell.json(*arguments, "player_biter", "--in-process", *QUICK)
    prints = [[m["fingerprint"] for m in s["results"]] for s in (alone, together, local)]
    assert prints[0] == prints[1] == prints[2]


def test_a_series_of_a_bot_against_itself_on_one_map(shell: Shell) -> None:
    arguments = ("-r", "multi_match", "-m", "1", "-1", "player_biter", "-2", "player_biter")
    series = shell.json(*arguments, *QUICK)
    assert (series["played"], series["distinct"], series["failures"]) == (2, 1, [])


def test_what_bots_of_a_series_lost_is_told_with_a_match_to_look_at(shell: Shell) -> None:
    shell.bot("player_bad.py", BOT.format("return 'FLY'"))
    arguments = (
        *("-r", "multi_match", "-m", "2", "-1", "player_bad", "-2", "player_biter", "--bot-logs"),
    )
    done = shell.run(*arguments, *QUICK)
    found = (
        r"  faults of player_bad: 12 forfeited turns \(12 .*\), nearly all its decisions, in 2 "
        rf"matches, first in {KEY}\n    illegal order: 'FLY' .*\n    look at it:  .* ask player_bad"
    )
    assert re.search(found, done.out)
    assert "stopped after 2 matches: player_bad loses nearly all its decisions" in done.out
    assert done.code == 1
    assert done.err == "the bots printed nothing\n" * 2
