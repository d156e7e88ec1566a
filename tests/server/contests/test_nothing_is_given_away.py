"""What anybody can fetch of ladders of every game has nothing that is the authors' alone."""

import base64
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots.finding import Copies, read_bot
from engine.catalog import GAMES
from engine.games.game_of_death.settings import Settings as GameOfDeath
from engine.games.smac.settings import Settings as Smac
from engine.games.smack.settings import Settings as Smack
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from runners.configuration import HOME
from runners.contests.contests import usual_spec
from tests.engine.bots.matches import DUEL
from tests.server.contests.field import Made, bot_in, enter_all, ladder_in, playing, results_in
from tests.server.members import Browser, Server, serving
from tests.shell import eventually

AUTHORS = ("Ann", "Ben")
BOARDS: dict[str, Any] = {
    "slime_mind": DUEL,
    "smack": Smack(ply_limit=6),
    "smac": Smac(last_turn=3),
    "game_of_death": GameOfDeath(max_turns=3),
}
ROOMY = {"cpu_ms": 2_000, "wall_ms": 20_000, "load_ms": 30_000}
SHORTEST = 24
"""Letters of a line that stands in nothing but a source."""
ELSEWHERE = re.compile(r"/(docs|static|sign-in|start|join|welcome|feeds|write)\b|/kit\.zip|/feed")
"""Pages that are no part of matches; documents, the kit and /write show bots of ours."""


def marker(author: str, what: str = "") -> str:
    return f"a secret of {author}{what}"


def make_source(game: str, author: str) -> str:
    """Return a starter bot of a game that has, prints and raises secrets of its author."""
    text = (HOME / "playerCode" / GAMES[game].bots / "player_one.py").read_text()
    text = re.sub(
        r"(?m)^(class \w+.*:)$", rf'\1\n    SECRET = "{marker(author, ", written")}"', text
    )
    spoken = (
        f'        print("{marker(author, ", printed")}")\n'
        "        if random.random() < 0.3:\n"
        f'            raise ValueError("{marker(author, ", raised")}")'
    )
    return "import random\n" + re.sub(
        r"(?m)^(    def (decide|update)\(.*:)$", rf"\1\n{spoken}", text
    )


class World:
    """A server with a ladder of each game, on which Ann's bots have played against Ben's."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.ann, self.ben = (server.member(author) for author in AUTHORS)
        self.visitor = server.browser()
        self.matches = dict[str, str]()
        self.sources = list[str]()
        database = server.storage.database
        ladders = {}
        for game in GAMES:
            spec = usual_spec(GAMES[game])
            limits = msgspec.structs.replace(spec.limits, **ROOMY)
            spec = msgspec.structs.replace(spec, settings=BOARDS[game], limits=limits)
            ladders[game] = ladder_in(database, game, name=f"Tiny {game}", spec=spec)
            enter_all(database, ladders[game], [self._bot(game, author) for author in AUTHORS])
        with playing(database, folder):
            assert eventually(lambda: all(results_in(database, one) for one in ladders.values()))
        for game, ladder in ladders.items():
            self.matches[game] = str(results_in(database, ladder)[0].public_id)

    def _bot(self, game: str, author: str) -> Made:
        source = make_source(game, author)
        self.sources.append(source)
        path = self.folder / "sources" / game / f"player_{author.lower()}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        bot = read_bot(path)
        Copies(self.folder / "bots").save(bot)
        person = self.server.person_id(author)
        name = f"{author.lower()} of {game}"
        return bot_in(self.server.storage.database, person, name, game=game, digest=bot.digest)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("world")
    with serving(folder) as server:
        yield World(server, folder)


def fetch_all(browser: Browser, world: World) -> dict[str, str]:
    """Return all that a browser finds, beginning at the first page, unpacked."""
    of_match = ("", "/watch", "/replay", "/logs/1", "/logs/2")
    waiting = ["/", "/contests", "/contests"]
    for match in world.matches.values():
        waiting += [f"/matches/{match}{page}" for page in of_match]
        waiting.append(f"/api/v1/matches/{match}/scene")
    found: dict[str, str] = {}
    while waiting:
        path = waiting.pop()
        if path in found or ELSEWHERE.match(path):
            continue
        answer = browser.get(path)
        found[path] = b"\n".join(unpack_all(answer.content)).decode(errors="replace")
        if "html" in answer.headers.get("content-type", ""):
            waiting += re.findall(r'(?:href|src)="(/[^"#?]*)', answer.text)
    assert len(found) > 50
    return found


def unpack_all(content: bytes) -> Iterator[bytes]:
    """Yield what was sent, and what is packed in it."""
    yield content
    if content.startswith(b"\x1f\x8b"):
        yield gzip.decompress(content)
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as made:
            for name in made.namelist():
                yield from unpack_all(made.read(name))
    for block in re.findall(rb"[A-Za-z0-9+/]{40,}={0,2}", content):
        with suppress(ValueError, zlib.error):
            yield zlib.decompress(base64.b64decode(block))


def secret_lines(sources: list[str]) -> set[str]:
    stripped = {line.strip() for source in sources for line in source.splitlines()}
    return {line for line in stripped if len(line) >= SHORTEST}


def test_a_visitor_finds_no_secret_and_no_line_of_source(world: World) -> None:
    wanted = {*secret_lines(world.sources), "a secret of"}
    pages = fetch_all(world.visitor, world)
    assert len(pages) > 10
    for path, text in pages.items():
        assert {line for line in wanted if line in text or _escape(line) in text} == set(), path


def _escape(line: str) -> str:
    """Return how a line stands in JSON."""
    return msgspec.json.encode(line).decode()[1:-1]


def test_an_author_finds_none_of_anybody_elses(world: World) -> None:
    found = fetch_all(world.ann, world)
    assert [path for path, text in found.items() if marker("Ben") in text] == []
    assert any(marker("Ann", ", printed") in text for text in found.values())
    assert any(marker("Ann", ", raised") in text for text in found.values())
    battle = found[f"/matches/{world.matches['game_of_death']}/replay"]
    assert marker("Ann", ", written") in battle


@pytest.mark.parametrize("game", [*GAMES])
@pytest.mark.parametrize("who", ["visitor", "ann", "ben"])
def test_what_was_fetched_is_as_the_rules_make_it(
    world: World, game: str, who: str, tmp_path: Path
) -> None:
    browser: Browser = getattr(world, who)
    path = tmp_path / "replay"
    path.write_bytes(browser.get(f"/matches/{world.matches[game]}/replay").content)
    replay = Replay(path)
    assert verify(replay) is None
    assert replay.copy is not None
    assert replay.copy.fingerprint == replay.fingerprint
    assert replay.copy.original in world.visitor.text(f"/matches/{world.matches[game]}")
