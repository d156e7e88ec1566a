"""An evening of a class, from an empty folder to a podium; the server is killed on the way."""

import re
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest

from engine.result_folder import ResultFolder
from runners.storage.schema import DATABASE
from tests import needs
from tests.examples import at_length
from tests.server.killable_server import KillableServer
from tests.shell import WALKER, Shell, eventually
from tests.soak.losses import count_results, find_lost_results

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), needs.PROC]

STUDENTS = at_length(30, else_=6)
ROUNDS = 3
LADDER = "Evening"
LADDER_ID = re.compile(rf'href="/contests/(\w+)"[^>]*>{LADDER}<')
WAIT_S = 300
SOON = timedelta(seconds=12)
"""How far ahead the cup begins: its hour passes while the server is down."""


@pytest.fixture
def evening(shell: Shell) -> Iterator[KillableServer]:
    made = KillableServer(shell, shell.home / "contest", "--jobs", "1")
    made.start()
    try:
        yield made
    finally:
        made.close()


def page(answer: Any) -> str:
    """Return a page that was sent, as it is."""
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def once_there(read: Callable[[], str], text: str) -> str:
    """Return a page once it says something."""
    assert eventually(lambda: text in read(), WAIT_S), read()
    return read()


def test_from_an_empty_folder_to_a_podium_nothing_is_lost_and_nothing_counts_twice(
    evening: KillableServer, shell: Shell
) -> None:
    olga = evening.browser()
    page(olga.post(evening.first_link, data={"name": "Olga"}))
    made = shell.run(
        *("admin", "ladder", LADDER, "--approved", "--no-house", "--out", str(evening.out)),
        *("--set", "max_turns=5", "--preset", "small"),
    )
    assert made.code == 0, made.err
    ladder = re.search(LADDER_ID, page(olga.get("/contests")))
    assert ladder is not None
    evening.restart()

    group = page(olga.post("/admin/groups", data={"name": "Class 5", "words": "Tuesdays"}))
    assert "Class 5" in group
    group_id = re.search(r"/admin/groups/(\w+)", group)
    assert group_id is not None
    invited = page(
        olga.post(
            "/admin/invitations",
            data={"note": "evening", "days": "1", "accounts": str(STUDENTS), "group": group_id[1]},
        )
    )
    link = re.search(r'value="http://[^/"]+(/welcome/[^"]+)"', invited)
    assert link is not None
    evening.restart()

    students = [evening.browser() for _ in range(STUDENTS)]
    for number, student in enumerate(students, 1):
        page(student.post(link[1], data={"name": f"Student {number}"}))
        if number == STUDENTS // 2:
            evening.restart()
    evening.restart()
    assert evening.browser().post(link[1], data={"name": "Too many"}).status_code == 404

    for number, student in enumerate(students, 1):
        source = WALKER + f"\nSTUDENT = {number}\n"
        files = {"files": (f"player_of_{number}.py", source.encode())}
        fields = {"ladder": ladder[1], "name": f"bot {number}"}
        page(student.post("/submit", data=fields, files=files))
        if number in (STUDENTS // 3, STUDENTS):
            evening.restart()  # its checks are running
    board = f"/admin/contests/{ladder[1]}"
    everybody = f"{STUDENTS} bots"

    def waiting() -> set[str]:
        return set(re.findall(r">(bot \d+)<", page(olga.get(board))))

    assert eventually(lambda: len(waiting()) == STUDENTS, WAIT_S), waiting()
    up_to = re.search(r'name="up_to" value="(\d+)"', page(olga.get(board)))
    assert up_to is not None
    page(olga.post(f"{board}/approve", data={"up_to": up_to[1]}))
    evening.restart()
    once_there(lambda: page(olga.get(f"/contests/{ladder[1]}")), everybody)

    starts = (datetime.now(UTC) + SOON).strftime("%Y-%m-%dT%H:%M:%S")
    announced = page(
        olga.post(
            "/admin/contests",
            data={
                "ladder": ladder[1],
                "name": "Spring cup",
                "words": "For a cake.",
                "starts": starts,
                "field": "entered",
                "format": "swiss",
                "games": "1",
                "rounds": str(ROUNDS),
                "table": "2",
            },
        )
    )
    assert "For a cake." in announced
    for student in students:
        cup = page(student.get("/contests/Spring_cup"))
        bot = re.search(r'name="bot" value="(\w+)"', cup)
        assert bot is not None
        page(student.post("/contests/Spring_cup/enter", data={"bot": bot[1]}))
    evening.kill()
    left_s = (
        datetime.fromisoformat(starts).replace(tzinfo=UTC) - datetime.now(UTC)
    ).total_seconds()
    time.sleep(max(0.0, left_s))  # its hour comes while nobody is there
    evening.start()

    def cup_now() -> str:
        return page(evening.browser().get("/contests/Spring_cup"))

    of = STUDENTS // 2 * 2 * ROUNDS
    once_there(cup_now, "matches played")
    evening.restart()
    over = once_there(cup_now, 'class="podium"')
    podium = over[over.index('class="podium"') : over.index("</ol>")]
    assert len(re.findall("Student \\d+", podium)) == 3
    assert f"{of} of {of} matches played" in over
    once_there(cup_now, "Download the report")
    notices = page(students[0].get("/notices"))
    assert f"Spring cup has begun, with {everybody}." in notices
    assert "Spring cup is over: bot 1 took place" in notices
    report = olga.get("/contests/Spring_cup/report.zip")
    with zipfile.ZipFile(BytesIO(report.content)) as opened:
        opening = opened.read("Spring_cup/index.html").decode()
    assert "<h1><bdi>Spring cup</bdi></h1>" in opening
    grades = olga.get(f"/admin/groups/{group_id[1]}/grades.csv").text
    for number in range(1, STUDENTS + 1):
        assert f"Student {number}," in grades
        assert f"bot {number}," in grades
    assert evening.kills >= 8
    evening.kill()
    database = evening.out / DATABASE
    assert count_results(database) > 0
    assert [*find_lost_results(database, [evening.out])] == []
    assert not (evening.out / ResultFolder.AGAIN).exists()  # each was played to its end once
