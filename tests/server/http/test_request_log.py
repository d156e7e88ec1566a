"""Every request has an id, is counted, and can be logged; the dashboard names what there is."""

import asyncio
import json
import logging
import re
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

import bootstrap
from server.games.seats import Seats
from server.http.request_log import DETAILS, HEADER, LOGGER, JsonLines
from tests.server.in_process import make_client
from tests.server.members import HOST, Server

DASHBOARD = bootstrap.HOME / "deploy" / "grafana-dashboard.json"


@pytest.fixture
def lines() -> Iterator[list[dict[str, object]]]:
    """Return the lines that are logged during a test."""
    logged: list[dict[str, object]] = []

    class Kept(logging.Handler):
        """Keeps each line as it would be written."""

        def emit(self, record: logging.LogRecord) -> None:
            """Keep a line."""
            logged.append(json.loads(JsonLines().format(record)))

    handler = Kept()
    LOGGER.addHandler(handler)
    level = LOGGER.level
    LOGGER.setLevel(logging.INFO)
    yield logged
    LOGGER.setLevel(level)
    LOGGER.removeHandler(handler)


def test_each_request_has_an_id_of_its_own_whoever_sends_one(server: Server) -> None:
    client = make_client(server.web.app, f"http://{HOST}")
    sent = [client.get("/healthz", headers={HEADER: "forged"}).headers[HEADER] for _ in range(2)]
    assert len(set(sent)) == 2
    assert all(re.fullmatch("[0-9a-f]{16}", number) for number in sent)


def test_a_request_is_logged_with_its_id_and_without_the_key_in_its_path(
    server: Server, lines: list[dict[str, object]]
) -> None:
    answer = server.browser().get("/welcome/a-secret-key")
    (line,) = lines
    assert line["request_id"] == answer.headers[HEADER]
    assert (line["route"], line["method"], line["status"]) == (
        "/welcome/{key}",
        "GET",
        answer.status_code,
    )
    assert "secret" not in json.dumps(line)


def test_an_error_of_ours_is_answered_with_its_number_and_logged(
    server: Server, lines: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*parts: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(Seats, "own_teams", fail)
    monkeypatch.setattr(server.web._game_service, "open_session", fail)
    client = make_client(server.web.app, f"http://{HOST}", raise_app_exceptions=False)
    answer = client.get("/api/v1/games/none")
    assert answer.status_code == 500
    (line,) = lines
    assert line["status"] == 500
    assert str(line["request_id"]) in answer.text


def test_one_who_leaves_in_the_midst_of_a_body_is_no_error_of_ours(
    server: Server, lines: list[dict[str, object]]
) -> None:
    async def gone() -> dict[str, object]:
        return {"type": "http.disconnect"}

    async def send(message: object) -> None:
        raise AssertionError("there is nobody to be answered")

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/sign-in",
        "raw_path": b"/sign-in",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "client": ("192.0.2.1", 1),
        "headers": [(b"host", HOST.encode())],
    }
    asyncio.run(server.web.app(scope, gone, send))
    (line,) = lines
    assert (line["route"], line["status"]) == ("/sign-in", 499)
    text = server.organizer().get("/metrics").text
    assert 'requests_total{method="POST",route="/sign-in",status="499"} 1.0' in text
    assert 'request_seconds_count{route="/sign-in"}' not in text


def test_a_line_tells_a_traceback() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        info = (ValueError, error, error.__traceback__)
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "broken: %s", ("é\n",), info)
    record.__dict__[DETAILS] = {"status": 500}
    line = JsonLines().format(record)
    assert "\n" not in line
    answer = json.loads(line)
    assert (answer["level"], answer["message"], answer["status"]) == ("error", "broken: é\n", 500)
    assert "ValueError: two" in answer["traceback"]


def test_requests_are_counted_by_route_and_status(server: Server) -> None:
    organizer = server.organizer()
    server.browser().get("/contests/nothing-like-it")
    server.browser().get("/no/such/page")
    text = organizer.get("/metrics").text
    assert 'slime_mind_requests_total{method="GET",route="/contests/{id}",status="404"} 1.0' in text
    assert 'slime_mind_requests_total{method="GET",route="other",status="404"} 1.0' in text
    assert 'slime_mind_request_seconds_count{route="/contests/{id}"} 1.0' in text
    assert "\nslime_mind_streams 0.0\n" in text


def test_the_dashboard_names_metrics_that_there_are(server: Server) -> None:
    organizer = server.organizer()
    organizer.get("/healthz")
    there = {
        sample.name: set(sample.labels)
        for family in text_string_to_metric_families(organizer.get("/metrics").text)
        for sample in family.samples
    }
    panels = json.loads(DASHBOARD.read_text())["panels"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    named = {name for text in expressions for name in re.findall(r"slime_mind_\w+", text)}
    assert named <= set(there)
    assert {name for name in there if not name.endswith(("_created", "_count", "_sum"))} <= named
    for text in expressions:
        (name, *_) = re.findall(r"slime_mind_\w+", text)
        labels = set(re.findall(r"by \((\w+)\)", text)) | set(re.findall(r"\{(\w+)=", text))
        assert labels <= there[name], text
    places = [tuple(panel["gridPos"][key] for key in "xy") for panel in panels]
    assert len(set(places)) == len(places)
