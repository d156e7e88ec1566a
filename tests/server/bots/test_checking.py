"""The checks go on after the server was killed in their midst, or failed itself."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from engine.bots.finding import Copies, Packed
from engine.bots.sandbox import Level
from runners.contests.ladders import Ladders
from runners.storage.database import Database
from runners.storage.ladder_tables import CheckState, VersionState, versions
from runners.storage.leases import LeaseLost
from server.bots import checking
from server.bots.bots import AUTHOR_BANNED, Bots, NewVersion, Version
from server.bots.checking import FILES, LOADING, SERVER_FAULT_TEXT, SOURCE, STEPS, Checking
from server.bots.examining import BotExaminer, Finding
from server.bots.uploads import Sent, parse_upload
from server.identity.people import Kind, People
from tests.server.bots.examined import ExaminedAtOnce
from tests.server.bots.submitting import GOOD
from tests.shell import PATIENCE_S, eventually
from tests.visualizer.painting import GREEN, RED, blob, picture_color, png
from visualizer.drawing.custom_sprites import load_bot_sprites


@pytest.fixture
def ladders(database: Database) -> Ladders:
    ladders = Ladders(database)
    ladders.ensure_usual()
    return ladders


def a_version(
    database: Database,
    out: Path,
    name: str = "Mine",
    source: bytes = GOOD,
    person: str = "Ann",
    **more: bytes,
) -> Version:
    """Return a version that was handed in, and waits for its checks; `more` are PNG files."""
    people, bots = People(database), Bots(database)
    who = people.find_person_by_name(person) or people.join(
        people.new_link(Kind.PERSON, made_by=None), person, None
    )
    files = [Sent(f"{stem}.png", content) for stem, content in more.items()]
    packed = parse_upload([Sent("player_mine.py", source), *files]).packed
    Copies(out / "bots").unpack(packed.digest, packed)
    (ladder,) = [one for one in Ladders(database).all() if one.spec.game == "slime_mind"]
    return bots.new_version(
        NewVersion(
            person_id=who.id,
            game="slime_mind",
            name=name,
            digest=packed.digest,
            size=len(source),
            most_per_day=9,
            ladder=ladder,
        )
    )


@contextmanager
def checking_bots(
    database: Database,
    out: Path,
    new_examiner: Callable[[], BotExaminer] | None = ExaminedAtOnce,
    processes: int = 1,
    on_failure: Callable[[str], object] = print,
) -> Iterator[Bots]:
    """Check what there is; `new_examiner` None: in processes."""
    found = Checking(database, out, Level.DEFAULT, on_failure, processes=processes)
    found.new_examiner = new_examiner or found.new_examiner
    with closing(found):
        found.start()
        yield Bots(database)


def version_state(bots: Bots, version: Version) -> VersionState:
    found = bots.version(version.id)
    assert found is not None
    return found.state


def test_what_was_being_checked_when_the_server_was_killed_is_checked_again(
    database: Database, ladders: Ladders, tmp_path: Path
) -> None:
    version, bots = a_version(database, tmp_path), Bots(database)
    bots.note_check(version.id, 1, FILES, CheckState.PASSED, "as it was handed in")
    bots.note_check(version.id, 2, SOURCE, CheckState.PASSED, "before the kill")
    bots.note_check(version.id, 3, LOADING, CheckState.RUNNING)
    with checking_bots(database, tmp_path):
        assert eventually(lambda: version_state(bots, version) is VersionState.ACTIVE)
    words = {one.name: one.words for one in bots.find_checks(version.id)}
    assert list(words) == list(STEPS)
    assert words[FILES] == "as it was handed in"
    assert words[SOURCE] != "before the kill"


@pytest.mark.slow
def test_a_first_match_that_was_played_before_the_kill_is_not_played_again(
    database: Database, ladders: Ladders, tmp_path: Path
) -> None:
    version, played = a_version(database, tmp_path), set[tuple[str, int]]()
    for _ in range(2):
        # As if the server was killed before it said so.
        database.write(update(versions).values(state=VersionState.CHECKING))
        with checking_bots(database, tmp_path, None) as bots:
            assert eventually(lambda: version_state(bots, version) is VersionState.ACTIVE)
        (folder,) = (tmp_path / "matches").iterdir()
        played.add((folder.name, (folder / "match.json").stat().st_mtime_ns))
    found = bots.version(version.id)
    assert found is not None
    assert [name for name, _ in played] == [found.first_match]


def test_pictures_of_a_bot_are_drawn_anew_and_kept(
    database: Database, ladders: Ladders, tmp_path: Path
) -> None:
    picture = png(blob(RED), compress_level=1)
    version = a_version(database, tmp_path, sprite=picture, sprite_5=png(blob(GREEN)))
    with checking_bots(database, tmp_path) as bots:
        assert eventually(lambda: version_state(bots, version) is VersionState.ACTIVE)
    custom = load_bot_sprites(tmp_path, version.digest)
    assert custom is not None
    assert {name: picture_color(content) for name, content in custom.files().items()} == {
        "base.png": RED,
        "5.png": GREEN,
    }
    assert custom.base != picture


def test_a_picture_that_is_none_is_refused_with_its_name(
    database: Database, ladders: Ladders, tmp_path: Path
) -> None:
    version = a_version(database, tmp_path, sprite_king=b"GIF89a")
    with checking_bots(database, tmp_path) as bots:
        assert eventually(lambda: version_state(bots, version) is VersionState.REFUSED)
    found = bots.version(version.id)
    assert found is not None
    assert found.why.startswith("Size and names: sprite_king.png: is not a PNG file; a sprite is a")


def test_a_copy_that_is_gone_is_said_to_be(
    database: Database, ladders: Ladders, tmp_path: Path
) -> None:
    version = a_version(database, tmp_path)
    (tmp_path / "bots").rename(tmp_path / "elsewhere")
    with checking_bots(database, tmp_path) as bots:
        assert eventually(lambda: version_state(bots, version) is VersionState.REFUSED)
    found = bots.version(version.id)
    assert found is not None
    assert "hand them in again" in found.why


def test_what_was_examined_when_its_process_was_lost_is_examined_again(
    database: Database, ladders: Ladders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "PAUSE_S", 0.01)
    version, said = a_version(database, tmp_path), list[str]()

    def first_is_lost() -> BotExaminer:
        examiner = BotExaminer(tmp_path, Level.DEFAULT)
        examiner.terminate()
        return examiner

    with checking_bots(database, tmp_path, first_is_lost, on_failure=said.append) as bots:
        assert eventually(lambda: version_state(bots, version) is VersionState.ACTIVE)
    assert said == ["the checks of version 1 of Mine: a process was killed"]
    assert {one.state for one in bots.find_checks(version.id)} == {CheckState.PASSED}


@pytest.mark.slow
def test_a_fault_of_the_servers_is_tried_again_and_then_said_to_be_the_servers(
    database: Database, ladders: Ladders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "PAUSE_S", 0.01)
    version = a_version(database, tmp_path)
    (tmp_path / "matches").write_text("no folder")
    said: list[str] = []
    with checking_bots(database, tmp_path, None, on_failure=said.append) as bots:
        assert eventually(lambda: version_state(bots, version) is VersionState.REFUSED)
    refused = bots.version(version.id)
    assert refused is not None
    assert refused.why == SERVER_FAULT_TEXT
    assert len(said) == checking.MAX_TRIES
    assert CheckState.RUNNING not in {one.state for one in bots.find_checks(version.id)}


class Noting(ExaminedAtOnce):
    """Calls `look` with the source of each bot before it is examined."""

    def __init__(self, look: Callable[[bytes], object]) -> None:
        self._look = look

    def source(self, packed: Packed, packages: Sequence[str]) -> Finding:
        self._look(next(iter(packed.files.values())))
        return super().source(packed, packages)


def test_one_bot_that_takes_long_keeps_only_its_author_waiting(
    database: Database, ladders: Ladders, tmp_path: Path
) -> None:
    is_over = threading.Event()

    def look(source: bytes) -> None:
        if b"slow" in source:
            assert is_over.wait(PATIENCE_S)

    first = a_version(database, tmp_path, "Slow", GOOD + b"# slow")
    second = a_version(database, tmp_path, "Anns other", GOOD + b"# 2\n")
    third = a_version(database, tmp_path, "Bobs", GOOD + b"# 3\n", person="Bob")
    with checking_bots(database, tmp_path, lambda: Noting(look), processes=2) as bots:
        assert eventually(lambda: version_state(bots, third) is VersionState.ACTIVE)
        assert version_state(bots, first) is VersionState.CHECKING
        assert version_state(bots, second) is VersionState.CHECKING
        is_over.set()
        assert eventually(lambda: version_state(bots, second) is VersionState.ACTIVE)


def test_who_hands_in_much_does_not_keep_others_waiting_for_all_of_it(
    database: Database, ladders: Ladders, tmp_path: Path
) -> None:
    order: list[bytes] = []
    for number in range(3):
        a_version(database, tmp_path, f"Anns {number}", GOOD + b"# a%d" % number)
    last = a_version(database, tmp_path, "Bobs", GOOD + b"# b", person="Bob")
    with checking_bots(
        database, tmp_path, lambda: Noting(lambda source: order.append(source[-1:]))
    ) as bots:
        assert eventually(lambda: bots.versions_to_check() == [])
    assert version_state(bots, last) is VersionState.ACTIVE
    assert order == [b"0", b"b", b"1", b"2"]


def test_the_version_of_somebody_who_was_banned_meanwhile_is_not_checked(
    database: Database, ladders: Ladders, tmp_path: Path
) -> None:
    version = a_version(database, tmp_path, person="Eve")
    eve = People(database).find_person_by_name("Eve")
    assert eve is not None
    People(database).set_banned(eve.id, True)
    with checking_bots(database, tmp_path) as bots:
        assert eventually(lambda: version_state(bots, version) is VersionState.REFUSED)
    found = Bots(database).version(version.id)
    assert found is not None
    assert found.why == AUTHOR_BANNED
    assert Bots(database).find_checks(version.id) == []


def test_of_two_servers_one_checks_and_after_its_end_the_other(
    database: Database, ladders: Ladders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "WAIT_S", 0.05)
    first, second = (Checking(database, tmp_path, Level.DEFAULT) for _ in range(2))
    checked: list[Checking] = []
    for one in (first, second):
        one.new_examiner = ExaminedAtOnce
        monkeypatch.setattr(
            one, "_next_to_check", partial(_noting, checked, one, one._next_to_check)
        )
    with closing(second):
        with closing(first):
            first.start()
            assert eventually(lambda: first in checked)
            second.start()
            version, bots = a_version(database, tmp_path), Bots(database)
            first.wake()
            assert eventually(lambda: version_state(bots, version) is VersionState.ACTIVE)
            assert second not in checked  # once the first has ended, it may be at once
        assert eventually(lambda: second in checked)


def _noting(checked: list[Checking], one: Checking, look: Callable[[], Any]) -> Any:
    """Note who looks for something to check."""
    checked.append(one)
    return look()


def test_checks_that_another_server_has_taken_over_write_nothing(
    database: Database, ladders: Ladders, tmp_path: Path
) -> None:
    version, bots = a_version(database, tmp_path), Bots(database)
    lost = Checking(database, tmp_path, Level.DEFAULT)
    with closing(lost), pytest.raises(LeaseLost):
        lost._bots.activate(version.id, None)
    assert version_state(bots, version) is VersionState.CHECKING
