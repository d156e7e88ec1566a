"""A bot of an author's own folder, and a draft with the same files: each follows the other.

Files on disk are the truth: what was saved there last is what the draft becomes, and where both
were changed since they were equal, the draft's files are kept as a version first.
"""

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from engine.bots.finding import read_own_files
from engine.errors import BadBot, SlimeMindError, UsageError
from engine.support.files import write_whole
from server.bots.bots import default_name
from server.bots.uploads import BadUpload
from server.writing.bodies import DraftFile
from server.writing.draft_files import digest_or_none, validate_draft_files
from server.writing.drafts import ChangedElsewhere, Draft, Drafts, Owner

POLL_INTERVAL_S = 0.5
"""Files and draft are looked at so often."""
BEFORE_CHANGE_NOTE = "as it was before its files on disk were changed"
PREFIX = "player_"


class FolderMirror:
    """Keeps a bot's file or folder and a draft equal."""

    def __init__(
        self, drafts: Drafts, owner: Owner, game: str, path: Path, report: Callable[[str], object]
    ) -> None:
        """`path`: a file, or a folder. `report` takes a sentence where something was not kept."""
        self._drafts = drafts
        self._owner = owner
        self._game = game
        self._path = path
        self._report = report
        self._disk: Mapping[str, str] = {}
        """What the files were when they were last equal to the draft, or made so."""
        self._files: Mapping[str, str] = {}
        """The same of the draft."""
        self._id = ""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="folder", daemon=True)

    def start(self) -> str:
        """Make the draft equal to the files, and return its id. Raises: UsageError, BadBot."""
        name = default_name(self._path.stem.removeprefix(PREFIX))
        disk = self._read()
        for line in self._drafts.find_drafts(self._owner):
            if (line.name, line.game) == (name, self._game):
                self._id = line.id
        if not self._id:
            self._id = self._drafts.add(self._owner, self._game, name, disk).id
        self._files = self._load_draft().files
        self.sync()
        self._thread.start()
        return self._id

    def close(self) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
            with suppress(SlimeMindError, OSError):  # what was typed last
                self.sync()

    def sync(self) -> None:
        """Let what was changed last be the other, too. Raises: SlimeMindError."""
        disk, draft = self._read(), self._load_draft()
        if disk != self._disk:
            self._take_in(disk, draft)
        elif draft.files != self._files:
            self._write(draft.files)

    # -- details --------------------------------------------------------------------------------

    def _run(self) -> None:
        said = ""
        while not self._ended.wait(POLL_INTERVAL_S):
            try:
                self.sync()
                said = ""
            except (SlimeMindError, OSError) as error:
                if str(error) != said:
                    said = str(error)
                    self._report(said)

    def _load_draft(self) -> Draft:
        """Raises: UsageError."""
        draft = self._drafts.find(self._id, self._owner)
        if draft is None:
            raise UsageError("the draft was deleted: start the command again to write on")
        return draft

    def _take_in(self, disk: Mapping[str, str], draft: Draft) -> None:
        if draft.files != self._files and draft.files != disk:
            self._drafts.save_version(draft, BEFORE_CHANGE_NOTE, digest_or_none(draft.files))
        with suppress(ChangedElsewhere):  # it is looked at again
            self._drafts.save(draft, draft.revision, draft.name, disk)
            self._disk = self._files = disk

    def _write(self, files: Mapping[str, str]) -> None:
        """Write the files of a draft where they were changed. Raises: EngineFailure."""
        is_folder = self._path.is_dir()
        for name, text in files.items():
            if is_folder and self._disk.get(name) != text:
                (self._path / name).parent.mkdir(parents=True, exist_ok=True)
                write_whole(self._path / name, text.encode())
            elif name == self._path.name and self._disk.get(name) != text:
                write_whole(self._path, text.encode())
        if is_folder:
            for name in self._disk.keys() - files.keys():
                (self._path / name).unlink(missing_ok=True)
        elif files.keys() != {self._path.name}:
            self._report(
                f"{self._path}: is one file, and of the draft only {self._path.name} is kept in "
                "it: a bot of several files is a folder with an __init__.py"
            )
        self._disk, self._files = self._read(), files

    def _read(self) -> dict[str, str]:
        """Return the texts of the bot; files that are no texts are left alone.

        Raises: BadBot, UsageError for what cannot be a draft.
        """
        texts = {}
        for name, content in read_own_files(self._path).items():
            with suppress(UnicodeDecodeError):
                texts[name] = content.decode()
        try:
            return validate_draft_files([DraftFile(name, text) for name, text in texts.items()])
        except BadUpload as error:
            raise BadBot(f"{self._path}: {error}") from error
