"""The templates of all pages, and the one way in which a page is made of them."""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from engine.support.typed_commands import detect_commands
from report.rendering import SharedTemplates
from runners.contests.tournament_request import tournament_title
from runners.formats import format_title

MOMENT = "%Y-%m-%d %H:%M %Z"
TEMPLATES = Path(__file__).parents[1] / "templates"


@cache
def make_environment(public_path: str = "", zone: tzinfo = UTC, home_bot: str = "") -> Environment:
    """Return the templates, of which each is compiled once; whatever they are given is escaped.

    They put `site`, the path below which browsers find the server, before its own links. `zone`
    names the time zone of what is typed into forms. `home_bot`: the bot of a server that is there
    to write it at home, and '' of any other.
    """
    environment = SharedTemplates(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    environment.globals["site"] = public_path
    environment.globals["zone"] = str(zone)
    environment.globals["main_command"] = detect_commands().main
    environment.globals["home_bot"] = home_bot
    environment.filters["contest_title"] = tournament_title
    environment.filters["format_title"] = format_title
    environment.filters["when"] = partial(_time_html, zone)
    environment.filters["day"] = lambda at: f"{at.astimezone(zone):%Y-%m-%d}"
    environment.filters["moment"] = lambda at: f"{at.astimezone(zone):{MOMENT}}"
    return environment


def _time_html(zone: tzinfo, at: datetime, is_relative: bool = False) -> Markup:
    """Return a time as HTML, of which web/site/times.js makes one of the reader's own clocks.

    `is_relative`: it is also said how long that is from now.
    """
    kind = Markup(' class="relative"') if is_relative else ""
    utc, shown = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", f"{at.astimezone(zone):{MOMENT}}"
    return Markup('<time datetime="{}"{}>{}</time>').format(utc, kind, shown)


def render_page(
    environment: Environment,
    template: str,
    status: int = HTTPStatus.OK,
    *,
    values: Mapping[str, object],
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Return a page: `template` by its file's name, and what its first line says that it needs."""
    text = environment.get_template(template).render(values)
    return HTMLResponse(text, status_code=status, headers=headers)
