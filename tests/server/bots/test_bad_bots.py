"""The bad bots are handed in: each ends as at home, and the site stays up."""

import base64
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from runners.storage.ladder_tables import VersionState
from server.bots.checking import SOURCE
from server.identity.people import Kind
from tests import needs
from tests.engine.bots.attacks import ATTACKS
from tests.engine.bots.bad_bots import bad_bot_path, bad_bots
from tests.engine.bots.matches import DUEL, QUICK
from tests.engine.bots.test_faults import EXPECTED, HARMLESS
from tests.server.bots.submitting import await_checks, bearer, make_token, read_json, steps
from tests.server.members import Server, serving

A_FEW = ("loops", "exits_hard", "syntax_error", "answers_fly", "floods_stdout", "own_json")
IS_ROOT = os.name == "posix" and os.geteuid() == 0
MAX_NAME_LENGTH = 24


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server with a ladder of short matches."""
    with serving(tmp_path_factory.mktemp("bad")) as server:
        ladders = server.site.contests.ladders
        (ladder,) = [one for one in ladders.all() if one.spec.game == "slime_mind"]
        spec = replace(ladder.spec, settings=replace(DUEL, max_turns=20), limits=QUICK)
        ladders.change(replace(ladder, spec=spec))
        yield server


def encode_files(path: Path) -> dict[str, str]:
    paths = [path] if path.is_file() else sorted(path.rglob("*.py"))
    return {
        one.relative_to(path.parent).as_posix(): base64.b64encode(one.read_bytes()).decode()
        for one in paths
    }


def expect_the_end_of(server: Server, name: str) -> None:
    """Hand in a bad bot by an author of its own, and compare what becomes of it with home."""
    people, author = server.site.people, name[:MAX_NAME_LENGTH]
    people.join(people.new_link(Kind.PERSON, made_by=None), author, None)
    token = make_token(server, author)
    client = server.browser().client
    body = {"files": encode_files(bad_bot_path(name)), "game": "slime_mind", "name": author}
    told = read_json(client.post("/api/v1/bots", json=body, headers=bearer(token)))
    assert told["state"] == "checking", told
    version = await_checks(server, author)
    said = " ".join(words for _, words in steps(server, version).values())
    if name in HARMLESS:
        assert version.state is VersionState.ACTIVE, version.why
    if name in EXPECTED and not version.why.startswith(SOURCE):
        assert EXPECTED[name][0] in said
    assert "could not check" not in version.why
    assert client.get("/").status_code == 200


@pytest.mark.variants(1)
@pytest.mark.parametrize("name", A_FEW)
def test_a_few_bad_bots_end_as_at_home(server: Server, name: str) -> None:
    expect_the_end_of(server, name)


@pytest.mark.slow
@pytest.mark.variants(1, all=12)
@pytest.mark.parametrize("name", sorted(set(bad_bots()) - set(A_FEW)))
def test_every_bad_bot_ends_as_at_home(server: Server, name: str) -> None:
    if IS_ROOT and name in ATTACKS:
        needs.skip("os.geteuid() of an ordinary user: attacks of root may succeed")
    expect_the_end_of(server, name)
