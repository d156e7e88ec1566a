"""Bots in other languages are handed in on the page, where the organizer has named languages."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots.finding import Packed
from engine.bots.programs.languages import LANGUAGES_VARIABLE, find_languages
from engine.bots.programs.manifest import BadManifest, read_manifest
from runners.storage.ladder_tables import VersionState
from server.bots.checking import DECISION, FILES, LADDER, LOADING, MATCH, SOURCE
from server.bots.examining import examine_source
from server.bots.uploads import BadUpload, Sent, parse_upload
from server.bots.zips import make_zip
from tests import needs
from tests.server.bots.submitting import await_checks, hand_in, ladder_id, steps
from tests.server.members import Server, page_text, serving

HOME = Path(__file__).parents[3]
CLIENT = HOME / "clients" / "player_rust"
CPP = HOME / "clients" / "player_cpp"


@pytest.fixture(scope="module")
def allowed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Name the languages that are found here, as an organizer does in a file."""
    tools = find_languages().toolchains
    file = tmp_path_factory.mktemp("languages") / "languages.toml"
    lines = [
        f'[toolchains."{name}"]\nprogram = "{tool.program}"\nreads = {list(tool.reads)}\n'
        for name, tool in tools.items()
    ]
    file.write_text("\n".join(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LANGUAGES_VARIABLE, str(file))
        yield file


@pytest.fixture(scope="module")
def server(allowed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("arena")) as server:
        server.organizer()
        yield server


def zip_folder(folder: Path) -> bytes:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return make_zip({str(path.relative_to(folder.parent)): path.read_bytes() for path in files})


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "folder"), [("cargo", CLIENT), ("g++", CPP)])
def test_a_program_is_handed_in_as_a_zip_built_and_rated(
    tool: str, folder: Path, server: Server
) -> None:
    needs.require_program(tool)
    ann = server.member(f"Ann {tool}")
    assert "bot.toml" in page_text(ann.get("/submit"))
    name = f"Grazer {folder.name}"
    page = hand_in(ann, {"mine.zip": zip_folder(folder)}, ladder=ladder_id(server), name=name)
    assert f"{name}, version 1" in page_text(page)
    version = await_checks(server, name)
    found = steps(server, version)
    assert version.state is VersionState.ACTIVE, found
    assert list(found) == [FILES, SOURCE, LOADING, DECISION, MATCH, LADDER]
    assert found[SOURCE][1] == f"bot.toml is in order: {tool}"
    assert found[LOADING][1] == "it was built, and says hello"
    assert "it won against player_one" in found[MATCH][1]
    assert server.site.contests.ladders.entry(ladder_id(server), version.bot_id) is not None


@pytest.mark.slow
@needs.program("g++")
def test_a_program_that_cannot_be_built_is_refused_with_the_line(server: Server) -> None:
    bob = server.member("Bob")
    files = {path.name: path.read_bytes() for path in CPP.iterdir() if path.is_file()}
    files["bot.cpp"] = b"int main( {"
    hand_in(bob, {"mine.zip": make_zip(files)}, ladder=ladder_id(server), name="Broken")
    version = await_checks(server, "Broken")
    assert version.state is VersionState.REFUSED
    state, words = steps(server, version)[LOADING]
    assert state == "failed"
    assert words.startswith("build error: g++ ended with exit code 1: bot.cpp:1:")
    assert "What to do: correct that" in words


def test_without_the_organizers_leave_no_program_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LANGUAGES_VARIABLE, raising=False)
    with pytest.raises(BadUpload, match="its organizer has named no languages"):
        parse_upload([Sent("mine.zip", zip_folder(CPP))])


def test_what_a_manifest_ignores_is_not_kept(allowed: Path) -> None:
    assert os.environ[LANGUAGES_VARIABLE] == str(allowed)
    manifest = b'game = "smack"\nname = "A"\nrun = ["./a"]\nignore = ["old"]\n'
    files = {"mine/bot.toml": manifest, "mine/a": b"", "mine/old/b": b"", "mine/c/old": b""}
    upload = parse_upload([Sent("mine.zip", make_zip(files))])
    assert sorted(upload.packed.files) == ["a", "bot.toml", "c/old"]
    assert upload.name == "mine"


def test_a_manifest_that_is_none_is_refused_at_once(allowed: Path) -> None:
    with pytest.raises(BadUpload, match=r"bot\.toml: expected `run`, or `url`"):
        parse_upload([Sent("mine.zip", make_zip({"bot.toml": b'game = "smack"\nname = "A"\n'}))])


@pytest.mark.parametrize("is_language_named", [True, False])
def test_a_bot_that_is_asked_over_http_cannot_be_handed_in(
    allowed: Path, monkeypatch: pytest.MonkeyPatch, is_language_named: bool
) -> None:
    if not is_language_named:
        monkeypatch.delenv(LANGUAGES_VARIABLE)
    manifest = b'game = "smack"\nname = "A"\nurl = "http://169.254.169.254/"\n'
    with pytest.raises(BadUpload, match="a bot that is asked over HTTP cannot be handed in"):
        parse_upload([Sent("mine.zip", make_zip({"mine/bot.toml": manifest}))])
    finding = examine_source(Packed(files={"bot.toml": manifest}, is_folder=True), ())
    assert (finding.is_good, "no bot is asked over HTTP here" in finding.words) == (False, True)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ('url = "ftp://a.example"', "bot.toml: url: 'ftp://a.example': expected an address such"),
        ('url = "https://a.example"\nrun = ["./a"]', "bot.toml: has url and run"),
        ('url = "https://a.example"\nbuild = ["make"]', "bot.toml: has url and build"),
        ('url = ""', "bot.toml: expected `run`, or `url`"),
    ],
)
def test_a_manifest_has_an_address_or_a_program(more: str, why: str) -> None:
    with pytest.raises(BadManifest) as error:
        read_manifest(f'game = "smack"\nname = "A"\n{more}\n'.encode())
    assert str(error.value).startswith(why)
