"""The pages of the players' APIs say what the docstrings say, and leave nothing out."""

import dataclasses
import re

import pytest

import slime_mind_arena
from bootstrap import HOME
from docs.site.api_pages import PAGE_OF_SHARED, SHARED_MEMBERS, make_references, with_reference
from engine import ENGINE_VERSION
from engine.catalog import GAMES
from engine.games.game_of_death import player as army
from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.soldier import Soldier
from engine.games.slime_mind import player as slimes
from engine.games.smac import player as smac
from engine.games.smack import player as smack
from engine.simulation import Simulation
from server.writing.reference import EntryKind, describe, make_reference
from slime_mind_arena import library
from tests.cases import for_each

ADVICE = "run `python3 -m docs.site.api_pages`"
OLD = frozenset({"neighbours", "centre", "centres", "free_centres", "why_not_centre"})
"""As bots written before 1.0.0 call them."""
OURS = frozenset({"answer", "refused_lines", "state"})
"""What the engine asks of them."""
CLASSES: dict[str, tuple[type, ...]] = {
    "slime_mind": (slimes.BasePlayer, slimes.BoardView, slimes.Slime, Simulation),
    "smack": (smack.BasePlayer, smack.Board, smack.Position),
    "smac": (smac.BasePlayer, smac.Board, smac.OrderSheet, smac.PlacementSheet),
    "game_of_death": (army.BasePlayer, army.Shape, army.View, Soldier, FlagRunner),
}


def page_of(game: str) -> str:
    return (HOME / "docs" / "api" / f"{game}.md").read_text(encoding="utf-8")


def public_names(kind: type) -> set[str]:
    """Return what of a class itself, or of a base that no page has, is there for bots."""
    known = {base for kinds in CLASSES.values() for base in kinds} - {kind}
    own = [b for b in kind.__mro__ if b.__module__.startswith("engine.") and b not in known]
    names = {name for base in own for name in (*vars(base), *getattr(base, "__annotations__", {}))}
    return {name for name in names if not name.startswith("_")} - OLD - OURS


def test_the_pages_say_of_each_name_what_its_docstring_says() -> None:
    for name, reference in make_references().items():
        page = (HOME / "docs" / name).read_text(encoding="utf-8")
        assert page == with_reference(page, reference), ADVICE


def test_every_name_of_the_library_is_described_on_its_page() -> None:
    entries = describe(slime_mind_arena.__all__, library)
    assert [one for one in entries if not one.text] == []
    assert {one.name for one in entries if not one.of} == {*slime_mind_arena.__all__}
    fields = {
        f"{kind.__name__}.{field.name}"
        for kind in (library.Match, library.Team, library.Rating, library.Standing)
        for field in dataclasses.fields(kind)
    }
    fields |= {f"Replay.{name}" for name in vars(library.Replay) if not name.startswith("_")}
    assert fields - {f"{one.of}.{one.name}" for one in entries} == set()
    assert {"Replay.bots", "Replay.settings"} <= {f"{one.of}.{one.name}" for one in entries}


def test_the_library_says_its_version_and_what_is_public() -> None:
    assert slime_mind_arena.__version__ == ENGINE_VERSION
    assert dir(slime_mind_arena) == sorted([*slime_mind_arena.__all__, "__version__"])


@for_each("game, kind", [(game, kind) for game, kinds in CLASSES.items() for kind in kinds])
def test_everything_that_a_bot_may_use_stands_on_the_page_of_its_game(
    game: str, kind: type
) -> None:
    section = page_of(game).partition(f"\n### {kind.__name__}\n")[2].partition("\n### ")[0]
    described = set(re.findall(r"^`(\w+)[(:].*`: .", section, re.MULTILINE))
    elsewhere = set() if game == PAGE_OF_SHARED else set(SHARED_MEMBERS)
    assert public_names(kind) - described - elsewhere == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_name_of_an_api_is_described(game: str) -> None:
    silent = [
        one
        for one in make_reference(game).entries
        if not one.text and one.kind is not EntryKind.CONSTANT
    ]
    assert silent == []


def test_names_of_bots_before_the_first_release_are_not_offered() -> None:
    names = {one.name for game in GAMES for one in make_reference(game).entries}
    assert names & (OLD | {"Enemy"}) == set()
    assert {"chase", "carry", "legal_orders", "empty"} <= names
