"""What drafts are begun from: the templates of each game, and its starter bots."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from engine.bots.finding import entry_of
from engine.catalog import GAMES
from engine.errors import UsageError
from engine.support.interpreter_state import parse_module
from runners.authoring.new_bot import DOCSTRING, PARAMETERS, TemplateName, template_file
from runners.starter_bots import starter_files
from server.bots.bot_names import file_name
from server.writing.bodies import MOST_BYTES, OfferedTemplate

MAIN = "player.py"
"""The name of a template's main file, before the draft's own takes its place."""
TITLES = {
    TemplateName.SIMPLE: "A bot to begin with",
    TemplateName.SEARCH: "A search over plans",
    TemplateName.LEARNING: "Numbers that can be tuned",
}
OWN_NAME = re.compile(r'^NAME = ".*"$', re.MULTILINE)
HEAD = '"""A bot for {}: change it, run it, and see what comes of it."""\n'


class DraftTemplate(Struct, frozen=True, kw_only=True):
    """A bot to begin with."""

    name: str
    title: str
    summary: str
    files: Mapping[str, str]


@cache
def templates_of(game: str) -> Mapping[str, DraftTemplate]:
    """Return the templates of a game by name, the simplest first."""
    found = [*_templates(game), *_starters(game)]
    return {one.name: one for one in found if sum(map(len, one.files.values())) < MOST_BYTES}


def offered_templates() -> list[OfferedTemplate]:
    return [
        OfferedTemplate(
            game=game,
            name=one.name,
            title=one.title,
            summary=one.summary,
            files=list(one.files),
        )
        for game in GAMES
        for one in templates_of(game).values()
    ]


def begun_from(template: DraftTemplate, name: str) -> dict[str, str]:
    """Return the files of a template as those of a bot of this name."""
    files = dict(template.files)
    text = files.pop(MAIN)
    return {file_name(name): OWN_NAME.sub(f'NAME = "{name}"', text, count=1), **files}


def _templates(game: str) -> Iterator[DraftTemplate]:
    for template in TemplateName:
        try:
            file = template_file(game, template)
        except UsageError:  # at home, an author may have removed it
            continue
        text = _read(file)
        if template is TemplateName.SIMPLE:  # it says how to copy it
            text = DOCSTRING.sub(lambda _: HEAD.format(GAMES[game].title), text, count=1)
        files = {MAIN: text}
        if template is TemplateName.LEARNING:
            files[PARAMETERS] = _read(file.with_name(PARAMETERS))
        yield _template(str(template), TITLES[template], files)


def _starters(game: str) -> Iterator[DraftTemplate]:
    for path in starter_files(game):
        entry = entry_of(path)
        files = {MAIN: _read(entry)}
        if path.is_dir():
            others = [one for one in sorted(path.iterdir()) if one.is_file() and one != entry]
            files |= {one.name: _read(one) for one in others}
        title = OWN_NAME.search(files[MAIN])
        called = title[0].split('"')[1] if title else path.stem
        yield _template(path.stem, f"{called} ({path.stem})", files)


def _template(name: str, title: str, files: Mapping[str, str]) -> DraftTemplate:
    about = ast.get_docstring(parse_module(files[MAIN])) or ""
    return DraftTemplate(name=name, title=title, summary=about.partition("\n")[0], files=files)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
