"""A bot of an author's own folder and its draft: what is saved in one is in the other."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import BadBot
from runners.storage.database import Database
from server.writing.drafts import Draft, Drafts, Owner
from server.writing.folder_mirror import FolderMirror

ANN = Owner(guest="Ann")


class Home:
    """A bot on disk, and its draft."""

    def __init__(self, database: Database, path: Path) -> None:
        self.said: list[str] = []
        self.drafts = Drafts(database)
        self.path = path
        self.mirror = FolderMirror(self.drafts, ANN, "smack", path, self.said.append)
        self._id = self.mirror.start()
        self.mirror._ended.set()  # it is looked at when the test says so
        self.mirror._thread.join()

    @property
    def draft(self) -> Draft:
        found = self.drafts.find(self._id, ANN)
        assert found is not None
        return found

    def type(self, **files: str) -> None:
        """Save files in the browser; `player_x` stands for `player_x.py`."""
        named = {f"{name}.py": text for name, text in files.items()}
        self.drafts.save(self.draft, self.draft.revision, self.draft.name, named)


@pytest.fixture
def home(database: Database, tmp_path: Path) -> Callable[..., Home]:
    def made(**files: str) -> Home:
        if len(files) == 1:
            ((name, text),) = files.items()
            path = tmp_path / f"{name}.py"
            path.write_text(text)
            return Home(database, path)
        path = tmp_path / "player_mine"
        path.mkdir()
        for name, text in files.items():
            (path / f"{name}.py").write_text(text)
        return Home(database, path)

    return made


def test_a_draft_begins_as_the_file(home: Callable[..., Home]) -> None:
    one = home(player_mine="a = 1\n")
    assert (one.draft.name, one.draft.files) == ("mine", {"player_mine.py": "a = 1\n"})


def test_what_is_saved_in_the_browser_is_on_disk(home: Callable[..., Home]) -> None:
    one = home(player_mine="a = 1\n")
    one.type(player_mine="a = 2\n")
    one.mirror.sync()
    assert one.path.read_text() == "a = 2\n"


def test_what_another_editor_saves_is_in_the_browser(home: Callable[..., Home]) -> None:
    one = home(player_mine="a = 1\n")
    one.path.write_text("a = 3\n")
    one.mirror.sync()
    assert one.draft.files == {"player_mine.py": "a = 3\n"}
    assert one.drafts.find_versions(one.draft.id) == []


def test_where_both_were_changed_the_disk_counts_and_the_draft_is_a_version(
    home: Callable[..., Home],
) -> None:
    one = home(player_mine="a = 1\n")
    one.type(player_mine="typed\n")
    one.path.write_text("saved\n")
    one.mirror.sync()
    assert one.path.read_text() == "saved\n"
    assert one.draft.files == {"player_mine.py": "saved\n"}
    (version,) = one.drafts.find_versions(one.draft.id)
    assert one.drafts.load_version(one.draft.id, version.number) == {"player_mine.py": "typed\n"}


def test_files_of_a_folder_come_and_go_on_both_sides(home: Callable[..., Home]) -> None:
    one = home(__init__="", far="x\n")
    (one.path / "data.bin").write_bytes(b"\xff\xfe")
    one.type(__init__="", near="y\n")
    one.mirror.sync()
    names = {path.name for path in one.path.iterdir()}
    assert names == {"__init__.py", "near.py", "data.bin"}
    (one.path / "near.py").unlink()
    one.mirror.sync()
    assert one.draft.files == {"__init__.py": ""}


def test_a_second_file_of_a_bot_that_is_one_is_not_kept_on_disk(home: Callable[..., Home]) -> None:
    one = home(player_mine="a = 1\n")
    one.type(player_mine="a = 2\n", other="b\n")
    one.mirror.sync()
    assert one.path.read_text() == "a = 2\n"
    assert [path.name for path in one.path.parent.glob("*.py")] == ["player_mine.py"]
    assert ["only player_mine.py is kept" in words for words in one.said] == [True]


def test_the_draft_of_before_is_gone_on_with(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "player_mine.py"
    path.write_text("a = 1\n")
    first = Home(database, path)
    path.write_text("a = 2\n")
    second = Home(database, path)
    assert second.draft.id == first.draft.id
    assert second.draft.files == {"player_mine.py": "a = 2\n"}


def test_what_is_too_large_is_refused(home: Callable[..., Home]) -> None:
    with pytest.raises(BadBot, match="a draft has at most 200,000"):
        home(player_mine="x" * 300_000)
