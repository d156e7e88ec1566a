"""Groups for tests: made by an organizer's form, joined by a code."""

import re

from tests.server.members import Browser, Page, page_text

CODE = re.compile(r'readonly value="([a-z0-9]{5}-[a-z0-9]{5})"')


def make_group(organizer: Browser, name: str = "Class 10b", note: str = "") -> tuple[str, str]:
    """Make a group by the form; return its id and its code."""
    page = organizer.post("/admin/groups", {"name": name, "words": note})
    assert page.status_code == 200, page_text(page)
    return str(page.url).rpartition("/")[2], read_code(page)


def read_code(page: Page) -> str:
    """Return the code that a page shows once."""
    found = CODE.search(page.text)
    assert found is not None, page_text(page)
    return found[1]


def join(member: Browser, code: str) -> Page:
    return member.post("/join", {"code": code})
