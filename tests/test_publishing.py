"""What strangers get: the package's description, and the files by which a repository is judged."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from trove_classifiers import classifiers

import bootstrap
from engine import ENGINE_VERSION
from hatch_build import with_absolute_links
from tests.test_documents import PRESENT, relative_name

HOME = bootstrap.HOME
WORKFLOWS = sorted((HOME / ".github" / "workflows").iterdir())
CODE = [
    path
    for folder in ("cli", "runners", "server", "visualizer")
    for path in (HOME / folder).rglob("*.py")
]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    text = (HOME / "pyproject.toml").read_text(encoding="utf-8")
    read: dict[str, Any] = tomllib.loads(text)["project"]
    return read


def test_the_package_is_described_in_words_that_an_index_knows(project: dict[str, Any]) -> None:
    assert set(project["classifiers"]) <= classifiers
    assert set(project["urls"]) == {"Homepage", "Documentation", "Changelog", "Issues", "Source"}
    assert "bots" in project["keywords"]


def test_links_and_pictures_of_the_readme_lead_to_the_repository_on_an_index() -> None:
    text = (
        '![a](images/a.png) [b](docs/b.md#c) <img src="images/d.gif"> <a href="docs/e.md">'
        " [f](https://example.org/f) [g](#g)"
    )
    raw = "https://raw.githubusercontent.com/me/mine/v1"
    page = "https://github.com/me/mine/blob/v1"
    assert with_absolute_links(text, "https://github.com/me/mine", "v1") == (
        f'![a]({raw}/images/a.png) [b]({page}/docs/b.md#c) <img src="{raw}/images/d.gif">'
        f' <a href="{page}/docs/e.md"> [f](https://example.org/f) [g](#g)'
    )


def test_no_link_of_the_readme_is_left_for_readers_of_an_index() -> None:
    text = with_absolute_links(
        (HOME / "README.md").read_text(encoding="utf-8"), "https://github.com/me/mine", "v1"
    )
    links = re.findall(r'(?:\]\(|href="|src=")([^)"\s]+)', text)
    assert links
    assert [link for link in links if not link.startswith(("https://", "#"))] == []


def test_nobody_is_told_to_install_what_an_index_does_not_have() -> None:
    template = HOME / "resources" / "templates" / "project" / "pyproject.toml"
    for path in (*PRESENT, *CODE, HOME / "docs" / "notebook.ipynb", template):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pip install [\"']?slime-mind-arena", text), path
        assert not re.search(r'^dependencies = .*"slime-mind-arena', text, re.MULTILINE), path


@pytest.mark.parametrize("path", WORKFLOWS, ids=relative_name)
def test_actions_are_held_by_digest_and_name_their_version(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    used = re.findall(r"uses: (.+)$", text, re.MULTILINE)
    assert used
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_only_the_job_that_publishes_may_prove_who_it_is() -> None:
    jobs = yaml.safe_load((HOME / ".github" / "workflows" / "release.yml").read_text())["jobs"]
    assert {name: job.get("permissions") for name, job in jobs.items()} == {
        "build": None,
        "try": None,
        "publish": {"id-token": "write"},
    }
    assert (jobs["publish"]["needs"], jobs["try"]["needs"]) == ("try", "build")


def test_the_checks_before_a_commit_are_those_that_every_commit_passes() -> None:
    (local,) = yaml.safe_load((HOME / ".pre-commit-config.yaml").read_text())["repos"]
    run = (HOME / ".ci" / "run").read_text(encoding="utf-8")
    assert [hook["entry"] for hook in local["hooks"] if f"step {hook['entry']}" not in run] == []


def test_who_cites_us_cites_this_version() -> None:
    cited = yaml.safe_load((HOME / "CITATION.cff").read_text(encoding="utf-8"))
    changelog = (HOME / "CHANGELOG.md").read_text(encoding="utf-8")
    assert cited["version"] == ENGINE_VERSION
    assert f"## [{ENGINE_VERSION}] - {cited['date-released']}" in changelog


def test_dependencies_of_every_kind_are_kept_up_to_date() -> None:
    updates = yaml.safe_load((HOME / ".github" / "dependabot.yml").read_text())["updates"]
    kinds = {update["package-ecosystem"] for update in updates}
    ours = {"uv", "npm", "github-actions", "docker", "docker-compose", "devcontainers"}
    assert kinds == ours


def test_a_development_container_is_set_up_as_a_clone_is() -> None:
    text = (HOME / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    assert json.loads(text)["postCreateCommand"] == "python3 bootstrap.py"
