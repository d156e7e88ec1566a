"""`python3 -m tests.golden.answers`: what the server answers on every route to everybody.

`--renew` writes the committed list anew, after a change that people or programs are to see.
`--bodies FOLDER` writes whole answers into a folder, to compare those before and after a change of
the code alone. Ids, tokens and times, which are others each time, are replaced by words.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from httpx2 import Response

from tests.server.members import serving
from tests.server.test_who_may_what import OURS, STREAMS, Who, World, list_routes
from tests.template import FOLDER

LIST = Path(__file__).resolve().parent / "answers.txt"
HEADERS = ("content-type", "location", "cache-control", "content-disposition", "retry-after")
"""The headers that are listed; those of security are the same everywhere."""
MAX_LISTED = 2_000
"""Letters of an answer to a program that are listed."""
STATIC = (
    *("/static/site/style.css", "/static/shared/site.js", "/static/viewer/live.js"),
    *("/static/none", "/static/%2e%2e/app.py", "/none"),
)
VARYING = (
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?( UTC)?", "TIME"),
    (r"\d{4}-\d\d-\d\d", "DAY"),
    (r"[0-9a-f]{64}", "DIGEST"),
    (r"\b[0-9a-f]{12,32}\b", "ID"),
    (r"(?<=[/=\"])[\w-]{32,48}(?=[\";/<\s])", "TOKEN"),
    (r"/tmp/[\w./-]+", "FOLDER"),
    (r"\d\d:\d\d UTC", "TIME"),
    (r"expires=[^;]+", "TIME"),
    (r"[\d.]+ [KMG]iB", "SIZE"),
    (r"call took [\d.]+ of", "call took SOME of"),
)


def answers(world: World) -> Iterator[tuple[str, Response]]:
    """Yield what was asked, and by whom, with the answer: the same order each time."""
    for route in sorted(list_routes(world) - STREAMS):
        for who in Who:
            yield f"{route} {who}", world.ask(route, who, OURS)
        yield f"{route} foreign", world.ask(route, Who.ORGANIZER, {"origin": "https://evil.test"})
    everybody = {who: world.client(who) for who in Who}
    for route in sorted(STREAMS):
        path = re.sub(r"{\w+}", "none", route.partition(" ")[2])
        for who, client in everybody.items():
            yield f"{route} (none) {who}", client.get(path)
    for route in sorted(list_routes(world) - STREAMS):
        method, pattern = route.split(" ")
        if "{" in pattern:
            path = re.sub(r"{\w+(:int)?}", lambda one: "77" if one[1] else "none", pattern)
            path = re.sub(r"{\w+:path}", "none", path)
            yield f"{route} (none)", everybody[Who.AUTHOR].request(method, path, headers=OURS)
        wrong = "DELETE" if method != "DELETE" else "PATCH"
        yield (
            f"{wrong} {pattern}",
            everybody[Who.MEMBER].request(wrong, world.path(pattern), headers=OURS),
        )
    for path in STATIC:
        yield f"GET {path}", everybody[Who.NOBODY].get(path)


def normalize(text: str, world: World) -> str:
    """Return a text without what is another one each time."""
    for name, part in world.parts.items():
        if len(part) >= 8:
            text = text.replace(part, name.upper())
    for pattern, word in VARYING:
        text = re.sub(pattern, word, text)
    return text


def as_line(asked: str, answer: Response, world: World) -> str:
    """Return an answer as it stands in the list."""
    found = [f"{name}: {answer.headers[name]}" for name in HEADERS if name in answer.headers]
    cookies = [one.partition("=")[0] for one in answer.headers.get_list("set-cookie")]
    is_json = "json" in answer.headers.get("content-type", "")
    body = re.sub(r"\s+", " ", answer.text) if is_json else ""
    if "/openapi.json" in asked:
        body = ""  # it is committed as docs/openapi.json
    parts = [asked, str(answer.status_code), *found, *(f"sets {one}" for one in cookies), body]
    return normalize(" | ".join(part for part in parts if part), world)[:MAX_LISTED]


def record_answers(bodies: Path | None = None) -> list[str]:
    """Return the list; write whole answers into `bodies`."""
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault(FOLDER, name)  # what is made once, where no tests run
        folder = Path(name) / "results"
        with serving(folder) as server:
            world, lines = World(server, folder), []
            for asked, answer in answers(world):
                lines.append(as_line(asked, answer, world))
                if bodies is not None:
                    file = re.sub(r"[^\w.-]+", "_", asked)
                    (bodies / file).write_text(normalize(_text(answer), world), encoding="utf-8")
            return lines


def _text(answer: Response) -> str:
    kind = answer.headers.get("content-type", "")
    is_text = kind.startswith("text/") or "json" in kind or "xml" in kind or "javascript" in kind
    head = "".join(f"{name}: {value}\n" for name, value in sorted(answer.headers.multi_items()))
    head = re.sub(r"(content-length|x-request-id|etag|last-modified|allow): .*", r"\1", head)
    body = answer.text if is_text else ""
    if answer.url.path == "/metrics":
        body = re.sub(r" [\d.e+-]+$", " N", body, flags=re.MULTILINE)
    return f"{answer.status_code}\n{head}\n{body}"


@click.command(help=__doc__)
@click.option("--renew", is_flag=True, help="Write the committed list anew.")
@click.option("--bodies", type=click.Path(path_type=Path), help="Write whole answers there.")
def main(renew: bool, bodies: Path | None) -> None:
    if bodies is not None:
        bodies.mkdir(parents=True, exist_ok=True)
    lines = record_answers(bodies)
    if renew:
        LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
    click.echo(f"{len(lines)} answers")


if __name__ == "__main__":
    main()
