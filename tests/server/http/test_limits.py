"""The table of rate limits: what a refusal says is true, and an operator sets and sees each."""

import re
from pathlib import Path

import pytest

from engine.errors import BadSettings
from server.http.limits import LIMITS, Limit, RateLimits, TooOften, read_limits
from server.identity.rate_limits import Asker
from tests.cases import for_each
from tests.server.members import serving

WINDOWS = {60: "minute", 600: "10 minutes", 3_600: "hour", 604_800: "week"}


@for_each("limit", LIMITS)
def test_who_waits_as_long_as_a_refusal_says_is_let_in_and_nobody_before(limit: Limit) -> None:
    time_s = 0.0
    others = {one.name: 1_000 for one in LIMITS}
    limits = RateLimits({**others, limit.name: 2}, clock=lambda: time_s)
    by = Asker("192.0.2.1", None if "guest" in limit.name else "ann")

    def wait_s() -> int:
        """Return what a refusal says; 0 where there is none."""
        try:
            limits.count(limit.action, by, "key")
        except TooOften as error:
            return int(error.headers["retry-after"])
        return 0

    assert wait_s() == 0
    time_s = 7.3
    assert wait_s() == 0
    time_s = 8.6
    said = wait_s()
    assert limits.met[limit.name] == 1
    time_s += said - 1
    assert wait_s() == 1
    time_s += 1
    assert wait_s() == 0
    assert wait_s() > 0  # the second one of before still counts


def test_a_try_that_one_limit_refuses_counts_for_no_other() -> None:
    limits = RateLimits({"hand_in.person": 3, "hand_in.address": 2})
    ann, ben = Asker("192.0.2.1", "ann"), Asker("192.0.2.1", "ben")
    assert [limits.count_try("hand_in", one) for one in (ben, ben, ann, ann, ann)] == [
        *(True, True),
        *(False, False, False),
    ]
    assert limits.count_try("hand_in", Asker("192.0.2.2", "ann"))
    assert (limits.met["hand_in.person"], limits.met["hand_in.address"]) == (0, 3)


def test_an_operator_sets_limits_in_a_file_and_sees_how_often_each_was_met(tmp_path: Path) -> None:
    file = tmp_path / "limits.toml"
    file.write_text("hand_in = {person = 100, address = 5_000}\nwrong_link.address = 2\n")
    said = read_limits(file)
    assert said == {"hand_in.person": 100, "hand_in.address": 5_000, "wrong_link.address": 2}
    with serving(tmp_path / "results", limits=said) as server:
        guesser, organizer = server.browser("192.0.2.1"), server.browser()
        answers = [guesser.get(f"/welcome/guess{n}").status_code for n in range(4)]
        assert guesser.get(f"/welcome/{server.key}").status_code == 200  # a good link is good
        organizer.post(f"/welcome/{server.key}", {"name": "Olga"})
        page, figures = organizer.text("/admin/health"), organizer.get("/metrics").text
    assert answers == [404, 404, 429, 429]
    assert "wrong_link.address 2 wrong links from your address" in page
    assert "hand_in.person" not in page
    assert 'slime_mind_limits_met_total{limit="wrong_link.address"} 2.0' in figures
    assert 'slime_mind_limits_met_total{limit="hand_in.person"} 0.0' in figures


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("hand_ins.person = 1", "no limit hand_ins.person; did you mean 'hand_in.person'?"),
        ("hand_in = 1", "no limit hand_in; did you mean"),
        ("hand_in.person = 0", "hand_in.person = 0: expected a whole number from 1"),
        ("hand_in.person = true", "hand_in.person = True: expected"),
        ("hand_in.person = '9'", "hand_in.person = '9': expected"),
        ("hand_in.person.x = 1", "hand_in.person = {'x': 1}: expected"),
        ("hand_in.person", "is not valid TOML"),
    ],
)
def test_what_a_file_says_wrong_is_named(tmp_path: Path, line: str, text: str) -> None:
    file = tmp_path / "limits.toml"
    file.write_text(line)
    with pytest.raises(BadSettings, match=re.escape(text)) as refused:
        read_limits(file)
    assert str(refused.value).startswith(str(file))


def test_the_file_of_limits_has_every_limit_as_it_is() -> None:
    file = Path(__file__).parents[3] / "deploy" / "rate-limits.toml"
    _, _, *lines = file.read_text("utf-8").splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        f"{one.name} = {one.tries} # {WINDOWS[one.window_s]}" for one in LIMITS
    ]
    assert read_limits(file) == {limit.name: limit.tries for limit in LIMITS}
