"""Drafts in the database, each its author's alone, and the templates from which they are begun."""

import ast
import re
import secrets
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from engine.bots.finding import find_entry_file
from engine.catalog import GAMES
from engine.errors import UsageError
from engine.support.interpreter_state import parse_module
from runners.authoring.new_bot import DOCSTRING, PARAMETERS, TemplateName, template_file
from runners.starter_bots import starter_files
from runners.storage.database import Database, now, struct_from_row, with_time_zone
from runners.storage.game_tables import draft_bots, draft_versions
from runners.storage.together import AnyRow, Lookup
from server.bots.bots import file_name
from server.writing.bodies import MAX_BYTES, DraftLine, DraftVersion, OfferedTemplate

MAX_DRAFTS = 30
"""Drafts of one person."""
MAX_DRAFTS_PER_GUEST = 5
MAX_GUEST_DRAFTS = 2_000
"""Drafts of all guests together."""
MAX_VERSIONS = 60
"""Versions of a draft; the oldest one goes when there are more."""
GUEST_RETENTION = timedelta(days=7)
"""The drafts of a guest are removed so long after the last change."""
ID_BYTES = 12
MAIN_FILE = "player.py"
"""The name of a template's main file, before the draft's own takes its place."""
TITLES = {
    TemplateName.SIMPLE: "A bot to begin with",
    TemplateName.SEARCH: "A search over plans",
    TemplateName.LEARNING: "Numbers that can be tuned",
}
OWN_NAME = re.compile(r'^NAME = ".*"$', re.MULTILINE)
HEADING = '"""A bot for {}: change it, run it, and see what comes of it."""\n'


class Owner(NamedTuple):
    """Whose a draft is: a person's, or that of a guest, by the hash of a cookie."""

    person: str | None = None
    guest: str | None = None

    @property
    def is_guest(self) -> bool:
        return self.person is None


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that is being written."""

    id: str
    owner: Owner
    name: str
    game: str
    files: Mapping[str, str]
    revision: int
    changed_at: datetime


class NotSaved(Exception):
    """Why a draft was not kept, in a sentence."""


class ChangedElsewhere(Exception):
    """A draft has another revision than the one that was changed."""

    def __init__(self, revision: int) -> None:
        super().__init__("this draft was changed elsewhere: in another tab, or another browser")
        self.revision = revision


class Drafts:
    """The drafts of all authors. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner: Owner, game: str, name: str, files: Mapping[str, str]) -> Draft:
        """Keep a new draft. Raises: NotKept where there are too many."""
        draft = Draft(
            id=secrets.token_hex(ID_BYTES),
            owner=owner,
            name=name,
            game=game,
            files=files,
            revision=1,
            changed_at=now(),
        )
        row = {
            **owner._asdict(),
            "id": draft.id,
            "name": name,
            "game": game,
            "files": _compress_files(files),
            "revision": draft.revision,
            "created_at": draft.changed_at,
            "changed_at": draft.changed_at,
        }
        with self._database.transaction() as connection:
            _require_room(connection, owner)
            connection.execute(insert(draft_bots).values(row))
        return draft

    def find_drafts(self, owner: Owner) -> list[DraftLine]:
        """Return somebody's drafts, the newest first."""
        columns = (draft_bots.c.id, draft_bots.c.name, draft_bots.c.game, draft_bots.c.changed_at)
        query = select(*columns).where(_is_owner(owner)).order_by(draft_bots.c.changed_at.desc())
        return self._database.find(
            Lookup(query, lambda rows: [struct_from_row(DraftLine, row) for row in rows])
        )

    def find(self, draft_id: str, owner: Owner) -> Draft | None:
        """Return a draft of somebody's; None where it is not theirs, or not there."""
        query = select(draft_bots).where(draft_bots.c.id == draft_id, _is_owner(owner))
        row = self._database.fetch_row(query)
        return None if row is None else _draft_from_row(row)

    def save(self, draft: Draft, revision: int, name: str, files: Mapping[str, str]) -> int:
        """Keep what was made of a revision, and return the new one.

        Raises: ChangedElsewhere where there is another revision by now.
        """
        if (draft.name, draft.files) == (name, files):
            return draft.revision  # as it is already, whatever it was made of
        values = {
            "name": name,
            "files": _compress_files(files),
            "revision": revision + 1,
            "changed_at": now(),
        }
        is_it = (draft_bots.c.id == draft.id, draft_bots.c.revision == revision)
        with self._database.transaction() as connection:
            if connection.execute(update(draft_bots).where(*is_it).values(values)).rowcount:
                return revision + 1
            query = select(draft_bots.c.revision).where(draft_bots.c.id == draft.id)
            raise ChangedElsewhere(connection.execute(query).scalar() or 0)

    def remove(self, draft_id: str) -> None:
        with self._database.transaction() as connection:
            _remove(connection, draft_bots.c.id == draft_id)

    # -- versions -------------------------------------------------------------------------------

    def save_version(self, draft: Draft, note: str, digest: str) -> int:
        """Keep the files of a draft as a version; files that the newest one has are that one."""
        where = draft_versions.c.draft == draft.id
        newest = select(draft_versions).where(where).order_by(draft_versions.c.number.desc())
        with self._database.transaction() as connection:
            last = connection.execute(newest.limit(1)).one_or_none()
            if last is not None and _decompress_files(last.files) == draft.files:
                if note:
                    is_last = (where, draft_versions.c.number == last.number)
                    connection.execute(update(draft_versions).where(*is_last).values(note=note))
                return int(last.number)
            number = 1 if last is None else last.number + 1
            row = {
                "draft": draft.id,
                "number": number,
                "note": note,
                "digest": digest,
                "files": _compress_files(draft.files),
                "made_at": now(),
            }
            connection.execute(insert(draft_versions).values(row))
            old = draft_versions.c.number <= number - MAX_VERSIONS
            connection.execute(delete(draft_versions).where(where, old))
        return number

    def find_versions(self, draft_id: str) -> list[DraftVersion]:
        """Return what is known of the versions of a draft, the newest first."""
        table = draft_versions.c
        query = (
            select(table.number, table.note, table.made_at, table.digest)
            .where(table.draft == draft_id)
            .order_by(table.number.desc())
        )
        return self._database.find(
            Lookup(query, lambda rows: [struct_from_row(DraftVersion, row) for row in rows])
        )

    def load_version(self, draft_id: str, number: int) -> Mapping[str, str] | None:
        """Return the files of a version; None where there is none."""
        table = draft_versions.c
        query = select(table.files).where(table.draft == draft_id, table.number == number)
        content = self._database.fetch_value(query)
        return None if content is None else _decompress_files(content)

    # -- people ---------------------------------------------------------------------------------

    def adopt(self, guest: str, person_id: str) -> None:
        """Give a person what they wrote as a guest."""
        where = draft_bots.c.guest == guest
        self._database.write(update(draft_bots).where(where).values(person=person_id, guest=None))

    def export_drafts(self, person_id: str) -> list[dict[str, object]]:
        """Return everything that a person has written here."""
        query = select(draft_bots).where(draft_bots.c.person == person_id)
        saved = (
            select(draft_versions)
            .join(draft_bots, draft_bots.c.id == draft_versions.c.draft)
            .where(draft_bots.c.person == person_id)
            .order_by(draft_versions.c.number)
        )
        with self._database.reading() as connection:
            drafts = connection.execute(query).all()
            versions = connection.execute(saved).all()
        return [
            {
                "name": row.name,
                "game": row.game,
                "changed_at": with_time_zone(row.changed_at),
                "files": _decompress_files(row.files),
                "versions": [
                    {
                        "number": one.number,
                        "note": one.note,
                        "made_at": with_time_zone(one.made_at),
                        "files": _decompress_files(one.files),
                    }
                    for one in versions
                    if one.draft == row.id
                ],
            }
            for row in drafts
        ]

    def forget(self, person_id: str) -> None:
        """Remove everything that a person has written."""
        with self._database.transaction() as connection:
            _remove(connection, draft_bots.c.person == person_id)


def is_old_draft(at: datetime) -> ColumnElement[bool]:
    """Return the condition of drafts of guests who have not come back."""
    return draft_bots.c.guest.is_not(None) & (draft_bots.c.changed_at < at - GUEST_RETENTION)


def _remove(connection: Connection, which: ColumnElement[bool]) -> None:
    drafts = select(draft_bots.c.id).where(which)
    connection.execute(delete(draft_versions).where(draft_versions.c.draft.in_(drafts)))
    connection.execute(delete(draft_bots).where(which))


def _require_room(connection: Connection, owner: Owner) -> None:
    """Raises: NotKept."""
    most = MAX_DRAFTS_PER_GUEST if owner.is_guest else MAX_DRAFTS
    if _count(connection, _is_owner(owner)) >= most:
        raise NotSaved(f"you have {most} drafts, which is the most: delete one of them")
    if owner.is_guest and _count(connection, draft_bots.c.guest.is_not(None)) >= MAX_GUEST_DRAFTS:
        raise NotSaved("too many people write without an account at the moment: sign in")


def _count(connection: Connection, which: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(draft_bots).where(which)
    return int(connection.execute(query).scalar_one())


def _is_owner(owner: Owner) -> ColumnElement[bool]:
    if owner.person is not None:
        return draft_bots.c.person == owner.person
    return draft_bots.c.guest == owner.guest


def _draft_from_row(row: AnyRow) -> Draft:
    owner, files = Owner(row.person, row.guest), _decompress_files(row.files)
    return struct_from_row(Draft, row, owner=owner, files=files)


def _compress_files(files: Mapping[str, str]) -> bytes:
    return zlib.compress(msgspec.json.encode(files))


def _decompress_files(content: bytes) -> dict[str, str]:
    return msgspec.json.decode(zlib.decompress(content), type=dict[str, str])


class DraftTemplate(Struct, frozen=True, kw_only=True):
    """A bot to begin with."""

    name: str
    title: str
    summary: str
    files: Mapping[str, str]


@cache
def load_templates(game: str) -> Mapping[str, DraftTemplate]:
    """Return the templates of a game by name, the simplest first."""
    found = [*_template_drafts(game), *_starter_drafts(game)]
    return {one.name: one for one in found if sum(map(len, one.files.values())) < MAX_BYTES}


def list_templates() -> list[OfferedTemplate]:
    return [
        OfferedTemplate(
            game=game, name=one.name, title=one.title, summary=one.summary, files=list(one.files)
        )
        for game in GAMES
        for one in load_templates(game).values()
    ]


def fill_template(template: DraftTemplate, name: str) -> dict[str, str]:
    """Return the files of a template as those of a bot of this name."""
    files = dict(template.files)
    text = files.pop(MAIN_FILE)
    return {file_name(name): OWN_NAME.sub(f'NAME = "{name}"', text, count=1), **files}


def _template_drafts(game: str) -> Iterator[DraftTemplate]:
    for template in TemplateName:
        try:
            file = template_file(game, template)
        except UsageError:  # at home, an author may have removed it
            continue
        text = _read(file)
        if template is TemplateName.SIMPLE:  # it says how to copy it
            text = DOCSTRING.sub(lambda _: HEADING.format(GAMES[game].title), text, count=1)
        files = {MAIN_FILE: text}
        if template is TemplateName.LEARNING:
            files[PARAMETERS] = _read(file.with_name(PARAMETERS))
        yield _make_template(str(template), TITLES[template], files)


def _starter_drafts(game: str) -> Iterator[DraftTemplate]:
    for path in starter_files(game):
        entry = find_entry_file(path)
        files = {MAIN_FILE: _read(entry)}
        if path.is_dir():
            others = [one for one in sorted(path.iterdir()) if one.is_file() and one != entry]
            files |= {one.name: _read(one) for one in others}
        title = OWN_NAME.search(files[MAIN_FILE])
        called = title[0].split('"')[1] if title else path.stem
        yield _make_template(path.stem, f"{called} ({path.stem})", files)


def _make_template(name: str, title: str, files: Mapping[str, str]) -> DraftTemplate:
    about = ast.get_docstring(parse_module(files[MAIN_FILE])) or ""
    return DraftTemplate(name=name, title=title, summary=about.partition("\n")[0], files=files)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
