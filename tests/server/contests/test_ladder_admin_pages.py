"""What organizers do with ladders, bots and matches, on their pages."""

import re

import msgspec
import pytest
from sqlalchemy import select

from engine.catalog import GAMES
from runners.contests.contests import Ladder
from runners.contests.entries import enter
from runners.contests.ladders import Ladders
from runners.storage.database import now
from runners.storage.ladder_tables import EntryRule, EntryState, fixtures
from tests.server.contests.field import Made, add_match, bot_in, ladder_in
from tests.server.members import Browser, Server, page_text

FORM = {
    "name": "Spring",
    "game": "slime_mind",
    "set-max_turns": "120",
    "set-rows": " 20 ",
    "entry": "approved",
    "source": "everybody after the end",
    "versions": "3",
    "cpu": "600",
    "files_kb": "100",
    "begins": "2026-05-01T08:00",
    "ends": "2096-05-09T08:00",
}


FIELD = re.compile(r'<(?:input|select) name="((?:set|limit)-\w+)"(?: value="([^"]*)")?')
"""A setting on the page of a ladder, and what it is filled with."""


@pytest.fixture
def organizer(server: Server) -> Browser:
    return server.organizer()


def open_ladders(server: Server) -> Ladders:
    return Ladders(server.storage.database)


def find_spring(server: Server) -> Ladder:
    return next(one for one in open_ladders(server).all() if one.name == "Spring")


def a_ladder(server: Server, **fields: object) -> Ladder:
    return ladder_in(server.storage.database, **fields)  # type: ignore[arg-type]


def a_bot(server: Server, name: str) -> Made:
    server.member(name)
    return bot_in(server.storage.database, server.person_id(name), f"bot of {name}")


def void(server: Server) -> dict[int, str]:
    """Return why each void match is void."""
    query = select(fixtures.c.id, fixtures.c.why).where(fixtures.c.is_void)
    with server.storage.database.reading() as connection:
        return {row.id: row.why for row in connection.execute(query)}


def test_an_organizer_makes_a_season_and_everybody_reads_its_limits(
    server: Server, organizer: Browser
) -> None:
    page = organizer.post("/admin/contests", {**FORM, "words": "For a cake."})
    assert page.status_code == 200, page_text(page)
    season = find_spring(server)
    assert (season.spec.settings.max_turns, season.spec.settings.rows) == (120, 20)
    assert season.spec.limits == season.game.limits
    assert str(season.ends_at)[:16] == "2096-05-09 08:00"
    assert "ladder made" in server.audit()
    assert "Spring" in organizer.text("/admin/contests")
    text = server.browser().text(f"/contests/{season.id}")
    for words in ("For a cake.", "3 versions of a bot", "600 s of CPU time", "100 kB"):
        assert words in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "there is a ladder called slime MIND already"},
        {"set-rows": "rows: expected a whole number", "limit-cpu_ms": "cpu_ms: expected a whole"},
    ],
)
def test_what_is_wrong_is_shown_beside_its_field_and_the_form_is_kept_filled(
    server: Server, organizer: Browser, wrong: dict[str, str]
) -> None:
    page = organizer.post("/admin/contests", {**FORM, **dict.fromkeys(wrong, "slime MIND")})
    assert page.status_code == 422
    for field, why in wrong.items():
        assert f'<strong class="wrong" id="wrong-{field}">{why}' in page.text
    assert page.text.count('class="wrong"') == len(wrong)
    assert page.text.count('<details class="settings" open>') == len(wrong)
    assert 'value="everybody after the end" selected' in page.text
    assert "ladder made" not in server.audit()


def test_the_form_of_a_new_ladder_has_the_settings_of_its_game_with_their_meaning(
    server: Server, organizer: Browser
) -> None:
    for name, game in GAMES.items():
        page = organizer.get(f"/admin/contests/new?game={name}").text
        found = [field for field, _ in FIELD.findall(page)]
        assert found == [
            *(f"set-{one}" for one in game.settings().__struct_fields__),
            *(f"limit-{one}" for one in game.limits.__struct_fields__),
        ]
        assert f'name="game" value="{name}"' in page
    page = organizer.text("/admin/contests/new?game=smac")
    assert "production_model yield of a stack: table, or linear (height - 1) usual: table" in page
    assert "Settings of the game: all as usual" in page
    assert "Slime Mind" in organizer.text("/admin/contests/new?game=chess")


def test_saving_changes_what_was_typed_alone_and_is_in_the_audit_log(
    server: Server, organizer: Browser
) -> None:
    organizer.post("/admin/contests", FORM)
    before = find_spring(server)
    page = organizer.get(f"/admin/contests/{before.id}").text
    fields = {**FORM, **dict(FIELD.findall(page))}
    assert (fields["set-max_turns"], fields["set-rows"], fields["set-y_up"]) == ("120", "20", "")
    organizer.post(f"/admin/contests/{before.id}", fields)
    assert open_ladders(server).ladder(before.id) == before
    organizer.post(f"/admin/contests/{before.id}", {**fields, "files_kb": "200", "set-rows": ""})
    settings = before.game.settings(max_turns=120)
    spec = msgspec.structs.replace(before.spec, settings=settings)
    after = msgspec.structs.replace(before, most_bytes=200_000, spec=spec)
    assert open_ladders(server).ladder(before.id) == after
    changed = [one.words for one in server.site.audit.rows(9) if one.what == "ladder changed"]
    assert changed == [
        "Spring: set-rows 20 -> usual, files_kb 100 -> 200",
        "Spring: nothing",
    ]


def test_settings_are_fixed_once_there_are_matches(server: Server, organizer: Browser) -> None:
    ladder = a_ladder(server, name="Spring")
    bots = [a_bot(server, name) for name in ("Ann", "Bob")]
    add_match(server.storage.database, ladder.id, *bots)
    page = organizer.post(f"/admin/contests/{ladder.id}", {"set-rows": "20", "name": "Summer"})
    assert "Matches have been made" in page_text(page)
    after = msgspec.structs.replace(ladder, name="Summer")
    assert open_ladders(server).ladder(ladder.id) == after


def test_a_ladder_is_paused_and_goes_on(server: Server, organizer: Browser) -> None:
    ladder = a_ladder(server)
    assert "paused" in page_text(organizer.post(f"/admin/contests/{ladder.id}/pause"))
    assert ladder.id not in {one.id for one in open_ladders(server).all() if one.is_running(now())}
    assert "running" in page_text(organizer.post(f"/admin/contests/{ladder.id}/resume"))
    assert ladder.id in {one.id for one in open_ladders(server).all() if one.is_running(now())}
    assert {"ladder paused", "ladder resumed"} <= set(server.audit())


def find_entry(server: Server, ladder: Ladder, bot: Made) -> tuple[EntryState, str]:
    entry = open_ladders(server).entry(ladder.id, bot.id)
    assert entry is not None
    return entry.state, entry.why


def test_an_organizer_approves_and_refuses_bots(server: Server, organizer: Browser) -> None:
    ladder = a_ladder(server, entry_rule=EntryRule.APPROVED)
    ann, bob = a_bot(server, "Ann"), a_bot(server, "Bob")
    for bot in (ann, bob):
        enter(server.storage.database, ladder.id, bot.id)
    place = f"/admin/contests/{ladder.id}/entries"
    assert "waiting" in organizer.text(f"{place}/{ann.id}")
    organizer.post(f"{place}/{ann.id}/approve")
    assert "say why" in page_text(organizer.post(f"{place}/{bob.id}/refuse", {"reason": " "}))
    organizer.post(f"{place}/{bob.id}/refuse", {"reason": "a copy of Ann's"})
    assert find_entry(server, ladder, ann) == (EntryState.PLAYING, "")
    assert find_entry(server, ladder, bob) == (EntryState.WITHDRAWN, "a copy of Ann's")
    assert {"bot: approve", "bot: refuse"} <= set(server.audit())
    again = organizer.post(f"{place}/{bob.id}/refuse", {"reason": "twice"})
    assert "look again" in page_text(again)


def test_all_that_wait_are_let_in_in_one_step_but_none_that_nobody_has_seen(
    server: Server, organizer: Browser
) -> None:
    ladder = a_ladder(server, entry_rule=EntryRule.APPROVED)
    bots = [a_bot(server, name) for name in ("Amy", "Ben", "Cem", "Dan")]
    for bot in bots[:3]:
        enter(server.storage.database, ladder.id, bot.id)
    place = f"/admin/contests/{ladder.id}"
    page = organizer.get(place).text
    assert "Let all 3 in" in page
    up_to = re.search(r'name="up_to" value="(\d+)"', page)
    assert up_to is not None
    enter(server.storage.database, ladder.id, bots[3].id)
    organizer.post(f"{place}/entries/{bots[2].id}/refuse", {"reason": "not this one"})
    organizer.post(f"{place}/approve", {"up_to": up_to[1]})
    assert [find_entry(server, ladder, bot)[0] for bot in bots] == [
        EntryState.PLAYING,
        EntryState.PLAYING,
        EntryState.WITHDRAWN,
        EntryState.WAITING,
    ]
    assert "Let all" not in organizer.get(place).text
    for bad in ("", "soon", "9" * 20):
        assert organizer.post(f"{place}/approve", {"up_to": bad}).status_code in (413, 422)


@pytest.mark.parametrize(("choice", "voided"), [("void", 2), ("keep", 1)])
def test_a_disqualified_bots_matches_are_void_or_go_on_to_count(
    server: Server, organizer: Browser, choice: str, voided: int
) -> None:
    ladder, other = a_ladder(server), a_ladder(server)
    ann, bob, eve = (a_bot(server, name) for name in ("Ann", "Bob", "Eve"))
    for bot in (ann, bob, eve):
        enter(server.storage.database, ladder.id, bot.id)
    of_eve = add_match(server.storage.database, ladder.id, ann, eve)
    to_come = add_match(
        server.storage.database, ladder.id, eve, bob, has_result=False, played_at=None
    )
    add_match(server.storage.database, ladder.id, ann, bob)
    add_match(server.storage.database, other.id, ann, eve)
    fields = {"reason": "it was copied", "played": choice}
    place = f"/admin/contests/{ladder.id}/entries/{eve.id}/disqualify"
    page = organizer.post(place, fields)
    assert "disqualified it was copied" in page_text(page)
    assert find_entry(server, ladder, eve) == (EntryState.DISQUALIFIED, "it was copied")
    assert set(void(server)) == ({of_eve, to_come} if voided == 2 else {to_come})
    assert set(void(server).values()) == {"disqualified: it was copied"}
    (row,) = [one for one in server.site.audit.rows(9) if one.what == "bot: disqualify"]
    assert row.about == "Eve"
    assert row.words.endswith(f"it was copied ({voided} matches void)")
    organizer.post(f"/admin/contests/{ladder.id}/entries/{eve.id}/approve")
    assert find_entry(server, ladder, eve) == (EntryState.PLAYING, "")


def test_a_single_match_is_made_void_and_counts_again(server: Server, organizer: Browser) -> None:
    ladder = a_ladder(server)
    ann, bob = a_bot(server, "Ann"), a_bot(server, "Bob")
    number = add_match(server.storage.database, ladder.id, ann, bob)
    place = f"/admin/contests/{ladder.id}/matches/{number}"
    assert "bot of Ann against bot of Bob" in organizer.text(place)
    assert organizer.post(f"{place}/void", {"reason": ""}).status_code == 422
    organizer.post(f"{place}/void", {"reason": "the power went off"})
    assert void(server) == {number: "the power went off"}
    assert organizer.post(f"{place}/void", {"reason": "twice"}).status_code == 422
    organizer.post(f"{place}/count")
    assert void(server) == {}
    assert {"match void", "match counts again"} <= set(server.audit())


def test_what_is_not_there_is_said_to_be_so(server: Server, organizer: Browser) -> None:
    ladder = a_ladder(server)
    bot = a_bot(server, "Ann")
    for path in (
        "/admin/contests/none",
        f"/admin/contests/{ladder.id}/entries/none",
        f"/admin/contests/{ladder.id}/entries/{bot.id}",
        f"/admin/contests/{ladder.id}/matches/7",
        f"/admin/contests/{ladder.id}/matches/{10**30}",
    ):
        assert organizer.get(path).status_code == 404, path
    assert organizer.post(f"/admin/contests/{ladder.id}/entries/{bot.id}/dance").status_code == 404
