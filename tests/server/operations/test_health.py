"""How a server is: the page, and what programs read."""

import json
from contextlib import closing
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import update

from engine.fault import Cause
from runners.contests.ladder_fixtures import LadderFixture, LadderFixtures
from runners.contests.playing import MAX_TRIES
from runners.storage.database import now
from runners.storage.ladder_tables import VersionState
from runners.storage.tables import contests
from server.bots.bots import Bots
from server.operations.health import Health, is_within, prometheus_metrics
from server.site.application import Application
from tests.server.contests.field import (
    add_match,
    bot_in,
    enter_all,
    keep_result,
    ladder_in,
    real_bot_in,
    tiny_ladder_in,
    version_in,
)
from tests.server.in_process import make_client
from tests.server.members import HOST, Server, page_text

WELL = Health(
    parts={"dispatcher": True},
    workers=1,
    open_fixtures=0,
    oldest_s=None,
    played=0,
    played_today=0,
    failed_today=0,
    faults_today={},
    checking=0,
    oldest_check_s=None,
    games=0,
    disk_free=1 << 40,
    disk_total=1 << 41,
    database_bytes=1 << 20,
)


def a_backlog(server: Server) -> None:
    """Add a match that waits since two hours, one that was played with a fault, one given up."""
    database, at = server.storage.database, now()
    ladder = ladder_in(database)
    server.member("Ann")
    bot = bot_in(database, server.person_id("Ann"), "ann")
    version_in(database, bot, "v2", number=2, state=VersionState.CHECKING)
    result = json.dumps({"teams": [{"faults": {"exception": 3}}, {"faults": {}}]})
    before = at - timedelta(hours=2)
    rows: list[dict[str, object]] = [
        {"played_at": None, "has_result": False},
        {},
        {"has_result": False, "why": "no process", "failures": 3},
    ]
    with database.transaction() as connection:
        keep_result(connection, "k", result)
    for row in rows:
        add_match(database, ladder.id, **{"created_at": before, "played_at": at, **row})


def test_the_page_says_what_waits_and_what_broke(server: Server) -> None:
    a_backlog(server)
    page = page_text(server.organizer().get("/admin/health"))
    assert "Matches to be played 1, the oldest for 2 h" in page
    assert "Matches played 1, 1 of them within 24 hours" in page
    assert "Could not be played 1 within 24 hours" in page
    assert "Versions being checked 1" in page
    assert "exception 3" in page
    assert "A match has waited for more than an hour" in page


def test_only_matches_that_could_not_be_played_have_failed(server: Server, tmp_path: Path) -> None:
    database = server.storage.database
    ladder = tiny_ladder_in(database)
    made = [real_bot_in(database, tmp_path, name) for name in ("ann", "ben")]
    enter_all(database, ladder, made)
    open_ones = LadderFixtures(database)

    def add_two() -> list[LadderFixture]:
        return open_ones.add_set(ladder, open_ones.find_contenders(ladder.id), seed=1)

    broken, restored = add_two()
    for _ in range(MAX_TRIES):
        open_ones.fail(broken, "no process")
    open_ones.fail(restored, "no process")  # it is tried again
    open_ones.give_up(add_two()[0], "the ladder is played with other settings now")
    Bots(database).quarantine(made[0].version, "it broke")
    version_in(database, made[0], "v2", number=2)  # as after each version that is handed in
    open_ones.drop_idle(ladder.id)
    assert open_ones.find_waiting(ladder.id) == []
    health = server.site.health.measure_health(now(), server.site.contests.ladders.all())
    assert (health.failed_today, health.open_fixtures) == (1, 0)
    (alarm,) = health.alarms
    assert alarm.startswith("1 match could not be played")


def test_matches_of_a_ladder_that_is_paused_or_over_do_not_wait(server: Server) -> None:
    a_backlog(server)
    database, at = server.storage.database, now()
    health = server.site.health.measure_health(at, server.site.contests.ladders.all())
    assert health.open_fixtures == 1
    assert health.oldest_s is not None
    assert health.oldest_s > 7_000
    for stopped in (
        {"is_paused": True},
        {"is_paused": False, "ends_at": at, "concluded_at": at},
        {"ends_at": None, "concluded_at": None, "begins_at": at + timedelta(hours=1)},
    ):
        database.write(update(contests).values(stopped))
        health = server.site.health.measure_health(at, server.site.contests.ladders.all())
        assert (health.open_fixtures, health.oldest_s) == (0, None), stopped


@pytest.mark.parametrize(
    ("changes", "arguments"),
    [
        ({}, []),
        ({"parts": {"dispatcher": False}}, ["the dispatcher does not run"]),
        ({"oldest_s": 3_601.0}, ["a match has waited for more than an hour"]),
        ({"oldest_s": 3_599.0}, []),
        ({"oldest_check_s": 3_601.0}, ["a version has waited"]),
        ({"failed_today": 1}, ["1 match could not be played: see"]),
        ({"failed_today": 2}, ["2 matches could not be played: see"]),
        ({"disk_free": 1 << 29}, ["there is little space"]),
        ({"unwritable": "disk full"}, ["the database cannot be written (disk full)"]),
    ],
)
def test_somebody_is_told_what_to_look_at(changes: dict[str, object], arguments: list[str]) -> None:
    alarms = msgspec.structs.replace(WELL, **changes).alarms
    assert [alarm.startswith(word) for alarm, word in zip(alarms, arguments, strict=True)] == [
        True
    ] * len(arguments)


def test_everybody_may_ask_whether_it_is_up(server: Server) -> None:
    answer = server.browser().get("/healthz")
    assert (answer.status_code, json.loads(answer.content)) == (200, {"ok": True})


def test_metrics_are_for_this_machine_and_for_organizers(server: Server) -> None:
    organizer = server.organizer()
    assert organizer.get("/metrics").status_code == 200
    assert server.browser().get("/metrics").status_code == 404
    assert server.member("Mia").get("/metrics").status_code == 404
    for address, status in (("127.0.0.1", 200), ("::1", 200), ("10.0.0.7", 404)):
        client = make_client(server.web.app, f"http://{HOST}", address=address)
        assert client.get("/metrics").status_code == status


def test_metrics_can_be_read(server: Server) -> None:
    a_backlog(server)
    answer = server.organizer().get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    families = list(text_string_to_metric_families(answer.text))
    assert len(families) == len({family.name for family in families})
    assert "\nslime_mind_open_fixtures 1.0\n" in answer.text
    assert '\nslime_mind_faults_day{cause="exception"} 3.0\n' in answer.text
    assert "\nslime_mind_matches_total 1.0\n" in answer.text


def test_a_metric_names_each_cause_once() -> None:
    lines = prometheus_metrics(WELL).splitlines()
    faults = [line for line in lines if line.startswith("slime_mind_faults_day{")]
    assert len(faults) == len(set(faults)) == len(Cause)


def test_a_process_of_pages_alone_misses_no_thread_that_another_process_runs(
    server: Server, tmp_path: Path
) -> None:
    beside = Server(tmp_path, workers=1, is_web_only=True)
    with closing(beside.storage), closing(beside.site):
        browser = beside.browser()
        browser.client.cookies = server.organizer().client.cookies
        text = browser.get("/metrics").text
        page = browser.text("/admin/health")
    assert "slime_mind_running{" not in text
    assert "\nslime_mind_workers 0.0\n" in text
    assert "Nothing is wrong." in page
    assert "Matches and checks in another process" in page
    assert "Matches side by side" not in page


def test_addresses_of_this_machine_and_of_a_network_are_known() -> None:
    networks = [ip_network("172.30.9.0/24"), ip_network("fd00:9::/64")]
    for inside in ("127.8.0.1", "::1", "172.30.9.255", "fd00:9::8"):
        assert is_within(inside, networks)
    for outside in ("192.0.2.1", "172.30.8.1", "fd00:8::8", "testclient"):
        assert not is_within(outside, networks)


def test_prometheus_may_be_on_another_machine_of_a_network_that_is_named(server: Server) -> None:
    web = Application(
        server.game_service, [HOST], server.site, metrics_from=[ip_network("172.30.9.0/24")]
    )
    for address, status in (("172.30.9.7", 200), ("172.30.8.7", 404)):
        client = make_client(web.app, f"http://{HOST}", address=address)
        assert client.get("/metrics").status_code == status
