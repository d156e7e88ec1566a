"""Remote bots on PostgreSQL, with two web processes of one database."""

from pathlib import Path

import pytest

from tests.postgresql import PostgreSQL
from tests.server.members import serving
from tests.server.remote_bots.programs import Program, make_program

pytestmark = pytest.mark.slow


def test_a_challenge_made_at_one_process_is_told_by_the_other(
    tmp_path: Path, postgresql: PostgreSQL
) -> None:
    url = postgresql.new_url()
    with (
        serving(tmp_path / "first", url=url) as first,
        serving(tmp_path / "second", url=url, is_web_only=True) as second,
    ):
        first.member("Ann")
        bob = first.member("Bob")
        ann, bobs = make_program(first, "Ann"), make_program(first, "Bob")
        game = ann.challenge({"player": "Bob"}, team=1)["id"]
        elsewhere = Program(second.browser(), bobs.token)
        waiting = elsewhere.request("GET", "/challenges")["challenges"]
        assert [(one["id"], one["kind"]) for one in waiting] == [(game, "received")]
        assert elsewhere.request("POST", f"/challenges/{game}/accept")["has_begun"]
        assert "Ann (remote bot)" in bob.text("/lobby/new?game=smack")
        for program in (ann, elsewhere):
            seats = program.position(game)["seats"]
            assert [seat["kind"] for seat in seats] == ["remote", "remote"]
