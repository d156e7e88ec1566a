"""What strangers send changes nothing for those who play, and nothing for the server."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests import needs
from tests.examples import at_length
from tests.hostile_clients.attackers import ATTACKS
from tests.hostile_clients.figures import Figures
from tests.hostile_clients.running import run
from tests.hostile_clients.samples import Sample
from tests.hostile_clients.waits import KINDS, NEWS, request_kind, summarize_waits

MINUTES = at_length(10, else_=1)
MAX_WAIT_S = 6.0
"""Other tests run beside this one; what an attack holds up takes longer than that."""
SAMPLE = Sample(
    web_memory=100 << 20,
    memory=300 << 20,
    descriptors=30,
    processes=8,
    log_bytes=200,
    log_lines=3,
    audit_rows=10,
)
FLAT = Figures(
    minutes=10,
    waits={"order": summarize_waits([0.25, 0.5])},
    refused={},
    before=SAMPLE,
    most=SAMPLE,
    after=SAMPLE,
    answers={"5 refused requests": {404: 9}},
    orders=2,
    games=1,
    matches=1,
    sign_ins=1,
    runs=1,
    behind=0,
    lost=[],
    ended=[],
)


@pytest.mark.exhaustive
@pytest.mark.timeout(600 + 60 * MINUTES)
@needs.PROC
def test_whatever_strangers_send_nobody_waits_and_nothing_grows(tmp_path: Path) -> None:
    figures = run(tmp_path, minutes=MINUTES, seed=34)
    complaints = figures.complaints(MAX_WAIT_S)
    assert complaints == [], "\n".join([figures.table(), "", *complaints])
    assert set(figures.answers) == set(ATTACKS)
    assert {name for name, _, _ in KINDS} - {"new game"} | {NEWS} <= set(figures.waits)


def test_a_run_that_changed_nothing_has_no_complaints() -> None:
    assert FLAT.complaints() == []


@pytest.mark.parametrize(
    ("figures", "complaint"),
    [
        (
            replace(FLAT, waits={"order": summarize_waits([0.25, 2.5])}),
            "order: one took 2.50 s, expected at most 2.0 s",
        ),
        (
            replace(FLAT, after=replace(SAMPLE, audit_rows=9_010)),
            "after the attack audit rows: 9000 more, expected at most 2150",
        ),
        (
            replace(FLAT, most=replace(SAMPLE, processes=40)),
            "during the attack processes: 32 more, expected at most 24",
        ),
        (replace(FLAT, lost=["order A1-B2 of game 7"]), "lost: order A1-B2 of game 7"),
        (replace(FLAT, refused={"sign-in: 429": 3}), "3 times refused: sign-in: 429"),
        (
            replace(FLAT, answers={"3 broken bodies": {400: 5, 500: 2}}),
            "3 broken bodies: 2 answers were errors of the server",
        ),
        (replace(FLAT, behind=1), "1 of the streams did not tell of the last order"),
        (replace(FLAT, matches=0), "no matches"),
    ],
)
def test_what_changed_is_a_complaint(figures: Figures, complaint: str) -> None:
    assert figures.complaints() == [complaint]


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/", "first page"),
        ("GET", "/contests/0a1b", "ladder page"),
        ("GET", "/api/v1/games/0a1b", "position"),
        ("POST", "/api/v1/games/0a1b/orders", "order"),
        ("POST", "/lobby/0a1b/take", "new game"),
        ("POST", "/api/v1/drafts/0a1b/runs", "run of a draft"),
        ("POST", "/api/v1/games/0a1b/acts", "other"),
    ],
)
def test_waits_are_collected_by_the_kind_of_request(method: str, path: str, kind: str) -> None:
    assert request_kind(method, path) == kind
