"""`main.py write`, as it is typed: a page for this machine alone, over a file of the author's."""

import re

import pytest
from httpx2 import Client

from tests.shell import WALKER, Shell, eventually

SHELL_BOTS = {"./mine.py": WALKER}


@pytest.mark.slow
def test_a_file_is_written_in_the_browser_by_who_has_the_secret(shell: Shell) -> None:
    process = shell.start("write", "./mine.py", "--no-browser")
    assert process.stdout is not None
    found = re.search(
        r"(http://127\.0\.0\.1:\d+)(/device/\w[^?]*)\?next=(\S+)", process.stdout.readline()
    )
    assert found is not None
    base, link, page = found.groups()
    path = f"/api/v1/drafts/{page.rpartition('/')[2]}"
    with Client(base_url=base, follow_redirects=True) as stranger:
        assert stranger.get(path).status_code == 401
        assert stranger.get(page).status_code == 401
    with Client(base_url=base, follow_redirects=True) as author:
        opened = author.post(link, data={"next": page}, headers={"origin": base})
        assert (opened.status_code, opened.url.path) == (200, page)
        assert f'data-home-bot="{shell.home / "mine.py"}"' in opened.text
        assert "/contests" not in opened.text
        assert "/contests" not in author.get("/nowhere", headers={"accept": "text/html"}).text
        draft = author.get(path).json()
        assert draft["files"] == [{"name": "mine.py", "text": WALKER}]
        files = [{"name": "mine.py", "text": f"{WALKER}# typed\n"}]
        body = {"revision": draft["revision"], "name": draft["name"], "files": files}
        assert author.put(path, json=body).status_code == 200
        file = shell.home / "mine.py"
        assert eventually(lambda: file.read_text().endswith("# typed\n"), 20)
        with Client(base_url=base) as other:
            assert other.post(link, headers={"origin": base}).status_code == 404  # good for once


def test_a_bot_that_is_not_there_is_refused(shell: Shell) -> None:
    done = shell.run("write", "nobody", "--no-browser")
    assert done.code == 2
    assert "no bot 'nobody'" in done.err
    assert not (shell.home / "results" / "write").exists()


def test_an_option_of_matches_is_refused(shell: Shell) -> None:
    done = shell.run("write", "./mine.py", "--seed", "7", "--no-browser")
    assert done.code == 2
    assert "matches are begun on the page" in done.err
