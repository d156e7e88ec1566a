"""Copies are noticed when a version is accepted, and shown to organizers alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots.finding import Copies
from server.bots import copy_pages, noticed_copies
from server.bots.copy_pages import Line, compared
from server.bots.noticed_copies import NoticedCopy, newest_copies
from tests.server.bots.examined import ExaminedAtOnce
from tests.server.bots.submitting import GOOD, checked, hand_in
from tests.server.bots.test_likeness import SOURCE
from tests.server.members import Browser, Server, serving, text_of

OTHER_NAMES = SOURCE.replace("plant", "food").replace("# the nearest", "# what I want")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, new_examiner=ExaminedAtOnce) as server:
        yield server


def taken(server: Server, browser: Browser, name: str, source: str, number: int = 1) -> None:
    """Hand a version in, and wait until it is accepted."""
    answer = hand_in(browser, {"player_x.py": source.encode()}, name=name)
    assert answer.status_code == 200, text_of(answer)
    assert checked(server, name, number).why == ""


def noticed(server: Server) -> list[NoticedCopy]:
    return server.storage.database.find(newest_copies())


def pairs(server: Server) -> list[tuple[str, str, bool]]:
    return [(one.earlier.name, one.later.name, one.is_exact) for one in noticed(server)]


def test_the_same_and_the_same_but_for_names_spaces_and_comments_are_noticed(
    server: Server,
) -> None:
    ann, bob, cleo = (server.member(name) for name in ("Ann", "Bob", "Cleo"))
    taken(server, ann, "first", SOURCE)
    assert noticed(server) == []
    taken(server, bob, "second", SOURCE)
    taken(server, cleo, "third", OTHER_NAMES)
    assert pairs(server) == [
        ("second", "third", False),
        ("first", "third", False),
        ("first", "second", True),
    ]


def test_a_pair_of_bots_is_noticed_once_for_a_file_however_often_it_is_handed_in(
    server: Server,
) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    taken(server, ann, "first", SOURCE)
    taken(server, bob, "second", SOURCE)
    taken(server, bob, "second", SOURCE + "# again\n", 2)
    assert len(noticed(server)) == 1
    taken(server, ann, "first", SOURCE + "mine = 1\n", 2)
    taken(server, bob, "second", SOURCE + "own = 1\n", 3)
    assert pairs(server) == [("first", "second", False), ("first", "second", True)]


def test_bots_of_one_author_or_with_one_in_common_are_no_copies(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    taken(server, ann, "first", SOURCE)
    taken(server, ann, "another", SOURCE)
    taken(server, bob, "own", SOURCE.replace("LEFT", "UP"))
    bot = server.site.bots.bots.bot_named("slime_mind", "own")
    assert bot is not None
    bob.post(f"/bots/{bot.id}/authors", {"name": "Ann"})
    ann.post(f"/bots/{bot.id}/authors/accept")
    taken(server, bob, "own", SOURCE, 2)
    assert noticed(server) == []


def test_starter_bots_and_what_was_refused_are_no_copies(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    taken(server, ann, "first", GOOD.decode())
    taken(server, bob, "second", GOOD.decode() + "\n# mine\n")
    refused = SOURCE + "# refused: too slow\n"
    hand_in(ann, {"player_x.py": refused.encode()}, name="first")
    assert checked(server, "first", 2).why.endswith("too slow")
    taken(server, bob, "second", SOURCE, 2)
    assert noticed(server) == []


def test_of_a_file_that_many_have_the_first_are_named(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noticed_copies, "MOST_OTHERS", 1)
    for name in ("Ann", "Bob", "Cleo"):
        taken(server, server.member(name), f"bot of {name}", SOURCE)
    assert pairs(server) == [
        ("bot of Ann", "bot of Cleo", True),
        ("bot of Ann", "bot of Bob", True),
    ]


def test_organizers_alone_see_which_what_waits_and_side_by_side(server: Server) -> None:
    organizer, ann, bob = server.organizer(), server.member("Ann"), server.member("Bob")
    assert "None was noticed so far" in organizer.text("/admin/copies")
    taken(server, ann, "first", SOURCE)
    taken(server, bob, "second", OTHER_NAMES)
    assert "Organizer 1 waiting" in organizer.text("/ladders")
    page = organizer.text("/admin/copies")
    assert "Copies 1 waiting" in page
    assert "first, version 1 Ann" in page
    assert "but for names, spaces and comments" in page
    (copy,) = noticed(server)
    path = f"/admin/copies/{copy.id}"
    shown = organizer.get(path)
    assert "for plant in self.board.plants:" in text_of(shown)
    assert "# what I want" in text_of(shown)
    assert shown.text.count('class="changed"') == 3
    assert "copies compared" in server.audit()
    for browser in (ann, bob):
        for address in ("/admin/copies", path):
            assert browser.get(address).status_code == 404
        assert browser.post(f"{path}/seen").status_code == 404
        assert "waiting" not in browser.text("/ladders")
    assert "seen" in text_of(organizer.post(f"{path}/seen"))
    assert "waiting" not in organizer.text("/ladders")
    assert organizer.get("/admin/copies/99999999999").status_code == 404


def test_files_that_are_gone_are_said_to_be(server: Server) -> None:
    organizer, ann, bob = server.organizer(), server.member("Ann"), server.member("Bob")
    taken(server, ann, "first", SOURCE)
    taken(server, bob, "second", OTHER_NAMES)
    (copy,) = noticed(server)
    for path in (server.folder / "bots").rglob("*"):
        if copy.later.digest in str(path) and path.is_file():
            path.unlink()
    assert "The server has no copy of these files any more" in organizer.text(
        f"/admin/copies/{copy.id}"
    )


def test_long_files_are_compared_in_part(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    organizer, ann, bob = server.organizer(), server.member("Ann"), server.member("Bob")
    taken(server, ann, "first", SOURCE)
    taken(server, bob, "second", OTHER_NAMES)
    monkeypatch.setattr(copy_pages, "MOST_LINES", 3)
    (copy,) = noticed(server)
    page = organizer.text(f"/admin/copies/{copy.id}")
    assert "These are the first 3 lines" in page
    assert "decide" not in page


def test_lines_that_are_the_same_stand_beside_each_other() -> None:
    assert compared(["a", "b", "c"], ["a", "x", "y", "c"]) == [
        Line("a", "a", True),
        Line("b", "x", False),
        Line(None, "y", False),
        Line("c", "c", True),
    ]


def test_versions_are_looked_at_once(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    taken(server, ann, "first", SOURCE)
    taken(server, bob, "second", SOURCE)
    bots = server.site.bots.bots
    bot = bots.bot_named("slime_mind", "second")
    assert bot is not None
    version = bots.active_version(bot.id)
    assert version is not None
    packed = Copies(server.folder / "bots").pack(version.digest)
    noticed_copies.NoticedCopies(server.storage.database).look_at(version, bot, packed)
    assert len(noticed(server)) == 1
